import Foundation
import GRDB
import QwinkleModel
import QwinkleWire

/// Brings the index up to date with what is cached, some qwinks at a time, within a transaction.
///
/// Decoding is most of the work. It happens between two transactions, so that nobody waits for it who wants to write.
struct SearchIndexing {
  /// Qwinks at a time.
  private static let sliceSize = 20
  /// Number of seconds that are looked through for a free id.
  private static let mostSeconds = 1000
  /// What has content to index, newest first.
  private static let contents = [(table: "qwink", id: "original"), (table: "message", id: "id")]

  /// Qwinks to index.
  struct Slice: Sendable {
    fileprivate struct Item {
      let qwink: String
      /// What is cached; nil if that was deleted.
      let source: Data?
      var words: IndexedWords?

      var place: (Int, Int, String) { (words?.firstID ?? 0, qwink.count, qwink) }
    }

    /// The part of the backlog that they come from, and where it goes on; nil if they have changed.
    fileprivate var backlog: (table: String, below: Int?)?
    fileprivate var items: [Item] = []

    /// Decodes the qwinks.
    mutating func decode() {
      for index in items.indices {
        guard let source = items[index].source else { continue }
        items[index].words = SearchIndexing.decode(source).map(IndexedWords.init)
      }
      // FTS5 writes a segment each time the ids don't grow.
      items.sort { $0.place < $1.place }
    }
  }

  let database: Database

  /// Whether something is cached that isn't indexed.
  func hasMore() throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM unindexed) OR EXISTS (SELECT 1 FROM backlog)") ?? false
  }

  /// The next qwinks to index, newest first; nil if all are indexed.
  func next() throws -> Slice? {
    guard try hasMore() else { return nil }
    var slice = Slice()
    var ids = try String.fetchAll(
      database, sql: "SELECT qwink FROM unindexed ORDER BY qwink DESC LIMIT ?", arguments: [Self.sliceSize])
    for content in Self.contents where ids.isEmpty && slice.backlog == nil {
      guard
        let below = try Int.fetchOne(
          database, sql: "SELECT below FROM backlog WHERE content = ?", arguments: [content.table])
      else { continue }
      let rows = try Row.fetchAll(
        database,
        sql: "SELECT rowid, \(content.id) AS id FROM \(content.table) WHERE rowid < ? ORDER BY rowid DESC LIMIT ?",
        arguments: [below, Self.sliceSize])
      slice.backlog = (content.table, rows.last?["rowid"])
      ids = rows.map { $0["id"] }
    }
    slice.items = try Set(ids).map { Slice.Item(qwink: $0, source: try Self.source($0, in: database)) }
    return slice
  }

  /// Indexes a slice, except for what has changed since. Returns how many qwinks were removed from the index.
  func save(_ slice: Slice) throws -> Int {
    var (removedCount, doneCount) = (0, 0)
    for item in slice.items {
      // Another program may have changed it. It is noted then.
      guard try Self.source(item.qwink, in: database) == item.source else {
        doneCount += 1
        continue
      }
      if let words = item.words {
        try save(words)
      } else {
        try database.execute(sql: "DELETE FROM words WHERE qwink = ?", arguments: [item.qwink])
        removedCount += database.changesCount
      }
      try database.execute(sql: "DELETE FROM unindexed WHERE qwink = ?", arguments: [item.qwink])
      doneCount += database.changesCount
    }
    switch slice.backlog {
    case (let table, let below?)?:
      try database.execute(
        sql: "UPDATE backlog SET below = ?1 WHERE content = ?2 AND below > ?1", arguments: [below, table])
      doneCount += database.changesCount
    case (let table, nil)?:
      try database.execute(sql: "DELETE FROM backlog WHERE content = ?", arguments: [table])
      doneCount += database.changesCount
    case nil: break
    }
    // Another program may have done the same. But a damaged table would be worked at forever.
    if doneCount == 0, try next()?.items.map(\.qwink).sorted() == slice.items.map(\.qwink).sorted() {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the index gets no further")
    }
    return removedCount
  }

  /// A cached qwink, as a row of its own; nil if there is none, or it can't be decoded any more.
  static func qwink(_ id: String, in database: Database) throws -> Qwink? {
    try source(id, in: database).flatMap(decode)
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
      // Mostly only a count has changed.
      guard row["text"] != words.text || row["name"] != words.name || row["tags"] != words.tags else { return }
      try database.execute(
        sql: "UPDATE words SET author = ?, name = ?, tags = ?, text = ? WHERE id = ?",
        arguments: [words.author, words.name, words.tags, words.text, row["id"] as Int])
    } else {
      let statement = try database.cachedStatement(
        sql: "INSERT INTO words (id, qwink, author, name, tags, text) VALUES (?, ?, ?, ?, ?, ?)")
      try statement.execute(arguments: [
        try freeID(from: words.firstID), words.qwink, words.author, words.name, words.tags, words.text,
      ])
    }
  }

  /// The first id that is free in a second, or in those after it.
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
