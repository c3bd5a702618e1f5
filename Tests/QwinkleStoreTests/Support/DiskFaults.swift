import GRDBSQLite
import Glibc
import Synchronization

/// Makes one call fail that SQLite sends to the system for files in a folder, by the unix VFS's `xSetSystemCall`.
/// Other files of the process are left alone.
enum DiskFaults {
  /// How a call fails.
  enum Kind: CaseIterable, Sendable {
    /// No space is left on the device.
    case full
    /// Input/output error.
    case broken
    /// Half of what was to be written is written; other calls fail as ``broken`` ones.
    case short
  }

  private struct Plan {
    var folder = ""
    var kind = Kind.full
    /// Number of calls to let through first.
    var remaining = Int.max
    var wasHit = false
    var isReadOnly = false
  }

  private static let plan = Mutex(Plan())

  /// Runs `body` while the call after the first `count` ones in `folder` fails. Returns whether there were so many.
  static func failing(
    after count: Int, as kind: Kind, in folder: String, _ body: () async throws -> Void
  ) async rethrows -> Bool {
    install()
    plan.withLock { $0 = Plan(folder: folder, kind: kind, remaining: count) }
    defer { plan.withLock { $0 = Plan() } }
    try await body()
    return plan.withLock { $0.wasHit }
  }

  /// Runs `body` while no file in `folder` can be written, as on a file system mounted read-only.
  static func readOnly(in folder: String, _ body: () async throws -> Void) async rethrows {
    install()
    plan.withLock { $0 = Plan(folder: folder, isReadOnly: true) }
    defer { plan.withLock { $0 = Plan() } }
    try await body()
  }

  /// Whether a call that changes the file or folder at `path` is refused.
  fileprivate static func isReadOnly(_ path: @autoclosure () -> String) -> Bool {
    plan.withLock { $0.isReadOnly && path().hasPrefix($0.folder) }
  }

  /// How this call fails; nil if it doesn't.
  fileprivate static func fault(at path: @autoclosure () -> String) -> Kind? {
    plan.withLock { plan in
      guard plan.remaining < Int.max, !plan.wasHit, path().hasPrefix(plan.folder) else { return nil }
      guard plan.remaining == 0 else {
        plan.remaining -= 1
        return nil
      }
      plan.wasHit = true
      return plan.kind
    }
  }

  fileprivate static func fault(on file: Int32) -> Kind? {
    fault(at: path(of: file))
  }

  private static func path(of file: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(file)", &buffer, buffer.count - 1)
    guard count > 0 else { return "" }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: Calls

  private static let isInstalled = Mutex(false)

  private static func install() {
    isInstalled.withLock { isInstalled in
      guard !isInstalled, let vfs = sqlite3_vfs_find("unix") else { return }
      isInstalled = true
      func set<Function>(_ name: String, _ function: Function) {
        // Only what SQLite was built to use.
        guard vfs.pointee.xGetSystemCall(vfs, name) != nil else { return }
        _ = vfs.pointee.xSetSystemCall(vfs, name, unsafeBitCast(function, to: sqlite3_syscall_ptr.self))
      }
      set("open", openCall)
      set("unlink", unlinkCall)
      set("ftruncate", truncateCall)
      set("write", writeCall)
      set("pwrite", pwriteCall)
      set("pwrite64", pwriteCall)
      set("read", readCall)
      set("pread", preadCall)
      set("pread64", preadCall)
      set("fstat", statCall)
    }
  }
}

extension DiskFaults.Kind {
  /// Sets `errno`, and returns what a failed call returns.
  fileprivate func fail() -> Int {
    errno = self == .full ? ENOSPC : EIO
    return -1
  }
}

/// Sets `errno` as a read-only file system does.
private func refuse() -> Int32 {
  errno = EROFS
  return -1
}

private let openCall: @convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Int32 = { path, flags, mode in
  guard let path else { return -1 }
  if let fault = DiskFaults.fault(at: String(cString: path)) { return Int32(fault.fail()) }
  if flags & (O_WRONLY | O_RDWR | O_CREAT) != 0, DiskFaults.isReadOnly(String(cString: path)) { return refuse() }
  return open(path, flags, mode_t(mode))
}

private let unlinkCall: @convention(c) (UnsafePointer<CChar>?) -> Int32 = { path in
  guard let path else { return -1 }
  if let fault = DiskFaults.fault(at: String(cString: path)) { return Int32(fault.fail()) }
  if DiskFaults.isReadOnly(String(cString: path)) { return refuse() }
  return unlink(path)
}

private let truncateCall: @convention(c) (Int32, off_t) -> Int32 = { file, size in
  if let fault = DiskFaults.fault(on: file) { return Int32(fault.fail()) }
  return ftruncate(file, size)
}

private let writeCall: @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int = { file, bytes, count in
  switch DiskFaults.fault(on: file) {
  case .short: write(file, bytes, count / 2)
  case let fault?: fault.fail()
  case nil: write(file, bytes, count)
  }
}

private let pwriteCall: @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int = { file, bytes, count, offset in
  switch DiskFaults.fault(on: file) {
  case .short: pwrite(file, bytes, count / 2, offset)
  case let fault?: fault.fail()
  case nil: pwrite(file, bytes, count, offset)
  }
}

private let readCall: @convention(c) (Int32, UnsafeMutableRawPointer?, Int) -> Int = { file, bytes, count in
  if let fault = DiskFaults.fault(on: file) { return fault.fail() }
  return read(file, bytes, count)
}

private let preadCall: @convention(c) (Int32, UnsafeMutableRawPointer?, Int, off_t) -> Int = {
  file, bytes, count, offset in
  if let fault = DiskFaults.fault(on: file) { return fault.fail() }
  return pread(file, bytes, count, offset)
}

private let statCall: @convention(c) (Int32, UnsafeMutablePointer<stat>?) -> Int32 = { file, facts in
  if let fault = DiskFaults.fault(on: file) { return Int32(fault.fail()) }
  return facts.map { fstat(file, $0) } ?? -1
}
