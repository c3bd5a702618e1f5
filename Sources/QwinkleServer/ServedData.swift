import FoundationEssentials
import GRDB
import QwinkleModel
public import Timekeeping

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a database of the service holds.
public struct DatabaseContent: Hashable, Sendable {
  /// The number of its last migration.
  public var schema: Int
  public var accounts: Int
  public var posts: Int
  /// The pictures.
  public var media = 0
  /// The pictures whose files are missing or damaged.
  public var faultyMedia = 0

  /// Its counts, for the operator.
  public var words: String {
    let faults = faultyMedia == 0 ? "" : " (\(faultyMedia) missing or damaged)"
    let pictures = media == 0 ? "" : "\(Counted.words(media, "picture"))\(faults), "
    return "\(Counted.words(accounts, "account")), \(Counted.words(posts, "post")), \(pictures)schema \(schema)"
  }
}

/// The data of a served timeline, as its operator handles it: claim, check, back up, restore. All calls block.
public struct ServedData: Sendable {
  private let file: ServiceFile

  /// The database's path.
  public var path: String { file.path }

  /// The data in `directory`.
  public init(directory: String, clock: any ProgramClock) {
    file = ServiceFile(directory: directory, clock: clock, keepsDamaged: true)
  }

  /// Claims the folder for serving, until the claim ends or the process does. Creates it if it's missing, and checks
  /// that others have no access.
  ///
  /// - Throws: ``ServiceError/served(directory:pid:)``, ``ServiceError/looseAccess(path:remedy:)``, or an error of the
  ///   folder.
  public func claim() throws(ServiceError) -> ServeClaim {
    try file.makeDirectory()
    try checkAccess()
    return try ServeClaim(file.directory)
  }

  /// Checks that neither folder nor database is open to other users.
  ///
  /// - Throws: ``ServiceError/looseAccess(path:remedy:)``.
  public func checkAccess() throws(ServiceError) {
    for (path, mode) in [(file.directory, "700"), (file.path, "600"), (media.folder.path, "700")] {
      var facts = stat()
      guard stat(path, &facts) == 0, facts.st_mode & 0o077 != 0 else { continue }
      throw .looseAccess(path: path, remedy: "chmod \(mode) \(path)")
    }
  }

  /// Has SQLite look for damage: quickly, at about 1 GB in a few seconds, or thoroughly, with all its indexes. Nothing
  /// is changed, and a server may be running. Does nothing if there is no file.
  ///
  /// - Throws: ``ServiceError/keptDamaged(path:reason:)``, ``ServiceError/fileTooNew(path:)``, or that it can't be
  ///   read.
  public func checkBeforeServing() throws(ServiceError) {
    guard access(file.path, F_OK) == 0 else { return }
    _ = try Self.content(at: file.path, check: "quick_check", isOurs: false)
  }

  /// Checks the database thoroughly, and counts what it holds.
  public func check() throws(ServiceError) -> DatabaseContent {
    try Self.check(file.path)
  }

  /// Checks a database anywhere, such as a backup, thoroughly, and counts what it holds.
  ///
  /// - Throws: ``ServiceError/keptDamaged(path:reason:)``, ``ServiceError/fileTooNew(path:)``,
  ///   ``ServiceError/notADatabase(path:)``, or that it can't be read.
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
      throw .fileNotAccessible(path: path, reason: String(cString: strerror(errno)))
    }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw .fileNotAccessible(path: path, reason: "it is not a file")
    }
    guard facts.st_size > 0 else { throw .keptDamaged(path: path, reason: "it is empty") }
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
          throw ServiceError.keptDamaged(path: path, reason: words)
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
    } catch let error as ServiceError {
      throw error
    } catch {
      throw translated(error, path)
    }
  }

  static func configuration(readonly: Bool) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = readonly
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { $0.add(function: SearchText.function) }
    return configuration
  }

  static func translated(_ error: any Error, _ path: String) -> ServiceError {
    if let error = error as? ServiceError { return error }
    guard let error = error as? DatabaseError else { return .failed(path: path, reason: String(describing: error)) }
    let reason = error.message ?? error.resultCode.description
    return switch error.resultCode {
    case .SQLITE_CORRUPT: .keptDamaged(path: path, reason: reason)
    case .SQLITE_NOTADB: .keptDamaged(path: path, reason: reason)
    case .SQLITE_FULL: .diskFull(path: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: .busy(path: path)
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_CANTOPEN:
      .fileNotAccessible(path: path, reason: reason)
    default: .failed(path: path, reason: reason)
    }
  }
}

