import Databases
import Foundation
import GRDB
import QwinkleModel
import QwinkleWire

/// Updates the index with new content, a batch at a time, within a transaction.
///
/// Decoding is most of the work. It runs between two transactions, so that it doesn't block writers.
struct SearchIndexing {
  /// Number of qwinks per batch.
  private static let sliceSize = 20
  /// Number of consecutive seconds searched for a free id.
  private static let mostSeconds = 1000
  /// Tables with content to index.
  private static let contents = [(table: "qwink", id: "original"), (table: "message", id: "id")]

  /// A batch of qwinks to index.
  struct Slice: Sendable {
    fileprivate struct Item {
      let qwink: String
      /// The cached JSON. Nil if the qwink was deleted.
      let source: Data?
      var words: IndexedWords?

      var place: (Int, Int, String) { (words?.firstID ?? 0, qwink.count, qwink) }
    }

    /// Set if the batch is from the backlog: the content of a table that was cached before the index was created.
    /// `below` is the row id below which the backlog continues, or nil at its end. The whole value is nil if the batch
    /// is from the table `unindexed`.
    fileprivate var backlog: (table: String, below: Int?)?
    fileprivate var items: [Item] = []

    mutating func decode() {
      for index in items.indices {
        guard let source = items[index].source else { continue }
        items[index].words = SearchIndexing.decode(source).map(IndexedWords.init)
      }
      // Sort by id, because FTS5 starts a new segment whenever an id is lower than the previous one.
      items.sort { $0.place < $1.place }
    }
  }

  let database: Database

  /// Returns whether some cached content isn't indexed.
  func hasMore() throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM unindexed) OR EXISTS (SELECT 1 FROM backlog)"))
      ?? false
  }

  /// Returns the next batch of qwinks to index: first changed qwinks, then the backlog from its newest qwinks on. Nil
  /// if all qwinks are indexed.
  func next() throws -> Slice? {
    guard try hasMore() else { return nil }
    var slice = Slice()
    var ids = try String.fetchAll(
      database.cachedStatement(sql: "SELECT qwink FROM unindexed ORDER BY qwink DESC LIMIT ?"),
      arguments: [Self.sliceSize])
    for content in Self.contents where ids.isEmpty && slice.backlog == nil {
      guard
        let below = try Int.fetchOne(
          database.cachedStatement(sql: "SELECT below FROM backlog WHERE content = ?"), arguments: [content.table])
      else { continue }
      let rows = try Row.fetchAll(
        database.cachedStatement(
          sql: "SELECT rowid, \(content.id) AS id FROM \(content.table) WHERE rowid < ? ORDER BY rowid DESC LIMIT ?"),
        arguments: [below, Self.sliceSize])
      slice.backlog = (content.table, try rows.last?.value("rowid"))
      ids = try rows.map { try $0.value("id") }
    }
    slice.items = try Set(ids).map { Slice.Item(qwink: $0, source: try Self.source($0, in: database)) }
    return slice
  }

  /// Indexes a batch, and removes its qwinks that were deleted or can't be decoded from the index. Skips qwinks that
  /// have changed since the batch was read. Returns the number of qwinks removed from the index.
  func save(_ slice: Slice) throws -> Int {
    var (removedCount, doneCount) = (0, 0)
    for item in slice.items {
      // Skip a qwink that another program has changed: a trigger has queued it again.
      guard try Self.source(item.qwink, in: database) == item.source else {
        doneCount += 1
        continue
      }
      if let words = item.words {
        try save(words)
      } else {
        try database.run("DELETE FROM words WHERE qwink = ?", [item.qwink])
        removedCount += database.changesCount
      }
      try database.run("DELETE FROM unindexed WHERE qwink = ?", [item.qwink])
      doneCount += database.changesCount
    }
    switch slice.backlog {
    case (let table, let below?)?:
      try database.run("UPDATE backlog SET below = ?1 WHERE content = ?2 AND below > ?1", [below, table])
      doneCount += database.changesCount
    case (let table, nil)?:
      try database.run("DELETE FROM backlog WHERE content = ?", [table])
      doneCount += database.changesCount
    case nil: break
    }
    // No row has changed. Either another program has indexed the same qwinks, or the table is corrupt. In the second
    // case the next batch is the same again, and indexing would never end.
    if doneCount == 0, try next()?.items.map(\.qwink).sorted() == slice.items.map(\.qwink).sorted() {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the index makes no progress")
    }
    return removedCount
  }

  /// Returns a cached qwink itself, not one of its boosts. Nil if the qwink isn't cached or can't be decoded any more.
  static func qwink(_ id: String, in database: Database) throws -> Qwink? {
    try CachedContent(database).rows(of: id, most: 1).first?.original
  }

  private static func decode(_ source: Data) -> Qwink? {
    try? WireDecoder.qwink(from: [UInt8](source)).original
  }

  private static func source(_ id: String, in database: Database) throws -> Data? {
    let statement = try database.cachedStatement(
      sql: """
        SELECT source FROM (SELECT source, status <> original AS rank FROM qwink WHERE original = ?1
          UNION ALL SELECT source, 2 FROM message WHERE id = ?1) ORDER BY rank LIMIT 1
        """)
    return try Data.fetchOne(statement, arguments: [id])
  }

  private func save(_ words: IndexedWords) throws {
    let known = try database.cachedStatement(sql: "SELECT id, author, name, tags, text FROM words WHERE qwink = ?")
    if let row = try Row.fetchOne(known, arguments: [words.qwink]) {
      // Usually only a count has changed, such as the number of boosts. The index then needs no change.
      let indexed: [String?] = try ["text", "name", "tags"].map { try row.value($0) }
      guard indexed != [words.text, words.name, words.tags] else { return }
      try database.run(
        "UPDATE words SET author = ?, name = ?, tags = ?, text = ? WHERE id = ?",
        [words.author, words.name, words.tags, words.text, try row.value("id") as Int])
    } else {
      let statement = try database.cachedStatement(
        sql: "INSERT INTO words (id, qwink, author, name, tags, text) VALUES (?, ?, ?, ?, ?, ?)")
      try statement.execute(arguments: [
        try freeID(from: words.firstID), words.qwink, words.author, words.name, words.tags, words.text,
      ])
    }
  }

  /// Returns the first free id in the second that begins with the id `first`, or in one of the following seconds.
  private func freeID(from first: Int) throws -> Int {
    let statement = try database.cachedStatement(sql: "SELECT max(id) FROM words WHERE id >= ? AND id < ?")
    for second in 0..<Self.mostSeconds {
      let first = first + second * IndexedWords.idsPerSecond
      let end = first + IndexedWords.idsPerSecond
      guard let last = try Int.fetchOne(statement, arguments: [first, end]) else { return first }
      if last + 1 < end { return last + 1 }
    }
    throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the index has no free id")
  }
}
