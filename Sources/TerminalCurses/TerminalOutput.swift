import CProcess
import Dispatch
import LibC
import Terminal

/// A non-blocking writer for a terminal that may be slow, stopped or disconnected. Only `flush` waits for the terminal.
@MainActor
final class TerminalOutput {
  /// Called when a slow terminal has accepted all output.
  var onDrained: (@MainActor () -> Void)?
  /// Called once when the terminal stops accepting output.
  var onLost: (@MainActor () -> Void)?

  /// Called before each write. If it returns false, output stays queued.
  var mayWrite: @MainActor () -> Bool = { true }

  private(set) var bytesSent = 0
  private(set) var writes = 0

  private let descriptor: Int32
  /// Whether writes can block. False if the terminal could be opened a second time, with a non-blocking descriptor for
  /// this writer.
  private let waits: Bool
  private var waiting: [UInt8] = []
  private var source: (any DispatchSourceWrite)?
  private var isLost = false

  /// Creates a writer for the terminal of an open descriptor, which the caller closes.
  init(terminal: Int32) {
    let own = qw_reopen_terminal(terminal)
    waits = own < 0
    descriptor = own < 0 ? dup(terminal) : own
  }

  /// Whether the terminal has not yet accepted all output.
  var isBusy: Bool { !waiting.isEmpty }

  /// Sends `bytes` after all earlier output.
  func send(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, !isLost else { return }
    waiting += bytes
    if source == nil { push() }
  }

  /// Waits until the terminal has accepted all output, within a time limit.
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
      // If writes can block, write small pieces while the terminal has room. A longer write could block even then.
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

  /// If output is queued, sends it when the terminal has room. Otherwise reports that all output has been accepted.
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
