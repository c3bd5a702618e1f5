import Foundation
import GRDB

/// Opens the database that an account's caches share.
enum CacheDatabase {
  private static let name = "cache.sqlite"
  private static let version = 8
  /// SQLite's page cache in KB for each connection. Small, because the system also caches the file.
  private static let pageMemory = 512
  /// A file next to the cache that marks it as possibly corrupt.
  private static let marker = "cache-damaged"

  private static let rowSchema = """
    CREATE TABLE qwink (
      key TEXT PRIMARY KEY,
      status TEXT NOT NULL,
      original TEXT NOT NULL,
      source BLOB NOT NULL,
      fetched REAL NOT NULL,
      overlay BLOB
    );
    CREATE INDEX qwink_status ON qwink (status);
    CREATE INDEX qwink_original ON qwink (original);
    CREATE TABLE row (
      timeline TEXT NOT NULL,
      position INTEGER NOT NULL,
      key TEXT,
      gap TEXT,
      PRIMARY KEY (timeline, position)
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX row_key ON row (key, timeline) WHERE key IS NOT NULL;
    CREATE INDEX row_gap ON row (timeline, gap) WHERE gap IS NOT NULL;
    """
  private static let addOverlay = "ALTER TABLE qwink ADD COLUMN overlay BLOB"
  private static let schema = """
    CREATE TABLE timeline (name TEXT PRIMARY KEY, older TEXT) WITHOUT ROWID;
    CREATE TABLE notice (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE conversation (
      id TEXT PRIMARY KEY,
      position INTEGER NOT NULL,
      unread INTEGER NOT NULL,
      source BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX conversation_position ON conversation (position);
    CREATE INDEX conversation_unread ON conversation (position, unread) WHERE unread;
    CREATE TABLE seen (conversation TEXT PRIMARY KEY, message TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE message (
      conversation TEXT NOT NULL,
      id TEXT NOT NULL,
      time REAL NOT NULL,
      source BLOB NOT NULL,
      PRIMARY KEY (conversation, id)
    );
    CREATE INDEX message_time ON message (conversation, time, id);
    """

  /// Opens the file in `directory`. Also returns a message for the user if a corrupt file was set aside.
  static func open(directory: String) throws(StoreError) -> (queue: DatabaseQueue, remark: String?) {
    // Restricts the file to its owner, because it contains private messages. SQLite creates the files next to it with
    // the same permissions.
    let folder = PrivateFolder(path: directory)
    try folder.makePrivateDatabase(name)
    let path = folder.path(of: name)
    do {
      return (try openChecked(path, marker: folder.path(of: marker)), nil)
    } catch let error as DatabaseError where isDamage(error) {
      setAside(path)
      try? FileManager.default.removeItem(atPath: folder.path(of: marker))
    } catch let error as StoreError {
      throw error
    } catch {
      throw .cacheUnusable(path: path, reason: describe(error))
    }
    try folder.makePrivateDatabase(name)
    do {
      let remark = "The cache was damaged and starts empty; drafts are not affected. The old file is next to \(path)."
      return (try prepare(path), remark)
    } catch {
      throw .cacheUnusable(path: path, reason: describe(error))
    }
  }

  /// Opens the file. Checks its content only if `marker` exists, because an earlier run then found signs of corruption.
  private static func openChecked(_ path: String, marker: String) throws -> DatabaseQueue {
    let queue: DatabaseQueue
    do {
      queue = try prepare(path)
    } catch  where isDamage(error) {
      // Try once more: a single failed read can look like corruption.
      queue = try prepare(path)
    }
    if FileManager.default.fileExists(atPath: marker) {
      try check(queue)
      try? FileManager.default.removeItem(atPath: marker)
    }
    return queue
  }

  /// Opens an empty database in memory.
  static func openInMemory() -> DatabaseQueue {
    do {
      let queue = try DatabaseQueue()
      try queue.write { try recreate($0) }
      return queue
    } catch {
      // No input reaches this: the statements are constant, and without a file only a lack of memory causes an error.
      preconditionFailure("SQLite can't create a database in memory: \(error)")
    }
  }

  static func exists(in directory: String) -> Bool {
    FileManager.default.fileExists(atPath: PrivateFolder(path: directory).path(of: name))
  }

  /// Whether an error is caused by the file's content, so that a new file would help.
  static func isDamage(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    // SQLITE_ERROR means that a table or column is missing, because all statements are otherwise valid.
    return [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_MISMATCH].contains(error.resultCode)
  }

