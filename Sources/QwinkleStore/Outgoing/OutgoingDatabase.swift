import Foundation
import GRDB
import QwinkleModel

/// One program's access to `outgoing.sqlite`, which has a row for each entry and message not known to have arrived. A
/// program changes and removes only rows that it holds, and only if they are still as it left them. Not thread-safe;
/// calls block on the file.
final class OutgoingDatabase {
  private static let name = "outgoing.sqlite"
  private static let version = 1
  /// How long arrivals are remembered, in seconds. Nothing older is looked for.
  private static let rememberedTime: TimeInterval = 7 * 86_400

  private static let schema = """
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
    """

  private let folder: PrivateFolder
  private let queue: DatabaseQueue
  let holder: OutgoingHolder
  private var hasEnded = false
  /// The revisions of the rows that this program holds, by row id.
  private var revisions: [String: Int] = [:]
  /// A sentence about damage found on opening; nil if there was none.
  private(set) var remark: String?

  /// Whether anything was saved in `directory`, by this version or an earlier one.
  static func exists(in directory: String) -> Bool {
    let folder = PrivateFolder(path: directory)
    return FileManager.default.fileExists(atPath: folder.path(of: name)) || EarlierFiles(folder: folder).exist
  }

  /// Opens `directory`/outgoing.sqlite, creating what is missing. Takes over the files of earlier versions and sets a
  /// damaged file aside.
  init(directory: String) throws(StoreError) {
    folder = PrivateFolder(path: directory)
    let (queue, remark) = try Self.open(in: folder)
    self.queue = queue
    self.remark = remark
    OutgoingHolder.removeDead(in: folder)
    holder = try OutgoingHolder(in: folder)
  }

