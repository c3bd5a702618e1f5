import FoundationEssentials
import GRDB
import LibC
import QwinkleModel
import Timekeeping

/// The SQLite file. Opens or creates it, and sets a corrupt file aside unless ``keepsDamaged`` is true.
struct ServiceFile: Sendable {
  static let name = "service.sqlite"

  let directory: String
  let clock: any ProgramClock
  /// Whether a corrupt file is left in place.
  let keepsDamaged: Bool

  var path: String { directory.hasSuffix("/") ? directory + Self.name : "\(directory)/\(Self.name)" }

  /// Opens the file. Creates the file and its directory if they are missing. Unless ``keepsDamaged`` is true, a corrupt
  /// file is renamed first, and its new path is returned too.
  func open() throws(ServiceError) -> (queue: DatabaseQueue, setAside: String?) {
    try makeDirectory()
    do {
      return (try connect(), nil)
    } catch let error where Self.isDamage(error) {
      return try replaceDamaged()
    } catch {
      throw serviceError(error)
    }
  }

  func serviceError(_ error: any Error) -> ServiceError {
    let known = ServiceError(error, path: path, accessFault: accessFault)
    if !keepsDamaged, case .storedDataCorrupt(_, let reason) = known { return .failed(path: path, reason: reason) }
    return known
  }

  /// Returns a message for the user: a corrupt file was renamed to `path`, and a new one was created.
  static func sentence(forSetAside path: String) -> String {
    let isEmpty = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int == 0
    return "The database was \(isEmpty ? "empty" : "damaged"). It was renamed to \(path), and a new one was created."
  }

  /// Returns whether the error means that the file isn't a readable database.
  static func isDamage(_ error: any Error) -> Bool {
    guard let code = (error as? DatabaseError)?.resultCode else { return false }
    return code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB
  }

  /// Returns whether the file is really corrupt, after an operation failed. The caller must have locked the directory:
  /// without the lock, an empty file could be a database that another program is still creating.
  func isDamagedForCertain() -> Bool {
    if size == 0 { return true }
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? queue.close() }
      return try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") } != "ok"
    } catch {
      return Self.isDamage(error)
    }
  }

  /// Returns connections for reading, in addition to the connection from ``open()``.
  func readers() throws -> Readers {
    try Readers(path: path, configuration)
  }

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.label = "qwinkle.service"
    configuration.prepareDatabase { db in
      if !db.configuration.readonly { try db.execute(sql: "PRAGMA synchronous = FULL") }
      try db.execute(sql: "PRAGMA cell_size_check = ON")
      db.add(function: SearchText.function)
    }
    return configuration
  }

  /// - Parameter isLocked: Whether the caller has locked the directory.
  private func connect(isLocked: Bool = false) throws -> DatabaseQueue {
    // The program that creates the file keeps the directory locked until the tables exist. A file that is empty while
    // this program holds the lock is therefore corrupt.
    if !isLocked, (size ?? 0) == 0 { return try holdingDirectory { try connect(isLocked: true) } }
    if try !makePrivateFile(), size == 0 { throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "it is empty") }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let (version, isSuperseded) = try queue.read { db in
      (try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0, try Schema.migrator.hasBeenSuperseded(db))
    }
    if version > Schema.version || isSuperseded { throw ServiceError.fileTooNew(path: path) }
    if version < Schema.version {
      if isLocked { try migrate(queue) } else { try holdingDirectory { try migrate(queue) } }
    }
    return queue
  }

  private func migrate(_ queue: DatabaseQueue) throws {
    // WAL mode is persistent. Setting it through GRDB's configuration would write to the file each time it is opened.
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    try Schema.migrator.migrate(queue)
  }

  /// Runs `work` while the directory is locked against other programs.
  private func holdingDirectory<Value>(_ work: () throws -> Value) throws -> Value {
    let descriptor = systemOpen(directory, O_RDONLY)
    if descriptor >= 0 { _ = systemLock(descriptor, waits: true) }
    defer { if descriptor >= 0 { close(descriptor) } }
    return try work()
  }
}

// MARK: - Setting aside

extension ServiceFile {
  /// Renames the corrupt file and creates a new one. Checks the file again once the directory is locked, because
  /// another program may have replaced it in the meantime. If the file isn't corrupt then, only opens it and returns
  /// nil as `setAside`. Throws if ``keepsDamaged`` is true or another process serves the directory.
  func replaceDamaged() throws(ServiceError) -> (queue: DatabaseQueue, setAside: String?) {
    if keepsDamaged { throw .storedDataCorrupt(path: path, reason: "it is not a readable database") }
    if let pid = ServeClaim.holder(of: directory) { throw .served(directory: directory, pid: pid) }
    do {
      return try holdingDirectory {
        let aside = isDamagedForCertain() ? try moveAside() : nil
        return (try connect(isLocked: true), aside)
      }
    } catch {
      throw serviceError(error)
    }
  }

  /// Replaces this database with the database `new`, which must have no write-ahead log. Returns the new path of the
  /// former database, if any. A file exists at ``path`` throughout the replacement, so no other program creates an
  /// empty database there.
  func replaceWhole(with new: String) throws(ServiceError) -> String? {
    guard access(path, F_OK) == 0 else {
      guard rename(new, path) == 0 else { throw .failed(path: path, reason: systemWords()) }
      return nil
    }
    // Writes intact parts of the write-ahead log into the database. If that fails, both files are preserved.
    try? DatabaseQueue(path: path, configuration: configuration).writeWithoutTransaction { db in
      _ = try db.checkpoint(.truncate)
    }
    let aside = unusedName(Self.replacedKind)
    guard link(path, aside) == 0 else { throw .failed(path: aside, reason: systemWords()) }
    for suffix in ["-wal", "-shm"] where access(path + suffix, F_OK) == 0 {
      guard rename(path + suffix, aside + suffix) == 0 else {
        throw .failed(path: path + suffix, reason: systemWords())
      }
    }
    guard rename(new, path) == 0 else { throw .failed(path: path, reason: systemWords()) }
    return aside
  }

