import GRDBSQLite
import LibC
import Synchronization

/// Causes SQLite's system calls to fail for files in a folder, through `xSetSystemCall` of the unix VFS. Other files of
/// the process are unaffected.
public enum DiskFaults {
  /// The error of a failed call.
  public enum Kind: CaseIterable, Sendable {
    /// No space is left on the device.
    case full
    /// Input/output error.
    case broken
    /// Writes store only half of the bytes. Other calls fail as with ``broken``.
    case short
  }

  private struct Plan {
    var folder = ""
    var kind = Kind.full
    /// Number of calls that succeed first.
    var remaining = Int.max
    var wasHit = false
    var isReadOnly = false
    /// Whether all later writes fail too.
    var isFull = false
  }

  private static let plan = Mutex(Plan())

  /// Runs `body` and makes the call after the first `count` ones in `folder` fail. Returns whether that call was made.
  public static func failing<Failure>(
    after count: Int, as kind: Kind, in folder: String, _ body: () async throws(Failure) -> Void
  ) async throws(Failure) -> Bool {
    try await whileSet(Plan(folder: folder, kind: kind, remaining: count), body)
  }

  /// Runs `body` while the disk of `folder` is full, starting after the first `count` writes there.
  public static func full<Failure>(
    after count: Int, in folder: String, _ body: () async throws(Failure) -> Void
  ) async throws(Failure) {
    _ = try await whileSet(Plan(folder: folder, remaining: count, isFull: true), body)
  }

  /// Runs `body` while no file in `folder` can be written, as on a file system mounted read-only.
  public static func readOnly<Failure>(
    in folder: String, _ body: () async throws(Failure) -> Void
  ) async throws(Failure) {
    _ = try await whileSet(Plan(folder: folder, isReadOnly: true), body)
  }

  /// Suites run in parallel, so only one plan is active at a time.
  private static func whileSet<Failure>(
    _ new: Plan, _ body: () async throws(Failure) -> Void
  ) async throws(Failure) -> Bool {
    install()
    await Turn.shared.take()
    plan.withLock { $0 = new }
    do throws(Failure) {
      try await body()
    } catch {
      plan.withLock { $0 = Plan() }
      await Turn.shared.giveBack()
      throw error
    }
    let wasHit = plan.withLock { plan in
      defer { plan = Plan() }
      return plan.wasHit
    }
    await Turn.shared.giveBack()
    return wasHit
  }

  private actor Turn {
    static let shared = Turn()

    private var isTaken = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func take() async {
      if isTaken { await withCheckedContinuation { waiters.append($0) } }
      isTaken = true
    }

    func giveBack() {
      isTaken = !waiters.isEmpty
      if !waiters.isEmpty { waiters.removeFirst().resume() }
    }
  }

  /// Whether calls that change the file or folder at `path` fail.
  fileprivate static func isReadOnly(_ path: @autoclosure () -> String) -> Bool {
    plan.withLock { $0.isReadOnly && path().hasPrefix($0.folder) }
  }

  /// Returns how this call fails, or nil if it succeeds.
  fileprivate static func fault(at path: @autoclosure () -> String) -> Kind? {
    plan.withLock { plan in
      guard plan.remaining < Int.max, !plan.isFull, !plan.wasHit, path().hasPrefix(plan.folder) else { return nil }
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

  /// Returns how a call that needs disk space fails, or nil if it succeeds.
  fileprivate static func writeFault(on file: Int32) -> Kind? {
    let isFull = plan.withLock { plan in
      guard plan.isFull, path(of: file).hasPrefix(plan.folder) else { return false }
      if plan.remaining > 0 { plan.remaining -= 1 }
      return plan.remaining == 0
    }
    return isFull ? .full : fault(on: file)
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
        // Skip calls that this build of SQLite doesn't use.
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
  /// Sets `errno` and returns the result of a failed call.
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
  switch DiskFaults.writeFault(on: file) {
  case .short: write(file, bytes, count / 2)
  case let fault?: fault.fail()
  case nil: write(file, bytes, count)
  }
}

private let pwriteCall: @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int = { file, bytes, count, offset in
  switch DiskFaults.writeFault(on: file) {
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
