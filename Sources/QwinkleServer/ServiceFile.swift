import FoundationEssentials
import GRDB
import Timekeeping

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The SQLite file on its disk: opening, making, and setting a damaged one aside.
struct ServiceFile: Sendable {
  static let name = "service.sqlite"

  let directory: String
  let clock: any ProgramClock

  var path: String { directory.hasSuffix("/") ? directory + Self.name : "\(directory)/\(Self.name)" }

  /// Opens the file, making it and its directory where they are missing. A damaged file is set aside first; its new
  /// path is returned too.
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

  /// What an error of SQLite means for who uses the service.
  func serviceError(_ error: any Error) -> ServiceError {
    if let error = error as? ServiceError { return error }
    guard let error = error as? DatabaseError else { return .failed(path: path, reason: String(describing: error)) }
    switch error.resultCode {
    case .SQLITE_FULL: return .diskFull(path: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: return .busy(path: path)
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_CANTOPEN:
      return .fileNotAccessible(path: path, reason: accessFault ?? error.message ?? "access denied")
    default: return .failed(path: path, reason: error.message ?? error.resultCode.description)
    }
  }

  /// What people are told of a damaged file that was set aside as `path`.
  static func sentence(forSetAside path: String) -> String {
    let isEmpty = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int == 0
    return "The database was \(isEmpty ? "empty" : "damaged"). It was set aside as \(path), and a new one was made."
  }

  /// Whether an error says that the file's content cannot be read as a database.
  static func isDamage(_ error: any Error) -> Bool {
    guard let code = (error as? DatabaseError)?.resultCode else { return false }
    return code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB
  }

  /// Looks closer at a file that failed: whether it is damaged for certain. The directory has to be held: else a file
  /// that is empty may just be being made.
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

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.label = "qwinkle.service"
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous = FULL")
      db.add(function: SearchText.function)
    }
    return configuration
  }

  /// `isLocked` says whether the caller holds the directory already.
  private func connect(isLocked: Bool = false) throws -> DatabaseQueue {
    // Who makes the file holds the directory until its tables are there, so that an empty one is never half made.
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
    // The file remembers it. GRDB's own setting would write to the file each time it is opened.
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    try Schema.migrator.migrate(queue)
  }

  /// Does what only one program may do at a time.
  private func holdingDirectory<Value>(_ work: () throws -> Value) throws -> Value {
    let descriptor = systemOpen(directory, O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 { flock(descriptor, LOCK_EX) }
    defer { if descriptor >= 0 { close(descriptor) } }
    return try work()
  }
}

// MARK: - Setting aside

extension ServiceFile {
  /// Moves the damaged file away and makes a new one. One program at a time: another may have done it just now.
  func replaceDamaged() throws(ServiceError) -> (queue: DatabaseQueue, setAside: String?) {
    do {
      return try holdingDirectory {
        let aside = isDamagedForCertain() ? try moveAside() : nil
        return (try connect(isLocked: true), aside)
      }
    } catch {
      throw serviceError(error)
    }
  }

  private func moveAside() throws(ServiceError) -> String {
    let stamped = "\(path).damaged-\(stamp)"
    var aside = stamped
    var number = 2
    while ["", "-wal", "-shm"].contains(where: { access(aside + $0, F_OK) == 0 }) {
      aside = "\(stamped)-\(number)"
      number += 1
    }
    guard rename(path, aside) == 0 else {
      throw .damaged(path: path, reason: String(cString: strerror(errno)))
    }
    for suffix in ["-wal", "-shm"] where access(path + suffix, F_OK) == 0 {
      guard rename(path + suffix, aside + suffix) == 0 else {
        throw .damaged(path: path + suffix, reason: String(cString: strerror(errno)))
      }
    }
    return aside
  }

  /// The time as `YYYYMMDD-HHMMSS`, UTC.
  private var stamp: String {
    String(clock.now.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted)).prefix(15))
      .replacing("T", with: "-")
  }
}

// MARK: - The directory and the file's permissions

extension ServiceFile {
  private func makeDirectory() throws(ServiceError) {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .directoryNotWritable(path: directory, reason: directoryFault ?? "it cannot be made")
    }
    if access(directory, W_OK | X_OK) != 0 {
      throw .directoryNotWritable(path: directory, reason: String(cString: strerror(errno)))
    }
  }

  /// Why no directory can be made there, from the first part of the path that stands in the way.
  private var directoryFault: String? {
    var path = directory
    while !path.isEmpty, path != "/", access(path, F_OK) != 0 {
      let fault = errno
      if fault != ENOENT { return String(cString: strerror(fault)) }
      guard let slash = path.lastIndex(of: "/") else { break }
      path = String(path[..<slash])
    }
    if !path.isEmpty, isDirectory(path) == false { return "\(path) is not a directory" }
    return access(path.isEmpty ? "/" : path, W_OK) != 0 ? String(cString: strerror(errno)) : nil
  }

  /// nil where nothing is there.
  private func isDirectory(_ path: String) -> Bool? {
    var isDirectory = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) ? isDirectory : nil
  }

  /// Makes an empty file that only its owner may read, before SQLite would make one that others may read too. Makes
  /// sure of one that is there: SQLite would open what it may not write, and fail at the first post.
  ///
  /// - Returns: whether it was made.
  private func makePrivateFile() throws(ServiceError) -> Bool {
    if isDirectory(path) == true { throw .fileNotAccessible(path: path, reason: "it is a directory") }
    let descriptor = systemOpen(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      return true
    }
    let fault = errno
    if fault == EEXIST {
      if let accessFault { throw .fileNotAccessible(path: path, reason: accessFault) }
      return false
    } else if fault == ENOSPC || fault == EDQUOT {
      throw .diskFull(path: path)
    } else {
      throw .fileNotAccessible(path: path, reason: String(cString: strerror(fault)))
    }
  }

  /// In bytes; nil where there is no file.
  private var size: Int? {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int(facts.st_size) : nil
  }

  /// The system's word on why the file cannot be used.
  private var accessFault: String? {
    access(path, R_OK | W_OK) != 0 ? String(cString: strerror(errno)) : nil
  }

  private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    #if canImport(Glibc)
      Glibc.open(path, flags, mode)
    #elseif canImport(Musl)
      Musl.open(path, flags, mode)
    #else
      Darwin.open(path, flags, mode)
    #endif
  }
}
