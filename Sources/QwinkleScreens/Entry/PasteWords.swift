import PaneKit
import QwinkleModel

/// Messages about pasted text.
enum PasteWords {
  static let ignored = "You can't paste text here. \(Action.compose.key) starts a post."
  static let stalled = "Waiting for the rest of the paste. \(Action.interrupt.key) cancels it."

  /// Returns the question to confirm a large paste.
  static func question(_ size: PasteSize) -> String {
    let characters = Counted.words(size.characters, "character")
    return size.lines > PasteSize.maximumLines
      ? "Paste \(characters) in \(Counted.grouped(size.lines)) lines?" : "Paste \(characters)?"
  }
}
