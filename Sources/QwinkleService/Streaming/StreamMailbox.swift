import FoundationEssentials
import QwinkleModel
import QwinkleWire
import Synchronization
import Timekeeping

/// A decoded signal of a connection.
enum StreamNews: Sendable {
  case opened
  /// An event, with its stream if the server names it.
  case event(StreamName?, StreamEvent)
  case beat
  case pong
  /// The server refuses a stream without naming it. `isAnonymous` is true if the server doesn't recognize the user.
  case refusal(isAnonymous: Bool)
  case missed
  case ended(StreamEnd)
}

/// A queue for the signals of one connection. Receives them on any thread, decodes them off the main actor, and
/// delivers them on the main actor in batches. Small batches keep the program responsive to keys, and a pause between
/// them limits the number of redraws. If the queue is full, it drops all queued content and reports
/// ``StreamNews/missed``. Signals without content don't count towards the limit.
final class StreamMailbox: Sendable {
  struct Batch {
    var signals: [StreamSignal]
    /// The line parser. A batch takes it from the queue for decoding and returns it afterwards.
    var lines: EventLines
    fileprivate var drops: Int
  }

  /// The queue of signals, with limited memory.
  struct State {
    private(set) var waiting: [StreamSignal] = []
    private var bytes = 0
    private var pongs = 0
    private var hasMissed = false
    fileprivate var isWorking = false
    fileprivate var isClosed = false
    private var lines = EventLines()
    /// Number of times that ``lines`` was reset because content was dropped.
    private var drops = 0

    mutating func add(_ signal: StreamSignal) {
      switch signal {
      case .opened, .ended: waiting.append(signal)
      case .beat: addBeat()
      case .pong:
        // The program sends few pings, so a server that sends this many replies is flooding the queue. Ignore further
        // replies.
        guard pongs < StreamMailbox.mostPongs else { return }
        pongs += 1
        waiting.append(signal)
      case .missed: noteMissed()
      case .message(let content), .bytes(let content):
        guard !content.isEmpty else { return addBeat() }
        if bytes + signal.size > StreamMailbox.mostBytes {
          waiting.removeAll { $0.hasContent }
          lines = EventLines()
          drops += 1
          bytes = 0
          noteMissed()
        }
        bytes += signal.size
        waiting.append(signal)
      }
    }

    /// Queues a beat only if the queue is empty, because any other queued signal also shows that the connection is
    /// alive.
    private mutating func addBeat() {
      if waiting.isEmpty { waiting.append(.beat) }
    }

    /// Queues `missed` at most once. When delegates receive it, they send requests, which also fetch all events that
    /// were dropped until then.
    private mutating func noteMissed() {
      guard !hasMissed else { return }
      hasMissed = true
      waiting.append(.missed)
    }

    mutating func nextBatch() -> Batch {
      let signals = Array(waiting.prefix(StreamMailbox.mostAtOnce))
      waiting.removeFirst(signals.count)
      for signal in signals {
        switch signal {
        case .pong: pongs -= 1
        case .missed: hasMissed = false
        default: bytes -= signal.size
        }
      }
      if signals.isEmpty { isWorking = false }
      return Batch(signals: signals, lines: lines, drops: drops)
    }

    /// Restores the line parser, unless content was dropped while the batch was decoded. The dropped content may have
    /// ended in the middle of an event, so parsing must then start fresh.
    mutating func finish(_ batch: Batch) {
      if drops == batch.drops { lines = batch.lines }
    }

    fileprivate mutating func close() {
      isClosed = true
      waiting = []
    }
  }

  private static let mostAtOnce = 100
  /// Maximum size of the queued content in bytes, including ``overhead``.
  static let mostBytes = 8 << 20
  /// Bytes counted for a signal in addition to its content, because a server may send millions of tiny signals.
  static let overhead = 64
  static let mostPongs = 64
  /// Minimum time between two batches.
  private static let pace = Duration.milliseconds(50)

  private let clock: any ProgramClock
  private let ledger: ActivityLedger
  private let state = Mutex(State())
  private let deliver: @MainActor @Sendable ([StreamNews]) -> Void

  init(
    clock: any ProgramClock, ledger: ActivityLedger, deliver: @escaping @MainActor @Sendable ([StreamNews]) -> Void
  ) {
    self.clock = clock
    self.ledger = ledger
    self.deliver = deliver
  }

  func take(_ signal: StreamSignal) {
    let begins = state.withLock { state in
      guard !state.isClosed else { return false }
      state.add(signal)
      defer { state.isWorking = true }
      return !state.isWorking
    }
    guard begins else { return }
    let activity = ledger.begin("stream", isBackground: true)
    Activity.$current.withValue(activity) {
      Task {
        await work()
        activity.end()
      }
    }
  }

  func close() {
    state.withLock { $0.close() }
  }

  @concurrent private func work() async {
    while true {
      let news = next()
      guard let news else { return }
      if !news.isEmpty { await deliver(news) }
      if state.withLock({ !$0.waiting.isEmpty }) { _ = await ClockWait(on: clock).wait(for: Self.pace) }
    }
  }

  /// Removes the next batch from the queue and decodes it. Returns nil if the queue is empty.
  private func next() -> [StreamNews]? {
    var batch = state.withLock { $0.nextBatch() }
    guard !batch.signals.isEmpty else { return nil }
    let news = batch.signals.flatMap { Self.news(of: $0, &batch.lines) }
    state.withLock { [batch] in $0.finish(batch) }
    return news
  }

  private static func news(of signal: StreamSignal, _ lines: inout EventLines) -> [StreamNews] {
    switch signal {
    case .opened: return [.opened]
    case .beat: return [.beat]
    case .pong: return [.pong]
    case .missed: return [.missed]
    case .ended(let end): return [.ended(end)]
    case .bytes(let bytes):
      let events = lines.take(bytes).compactMap { message in
        WireDecoder.streamEvent(named: message.name, payload: message.data).map { StreamNews.event(nil, $0) }
      }
      return events.isEmpty ? [.beat] : events
    case .message(let bytes):
      switch WireDecoder.streamFrame(from: bytes) {
      case .event(let stream, let name, let payload):
        return [WireDecoder.streamEvent(named: name, payload: payload).map { .event(stream, $0) } ?? .beat]
      case .refusal(let words): return [.refusal(isAnonymous: words == StreamFrame.unauthorized)]
      case nil: return [.beat]
      }
    }
  }
}

extension StreamSignal {
  fileprivate var size: Int {
    switch self {
    case .message(let bytes), .bytes(let bytes): bytes.count + StreamMailbox.overhead
    default: 0
    }
  }

  fileprivate var hasContent: Bool { size > 0 }
}
