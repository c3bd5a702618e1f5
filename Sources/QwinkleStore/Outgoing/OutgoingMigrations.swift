import Databases
import Foundation
import GRDB
import QwinkleModel

/// Migrations of `outgoing.sqlite`, one per version. Existing migrations must never be changed. The file's
/// `user_version` is the number of migrations applied.
enum OutgoingMigrations {
  private static let steps: [@Sendable (Database) throws -> Void] = [
    makeFirst, addStates, addReadMarks, addSkippedRows,
  ]

  static var newest: Int { steps.count }

  /// Migrates a file to the newest version, within a transaction. Doesn't change a file of a newer version. Returns the
  /// version found, 0 for a new file.
  static func migrate(_ database: Database) throws -> Int {
    let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    guard found >= 0, found < newest else { return found }
    for step in steps[found...] { try step(database) }
    try database.execute(sql: "PRAGMA user_version = \(newest)")
    return found
  }

  // MARK: 1: entries and messages, each with one holder

  private static func makeFirst(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE entry (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          id TEXT NOT NULL UNIQUE,
          kind TEXT NOT NULL,
          purpose TEXT NOT NULL,
          key TEXT NOT NULL,
          doubtful INTEGER NOT NULL,
          content BLOB NOT NULL,
          holder TEXT,
          revision INTEGER NOT NULL,
          changed REAL NOT NULL
        );
        CREATE INDEX entry_purpose ON entry (kind, purpose);
        CREATE TABLE arrived (qwink TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID;
        """)
  }

  // MARK: 2: an outbox, with the state of each item

  private static func addStates(_ database: Database) throws {
    try database.execute(
      sql: """
        ALTER TABLE entry ADD COLUMN state TEXT NOT NULL DEFAULT 'draft';
        ALTER TABLE entry ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE entry ADD COLUMN thread TEXT;
        ALTER TABLE entry ADD COLUMN waits_for TEXT;
        ALTER TABLE entry ADD COLUMN next_attempt REAL;
        ALTER TABLE entry ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE entry ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE entry ADD COLUMN reason TEXT;
        DROP INDEX entry_purpose;
        CREATE INDEX entry_purpose ON entry (purpose, state);
        CREATE INDEX entry_state ON entry (state, position);
        """)
    let rows = try Row.fetchAll(database, sql: "SELECT number, kind, purpose, content FROM entry ORDER BY number")
    for row in rows {
      let number: Int = try row.value("number")
      if try row.value("kind") == "message" {
        try convertMessage(number, row.value("content"), in: database)
      } else {
        let kind = OutboxItem.Kind(ofPurpose: try row.value("purpose"))
        try database.execute(
          sql: "UPDATE entry SET kind = ?, revision = revision + 1 WHERE number = ?",
          arguments: [kind.rawValue, number])
      }
    }
  }

  /// Converts a message of version 1 to an outbox item. The item is held (not sent until the user confirms), because
  /// the message may be old.
  private static func convertMessage(_ number: Int, _ content: Data, in database: Database) throws {
    // Rows that can't be decoded stay unchanged for later versions.
    guard let message = try? JSONDecoder().decode(OutgoingMessage.self, from: content) else { return }
    let item = OutboxItem(earlier: message)
    let row = OutgoingRow(item)
    try database.execute(
      sql: """
        UPDATE entry SET kind = :kind, purpose = :purpose, content = :content, doubtful = :doubtful, state = :state,
          position = :number, thread = :thread, attempts = :attempts, held = :held, reason = :reason,
          revision = revision + 1 WHERE number = :number
        """, arguments: row.arguments + ["number": number])
  }

  // MARK: 3: read marks

  private static func addReadMarks(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE read_mark (list TEXT PRIMARY KEY, id TEXT NOT NULL, booster TEXT, created REAL, read REAL)
        WITHOUT ROWID;
        """)
  }

  // MARK: 4: unread rows below a mark

  private static func addSkippedRows(_ database: Database) throws {
    try database.execute(sql: "ALTER TABLE read_mark ADD COLUMN skipped TEXT")
  }
}