  /// Reads the whole file. If the file is corrupt, throws an error for which ``isDamage(_:)`` is true.
  private static func check(_ queue: DatabaseQueue) throws {
    let expected = try openInMemory().read { try contentOfSchema($0) }
    try queue.read { database in
      // SQLite's check accepts each valid schema, but a changed name makes reads or writes fail.
      guard try contentOfSchema(database) == expected else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
      guard try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") == "ok" else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT)
      }
    }
    // SQLite's check doesn't include the search index.
    try queue.writeWithoutTransaction { try SearchSchema.check($0) }
  }

  /// The columns of all tables and indexes and the text of all triggers. The text of tables differs between a new file
  /// and a migrated one.
  private static func contentOfSchema(_ database: Database) throws -> [Row] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT item.name, cid, info.name, info.type, "notnull", pk
          FROM sqlite_master item JOIN pragma_table_xinfo(item.name) info
          WHERE item.type = 'table' AND item.name NOT GLOB 'sqlite_*'
        UNION ALL SELECT item.name, seqno, info.name, tbl_name, "desc", key
          FROM sqlite_master item JOIN pragma_index_xinfo(item.name) info
          WHERE item.type = 'index' AND item.name NOT GLOB 'sqlite_*'
        UNION ALL SELECT name, NULL, sql, tbl_name, NULL, NULL FROM sqlite_master WHERE type = 'trigger'
        ORDER BY 1, 2
        """)
  }

  /// Marks the file for a check at the next launch. If the check fails, that launch moves the file aside.
  static func markDamaged(in directory: String) {
    try? PrivateFolder(path: directory).replace(marker, with: [])
  }

  /// Opens a second connection to the file in `directory`, which can read while the first one writes.
  static func openReader(directory: String) throws -> DatabaseQueue {
    try connect(
      to: PrivateFolder(path: directory).path(of: name), label: "qwinkle.cache.reader", cacheSize: pageMemory,
      isReader: true)
  }

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - cacheSize: The size of SQLite's page cache in KB; nil for the default, 2 MB.
  ///   - isReader: Whether the connection is only for reading. It then skips the settings that need write access, so
  ///     that it opens without waiting for writes by another connection.
  static func connect(
    to path: String, label: String = "qwinkle.cache", cacheSize: Int? = nil, isReader: Bool = false
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = label
    configuration.busyMode = .timeout(isReader ? 2 : 5)
    configuration.prepareDatabase { database in
      if !isReader {
        // `auto_vacuum` allows a new file to shrink after pruning. It must be set before the file has content. Both
        // settings need write access.
        try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
      }
      try database.execute(sql: "PRAGMA synchronous = NORMAL")
      if let cacheSize { try database.execute(sql: "PRAGMA cache_size = \(-cacheSize)") }
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  private static func prepare(_ path: String) throws -> DatabaseQueue {
    let queue = try connect(to: path, cacheSize: pageMemory)
    let found = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } ?? 0
    guard found != version else { return queue }
    // Don't destroy a newer program's data.
    guard found < version else { throw StoreError.tooNew(path: path) }
    try queue.write { database in
      switch found {
      case 7: try RowCounts.add(to: database)
      case 6:
        try database.execute(sql: Self.addOverlay)
        try RowCounts.add(to: database)
      case 5:
        try database.execute(sql: Self.addOverlay)
        try SearchSchema.add(to: database)
        try RowCounts.add(to: database)
      case 4:
        try migrateFrom4(database)
        try SearchSchema.add(to: database)
        try RowCounts.add(to: database)
      default: try recreate(database)
      }
      try database.execute(sql: "PRAGMA user_version = \(version)")
    }
    return queue
  }

  /// Creates all tables. Discards the content of an early version of the cache, which can be fetched again.
  private static func recreate(_ database: Database) throws {
    let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
    for table in tables { try database.execute(sql: "DROP TABLE \"\(table)\"") }
    try database.execute(sql: rowSchema + schema)
    try SearchSchema.add(to: database)
    try RowCounts.add(to: database)
  }

  /// Migrates the qwinks and rows of version 4, which stored a copy of the qwink in each row, to the newest schema. The
  /// caller then adds the search tables.
  private static func migrateFrom4(_ database: Database) throws {
    try database.execute(
      sql: """
        ALTER TABLE row RENAME TO old_row;
        DROP INDEX row_key; DROP INDEX row_status; DROP INDEX row_original;
        \(rowSchema)
        INSERT OR IGNORE INTO qwink (key, status, original, source, fetched)
          SELECT key, status, original, source, unixepoch() FROM old_row
          WHERE key IS NOT NULL AND status IS NOT NULL AND original IS NOT NULL AND source IS NOT NULL;
        INSERT OR IGNORE INTO row (timeline, position, key, gap)
          SELECT timeline, position * (1 << 36), key, gap FROM old_row;
        DROP TABLE old_row;
        """)
  }

  private static func setAside(_ path: String) {
    let stamp = Int(Date().timeIntervalSince1970)
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.moveItem(atPath: path + suffix, toPath: "\(path).damaged-\(stamp)\(suffix)")
    }
  }

  private static func describe(_ error: any Error) -> String {
    (error as? DatabaseError)?.message ?? (error as NSError).localizedDescription
  }
}