// MARK: - Backing up and restoring

extension ServedData {
  /// Copies the database as it is at one moment, while a server may be writing to it, and checks the copy. `path` gets
  /// it whole or not at all, readable by its owner only. The files of its pictures go to a folder `PATH.media`.
  ///
  /// - Throws: ``ServiceError/fileExists(path:)`` if something is at `path` or where its folder would be,
  ///   ``ServiceError/keptDamaged(path:reason:)`` if the database is damaged, and other errors of either file.
  public func backUp(to path: String) throws(ServiceError) -> DatabaseContent {
    try Self.refuseIfThere(path)
    try Self.refuseIfThere(MediaFolder(ofDatabase: path).path)
    guard access(file.path, F_OK) == 0 else {
      throw .fileNotAccessible(path: file.path, reason: String(cString: strerror(errno)))
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
        // The copy has what the original has.
        if case .keptDamaged(_, let reason) = error { throw .keptDamaged(path: file.path, reason: reason) }
        throw error
      }
      try Self.flush(partial)
      // Unlike a rename, a link replaces nothing that has come there meanwhile.
      guard link(partial, path) == 0 else {
        if errno == EEXIST { throw .fileExists(path: path) }
        throw .fileNotAccessible(path: path, reason: String(cString: strerror(errno)))
      }
      Self.remove(partial)
      try Self.flush(Self.folder(of: path))
      return content
    } catch {
      Self.remove(partial)
      if access(path, F_OK) != 0 { ServedMedia.remove(MediaFolder(ofDatabase: path)) }
      throw error
    }
  }

  /// Puts a checked copy of a backup in the database's place. The database that was there, whatever its state, is kept
  /// under another name, which is returned.
  ///
  /// - Throws: ``ServiceError/served(directory:pid:)`` while a server runs, and what ``check(_:)`` throws of the
  ///   backup. Nothing was changed then.
  public func restore(from backup: String) throws(ServiceError) -> (content: DatabaseContent, aside: String?) {
    let claim = try claim()
    defer { claim.end() }
    _ = try Self.check(backup)
    let new = "\(file.path).restoring"
    Self.remove(new)
    do throws(ServiceError) {
      try Self.copy(from: backup, to: new, journal: "WAL")
      try restoreMedia(from: backup, new)
      let content = try Self.check(new, media: media.folder)
      for suffix in ["-wal", "-shm"] { unlink(new + suffix) }
      try Self.flush(new)
      let aside = try file.replaceWhole(with: new)
      try Self.flush(file.directory)
      return (content, aside)
    } catch {
      Self.remove(new)
      throw error
    }
  }

  /// Copies a database in one read transaction. Writers don't wait for it.
  private static func copy(from source: String, to target: String, journal: String) throws(ServiceError) {
    let made = open(target, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard made >= 0 else { throw .fileNotAccessible(path: target, reason: String(cString: strerror(errno))) }
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
      throw translated(error, isAbout(target, error) ? target : source)
    }
  }

  /// A full disk or a refused write is the target's; all else is the source's.
  private static func isAbout(_ target: String, _ error: any Error) -> Bool {
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

  private static func flush(_ path: String) throws(ServiceError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .fileNotAccessible(path: path, reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw errno == ENOSPC || errno == EDQUOT
        ? .diskFull(path: path) : .failed(path: path, reason: String(cString: strerror(errno)))
    }
  }
}
