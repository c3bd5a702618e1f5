import CProcess
import Dispatch
import LibC
import Terminal

/// Reads and decodes a terminal's bytes on the main actor.
@MainActor
final class TerminalInput {
  /// Pause after which an escape is decoded as a key.
  private static let escapeDelayInMilliseconds = 20
  /// Pause after which a paste is reported as stalled.
  private static let pasteDelayInMilliseconds = 2000
  /// Number of events after which reading pauses for a frame. The number is limited because handling the keys takes
  /// longer than reading their bytes.
  private static let maximumEvents = 1000

  /// Called before each read. If it returns false, reading is suspended.
  var mayRead: @MainActor () -> Bool = { true }

  private let descriptor: Int32
  private let handler: @MainActor (DecodedInput) -> Void
  private var decoder: KeyDecoder
  private var source: (any DispatchSourceRead)?
  private var isSuspended = false
  private var readings = 0
  /// Events read while suspended. The next read delivers them first.
  private var undelivered: [TerminalEvent] = []
  private var buffer = [UInt8](repeating: 0, count: 16 * 1024)

  /// Creates a reader for an open descriptor, which the caller closes. `handler` is called with all input that arrived
  /// together. When the input ends, `handler` is called with ``TerminalEvent/hangup``.
  init(descriptor: Int32, sequences: KeySequences, handler: @escaping @MainActor (DecodedInput) -> Void) {
    self.descriptor = descriptor
    self.handler = handler
    decoder = KeyDecoder(sequences: sequences)
  }

  func start() {
    guard source == nil else { return }
    source = MainSources.readable(descriptor) { [weak self] in self?.read() }
  }

  /// Stops reading, so that another program can read the input.
  func suspend() {
    guard !isSuspended else { return }
    isSuspended = true
    source?.suspend()
  }

  func resume() {
    guard isSuspended else { return }
    isSuspended = false
    // Another program may have read the rest of a sequence.
    undelivered += decoder.finish()
    decoder.dropIncomplete()
    source?.resume()
    // Read later, because the caller has not restored the screen yet.
    if !undelivered.isEmpty || decoder.isPasting { MainSources.after(milliseconds: 0) { [weak self] in self?.read() } }
  }

  /// Stops reading permanently.
  func cancel() {
    source?.cancel()
    resume()
    source = nil
  }

  /// Reads with `drain` until `isOwed` returns false and no sequence is incomplete, and passes replies to `handler`.
  /// Keys between the replies are stored until `resume()`, or dropped if `cancel()` has been called. Keys after the
  /// last reply stay unread.
  func drain(by drain: ReplyDrain, while isOwed: () -> Bool, handler: ([TerminalReply]) -> Void) {
    drain.run(on: descriptor, while: { isOwed() || decoder.isInsideSequence }) { silence in
      // Read single bytes, so that keys after the last reply stay unread. There are two exceptions: a paste is too long
      // for that, and the decoder recognizes the late rest of an escape only in one piece.
      let isWhole = decoder.isPasting || decoder.mayContinueLate
      guard mayRead(), let bytes = readBytes(atMost: isWhole ? buffer.count : 1) else { return .end }
      var events: [TerminalEvent] = []
      // A reply may pause after its escape. A pause before any other byte shows that the escape was a key.
      if silence > 0, let first = bytes.first, !KeyDecoder.continuations.contains(first) { events = decoder.finish() }
      let input = decoder.decode(bytes)
      if isSuspended { undelivered += events + input.events }
      if !input.replies.isEmpty { handler(input.replies) }
      return input.replies.isEmpty && !decoder.isInsideSequence && !decoder.awaitsMore ? .keys : .reply
    }
  }

  /// Waits at most `milliseconds` and returns whether `descriptor` has input, or has reached its end.
  static func hasInput(on descriptor: Int32, within milliseconds: Int32 = 0) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) > 0
  }

  private func read() {
    guard !isSuspended, source != nil else { return }
    guard mayRead() else { return suspend() }
    qw_crash_cover_thread()
    readings += 1
    var input = DecodedInput(events: undelivered)
    undelivered = []
    var hasEnded = false
    // Deliver all available input at once, within limits.
    for _ in 0..<64 where !hasEnded && input.events.count < Self.maximumEvents {
      guard hasInput else { break }
      if let bytes = readBytes() { input.append(decoder.decode(bytes)) } else { hasEnded = true }
    }
    // A read also fails in the background, but input hasn't ended then.
    if hasEnded, mayRead() {
      cancel()
      input.events += decoder.finish() + [.hangup]
    } else {
      waitForMore()
    }
    if !input.isEmpty { handler(input) }
  }

  /// Returns the available bytes. Empty if no bytes are available or a signal interrupted the read; nil at the end of
  /// the input or after an error.
  private func readBytes(atMost limit: Int = .max) -> ArraySlice<UInt8>? {
    let capacity = min(buffer.count, limit)
    let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, capacity) }
    if count > 0 { return buffer[..<count] }
    return count < 0 && (errno == EINTR || errno == EAGAIN) ? [] : nil
  }

  /// If a pause would end an escape or stall a paste, schedules a check whether the pause has been long enough.
  private func waitForMore() {
    guard decoder.awaitsMore || decoder.isPasting else { return }
    let reading = readings
    let delay = decoder.isPasting ? Self.pasteDelayInMilliseconds : Self.escapeDelayInMilliseconds
    MainSources.after(milliseconds: delay) { [weak self] in self?.noteSilence(since: reading) }
  }

  private func noteSilence(since reading: Int) {
    guard !isSuspended, source != nil, reading == readings else { return }
    // On a busy machine, bytes that arrived in time may not have been read yet.
    guard !hasInput else { return read() }
    if decoder.isPasting {
      decoder.stall()
      handler(DecodedInput(events: [.pasteStalls]))
    } else {
      let events = decoder.finish()
      if !events.isEmpty { handler(DecodedInput(events: events)) }
    }
  }

  private var hasInput: Bool { Self.hasInput(on: descriptor) }
}