  private static let replacedKind = "replaced"
  private static let damagedKind = "damaged"
  /// Parts of the names of databases that were set aside.
  static let setAsideKinds = [replacedKind, damagedKind]

  private func unusedName(_ kind: String) -> String {
    let stamped = "\(path).\(kind)-\(stamp)"
    var aside = stamped
    var number = 2
    while ["", "-wal", "-shm"].contains(where: { access(aside + $0, F_OK) == 0 }) {
      aside = "\(stamped)-\(number)"
      number += 1
    }
    return aside
  }

  private func moveAside() throws(ServiceError) -> String {
    let aside = unusedName(Self.damagedKind)
    guard rename(path, aside) == 0 else {
      throw .damaged(path: path, reason: systemWords())
    }
    for suffix in ["-wal", "-shm"] where access(path + suffix, F_OK) == 0 {
      guard rename(path + suffix, aside + suffix) == 0 else {
        throw .damaged(path: path + suffix, reason: systemWords())
      }
    }
    return aside
  }

  /// The current time as `YYYYMMDD-HHMMSS` in UTC.
  private var stamp: String {
    String(clock.now.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted)).prefix(15))
      .replacing("T", with: "-")
  }
}

// MARK: - The directory and the file's permissions

extension ServiceFile {
  func makeDirectory() throws(ServiceError) {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .directoryNotWritable(path: directory, reason: directoryFault ?? "it cannot be created")
    }
    if access(directory, W_OK | X_OK) != 0 {
      throw .directoryNotWritable(path: directory, reason: systemWords())
    }
  }

  /// The reason that the directory can't be created. Walks up the path to the first part that exists.
  private var directoryFault: String? {
    var path = directory
    while !path.isEmpty, path != "/", access(path, F_OK) != 0 {
      let fault = errno
      if fault != ENOENT { return String(cString: strerror(fault)) }
      guard let slash = path.lastIndex(of: "/") else { break }
      path = String(path[..<slash])
    }
    if !path.isEmpty, isDirectory(path) == false { return "\(path) is not a directory" }
    return access(path.isEmpty ? "/" : path, W_OK) != 0 ? systemWords() : nil
  }

  /// Returns whether a path is a directory, or nil if the path doesn't exist.
  private func isDirectory(_ path: String) -> Bool? {
    var isDirectory = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) ? isDirectory : nil
  }

  /// Creates an empty file that only its owner can access, because a file created by SQLite could be readable by other
  /// users. Checks that an existing file is writable: SQLite would open a read-only file and fail at the first write.
  ///
  /// - Returns: Whether the file was created.
  private func makePrivateFile() throws(ServiceError) -> Bool {
    if isDirectory(path) == true { throw .fileNotAccessible(path: path, reason: "it is a directory") }
    let descriptor = systemOpen(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      return true
    }
    guard errno == EEXIST else { throw .system(path) }
    if let accessFault { throw .fileNotAccessible(path: path, reason: accessFault) }
    return false
  }

  /// The total size of the file and its write-ahead log, in bytes.
  var bytes: Int { databaseBytes + logBytes }

  /// The size of the file alone, in bytes.
  var databaseBytes: Int { size ?? 0 }

  /// The size of the write-ahead log, in bytes.
  var logBytes: Int { Self.size(of: path + "-wal") ?? 0 }

  /// The file's size in bytes, or nil if it doesn't exist.
  private var size: Int? { Self.size(of: path) }

  private static func size(of path: String) -> Int? {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int(facts.st_size) : nil
  }

  /// The system's reason that the file can't be read and written, or nil if it can.
  private var accessFault: String? {
    access(path, R_OK | W_OK) != 0 ? systemWords() : nil
  }
}

// MARK: - Errors

extension ServiceError {
  /// Translates an error of the database at `path`.
  ///
  /// - Parameter accessFault: The reason that the file can't be accessed, if known.
  init(_ error: any Error, path: String, accessFault: @autoclosure () -> String? = nil) {
    guard let error = error as? DatabaseError else {
      // GRDB's description of a `RowDecodingError` would include the row's content.
      let reason = error is RowDecodingError ? MalformedValue().description : String(describing: error)
      self = error as? ServiceError ?? .failed(path: path, reason: reason)
      return
    }
    let reason = error.message ?? error.resultCode.description
    self =
      switch error.resultCode {
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: .storedDataCorrupt(path: path, reason: reason)
      case .SQLITE_FULL: .diskFull(path: path)
      case .SQLITE_BUSY, .SQLITE_LOCKED: .busy(path: path)
      case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_CANTOPEN:
        .fileNotAccessible(path: path, reason: accessFault() ?? reason)
      default: .failed(path: path, reason: reason)
      }
  }

  /// Returns the error of the last system call, which failed to access the file at `path`.
  static func system(_ path: String) -> ServiceError {
    errno == ENOSPC || errno == EDQUOT
      ? .diskFull(path: path) : .fileNotAccessible(path: path, reason: systemWords())
  }
}

extension ServiceFile {
  /// Writes a file or folder to disk, with fsync(2).
  static func flush(_ path: String) throws(ServiceError) {
    let descriptor = systemOpen(path, O_RDONLY)
    guard descriptor >= 0 else { throw .system(path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw errno == ENOSPC || errno == EDQUOT ? .diskFull(path: path) : .failed(path: path, reason: systemWords())
    }
  }
}
