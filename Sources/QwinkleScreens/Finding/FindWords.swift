import PaneKit
import QwinkleModel

/// The words of finding in a list.
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

  /// The same where only the rows with `limit` were looked through, or go on being shown.
  static func notFound(_ words: String, rows: Int, limit: String) -> String {
    "\(notFound(words, rows: rows)) · \(limited(limit))"
  }

  static func limited(_ words: String) -> String { "Only “\(words)” · \(Action.back.key): all rows" }

  /// Stands where a limit leaves no row.
  static func nothing(_ words: String) -> String { "No row has “\(words)”." }

  static let showsAll = (Action.back.key, "shows all rows")
}
