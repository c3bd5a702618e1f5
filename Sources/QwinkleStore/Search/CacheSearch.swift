import Databases
import GRDB
import QwinkleModel

/// A search of the cache, within a transaction.
struct CacheSearch {
  /// Number of matching qwinks, newest first, whose hashtags are counted.
  private static let mostTagged = 100

  let database: Database
  /// The words as typed, and as an FTS5 expression.
  let words: String
  let expression: String

  /// Creates a search for `words`. Returns nil if `words` contains no word.
  init?(_ words: String, in database: Database) {
    guard let expression = SearchText.expression(for: words, signs: .words) else { return nil }
    self.database = database
    self.words = words
    self.expression = expression
  }

  /// Returns qwinks that contain all words, newest first.
  func qwinks(limit: Int) throws -> [Qwink] {
    try String.fetchAll(
      database,
      sql: """
        SELECT qwink FROM word_index JOIN words ON words.id = word_index.rowid
        WHERE word_index MATCH ? ORDER BY word_index.rowid DESC LIMIT ?
        """, arguments: [expression, limit]
    ).compactMap { try SearchIndexing.qwink($0, in: database) }
  }

  /// Returns authors whose names contain all words, most recently active first.
  func qwinkers(limit: Int) throws -> [Qwinker] {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT author, qwink FROM word_index JOIN words ON words.id = word_index.rowid
        WHERE word_index MATCH ? ORDER BY word_index.rowid DESC
        """, arguments: ["{name} : (\(expression))"])
    // Grouping by author in SQL would read all matches, even if the newest ones have enough authors.
    var authors: Set<String> = []
    var newest: [String] = []
    while newest.count < limit, let row = try rows.next() {
      if authors.insert(try row.value("author")).inserted { newest.append(try row.value("qwink")) }
    }
    return try newest.compactMap { try SearchIndexing.qwink($0, in: database)?.author }
  }

  /// Returns hashtags that start with the searched word, most frequent first. The frequency is counted in the newest
  /// qwinks. Empty if there are several words.
  func tags(limit: Int) throws -> [Tag] {
    let word = words.drop { $0 == "#" }.lowercased()
    guard !word.isEmpty, !word.contains(where: \.isWhitespace) else { return [] }
    let found = try String.fetchAll(
      database,
      sql: """
        SELECT qwink FROM word_index JOIN words ON words.id = word_index.rowid
        WHERE word_index MATCH ? ORDER BY word_index.rowid DESC LIMIT ?
        """, arguments: ["{tags} : (\(expression))", Self.mostTagged])
    var counts: [String: (name: String, count: Int)] = [:]
    for id in found {
      guard let qwink = try SearchIndexing.qwink(id, in: database) else { continue }
      for name in qwink.writtenTags where name.lowercased().hasPrefix(word) {
        counts[name.lowercased(), default: (name, 0)].count += 1
      }
    }
    let sorted = counts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    return sorted.prefix(limit).map { Tag(name: $0.value.name) }
  }
}
