import Databases
public import Foundation
import GRDB
public import QwinkleModel
import Timekeeping

/// Limits on the size and age of the cache's content.
public struct CacheLimits: Hashable, Sendable {
  /// Maximum size of the content, in bytes. The file is slightly larger.
  public var size: Int
  /// Maximum time since a qwink was first fetched or a message was written, in seconds.
  public var age: TimeInterval

  /// Creates limits. The defaults are 64 MB and 90 days, which is months of reading on most servers.
  public init(size: Int = 64 << 20, age: TimeInterval = 90 * 86_400) {
    self.size = size
    self.age = age
  }
}

extension TimelineCache {
  /// Returns a cursor to the qwinks older than the given one. Nil if the timeline isn't paged by qwink ID.
  public typealias OlderCursor = @Sendable (Qwink.ID, TimelineName) -> PageCursor?

  /// Deletes content beyond the limits, in the background. First deletes cached profiles, hashtags, lists, trending
  /// posts and threads that aren't open, then the oldest rows of other timelines, then old messages. Never deletes
  /// bookmarks, favourites, conversations, or the messages of unread conversations. `spared` contains one row for each
  /// open timeline: this row and the rows above it are never deleted. Runs in small transactions, so that other writes
  /// aren't blocked.
  public func prune(
    to limits: CacheLimits, sparing spared: [TimelineName: Qwink.RowID], older: @escaping OlderCursor
  ) {
    let pruning = CachePruning(limits: limits, spared: spared, older: older, now: clock.now.timeIntervalSince1970)
    let activity = ledger.begin("prune the cache")
    // Deleted qwinks are removed from the search index in one go at the end.
    index.hold()
    write(about: .limits) { database in
      try CachePruning.indexSize(database)
    } then: { [weak self] size in
      var pruning = pruning
      pruning.indexedSize = size ?? 0
      self?.prune(pruning)
      activity.end()
    }
  }

  private func prune(_ pruning: CachePruning) {
    let activity = ledger.begin("prune the cache")
    write(about: .limits) { database in
      try pruning.step(database)
    } then: { [weak self] hasMore in
      // Stops if a step fails. The next pruning will retry it.
      if hasMore == true { self?.prune(pruning) } else { self?.index.release() }
      activity.end()
    }
  }

  /// Size of the content, in bytes.
  public var contentSize: Int {
    read { try CachePruning.size($0) } ?? 0
  }
}

/// A single pruning run.
private struct CachePruning: Sendable {
  /// Maximum number of rows or messages deleted per transaction, unless a whole timeline is deleted.
  private static let stepSize = 500
  /// Number of rows that always stay at the top when the oldest rows of a timeline that isn't open are deleted.
  private static let fewestRows = 200

  let limits: CacheLimits
  let spared: [TimelineName: Qwink.RowID]
  let older: TimelineCache.OlderCursor
  let now: Double
  /// Average size of a qwink's searchable text and its index entries, in bytes.
  var indexedSize = 0

  static func size(_ database: Database) throws -> Int {
    try Int.fetchOne(
      database,
      sql: """
        SELECT (page_count - freelist_count) * page_size
        FROM pragma_page_count, pragma_freelist_count, pragma_page_size
        """) ?? 0
  }

  /// Returns the average size of a qwink's searchable text and its index entries, in bytes.
  static func indexSize(_ database: Database) throws -> Int {
    let (count, size) = try (
      Int.fetchOne(database, sql: "SELECT count(*) FROM words") ?? 0,
      Int.fetchOne(
        database,
        sql: """
          SELECT (SELECT coalesce(sum(length(block)), 0) FROM word_index_data)
            + (SELECT coalesce(sum(length(CAST(text AS BLOB)) + length(name)), 0) FROM words)
          """) ?? 0
    )
    return count == 0 ? 0 : size / count
  }

