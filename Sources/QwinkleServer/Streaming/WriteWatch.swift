import Dispatch
import GRDB
import Synchronization
import Timekeeping

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tells when another process has written to a service's file. The kernel says that its log of writes has grown, and
/// SQLite whether another process did that. Where the kernel can't watch, as on other systems than Linux, SQLite is
/// asked every few seconds.
///
/// Source: https://sqlite.org/pragma.html#pragma_data_version
final class WriteWatch: Sendable {
  /// How often SQLite is asked where the kernel can't watch.
  static let pollTime = Duration.seconds(5)
  /// How long after a write its transaction is visible to others: looked for soon, and once more.
  private static let looks: [DispatchTimeInterval] = [.milliseconds(20), .milliseconds(300)]

  /// Safe to share: Dispatch sources may be resumed and cancelled on any thread, and nothing else is done here.
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

  /// Watches until it is released, once it has begun.
  init(_ service: Service, _ tell: @escaping @Sendable () -> Void) {
    self.service = service
    self.tell = tell
  }

  deinit { state.withLock { $0.source }?.source.cancel() }

  /// Tells of what is written from now on. `folder` is the file's, unless a test says otherwise.
  func begin(in folder: String? = nil) async {
    if !watch(folder ?? service.file.directory) { poll() }
    let version = await currentVersion()
    state.withLock { $0.version = version }
  }

  /// Has the kernel watch, and returns whether it does.
  private func watch(_ folder: String) -> Bool {
    #if os(Linux)
      let file = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
      guard file >= 0 else { return false }
      // The log comes and goes with the last process that has the file open, its folder stays.
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
    #else
      return false
    #endif
  }

  private func poll() {
    let clock = service.clock
    Task { [weak self] in
      while await ClockWait(on: clock).wait(for: Self.pollTime) == .passed, let self { await compare() }
    }
  }

  #if os(Linux)
    /// Reads all events, and returns whether the log was written.
    private static func read(_ file: Int32) -> Bool {
      var buffer = [UInt8](repeating: 0, count: 4096)
      var isMeant = false
      let name = Array("\(ServiceFile.name)-wal".utf8)
      while true {
        let count = buffer.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
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
  #endif

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

  /// Tells if another process has written since the last time.
  private func compare() async {
    let version = await currentVersion()
    let isOther = state.withLock { state in
      defer { state.version = version ?? state.version }
      return version != nil && state.version != nil && version != state.version
    }
    if isOther { tell() }
  }

  /// Differs after each commit of another connection.
  private func currentVersion() async -> Int64? {
    await service.versionForWriter()
  }
}

extension Service {
  /// SQLite's number that differs once another process has written; nil if it can't be read.
  fileprivate func versionForWriter() async -> Int64? {
    guard let writer = opened.withLock({ $0.connection?.writer }) else { return nil }
    return try? await writer.read { try Int64.fetchOne($0, sql: "PRAGMA data_version") }
  }
}
