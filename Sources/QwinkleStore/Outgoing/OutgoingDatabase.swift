import Databases
import Foundation
import GRDB
import QwinkleModel

/// One program's access to `outgoing.sqlite`, which has a row for each draft, and for each outbox item that isn't known
/// to have arrived. A program changes a row only after claiming it and only if no other program has changed the row
/// since. The exceptions are unclaimed drafts, and queued replies when their parent arrives. Not thread-safe. Calls
/// block on the file.
final class OutgoingDatabase {
  private static let name = "outgoing.sqlite"
  /// Time in seconds for which the program remembers the qwinks that entries became. Qwinks older than this are never
  /// compared with entries.
  private static let rememberedTime: TimeInterval = 7 * 86_400

  let folder: PrivateFolder
  let holder: OutgoingHolder
  private let queue: DatabaseQueue
  private var hasEnded = false
  /// Revisions of the rows that this program has claimed, by row id.
  var revisions: [String: Int] = [:]
  /// A message about damage found on opening, until it is reported.
  var remark: String?

  /// Returns whether any version of the program has saved anything in `directory`.
  static func exists(in directory: String) -> Bool {
    let folder = PrivateFolder(path: directory)
    return FileManager.default.fileExists(atPath: folder.path(of: name)) || EarlierFiles(folder: folder).exist
  }

