import FoundationEssentials
import GRDB
import LibC
import QwinkleModel
import QwinkleWire
import SafeText
public import Timekeeping

/// Summary of a service database's content.
public struct DatabaseContent: Hashable, Sendable {
  /// The number of the database's last migration.
  public var schema: Int
  public var accounts: Int
  public var posts: Int
  /// The number of pictures.
  public var media = 0
  /// The number of pictures whose files are missing or corrupt.
  public var faultyMedia = 0

  /// The counts as text for the operator.
  public var words: String {
    let faults = faultyMedia == 0 ? "" : " (\(faultyMedia) missing or damaged)"
    let pictures = media == 0 ? "" : "\(Counted.words(media, "picture"))\(faults), "
    return "\(Counted.words(accounts, "account")), \(Counted.words(posts, "post")), \(pictures)schema \(schema)"
  }
}

/// Maintenance of a server's data for its operator: claim, check, back up, restore. All calls block.
public struct ServedData: Sendable {
  private let file: ServiceFile

  /// The database's path.
  public var path: String { file.path }

  public init(directory: String, clock: any ProgramClock) {
    file = ServiceFile(directory: directory, clock: clock, keepsDamaged: true)
  }

  /// Claims the folder for serving until the claim or the process ends. Creates the folder if it's missing, and checks
  /// that other users have no access.
  ///
  /// - Throws: ``ServiceError/served(directory:pid:)``, ``ServiceError/looseAccess(path:remedy:)``, or an error if the
  ///   folder can't be created or read.
  public func claim() throws(ServiceError) -> ServeClaim {
    try file.makeDirectory()
    try checkAccess()
    return try ServeClaim(file.directory)
  }

  /// Checks that other users can't access the folder, the database or the media.
  ///
  /// - Throws: ``ServiceError/looseAccess(path:remedy:)``.
  public func checkAccess() throws(ServiceError) {
    for (path, mode) in [(file.directory, "700"), (file.path, "600"), (media.folder.path, "700")] {
      var facts = stat()
      guard stat(path, &facts) == 0, facts.st_mode & 0o077 != 0 else { continue }
      throw .looseAccess(path: path, remedy: "chmod \(mode) \(path)")
    }
  }

  /// Runs SQLite's quick check, which takes a few seconds per gigabyte. Changes nothing. A server can be running at the
  /// same time. Does nothing if the file doesn't exist.
  ///
  /// - Throws: ``ServiceError/storedDataCorrupt(path:reason:)``, ``ServiceError/fileTooNew(path:)``, or
  ///   ``ServiceError/fileNotAccessible(path:reason:)``.
  public func checkBeforeServing() throws(ServiceError) {
    guard access(file.path, F_OK) == 0 else { return }
    _ = try Self.content(at: file.path, check: "quick_check", isOurs: false)
  }

  /// Checks a database or a backup thoroughly, including indexes, and counts its content. Missing and corrupt picture
  /// files are only counted, see ``DatabaseContent/faultyMedia``.
  ///
  /// - Throws: ``ServiceError/storedDataCorrupt(path:reason:)``, ``ServiceError/fileTooNew(path:)``,
  ///   ``ServiceError/notADatabase(path:)``, or ``ServiceError/fileNotAccessible(path:reason:)``.
  public static func check(_ path: String) throws(ServiceError) -> DatabaseContent {
    try check(path, media: MediaFolder(ofDatabase: path))
  }

  private static func check(_ path: String, media: MediaFolder) throws(ServiceError) -> DatabaseContent {
    try content(at: path, check: "integrity_check", isOurs: true, media: media)
  }

  private static func content(
    at path: String, check: String, isOurs: Bool, media: MediaFolder? = nil
  ) throws(ServiceError) -> DatabaseContent {
    var facts = stat()
    guard stat(path, &facts) == 0, access(path, R_OK) == 0 else {
      throw .fileNotAccessible(path: path, reason: systemWords())
    }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw .fileNotAccessible(path: path, reason: "it is not a file")
    }
    guard facts.st_size > 0 else { throw .storedDataCorrupt(path: path, reason: "it is empty") }
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration(readonly: true))
      defer { try? queue.close() }
      var entries: [ServedMedia.Entry] = []
      var content = try queue.read { db in
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        if try version > Schema.version || Schema.migrator.hasBeenSuperseded(db) {
          throw ServiceError.fileTooNew(path: path)
        }
        if let finding = try String.fetchOne(db, sql: "PRAGMA \(check)(1)"), finding != "ok" {
          let words = finding.split(separator: "\n").joined(separator: " ")
          throw ServiceError.storedDataCorrupt(path: path, reason: words)
        }
        guard try db.tableExists("statuses"), try db.tableExists("accounts") else {
          if isOurs { throw ServiceError.notADatabase(path: path) }
          return DatabaseContent(schema: version, accounts: 0, posts: 0)
        }
        if media != nil { entries = try ServedMedia.entries(db) }
        return DatabaseContent(
          schema: version, accounts: try Int.fetchOne(db, sql: "SELECT count(*) FROM accounts") ?? 0,
          posts: try Int.fetchOne(db, sql: "SELECT count(*) FROM statuses") ?? 0)
      }
      if let media {
        content.media = entries.count
        content.faultyMedia = try ServedMedia(folder: media).faults(in: entries)
      }
      return content
    } catch {
      throw ServiceError(error, path: path)
    }
  }

  static func configuration(readonly: Bool) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = readonly
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { $0.add(function: SearchText.function) }
    return configuration
  }
}

