import PaneKit
import Terminal

/// The symbol of a content warning, and the hint next to it.
enum WarningWords {
  /// The symbol before a warning.
  static let sign = "⚠"
  static let shows = (Action.reveal.key, "show")
  static let hides = (Action.reveal.key, "hide")

  /// Returns the key that shows or hides the text behind the warning.
  static func hint(isRevealed: Bool) -> [TextRun<StyleRole>] {
    let (key, word) = isRevealed ? hides : shows
    return [TextRun(key, .key), TextRun(" \(word)", .dim)]
  }
}
