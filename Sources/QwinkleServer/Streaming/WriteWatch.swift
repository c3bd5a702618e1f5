import Dispatch
import GRDB
import LibC
import Synchronization
import Timekeeping

/// Reports writes to a service's database by other processes. The kernel reports changes to the write-ahead log, and
/// SQLite's data version shows whether another process made them. If the kernel can't watch the folder, the data
/// version is polled.
///
/// Source: https://sqlite.org/pragma.html#pragma_data_version
final class WriteWatch: Sendable {
  /// The polling interval where the kernel can't watch files.
  static let pollTime = Duration.seconds(5)
  /// Delays before the first and the second check after a modification. A transaction may become visible only some time
  /// after the log was modified.
  private static let looks: [DispatchTimeInterval] = [.milliseconds(20), .milliseconds(300)]

  /// Safe to share, although dispatch sources aren't declared `Sendable`: they can be resumed and cancelled on any
  /// thread, and the code does nothing else with them.
  private struct Source: @unchecked Sendable {
    let source: any DispatchSourceRead
  }

  private struct State {
    var source: Source?
    var version: Int64?
    var isLooking = false
    var isStale = false
  }

  private let service: Service
  private let tell: @Sendable () -> Void
  private let queue = DispatchQueue(label: "qwinkle.watch")
  private let state = Mutex(State())

  /// Watches from ``begin(in:)`` until it is deallocated.
  init(_ service: Service, _ tell: @escaping @Sendable () -> Void) {
    self.service = service
    self.tell = tell
  }

  deinit { state.withLock { $0.source }?.source.cancel() }

  /// Starts reporting writes. `folder` is the database's folder by default; tests use another folder.
  func begin(in folder: String? = nil) async {
    if !watch(folder ?? service.file.directory) { poll() }
    let version = await currentVersion()
    state.withLock { $0.version = version }
  }

  /// Starts watching a folder through the kernel. Returns false if the kernel can't watch it.
  private func watch(_ folder: String) -> Bool {
    let file = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard file >= 0 else { return false }
    // Watches the folder instead of the log: the last process that closes the database deletes the log, and the next
    // one creates a new file.
    guard inotify_add_watch(file, folder, UInt32(IN_MODIFY)) >= 0 else {
      close(file)
      return false
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: file, queue: queue)
    source.setEventHandler { [weak self] in
      if Self.read(file) { self?.lookSoon() }
    }
    source.setCancelHandler { close(file) }
    let held = Source(source: source)
    state.withLock { $0.source = held }
    source.resume()
    return true
  }

  private func poll() {
    let clock = service.clock
    Task { [weak self] in
      while await ClockWait(on: clock).wait(for: Self.pollTime) == .passed, let self { await compare() }
    }
  }

  /// Reads all pending inotify events and returns whether the log was modified.
  private static func read(_ file: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var isMeant = false
    let name = Array("\(ServiceFile.name)-wal".utf8)
    while true {
      let count = buffer.withUnsafeMutableBytes { systemRead(file, $0.baseAddress, $0.count) }
      guard count > 0 else { return isMeant }
      var offset = 0
      while offset + 16 <= count {
        let length = Int(buffer[(offset + 12)..<(offset + 16)].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        let end = min(offset + 16 + length, count)
        if buffer[(offset + 16)..<end].prefix(while: { $0 != 0 }).elementsEqual(name) { isMeant = true }
        offset += 16 + length
      }
    }
  }

  private func lookSoon() {
    let begins = state.withLock { state in
      state.isStale = true
      defer { state.isLooking = true }
      return !state.isLooking
    }
    if begins { look(Self.looks[...]) }
  }

  private func look(_ looks: ArraySlice<DispatchTimeInterval>) {
    state.withLock { $0.isStale = false }
    guard let next = looks.first else { return state.withLock { $0.isLooking = false } }
    queue.asyncAfter(deadline: .now() + next) { [weak self] in
      guard let self else { return }
      Task {
        await self.compare()
        let wasWritten = self.state.withLock { $0.isStale }
        self.queue.async { self.look(wasWritten ? Self.looks[...] : looks.dropFirst()) }
      }
    }
  }

  /// Reports a write if another process has written since the last check.
  private func compare() async {
    let version = await currentVersion()
    let isOther = state.withLock { state in
      defer { state.version = version ?? state.version }
      return version != nil && state.version != nil && version != state.version
    }
    if isOther { tell() }
  }

  /// Returns a number that changes whenever another connection commits.
  private func currentVersion() async -> Int64? {
    await service.versionForWriter()
  }
}

extension Service {
  /// SQLite's data version, which changes when another connection has committed. Nil if it can't be read.
  fileprivate func versionForWriter() async -> Int64? {
    guard let writer = opened.withLock({ $0.connection?.writer }) else { return nil }
    return try? await writer.unsafeRead { try Int64.fetchOne($0, sql: "PRAGMA data_version") }
  }
}
