import CProcess
import Dispatch
import Terminal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Reads a terminal's bytes on the main actor, and decodes them.
@MainActor
final class TerminalInput {
  /// An escape alone becomes a key after so long.
  private static let escapeDelayInMilliseconds = 20
  /// A paste that stands still for so long is reported.
  private static let pasteDelayInMilliseconds = 2000
  /// Keys take longer than the bytes of a paste: after so many a frame is due.
  private static let maximumEvents = 1000

  /// Asked before each read. A no suspends reading.
  var mayRead: @MainActor () -> Bool = { true }

  private let descriptor: Int32
  private let handler: @MainActor (DecodedInput) -> Void
  private var decoder: KeyDecoder
  private var source: (any DispatchSourceRead)?
  private var isSuspended = false
  private var readings = 0
  /// Events read while suspended, which the next reading passes on first.
  private var kept: [TerminalEvent] = []
  private var buffer = [UInt8](repeating: 0, count: 16 * 1024)

  /// For the terminal that `descriptor` is open on; it stays the caller's. `handler` gets everything that came
  /// together, and ``TerminalEvent/hangup`` at the end.
  init(descriptor: Int32, sequences: KeySequences, handler: @escaping @MainActor (DecodedInput) -> Void) {
    self.descriptor = descriptor
    self.handler = handler
    decoder = KeyDecoder(sequences: sequences)
  }

  func start() {
    guard source == nil else { return }
    source = MainSources.readable(descriptor) { [weak self] in self?.read() }
  }

  /// Leaves what is typed to others.
  func suspend() {
    guard !isSuspended else { return }
    isSuspended = true
    source?.suspend()
  }

  func resume() {
    guard isSuspended else { return }
    isSuspended = false
    // Another program may have read the rest of a sequence.
    kept += decoder.finish()
    decoder.dropIncomplete()
    source?.resume()
    // Later: the caller has not restored the screen yet.
    if !kept.isEmpty || decoder.isPasting { MainSources.after(milliseconds: 0) { [weak self] in self?.read() } }
  }

  /// Ends it.
  func cancel() {
    source?.cancel()
    resume()
    source = nil
  }

  /// Whether the bytes read so far end inside a sequence.
  var isInsideSequence: Bool { decoder.isInsideSequence }

  /// Reads by `drain` until `isOwed` returns false and no sequence is incomplete, and passes replies to `handler`.
  /// Stores keys between the replies until `resume()`; after `cancel()` they are dropped. Keys behind the last reply
  /// stay unread.
  func drain(by drain: ReplyDrain, while isOwed: () -> Bool, handler: ([TerminalReply]) -> Void) {
    drain.run(on: descriptor, while: { isOwed() || decoder.isInsideSequence }) { silence in
      // A pasted text is long, and the decoder recognizes an escape's late rest only in one piece.
      let isWhole = decoder.isPasting || decoder.mayContinueLate
      guard mayRead(), let bytes = readBytes(atMost: isWhole ? buffer.count : 1) else { return .end }
      var events: [TerminalEvent] = []
      // A reply may pause behind its escape. Before any other byte, the pause shows that the escape was a key.
      if silence > 0, let first = bytes.first, !KeyDecoder.continuations.contains(first) { events = decoder.finish() }
      let input = decoder.decode(bytes)
      if isSuspended { kept += events + input.events }
      if !input.replies.isEmpty { handler(input.replies) }
      return input.replies.isEmpty && !decoder.isInsideSequence && !decoder.awaitsMore ? .keys : .reply
    }
  }

  /// Waits at most `milliseconds` and returns whether `descriptor` has input, or has ended.
  static func hasInput(on descriptor: Int32, within milliseconds: Int32 = 0) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) > 0
  }

  private func read() {
    guard !isSuspended, source != nil else { return }
    guard mayRead() else { return suspend() }
    qw_crash_cover_thread()
    readings += 1
    var input = DecodedInput(events: kept)
    kept = []
    var hasEnded = false
    // One round for everything that has come, within limits.
    for _ in 0..<64 where !hasEnded && input.events.count < Self.maximumEvents {
      guard hasInput else { break }
      if let bytes = readBytes() { input.append(decoder.decode(bytes)) } else { hasEnded = true }
    }
    // A terminal can't be read from the background either, but hasn't ended.
    if hasEnded, mayRead() {
      cancel()
      input.events += decoder.finish() + [.hangup]
    } else {
      waitForMore()
    }
    if !input.isEmpty { handler(input) }
  }

  /// The bytes that wait: none where a signal came between; nil at the end.
  private func readBytes(atMost limit: Int = .max) -> ArraySlice<UInt8>? {
    let capacity = min(buffer.count, limit)
    let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, capacity) }
    if count > 0 { return buffer[..<count] }
    return count < 0 && (errno == EINTR || errno == EAGAIN) ? [] : nil
  }

  /// Looks again after a silence, where that means something.
  private func waitForMore() {
    guard decoder.awaitsMore || decoder.isPasting else { return }
    let reading = readings
    let delay = decoder.isPasting ? Self.pasteDelayInMilliseconds : Self.escapeDelayInMilliseconds
    MainSources.after(milliseconds: delay) { [weak self] in self?.noteSilence(since: reading) }
  }

  private func noteSilence(since reading: Int) {
    guard !isSuspended, source != nil, reading == readings else { return }
    // On a busy machine, bytes that arrived in time may be unread.
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
