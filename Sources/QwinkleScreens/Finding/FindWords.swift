import PaneKit
import QwinkleModel

/// Messages about searching in a list.
enum FindWords {
  static let findLabel = "Find"
  static let limitLabel = "Limit to"
  static let nothingYet = "No search yet · \(Action.find.key) finds"
  static let wrapped = "Search wrapped"
  static let unlimited = "All rows"

  static func notFound(_ words: String) -> String { "“\(words)” not found" }

  static func notFound(_ words: String, rows: Int) -> String {
    "\(notFound(words)) in \(Counted.words(rows, "row"))"
  }

  /// Returns the message for a search without a match in a list that is limited to `limit`.
  static func notFound(_ words: String, rows: Int, limit: String) -> String {
    "\(notFound(words, rows: rows)) · \(limited(limit))"
  }

  static func limited(_ words: String) -> String { "Only “\(words)” · \(Action.back.key): all rows" }

  /// Shown if no row matches a limit.
  static func nothing(_ words: String) -> String { "No row has “\(words)”." }

  static let showsAll = (Action.back.key, "shows all rows")
}
