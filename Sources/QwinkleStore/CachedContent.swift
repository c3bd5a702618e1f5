import Foundation
import GRDB
import QwinkleModel
import QwinkleWire

/// Reads and writes the content of cached qwinks, within a transaction. The rows of timelines refer to this content by
/// key.
struct CachedContent {
  let database: Database

  init(_ database: Database) {
    self.database = database
  }

  /// Saves the server's JSON of a qwink. If the qwink is already cached, replaces its JSON.
  ///
  /// - Parameter now: Seconds since 1970.
  func save(_ element: CachedElement, at now: Double) throws {
    guard let source = element.source else { return }
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO qwink (key, status, original, source, fetched) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET source = excluded.source WHERE source IS NOT excluded.source
        """)
    try statement.execute(arguments: [element.key, element.statusID, element.originalID, source, now])
  }

  /// Returns whether a qwink is cached.
  func has(_ key: String) throws -> Bool {
    try Bool.fetchOne(database, sql: "SELECT 1 FROM qwink WHERE key = ?", arguments: [key]) ?? false
  }

  /// Passes the cached states of a qwink and its boosts to `newer`, and saves the states that it returns. A state for
  /// which `newer` returns nil stays unchanged.
  func update(_ id: Qwink.ID, by newer: (Qwink) -> Qwink?) throws {
    let rows = try Row.fetchAll(
      database, sql: "SELECT key, source FROM qwink WHERE original = ?", arguments: [id.rawValue])
    for row in rows {
      guard let old = try? WireDecoder.qwink(from: [UInt8](row["source"] as Data)), let new = newer(old) else {
        continue
      }
      try replace(row["key"], by: CachedElement(new, source: nil))
    }
  }

  /// Saves the newer state of a cached qwink, whose key may have changed.
  private func replace(_ key: String, by element: CachedElement) throws {
    guard key != element.key else { return try change(key, to: element) }
    // If a timeline already has a row with the new key, REPLACE deletes that row, because a timeline can't contain a
    // qwink twice.
    try database.execute(sql: "UPDATE OR REPLACE row SET key = ? WHERE key = ?", arguments: [element.key, key])
    try delete(where: "key = ?", [element.key])
    try change(key, to: element)
  }

  /// Deletes a qwink and its boosts from all timelines.
  func remove(_ id: String) throws {
    let rows = "FROM row WHERE key IN (SELECT key FROM qwink WHERE status = ?1 OR original = ?1)"
    let timelines = try String.fetchAll(database, sql: "SELECT DISTINCT timeline \(rows)", arguments: [id])
    try database.execute(sql: "DELETE \(rows)", arguments: [id])
    for name in timelines { try CachedTimeline(name: name, database: database, now: 0).mergeGaps() }
    try delete(where: "status = ?1 OR original = ?1", [id])
  }

  /// Deletes the qwinks among `keys` that no timeline contains any more.
  func removeUnused(among keys: [String]) throws {
    for key in keys {
      try delete(where: "key = ? AND NOT EXISTS (SELECT 1 FROM row WHERE row.key = qwink.key)", [key])
    }
  }

  private func change(_ key: String, to element: CachedElement) throws {
    guard let source = element.source else { return }
    try database.execute(
      sql: "UPDATE qwink SET key = ?, status = ?, original = ?, source = ? WHERE key = ?",
      arguments: [element.key, element.statusID, element.originalID, source, key])
  }

  private func delete(where condition: String, _ arguments: StatementArguments) throws {
    try database.execute(sql: "DELETE FROM qwink WHERE \(condition)", arguments: arguments)
  }
}
