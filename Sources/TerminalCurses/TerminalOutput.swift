import CProcess
import Dispatch
import Terminal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The way to a terminal that may be slow, stopped or gone. Nothing waits for it but the way out.
@MainActor
final class TerminalOutput {
  /// Told when a terminal that was slow has taken everything.
  var onDrained: (@MainActor () -> Void)?
  /// Told once when the terminal takes nothing any more.
  var onLost: (@MainActor () -> Void)?

  /// Asked before each write. Output waits while the answer is no.
  var mayWrite: @MainActor () -> Bool = { true }

  private(set) var bytesSent = 0
  private(set) var writes = 0

  private let descriptor: Int32
  /// Whether writing to it waits, as the terminal could not be opened again.
  private let waits: Bool
  private var waiting: [UInt8] = []
  private var source: (any DispatchSourceWrite)?
  private var isLost = false

  /// For the terminal that `terminal` is open on; that descriptor stays the caller's.
  init(terminal: Int32) {
    let own = qw_reopen_terminal(terminal)
    waits = own < 0
    descriptor = own < 0 ? dup(terminal) : own
  }

  /// Whether it has not taken yet what it was sent.
  var isBusy: Bool { !waiting.isEmpty }

  /// Sends `bytes` after what was sent before.
  func send(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, !isLost else { return }
    waiting += bytes
    if source == nil { push() }
  }

  /// Waits for the terminal to take what it was sent, at most so long.
  func flush(milliseconds: Int32) {
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    push()
    while isBusy, !isLost, ContinuousClock.now < deadline {
      var terminal = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&terminal, 1, 20)
      push()
    }
  }

  /// Discards unsent output.
  func drop() {
    waiting = []
    source?.cancel()
    source = nil
  }

  func close() {
    source?.cancel()
    source = nil
    systemClose(descriptor)
  }

  private func push() {
    guard waiting.isEmpty || mayWrite() else { return }
    while !waiting.isEmpty {
      // Where writing waits, more than the terminal has room for would.
      let count = waits ? min(waiting.count, 4096) : waiting.count
      if waits, !hasRoom { break }
      let written = waiting.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, count) }
      if written > 0 {
        writes += 1
        bytesSent += written
        waiting.removeFirst(written)
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        break
      } else if errno != EINTR {
        waiting = []
        isLost = true
        onLost?()
      }
    }
    watch()
  }

  private var hasRoom: Bool {
    var terminal = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&terminal, 1, 0) > 0
  }

  /// Listens for room while something waits.
  private func watch() {
    if waiting.isEmpty {
      guard let source else { return }
      source.cancel()
      self.source = nil
      onDrained?()
    } else if source == nil {
      source = MainSources.writable(descriptor) { [weak self] in self?.push() }
    }
  }
}

/// `write`, under a name that no method hides.
func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}