  private static func open(in folder: PrivateFolder) throws(StoreError) -> (DatabaseQueue, remark: String?) {
    let path = folder.path(of: name)
    var aside: [String] = []
    var queue: DatabaseQueue
    do throws(StoreError) {
      try folder.makePrivateDatabase(name)
      queue = try prepareAgain(path)
    } catch .damaged {
      let lock = try folder.lock()
      defer { lock.close() }
      aside.append(try folder.setAside(name))
      for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
        _ = try folder.setAside(name + suffix)
      }
      try folder.makePrivateDatabase(name)
      queue = try prepare(path)
    }
    aside += try takeOver(from: EarlierFiles(folder: folder), into: queue)
    guard !aside.isEmpty else { return (queue, nil) }
    let files = aside.joined(separator: " and ")
    return (queue, "The drafts file was damaged. Readable drafts were recovered; the rest is in \(files).")
  }

  /// Opens the file. One that looks damaged is looked at again: SQLite's check reports a failed read as damage, too.
  private static func prepareAgain(_ path: String) throws(StoreError) -> DatabaseQueue {
    do throws(StoreError) {
      return try prepare(path)
    } catch .damaged {
      return try prepare(path)
    }
  }

  private static func prepare(_ path: String) throws(StoreError) -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = "qwinkle.outgoing"
    configuration.busyMode = .timeout(2)
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    }
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let found = try queue.write { database in
        guard try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok" else {
          throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard found == 0 else { return found }
        try database.execute(sql: schema)
        try database.execute(sql: "PRAGMA user_version = \(version)")
        return version
      }
      guard found <= version else { throw StoreError.tooNew(path: path) }
      return queue
    } catch {
      throw failure(error, at: path)
    }
  }

  private static func takeOver(from files: EarlierFiles, into queue: DatabaseQueue) throws(StoreError) -> [String] {
    guard files.exist else { return [] }
    let lock = try files.folder.lock()
    defer { lock.close() }
    do {
      return try files.take { rows in
        try queue.write { database in
          for row in rows { try insert(row, holder: nil, orIgnore: true, into: database) }
        }
      }
    } catch {
      throw failure(error, at: files.folder.path(of: name))
    }
  }

  private static func failure(_ error: any Error, at path: String) -> StoreError {
    if let error = error as? StoreError { return error }
    let folder = (path as NSString).deletingLastPathComponent
    guard let error = error as? DatabaseError else { return .folderNotWritable(path: folder) }
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .damaged(path: path, reason: error.message ?? "it is not a database")
    case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
      return .folderNotWritable(path: folder)
    case .SQLITE_BUSY, .SQLITE_LOCKED: return .busy(path: path)
    default: return .unusable(path: path, reason: error.message ?? "error \(error.resultCode.rawValue)")
    }
  }

  func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try queue.write(body)
    } catch {
      throw Self.failure(error, at: folder.path(of: Self.name))
    }
  }

  func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try queue.read(body)
    } catch {
      throw Self.failure(error, at: folder.path(of: Self.name))
    }
  }

  // MARK: Taking

  /// The result of taking rows.
  struct Found {
    var contents: [Data] = []
    /// How many more rows nobody holds.
    var others = 0
    /// How many rows are held, by other programs or already by this one.
    var heldElsewhere = 0
  }

  /// Takes up to `limit` rows that nobody holds, last changed first, or first written first if `isOldestFirst`. Skips
  /// rows whose content `takes` returns false for.
  func take(
    _ kind: OutgoingRow.Kind, purpose: String? = nil, limit: Int, isOldestFirst: Bool = false, takes: (Data) -> Bool
  ) throws(StoreError) -> Found {
    var taken: [String: Int] = [:]
    let found = try write { database in
      var found = Found()
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT id, content, holder, revision FROM entry WHERE kind = ? AND (? IS NULL OR purpose = ?)
          ORDER BY \(isOldestFirst ? "number" : "changed DESC, number DESC")
          """, arguments: [kind.rawValue, purpose, purpose])
      for row in rows {
        let id: String = row["id"]
        let content: Data = row["content"]
        guard takes(content) else { continue }
        guard isFree(id, holder: row["holder"]) else {
          found.heldElsewhere += 1
          continue
        }
        guard found.contents.count < limit else {
          found.others += 1
          continue
        }
        let revision: Int = row["revision"] + 1
        try database.execute(
          sql: "UPDATE entry SET holder = ?, revision = ? WHERE id = ?", arguments: [holder.id, revision, id])
        taken[id] = revision
        found.contents.append(content)
      }
      return found
    }
    revisions.merge(taken) { $1 }
    return found
  }

  /// Whether nobody holds a row that names `other` as its holder.
  func isFree(_ id: String, holder other: String?) -> Bool {
    guard let other else { return true }
    if other == holder.id { return revisions[id] == nil }
    return !OutgoingHolder.isAlive(other, in: folder)
  }

  /// Whether there is an entry for a purpose, whoever holds it.
  func has(_ purpose: String) throws(StoreError) -> Bool {
    try write { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM entry WHERE kind = ? AND purpose = ?)",
        arguments: [OutgoingRow.Kind.entry.rawValue, purpose]) ?? false
    }
  }

  /// The purposes of all entries by their ids, whoever holds them.
  func purposes() throws(StoreError) -> [String: String] {
    try write { database in
      let rows = try Row.fetchAll(
        database, sql: "SELECT id, purpose FROM entry WHERE kind = ?", arguments: [OutgoingRow.Kind.entry.rawValue])
      return Dictionary(rows.map { ($0["id"], $0["purpose"]) }) { first, _ in first }
    }
  }

  // MARK: Saving

  /// Saves a row, which is then held here, and removes `other` in the same transaction. Returns the row's id, which is
  /// new if another program has changed the row meanwhile: then both are kept.
  func keep(_ row: OutgoingRow, insteadOf other: String? = nil, at date: Date) throws(StoreError) -> String {
    let known = revisions[row.id]
    let kept = try write { database -> (id: String, revision: Int) in
      if let other { try remove(other, from: database) }
      if let known {
        try database.execute(
          sql: """
            UPDATE entry SET purpose = ?, key = ?, doubtful = ?, content = ?, revision = ?, changed = ?
            WHERE id = ? AND holder = ? AND revision = ?
            """,
          arguments: [
            row.purpose, row.key, row.isDoubtful, row.content, known + 1, date.timeIntervalSince1970, row.id,
            holder.id, known,
          ])
        if database.changesCount > 0 { return (row.id, known + 1) }
      }
      let isThere = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM entry WHERE id = ?)", arguments: [row.id])
      let new = isThere == true ? row.renamed() : row
      try Self.insert(new, holder: holder.id, at: date, into: database)
      return (new.id, 1)
    }
    if kept.id != row.id { revisions[row.id] = nil }
    if let other { revisions[other] = nil }
    revisions[kept.id] = kept.revision
    return kept.id
  }

  private static func insert(
    _ row: OutgoingRow, holder: String?, at date: Date = Date(), orIgnore: Bool = false, into database: Database
  ) throws {
    try database.execute(
      sql: """
        INSERT \(orIgnore ? "OR IGNORE" : "") INTO entry
          (id, kind, purpose, key, doubtful, content, holder, revision, changed) VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?)
        """,
      arguments: [
        row.id, row.kind.rawValue, row.purpose, row.key, row.isDoubtful, row.content, holder,
        date.timeIntervalSince1970,
      ])
  }

  /// Removes a row held here. One that another program has changed stays.
  func remove(_ id: String) throws(StoreError) {
    try write { database in try remove(id, from: database) }
    revisions[id] = nil
  }

  private func remove(_ id: String, from database: Database) throws {
    guard let revision = revisions[id] else { return }
    try database.execute(
      sql: "DELETE FROM entry WHERE id = ? AND holder = ? AND revision = ?", arguments: [id, holder.id, revision])
  }

  /// Removes a row held here and records the qwink it became in the same transaction, so that a kill in between can't
  /// lose that. If another program has the row, recording is left to it.
  func remove(_ id: String, arrivedAs qwink: String, at date: Date) throws(StoreError) {
    try write { database in
      try remove(id, from: database)
      let isThere = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM entry WHERE id = ?)", arguments: [id])
      if isThere != true { try Self.noteArrived(qwink, at: date, in: database) }
    }
    revisions[id] = nil
  }

  /// Releases a row, so that others can take it.
  func release(_ id: String) throws(StoreError) {
    guard let revision = revisions[id] else { return }
    try write { database in
      try database.execute(
        sql: "UPDATE entry SET holder = NULL, revision = ? WHERE id = ? AND holder = ? AND revision = ?",
        arguments: [revision + 1, id, holder.id, revision])
    }
    revisions[id] = nil
  }

  // MARK: Arrivals

  /// Records the qwink that an entry became, so that it isn't matched with another entry.
  func noteArrived(_ qwink: String, at date: Date) throws(StoreError) {
    try write { try Self.noteArrived(qwink, at: date, in: $0) }
  }

  private static func noteArrived(_ qwink: String, at date: Date, in database: Database) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO arrived (qwink, at) VALUES (?, ?)", arguments: [qwink, date.timeIntervalSince1970])
    try database.execute(
      sql: "DELETE FROM arrived WHERE at < ?", arguments: [date.timeIntervalSince1970 - rememberedTime])
  }

  /// The ids of qwinks that entries became.
  func arrived() throws(StoreError) -> [String] {
    try write { try String.fetchAll($0, sql: "SELECT qwink FROM arrived") }
  }

  // MARK: Ending

  /// Releases all rows held here and closes the file.
  func close() {
    try? write { database in
      try database.execute(
        sql: "UPDATE entry SET holder = NULL, revision = revision + 1 WHERE holder = ?", arguments: [holder.id])
    }
    hasEnded = true
    holder.end()
    try? queue.close()
  }

  /// Ends the way a kill would.
  func abandon() {
    hasEnded = true
    holder.abandon()
    try? queue.close()
  }

  deinit {
    if !hasEnded { holder.abandon() }
  }

  /// Refuses writes, like a full or read-only disk, or allows them again.
  func setReadOnly(_ isOn: Bool) {
    try? queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = \(isOn ? 1 : 0)") }
  }

  /// The contents of a kind in `directory`, whoever holds them, in the order they were first written.
  static func contents(_ kind: OutgoingRow.Kind, in directory: String) throws(StoreError) -> [Data] {
    let folder = PrivateFolder(path: directory)
    let earlier = EarlierFiles(folder: folder).rows.filter { $0.kind == kind }.map(\.content)
    guard FileManager.default.fileExists(atPath: folder.path(of: name)) else { return earlier }
    let queue = try prepare(folder.path(of: name))
    defer { try? queue.close() }
    do {
      return earlier
        + (try queue.read { database in
          try Data.fetchAll(
            database, sql: "SELECT content FROM entry WHERE kind = ? ORDER BY number", arguments: [kind.rawValue])
        })
    } catch {
      throw failure(error, at: folder.path(of: name))
    }
  }
}