// MARK: - Backing up and restoring

extension ServedData {
  /// Writes a consistent copy of the database to `path` and checks it. A server can be running at the same time. The
  /// copy appears at `path` only once it is complete, and only its owner can read it. Picture files are copied to the
  /// folder `PATH.media`.
  ///
  /// - Throws: ``ServiceError/fileExists(path:)`` if `path` or its media folder exists,
  ///   ``ServiceError/storedDataCorrupt(path:reason:)`` if the database is corrupt, and other errors of either file.
  public func backUp(to path: String) throws(ServiceError) -> DatabaseContent {
    try Self.refuseIfThere(path)
    try Self.refuseIfThere(MediaFolder(ofDatabase: path).path)
    guard access(file.path, F_OK) == 0 else {
      throw .fileNotAccessible(path: file.path, reason: systemWords())
    }
    let partial = "\(path).partial"
    Self.remove(partial)
    do throws(ServiceError) {
      try Self.copy(from: file.path, to: partial, journal: "DELETE")
      try copyMedia(of: partial, forBackup: path)
      let content: DatabaseContent
      do throws(ServiceError) {
        content = try Self.check(partial, media: MediaFolder(ofDatabase: path))
      } catch {
        // The copy has the same damage as the original, so the error reports the original.
        if case .storedDataCorrupt(_, let reason) = error { throw .storedDataCorrupt(path: file.path, reason: reason) }
        throw error
      }
      try ServiceFile.flush(partial)
      // Unlike a rename, a link fails if a file has appeared at the path in the meantime.
      guard link(partial, path) == 0 else {
        if errno == EEXIST { throw .fileExists(path: path) }
        throw .fileNotAccessible(path: path, reason: systemWords())
      }
      Self.remove(partial)
      try ServiceFile.flush(Self.folder(of: path))
      return content
    } catch {
      Self.remove(partial)
      if access(path, F_OK) != 0 { ServedMedia.remove(MediaFolder(ofDatabase: path)) }
      throw error
    }
  }

  /// Replaces the database with a checked copy of a backup. The previous database is renamed even if it is corrupt, and
  /// its new path is returned. The audit log is the backup's, with an entry for the restore.
  ///
  /// - Throws: ``ServiceError/served(directory:pid:)`` while a server is running, or an error of ``check(_:)`` if the
  ///   backup is invalid. Nothing is changed in either case.
  public func restore(
    from backup: String, by actor: AuditActor = .ofProcess
  ) throws(ServiceError) -> (content: DatabaseContent, aside: String?) {
    let claim = try claim()
    defer { claim.end() }
    do throws(ServiceError) {
      _ = try Self.check(backup)
    } catch {
      guard case .storedDataCorrupt(let path, let reason) = error else { throw error }
      throw .backupDamaged(path: path, reason: reason)
    }
    let new = "\(file.path).restoring"
    Self.remove(new)
    do throws(ServiceError) {
      try Self.copy(from: backup, to: new, journal: "WAL")
      try restoreMedia(from: backup, new)
      try logRestore(of: backup, to: new, by: actor)
      let content = try Self.check(new, media: media.folder)
      for suffix in ["-wal", "-shm"] { unlink(new + suffix) }
      try ServiceFile.flush(new)
      let aside = try file.replaceWhole(with: new)
      try ServiceFile.flush(file.directory)
      return (content, aside)
    } catch {
      Self.remove(new)
      throw error
    }
  }

  /// Adds an entry to the audit log of a restored database. Migrates the database first, because the backup of an older
  /// version may have no log.
  private func logRestore(of backup: String, to path: String, by actor: AuditActor) throws(ServiceError) {
    do {
      let queue = try DatabaseQueue(path: path, configuration: Self.configuration(readonly: false))
      defer { try? queue.close() }
      try Schema.migrator.migrate(queue)
      try queue.write { db in
        let origin = BaseURL(scheme: "http", authority: "localhost")
        try Transaction(db: db, now: file.clock.now, origin: origin).audit(.restore, SafeText.line(backup), by: actor)
      }
      _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    } catch {
      throw ServiceError(error, path: path)
    }
  }

  /// Copies a database in one read transaction, which doesn't block writers.
  private static func copy(from source: String, to target: String, journal: String) throws(ServiceError) {
    let made = systemOpen(target, O_RDWR | O_CREAT | O_EXCL, 0o600)
    guard made >= 0 else { throw .fileNotAccessible(path: target, reason: systemWords()) }
    close(made)
    do {
      let from = try DatabaseQueue(path: source, configuration: configuration(readonly: true))
      defer { try? from.close() }
      let to = try DatabaseQueue(path: target, configuration: configuration(readonly: false))
      defer { try? to.close() }
      try from.backup(to: to)
      _ = try to.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode = \(journal)") }
      try to.close()
    } catch {
      throw ServiceError(error, path: isAboutTarget(error) ? target : source)
    }
  }

  /// Returns whether the error is attributed to the target: a full disk, a refused write, or a file that can't be
  /// opened. All other errors are attributed to the source.
  private static func isAboutTarget(_ error: any Error) -> Bool {
    guard let code = (error as? DatabaseError)?.resultCode else { return false }
    return code == .SQLITE_FULL || code == .SQLITE_READONLY || code == .SQLITE_CANTOPEN
  }

  private static func refuseIfThere(_ path: String) throws(ServiceError) {
    var facts = stat()
    if lstat(path, &facts) == 0 { throw .fileExists(path: path) }
  }

  private static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
