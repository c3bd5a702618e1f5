import GRDB
import QwinkleModel

extension SearchText {
  /// The SQL function that triggers call to update the search index. Joins its arguments and prepares them for the
  /// index.
  static let function = DatabaseFunction("search_text", pure: true) { values in
    values.compactMap(String.fromDatabaseValue).map { indexed($0) }.joined(separator: "\n")
  }
}
