import PaneKit
import QwinkleModel
import Terminal

/// An avatar where no picture can be shown: two letters in a colour of their owner.
enum AvatarInitials {
  /// Two columns of letters from the name that somebody gives themselves, or from their handle.
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

  /// Always the same colour for the same handle, on every machine.
  static func role(of qwinker: Qwinker) -> StyleRole {
    let hash = qwinker.handle.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return StyleRole.avatars[Int(hash % UInt32(StyleRole.avatars.count))]
  }
}