  /// Opens `directory`/outgoing.sqlite, and creates it if it's missing. Imports the files of earlier versions. Renames
  /// and replaces a corrupt file.
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
    aside += try importRows(from: EarlierFiles(folder: folder), into: queue)
    guard !aside.isEmpty else { return (queue, nil) }
    let files = aside.joined(separator: " and ")
    return (queue, "The drafts file was damaged. Readable drafts were recovered; the rest is in \(files).")
  }

  /// Opens the file. Retries once if it seems corrupt, because SQLite's check reports a failed read as corruption, too.
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
    // Time to wait for a write by another program, which can be slow on a busy machine. Only the use of drafts and the
    // outbox waits for it.
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    }
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let found = try queue.write { database in
        guard try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok" else {
          throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        return try OutgoingMigrations.migrate(database)
      }
      guard found <= OutgoingMigrations.newest else { throw StoreError.tooNew(path: path) }
      return queue
    } catch {
      throw failure(error, at: path)
    }
  }

  private static func importRows(from files: EarlierFiles, into queue: DatabaseQueue) throws(StoreError) -> [String] {
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
      return try queue.snapshot(body)
    } catch {
      throw Self.failure(error, at: folder.path(of: Self.name))
    }
  }

  // MARK: Taking

  /// Claims the most recently changed unclaimed draft for `purpose`. A nil `purpose` matches all drafts. Ignores drafts
  /// for which `isIt` returns false.
  func takeDraft(
    _ purpose: String?, where isIt: (OutgoingEntry) -> Bool = { _ in true }
  ) throws(StoreError) -> OutgoingStore.Taken {
    var taken: [String: Int] = [:]
    let found = try write { database in
      var found = OutgoingStore.Taken()
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM entry WHERE state = 'draft' AND purpose = coalesce(?, purpose)
          ORDER BY changed DESC, number DESC
          """, arguments: [purpose])
      for row in rows {
        // Skips damaged rows.
        guard let entry = OutboxItem(row)?.entry, let claim = try? OutgoingClaim(row), isIt(entry) else { continue }
        guard isFree(entry.id, holder: claim.holder) else {
          found.heldElsewhere += 1
          continue
        }
        guard found.entry == nil else {
          found.others += 1
          continue
        }
        taken[entry.id] = try take(entry.id, at: claim.revision, from: database)
        found.entry = entry
      }
      return found
    }
    revisions.merge(taken) { $1 }
    return found
  }

  /// Claims the row `id`, whose revision is `revision`. Returns its new revision.
  func take(_ id: String, at revision: Int, from database: Database) throws -> Int {
    try database.run("UPDATE entry SET holder = ?, revision = ? WHERE id = ?", [holder.id, revision + 1, id])
    return revision + 1
  }

  /// Returns whether the row `id` is unclaimed. `other` is the holder stored in the row.
  func isFree(_ id: String, holder other: String?) -> Bool {
    guard let other else { return true }
    if other == holder.id { return revisions[id] == nil }
    return !OutgoingHolder.isAlive(other, in: folder)
  }

  /// Returns whether there is a draft for a purpose, claimed or not.
  func has(_ purpose: String) throws(StoreError) -> Bool {
    try write { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM entry WHERE state = 'draft' AND purpose = ?)",
        arguments: [purpose]) ?? false
    }
  }

  /// Returns the purposes of all drafts by draft id, claimed or not.
  func purposes() throws(StoreError) -> [String: String] {
    try write { database in
      let rows = try Row.fetchAll(database, sql: "SELECT id, purpose FROM entry WHERE state = 'draft'")
      return Dictionary(rows.compactMap { try? ($0.value("id"), $0.value("purpose")) }) { first, _ in first }
    }
  }

  // MARK: Saving

  /// Saves and claims a row, and removes `others` in the same transaction. Returns the row's id. The id is new if
  /// another program has claimed or changed the row: both rows are then kept.
  func keep(_ row: OutgoingRow, insteadOf others: Set<String> = [], at date: Date) throws(StoreError) -> String {
    let known = revisions[row.id]
    let saved = try write { database -> (id: String, revision: Int) in
      for other in others { try remove(other, from: database) }
      if let known, try Self.update(row, heldBy: holder.id, at: known, on: date, in: database) {
        return (row.id, known + 1)
      }
      let new = try Self.hasRow(row.id, in: database) ? row.renamed() : row
      try Self.insert(new, holder: holder.id, at: date, into: database)
      return (new.id, 1)
    }
    if saved.id != row.id { revisions[row.id] = nil }
    for other in others { revisions[other] = nil }
    revisions[saved.id] = saved.revision
    return saved.id
  }

  static func hasRow(_ id: String, in database: Database) throws -> Bool {
    let statement = try database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM entry WHERE id = ?)")
    return try Bool.fetchOne(statement, arguments: [id]) ?? false
  }

  /// Updates a row if it is still claimed by `holder` and at `revision`. Returns whether the row was updated.
  static func update(
    _ row: OutgoingRow, heldBy holder: String?, at revision: Int, on date: Date, in database: Database
  ) throws -> Bool {
    try database.run(
      """
      UPDATE entry SET kind = :kind, purpose = :purpose, key = :key, doubtful = :doubtful, content = :content,
        state = :state, position = \(positionWords), thread = :thread, waits_for = :waits_for,
        next_attempt = :next_attempt, attempts = :attempts, held = :held, reason = :reason,
        revision = :revision + 1, changed = :changed
      WHERE id = :id AND holder IS :holder AND revision = :revision
      """, row.arguments + ["holder": holder, "revision": revision, "changed": date.timeIntervalSince1970])
    return database.changesCount > 0
  }

  /// SQL expression for the position of a row. A draft has the position 0. A newly queued item gets a position after
  /// all others. An item that was queued before retains its position.
  private static let positionWords = """
    CASE WHEN :state = 'draft' THEN 0
      ELSE coalesce(nullif(:position, 0), (SELECT max(position) FROM entry) + 1, 1) END
    """

  static func insert(
    _ row: OutgoingRow, holder: String?, at date: Date = Date(), orIgnore: Bool = false, into database: Database
  ) throws {
    try database.run(
      """
      INSERT \(orIgnore ? "OR IGNORE" : "") INTO entry
        (id, kind, purpose, key, doubtful, content, holder, revision, changed, state, position, thread, waits_for,
          next_attempt, attempts, held, reason)
      VALUES (:id, :kind, :purpose, :key, :doubtful, :content, :holder, 1, :changed, :state, \(positionWords),
        :thread, :waits_for, :next_attempt, :attempts, :held, :reason)
      """, row.arguments + ["holder": holder, "changed": date.timeIntervalSince1970])
  }

  /// Removes a row that this program has claimed. Ignores any other row.
  func remove(_ id: String) throws(StoreError) {
    try write { database in try remove(id, from: database) }
    revisions[id] = nil
  }

  func remove(_ id: String, from database: Database) throws {
    guard revisions[id] != nil else { return }
    // Deletes the row at any revision: another program may have changed it after sending the qwink that this row
    // replies to.
    try database.run("DELETE FROM entry WHERE id = ? AND holder = ?", [id, holder.id])
  }

  /// Releases a row, so that other programs can claim it.
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

  /// Records the qwink that an entry became, so that the qwink isn't matched with another entry.
  func noteArrived(_ qwink: String, at date: Date) throws(StoreError) {
    try write { try Self.noteArrived(qwink, at: date, in: $0) }
  }

  static func noteArrived(_ qwink: String, at date: Date, in database: Database) throws {
    try database.run(
      "INSERT OR REPLACE INTO arrived (qwink, at) VALUES (?, ?)", [qwink, date.timeIntervalSince1970])
    try database.run("DELETE FROM arrived WHERE at < ?", [date.timeIntervalSince1970 - rememberedTime])
  }

  /// Returns the ids of the recorded qwinks that entries became.
  func arrived() throws(StoreError) -> [String] {
    try write { try String.fetchAll($0, sql: "SELECT qwink FROM arrived") }
  }

  // MARK: Ending

  /// Frees SQLite's page caches.
  func releaseMemory() { queue.releaseMemory() }

  /// Releases all claimed rows and closes the file.
  func close() {
    try? write { database in
      try database.run(
        "UPDATE entry SET holder = NULL, revision = revision + 1 WHERE holder = ?", [holder.id])
    }
    hasEnded = true
    holder.end()
    try? queue.close()
  }

  /// Closes the file without releasing rows, as if the program were killed.
  func abandon() {
    hasEnded = true
    holder.abandon()
    try? queue.close()
  }

  deinit {
    if !hasEnded { holder.abandon() }
  }

  /// Causes writes to fail, as on a full or read-only disk, or allows them again.
  func setReadOnly(_ isOn: Bool) {
    try? queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = \(isOn ? 1 : 0)") }
  }

  /// Returns all drafts and items in `directory`, claimed or not, oldest first.
  static func items(in directory: String) throws(StoreError) -> [OutboxItem] {
    let folder = PrivateFolder(path: directory)
    let earlier = EarlierFiles(folder: folder).rows.map(\.item)
    guard FileManager.default.fileExists(atPath: folder.path(of: name)) else { return earlier }
    let queue = try prepare(folder.path(of: name))
    defer { try? queue.close() }
    do {
      return earlier
        + (try queue.read { database in
          try Row.fetchAll(database, sql: "SELECT * FROM entry ORDER BY number").compactMap(OutboxItem.init)
        })
    } catch {
      throw failure(error, at: folder.path(of: name))
    }
  }
}
