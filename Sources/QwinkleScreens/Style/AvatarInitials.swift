import PaneKit
import QwinkleModel
import Terminal

/// An avatar without a picture: initials in the owner's colour.
enum AvatarInitials {
  /// Returns the initials of the display name, or of the user name if the display name has no letters. They are padded
  /// to two columns.
  static func letters(of qwinker: Qwinker) -> String {
    var text = ""
    var columns = 0
    for letter in qwinker.initials {
      let width = DisplayWidth.columns(of: letter)
      guard columns + width <= 2 else { break }
      text += letter
      columns += width
    }
    return text + String(repeating: " ", count: 2 - columns)
  }

  /// Returns the avatar's style. It is the same on every machine and every server.
  static func role(of qwinker: Qwinker) -> StyleRole { StyleRole.avatars[color(of: qwinker)] }

  /// Returns the style of a name in the avatar's colour.
  static func nameRole(of qwinker: Qwinker) -> StyleRole { StyleRole.coloredNames[color(of: qwinker)] }

  private static func color(of qwinker: Qwinker) -> Int {
    Qwinker.color(of: qwinker.addressOnAllServers, count: StyleRole.avatars.count)
  }
}
