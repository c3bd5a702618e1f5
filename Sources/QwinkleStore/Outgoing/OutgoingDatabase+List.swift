import Databases
import FoundationEssentials
import GRDB

/// Lists drafts, and changes drafts that no program has claimed. A program claims each draft that it has open.
extension OutgoingDatabase {
  /// A row of the list.
  struct Listed {
    var number: Int
    var content: Data
    var changedAt: Date
    var holder: SavedEntry.Holder
  }

  /// Returns all drafts, most recently changed first.
  func list() throws(StoreError) -> [Listed] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT number, id, content, holder, changed FROM entry WHERE state = 'draft'
          ORDER BY changed DESC, number DESC
          """)
      return rows.compactMap { row in
        // A row with a damaged value doesn't hide the others.
        try? Listed(
          number: row.value("number"), content: row.value("content"),
          changedAt: Date(timeIntervalSince1970: row.value("changed")),
          holder: who(row.value("id"), names: row.value("holder")))
      }
    }
  }

  /// Returns which program has claimed the row `id`. `other` is the id of the claiming program as stored in the row.
  private func who(_ id: String, names other: String?) -> SavedEntry.Holder {
    if isFree(id, holder: other) { return .nobody }
    return other == holder.id ? .thisProgram : .otherProgram
  }

  /// Returns which program has claimed a draft. Nil if the draft doesn't exist, for example because it is in the outbox
  /// now.
  private func who(holds id: String, in database: Database) throws -> SavedEntry.Holder? {
    let row = try Row.fetchOne(
      database, sql: "SELECT holder FROM entry WHERE id = ? AND state = 'draft'", arguments: [id])
    return try row.map { who(id, names: try $0.value("holder")) }
  }

  /// Moves an unclaimed draft ahead of the others for its purpose, so that the next claim finds it first. Returns the
  /// draft's holder (the program that has claimed it), or nil if the draft doesn't exist.
  func bringForward(_ id: String, at date: Date) throws(StoreError) -> SavedEntry.Holder? {
    try write { database in
      let found = try who(holds: id, in: database)
      guard found == .nobody else { return found }
      // Another row may have been changed at `date`, too, so choose a time later than all rows.
      try database.execute(
        sql: "UPDATE entry SET changed = MAX(?, (SELECT MAX(changed) FROM entry) + 0.001) WHERE id = ?",
        arguments: [date.timeIntervalSince1970, id])
      return found
    }
  }

  /// Deletes an unclaimed draft. Returns its content, or nil if the draft is claimed or doesn't exist.
  func discard(_ id: String) throws(StoreError) -> Data? {
    try write { database in
      guard try who(holds: id, in: database) == .nobody else { return nil }
      let content = try Data.fetchOne(database, sql: "SELECT content FROM entry WHERE id = ?", arguments: [id])
      try database.run("DELETE FROM entry WHERE id = ?", [id])
      return content
    }
  }

  /// Replaces an unclaimed draft with `row`, which has the same id. Returns false if the draft is claimed or doesn't
  /// exist.
  func replace(by row: OutgoingRow, at date: Date) throws(StoreError) -> Bool {
    try write { database in
      guard try who(holds: row.id, in: database) == .nobody else { return false }
      try database.run(
        """
        UPDATE entry SET kind = :kind, purpose = :purpose, key = :key, doubtful = :doubtful, content = :content,
          revision = revision + 1, changed = :changed
        WHERE id = :id
        """, row.arguments + ["changed": date.timeIntervalSince1970])
      return true
    }
  }
}
