import Databases
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

  /// Saves a qwink's JSON and overlay. If the qwink is already cached, replaces both, but not the time at which it was
  /// first fetched. Does nothing if `element` has no JSON.
  ///
  /// - Parameter now: Seconds since 1970.
  func save(_ element: CachedElement, at now: Double) throws {
    guard let source = element.source else { return }
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO qwink (key, status, original, source, fetched, overlay) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET source = excluded.source, overlay = excluded.overlay
          WHERE source IS NOT excluded.source OR overlay IS NOT excluded.overlay
        """)
    try statement.execute(
      arguments: [element.key, element.statusID, element.originalID, source, now, element.overlay])
  }

  /// Returns whether a qwink is cached.
  func has(_ key: String) throws -> Bool {
    try Bool.fetchOne(database.cachedStatement(sql: "SELECT 1 FROM qwink WHERE key = ?"), arguments: [key]) ?? false
  }

  /// Passes the cached states of a qwink and its boosts to `newer`, and saves the states that it returns. A state for
  /// which `newer` returns nil stays unchanged.
  func update(_ id: Qwink.ID, by newer: (Qwink) -> Qwink?) throws {
    let rows = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT key, source FROM qwink WHERE original = ?"), arguments: [id.rawValue])
    for row in rows {
      // Preserve members of the JSON that Qwinkle doesn't know.
      let source = [UInt8](try row.value("source") as Data)
      guard let old = try? WireDecoder.qwink(from: source), let new = newer(old) else { continue }
      try replace(row.value("key"), by: CachedElement(new, source: WireEncoder.update(source, of: old, to: new)))
    }
  }

  /// Saves the user's reactions to a qwink, for the qwink and its boosts.
  func set(_ reactions: ReactionOverlay, on id: Qwink.ID) throws {
    try database.run("UPDATE qwink SET overlay = ? WHERE original = ?", [reactions.json, id.rawValue])
  }

  /// Passes a qwink and its boosts to `change`, and saves the filter matches that it changes. The user's reactions stay
  /// in the overlay.
  func changeFilterMatches(of id: String, by change: (inout Qwink) -> Void) throws {
    let rows = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT key, source FROM qwink WHERE original = ?"), arguments: [id])
    for row in rows {
      let source = [UInt8](try row.value("source") as Data)
      guard let old = try? WireDecoder.qwink(from: source) else { continue }
      var new = old
      change(&new)
      guard new.filterMatches != old.filterMatches else { continue }
      let key: String = try row.value("key")
      try database.run(
        "UPDATE qwink SET source = ? WHERE key = ?", [Data(WireEncoder.update(source, of: old, to: new)), key])
    }
  }

  /// Saves the newer state of a cached qwink, whose key may have changed.
  private func replace(_ key: String, by element: CachedElement) throws {
    guard key != element.key else { return try change(key, to: element) }
    // A timeline can't contain a qwink twice. UPDATE OR REPLACE would delete without the trigger of ``RowCounts``.
    try database.run(
      "DELETE FROM row WHERE key = ? AND timeline IN (SELECT timeline FROM row WHERE key = ?)", [element.key, key])
    try database.run("UPDATE row SET key = ? WHERE key = ?", [element.key, key])
    try delete(where: "key = ?", [element.key])
    try change(key, to: element)
  }

  /// Returns the cached copies of a qwink: first the qwink itself, then its boosts, then its copies among direct
  /// messages. Omits copies that can't be decoded any more.
  func rows(of id: String, most: Int) throws -> [Qwink] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT source, overlay FROM
          (SELECT source, overlay, status <> original AS rank FROM qwink WHERE original = ?1
            UNION ALL SELECT source, NULL, 2 FROM message WHERE id = ?1) ORDER BY rank LIMIT ?2
        """)
    return try Row.fetchAll(statement, arguments: [id, most]).compactMap {
      ReactionOverlay.qwink(try $0.value("source"), overlay: try $0.value("overlay"))
    }
  }

  /// Deletes the qwink with this id and its boosts, or the boost with this id, from all timelines.
  func remove(_ id: String) throws {
    let rows = "FROM row WHERE key IN (SELECT key FROM qwink WHERE status = ?1 OR original = ?1)"
    let timelines = try String.fetchAll(
      database.cachedStatement(sql: "SELECT DISTINCT timeline \(rows)"), arguments: [id])
    try database.run("DELETE \(rows)", [id])
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
    try database.run(
      // The new JSON has the newest reactions.
      "UPDATE qwink SET key = ?, status = ?, original = ?, source = ?, overlay = NULL WHERE key = ?",
      [element.key, element.statusID, element.originalID, source, key])
  }

  private func delete(where condition: String, _ arguments: StatementArguments) throws {
    try database.run("DELETE FROM qwink WHERE \(condition)", arguments)
  }
}
