import PaneKit
import QwinkleModel
import Terminal

/// An avatar without a picture: two letters in their owner's colour.
enum AvatarInitials {
  /// Two columns of letters from the display name, or else from the user name.
  static func letters(of qwinker: Qwinker) -> String {
    let words = qwinker.displayName.split { !$0.isLetter && !$0.isNumber }
    var letters = words.prefix(2).compactMap(\.first).map { $0.uppercased() }
    if words.count == 1, let word = words.first {
      letters = word.prefix(2).map { $0.uppercased() }
    }
    if letters.isEmpty { letters = qwinker.userName.prefix(2).map { $0.uppercased() } }
    var text = ""
    var columns = 0
    for letter in letters {
      let width = DisplayWidth.columns(of: letter)
      guard columns + width <= 2 else { break }
      text += letter
      columns += width
    }
    return text + String(repeating: " ", count: 2 - columns)
  }

  /// The avatar's looks. The same handle has the same colour on every machine.
  static func role(of qwinker: Qwinker) -> StyleRole { StyleRole.avatars[color(of: qwinker)] }

  /// A name in the avatar's colour.
  static func nameRole(of qwinker: Qwinker) -> StyleRole { StyleRole.coloredNames[color(of: qwinker)] }

  private static func color(of qwinker: Qwinker) -> Int {
    let hash = qwinker.handle.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return Int(hash % UInt32(StyleRole.avatars.count))
  }
}
