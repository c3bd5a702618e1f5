import FoundationEssentials
import GRDB

/// The list of drafts, and what can be done with those that nobody holds.
extension OutgoingDatabase {
  /// A row of the list.
  struct Listed {
    var number: Int
    var content: Data
    var changedAt: Date
    var holder: SavedEntry.Holder
  }

  /// All drafts, last changed first.
  func list() throws(StoreError) -> [Listed] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT number, id, content, holder, changed FROM entry WHERE state = 'draft'
          ORDER BY changed DESC, number DESC
          """)
      return rows.map { row in
        Listed(
          number: row["number"], content: row["content"],
          changedAt: Date(timeIntervalSince1970: row["changed"]), holder: who(row["id"], names: row["holder"]))
      }
    }
  }

  /// Who holds the row `id`, which names `other`.
  private func who(_ id: String, names other: String?) -> SavedEntry.Holder {
    if isFree(id, holder: other) { return .nobody }
    return other == holder.id ? .thisProgram : .otherProgram
  }

  /// Who holds a draft; nil if there is none: it may be in the outbox now.
  private func who(holds id: String, in database: Database) throws -> SavedEntry.Holder? {
    let row = try Row.fetchOne(
      database, sql: "SELECT holder FROM entry WHERE id = ? AND state = 'draft'", arguments: [id])
    return row.map { who(id, names: $0["holder"]) }
  }

  /// Makes a row that nobody holds the first to be taken for its purpose. Returns who holds it; nil: it is gone.
  func bringForward(_ id: String, at date: Date) throws(StoreError) -> SavedEntry.Holder? {
    try write { database in
      let found = try who(holds: id, in: database)
      guard found == .nobody else { return found }
      // Two rows may have been changed at the same time.
      try database.execute(
        sql: "UPDATE entry SET changed = MAX(?, (SELECT MAX(changed) FROM entry) + 0.001) WHERE id = ?",
        arguments: [date.timeIntervalSince1970, id])
      return found
    }
  }

  /// Deletes a row that nobody holds. Returns its content; nil if it is held or gone.
  func discard(_ id: String) throws(StoreError) -> Data? {
    try write { database in
      guard try who(holds: id, in: database) == .nobody else { return nil }
      let content = try Data.fetchOne(database, sql: "SELECT content FROM entry WHERE id = ?", arguments: [id])
      try database.execute(sql: "DELETE FROM entry WHERE id = ?", arguments: [id])
      return content
    }
  }

  /// Replaces a row that nobody holds by `row`, which has its id. Returns false if it is held or gone.
  func replace(by row: OutgoingRow, at date: Date) throws(StoreError) -> Bool {
    try write { database in
      guard try who(holds: row.id, in: database) == .nobody else { return false }
      try database.execute(
        sql: """
          UPDATE entry SET kind = ?, purpose = ?, key = ?, doubtful = ?, content = ?, revision = revision + 1,
            changed = ?
          WHERE id = ?
          """,
        arguments: [row.kind, row.purpose, row.key, row.isDoubtful, row.content, date.timeIntervalSince1970, row.id])
      return true
    }
  }
}
