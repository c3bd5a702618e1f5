import Foundation
import Synchronization

/// Both ends of a pseudoterminal. Tests type into it, read it, resize it and hang it up. It answers no queries.
/// Output is read immediately, so that writers never block.
public final class PseudoTerminal: Sendable {
  /// The program's end. It stays open until ``close()``, so that settings can be read after the program has ended.
  public let slave: Int32
  /// The path of the program's end.
  public let path: String

  private let wake: Int32
  private let master: Int32
  private let shared = Shared()

  /// State shared by the reading thread and the test.
  private final class Shared: Sendable {
    struct State {
      var output: [UInt8] = []
      var takenCount = 0
      /// Output length after each read, and the time of the read.
      var arrivals: [(count: Int, time: ContinuousClock.Instant)] = []
      var isHungUp = false
      var isClosed = false
    }

    let state = Mutex(State())
    let bell = Bell()
    /// Whether the master is open. Locked during reads, so that bytes stay in order.
    let reading = Mutex(true)
    let hasEnded = DispatchSemaphore(value: 0)
  }

  /// - Throws: ``HarnessError/refused(_:)`` if no pseudoterminal is available.
  public init(rows: Int = 24, columns: Int = 80) throws {
    // Glibc's module doesn't export posix_openpt and related functions. This code does the same.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    var locked: Int32 = 0
    var number: UInt32 = 0
    guard master >= 0, ioctl(master, 0x4004_5431, &locked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw HarnessError.refused("no pseudoterminal, error \(errno)")
    }
    path = "/dev/pts/\(number)"
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    var ends: [Int32] = [-1, -1]
    guard slave >= 0, pipe(&ends) == 0 else {
      throw HarnessError.refused("\(path) cannot be opened, error \(errno)")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wake = ends[1]
    resize(rows: rows, columns: columns)
    let (master, end, shared) = (master, ends[0], shared)
    let reader = Thread { Self.read(master, until: end, into: shared) }
    reader.name = "pseudoterminal"
    reader.start()
  }

  deinit {
    close()
  }

  // MARK: Actions

  /// Changes the size, which sends SIGWINCH to the foreground job. With a `cell` size, the terminal also reports its
  /// size in pixels.
  public func resize(rows: Int, columns: Int, cell: (width: Int, height: Int) = (0, 0)) {
    var size = winsize(
      ws_row: UInt16(clamping: rows), ws_col: UInt16(clamping: columns),
      ws_xpixel: UInt16(clamping: columns * cell.width), ws_ypixel: UInt16(clamping: rows * cell.height))
    shared.state.withLock { state in
      if !state.isHungUp { _ = ioctl(master, UInt(TIOCSWINSZ), &size) }
    }
  }

  /// Types the bytes of `text` unchanged.
  public func type(_ text: String) {
    type(Array(text.utf8))
  }

  /// Types bytes. Bytes that the program doesn't read within a few seconds are lost, as on other terminals.
  public func type(_ bytes: [UInt8]) {
    var bytes = bytes[...]
    for _ in 0..<20 where !bytes.isEmpty {
      let written = shared.state.withLock { state in
        state.isHungUp ? bytes.count : bytes.withUnsafeBytes { systemWrite(master, $0) }
      }
      if written > 0 {
        bytes = bytes.dropFirst(written)
      } else {
        var room = pollfd(fd: master, events: Int16(POLLOUT), revents: 0)
        poll(&room, 1, 250)
      }
    }
  }

  /// Hangs up, as when a terminal window is closed. Programs receive SIGHUP, and later reads and writes fail.
  public func hangUp() {
    let isFirst = shared.state.withLock { state in
      defer { state.isHungUp = true }
      return !state.isHungUp
    }
    guard isFirst else { return }
    Glibc.close(wake)
    shared.hasEnded.wait()
  }

  /// Closes both ends.
  public func close() {
    hangUp()
    let isFirst = shared.state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    if isFirst { Glibc.close(slave) }
  }

  // MARK: Output

  /// All output so far.
  public var output: [UInt8] {
    readOn()
    return shared.state.withLock { $0.output }
  }

  /// Returns the output since the last call.
  public func takeOutput() -> [UInt8] {
    readOn()
    return shared.state.withLock { state in
      defer { state.takenCount = state.output.count }
      return Array(state.output[state.takenCount...])
    }
  }

  /// Returns the arrival time of the byte after the first `count`, if it has arrived.
  public func arrival(after count: Int) -> ContinuousClock.Instant? {
    shared.state.withLock { state in state.arrivals.first { $0.count > count }?.time }
  }

  /// Waits until `isSo` is true of the output, and returns all output.
  ///
  /// - Throws: ``HarnessError/timedOut(_:screen:)`` after ``Deadline/patience``.
  @discardableResult
  public func wait(for what: String, until isSo: ([UInt8]) -> Bool) async throws -> [UInt8] {
    try await shared.bell.wait(for: what, screen: { String(decoding: output.suffix(4000), as: UTF8.self) }) {
      isSo(output)
    }
    return output
  }

  /// Waits until `text` is in the output after the first `count` bytes.
  @discardableResult
  public func wait(for text: String, after count: Int = 0) async throws -> [UInt8] {
    let wanted = Array(text.utf8)
    return try await wait(for: "“\(text)”") { $0.dropFirst(count).firstRange(of: wanted) != nil }
  }

  /// Returns all terminal settings that `stty` could print.
  ///
  /// - Throws: ``HarnessError/ended`` if the terminal has been closed.
  public func settings() throws -> [UInt8] {
    var settings = termios()
    guard tcgetattr(slave, &settings) == 0 else { throw HarnessError.ended }
    return withUnsafeBytes(of: &settings) { Array($0) }
  }

  // MARK: Reading

  private func readOn() { Self.take(master, into: shared) }

  /// Reads until the other end of `wake` is closed, then closes the terminal.
  private static func read(_ master: Int32, until wake: Int32, into shared: Shared) {
    while true {
      var waiting = [
        pollfd(fd: master, events: Int16(POLLIN), revents: 0), pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&waiting, 2, -1) < 0, errno != EINTR { break }
      if waiting[1].revents != 0 { break }
      if waiting[0].revents != 0, !take(master, into: shared) { break }
    }
    shared.reading.withLock { isOpen in
      isOpen = false
      Glibc.close(master)
    }
    Glibc.close(wake)
    shared.hasEnded.signal()
    shared.bell.ring()
  }

  /// Reads all available bytes. Returns false if the terminal has ended.
  @discardableResult
  private static func take(_ master: Int32, into shared: Shared) -> Bool {
    shared.reading.withLock { isOpen in
      guard isOpen else { return false }
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      while true {
        let count = systemRead(master, &buffer)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 && errno == EAGAIN }
        let time = ContinuousClock.now
        shared.state.withLock { state in
          state.output += buffer[..<count]
          state.arrivals.append((state.output.count, time))
        }
        shared.bell.ring()
      }
    }
  }
}

/// Calls `write` under a name that no method hides.
func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
  write(descriptor, buffer.baseAddress, buffer.count)
}
