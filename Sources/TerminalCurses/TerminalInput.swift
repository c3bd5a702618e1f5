import CProcess
import Dispatch
import Terminal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Reads the bytes of a terminal as events, on the main actor.
@MainActor
final class TerminalInput {
  private static let escapeDelayInMilliseconds = 20
  private static let mostEvents = 1000
  /// A paste that stands still for so long is told of.
  private static let pasteDelayInMilliseconds = 2000

  /// Told what the terminal answers to questions.
  var onAnswer: (@MainActor (TerminalAnswer) -> Void)?

  private let descriptor: Int32
  private let handler: @MainActor ([TerminalEvent]) -> Void
  private var decoder: KeyDecoder
  private var source: (any DispatchSourceRead)?
  private var isSuspended = false
  private var readings = 0

  /// For the terminal that `descriptor` is open on; it stays the caller's. All events that came together are handed
  /// over together; at its end it hands over ``TerminalEvent/hangup``.
  init(descriptor: Int32, sequences: KeySequences, handler: @escaping @MainActor ([TerminalEvent]) -> Void) {
    self.descriptor = descriptor
    self.handler = handler
    decoder = KeyDecoder(sequences: sequences)
  }

  func start() {
    guard source == nil else { return }
    source = MainSources.readable(descriptor) { [weak self] in self?.read() }
  }

  /// Leaves what is typed to somebody else.
  func suspend() {
    guard !isSuspended else { return }
    isSuspended = true
    source?.suspend()
  }

  func resume() {
    guard isSuspended else { return }
    isSuspended = false
    source?.resume()
  }

  /// Ends it.
  func cancel() {
    source?.cancel()
    resume()
    source = nil
  }

  /// Reads on while `isAwaited`, as long as that is not too long. What is typed meanwhile was not meant for whoever
  /// comes next, nor for a program that has ended.
  func takeAnswers(milliseconds: Int32, while isAwaited: () -> Bool) {
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    var buffer = [UInt8](repeating: 0, count: 1024)
    while isAwaited(), ContinuousClock.now < deadline {
      guard hasInput(within: 20) else { continue }
      let capacity = buffer.count
      let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, capacity) }
      guard count > 0 || errno == EINTR || errno == EAGAIN else { return }
      _ = decoder.decode(buffer.prefix(max(0, count)))
      for answer in decoder.takeAnswers() { onAnswer?(answer) }
    }
  }

  private func read() {
    guard !isSuspended, source != nil else { return }
    qw_crash_cover_thread()
    readings += 1
    var events: [TerminalEvent] = []
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    var hasEnded = false
    // One round for all that has come, but let the screen be painted now and then: keys take longer than bytes of a
    // paste.
    for _ in 0..<64 where !hasEnded && events.count < Self.mostEvents {
      guard hasInput() else { break }
      let capacity = buffer.count
      let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, capacity) }
      if count > 0 {
        events += decoder.decode(buffer[..<count])
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        hasEnded = true
      }
    }
    if hasEnded {
      cancel()
      events += decoder.finish() + [.hangup]
    } else {
      waitForMore()
    }
    for answer in decoder.takeAnswers() { onAnswer?(answer) }
    if !events.isEmpty { handler(events) }
  }

  /// Looks again when nothing has come for a while, where that means something.
  private func waitForMore() {
    guard decoder.awaitsMore || decoder.isPasting else { return }
    let reading = readings
    let delay = decoder.isPasting ? Self.pasteDelayInMilliseconds : Self.escapeDelayInMilliseconds
    MainSources.after(milliseconds: delay) { [weak self] in self?.noteSilence(since: reading) }
  }

  private func noteSilence(since reading: Int) {
    guard !isSuspended, source != nil, reading == readings else { return }
    // On a busy machine what came in time may not have been read yet.
    guard !hasInput() else { return read() }
    if decoder.isPasting {
      decoder.stall()
      handler([.pasteStalls])
    } else {
      let events = decoder.finish()
      if !events.isEmpty { handler(events) }
    }
  }

  private func hasInput(within milliseconds: Int32 = 0) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) > 0
  }
}