  /// Returns the size that the cache will have after deleted qwinks are also removed from the search index, in bytes.
  private func expectedSize(_ database: Database) throws -> Int {
    guard indexedSize > 0 else { return try Self.size(database) }
    let gone = try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM unindexed JOIN words USING (qwink)
        WHERE NOT EXISTS (SELECT 1 FROM qwink WHERE original = unindexed.qwink)
          AND NOT EXISTS (SELECT 1 FROM message WHERE message.id = unindexed.qwink)
        """)
    return try Self.size(database) - (gone ?? 0) * indexedSize
  }

  /// Deletes one timeline, or one batch of rows, messages or qwinks. Returns whether there may be more to delete.
  func step(_ database: Database) throws -> Bool {
    let isTooLarge = try expectedSize(database) > limits.size
    let keys = try String.fetchAll(database, sql: "SELECT DISTINCT timeline FROM row")
    for key in keys where try drop(key, isTooLarge: isTooLarge, database) { return true }
    var largest: (name: TimelineName, count: Int)?
    for name in keys.compactMap({ TimelineName(word: $0) }) where !name.needsAccount || name == .home {
      guard let bottom = try lowestCached(name, database) else { continue }
      if try shorten(name, above: bottom, fetchedBefore: now - limits.age, database) { return true }
      let count = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM row WHERE timeline = ? AND position < ?", arguments: [name.key, bottom])
      if let count, count > largest?.count ?? 0 { largest = (name, count) }
    }
    if try deleteMessages(before: now - limits.age, database) { return true }
    if try deleteUnused(database) { return true }
    guard isTooLarge else { return try giveBack(database) }
    if let largest, let bottom = try lowestCached(largest.name, database),
      try shorten(largest.name, above: bottom, fetchedBefore: .infinity, database)
    {
      return true
    }
    if try deleteMessages(before: .infinity, database) { return true }
    return try giveBack(database)
  }

  // MARK: Timelines

  /// Deletes a cached profile, hashtag, list, thread or trending timeline that isn't open, if it is too old or the
  /// cache is too large. Returns whether it was deleted.
  private func drop(_ key: String, isTooLarge: Bool, _ database: Database) throws -> Bool {
    switch TimelineName(word: key) {
    case .tag, .part, .list, .trending, .quotes, nil: break
    default: return false
    }
    guard !spared.keys.contains(where: { $0.key == key }) else { return false }
    let newest = try Double.fetchOne(
      database, sql: "SELECT max(fetched) FROM row JOIN qwink USING (key) WHERE timeline = ?", arguments: [key])
    guard isTooLarge || newest ?? 0 < now - limits.age else { return false }
    try delete("timeline = ?", [key], database)
    try database.execute(sql: "DELETE FROM timeline WHERE name = ?", arguments: [key])
    return true
  }

  /// Returns the position of the lowest row that must stay. Nil if all rows must stay.
  private func lowestCached(_ name: TimelineName, _ database: Database) throws -> Int? {
    if let row = spared[name] {
      return try Int.fetchOne(
        database, sql: "SELECT position FROM row WHERE timeline = ? AND key = ?",
        arguments: [name.key, CachedElement.key(of: row)])
    }
    return try Int.fetchOne(
      database, sql: "SELECT position FROM row WHERE timeline = ? ORDER BY position DESC LIMIT 1 OFFSET ?",
      arguments: [name.key, Self.fewestRows - 1])
  }

  /// Deletes a batch of rows from the end of a timeline, up to the first row that was fetched at or after `time`, but
  /// only rows below the position `bottom`. Saves a cursor with which the deleted rows can be fetched again below the
  /// new last row. Returns false, without deleting rows, if there are no such rows or no such cursor.
  private func shorten(
    _ name: TimelineName, above bottom: Int, fetchedBefore time: Double, _ database: Database
  ) throws -> Bool {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT position, fetched FROM row LEFT JOIN qwink USING (key)
        WHERE timeline = ? AND position < ? ORDER BY position LIMIT ?
        """, arguments: [name.key, bottom, Self.stepSize])
    let old = try rows.prefix { try ($0.value("fetched") ?? 0) < time }
    guard let top: Int = try old.last?.value("position") else { return false }
    let last = try Row.fetchOne(
      database,
      sql: """
        SELECT position, status FROM row JOIN qwink USING (key)
        WHERE timeline = ? AND position > ? ORDER BY position LIMIT 1
        """, arguments: [name.key, top])
    guard let last, let cursor = older(Qwink.ID(try last.value("status")), name) else { return false }
    // Also deletes a gap (a marker for rows that weren't fetched) right below the new last row: it would have no rows
    // below it.
    try delete("timeline = ? AND position < ?", [name.key, try last.value("position") as Int], database)
    try database.execute(
      sql: "INSERT OR REPLACE INTO timeline (name, older) VALUES (?, ?)", arguments: [name.key, cursor.url])
    return true
  }

  /// Deletes the rows that meet a condition. At least one row must meet it.
  private func delete(_ condition: String, _ arguments: StatementArguments, _ database: Database) throws {
    let keys = try String.fetchAll(
      database, sql: "SELECT key FROM row WHERE key IS NOT NULL AND \(condition)", arguments: arguments)
    try database.execute(sql: "DELETE FROM row WHERE \(condition)", arguments: arguments)
    // In a corrupt file, a query can find a row that can't be deleted. Without this check, pruning would never end.
    guard database.changesCount > 0 else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    try CachedContent(database).removeUnused(among: keys)
  }

  /// Deletes qwinks that no row refers to any more.
  private func deleteUnused(_ database: Database) throws -> Bool {
    try database.execute(
      sql: """
        DELETE FROM qwink WHERE key IN (
          SELECT qwink.key FROM qwink LEFT JOIN row ON row.key = qwink.key WHERE row.key IS NULL LIMIT ?)
        """, arguments: [Self.stepSize])
    return database.changesCount > 0
  }

  // MARK: Messages

  private func deleteMessages(before time: Double, _ database: Database) throws -> Bool {
    try database.execute(
      sql: """
        DELETE FROM message WHERE rowid IN (
          SELECT rowid FROM message
          WHERE time < ? AND conversation NOT IN (SELECT id FROM conversation WHERE unread) ORDER BY time LIMIT ?)
        """, arguments: [time, Self.stepSize])
    return database.changesCount > 0
  }

  /// Returns free pages to the file system. The result is always false: nothing remains to be deleted.
  private func giveBack(_ database: Database) throws -> Bool {
    try database.execute(sql: "PRAGMA incremental_vacuum")
    return false
  }
}
