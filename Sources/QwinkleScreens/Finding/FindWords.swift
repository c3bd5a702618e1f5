/// The words of finding in a list.
enum FindWords {
  static let findLabel = "Find"
  static let limitLabel = "Limit to"
  static let nothingYet = "Nothing to find yet · /: find"
  static let wrappedToTop = "Continued at the top"
  static let wrappedToEnd = "Continued at the end"
  static let unlimited = "All rows"

  static func notFound(_ words: String, rows: Int) -> String {
    "“\(words)” not found in \(Counted.words(rows, "row"))"
  }

  static func limited(_ words: String) -> String { "Limited to “\(words)” · q: all rows" }
}
