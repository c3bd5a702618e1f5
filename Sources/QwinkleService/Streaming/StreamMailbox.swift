import FoundationEssentials
import QwinkleModel
import QwinkleWire
import Synchronization
import Timekeeping

/// What a connection has told, decoded.
enum StreamNews: Sendable {
  case opened
  /// An event; of which stream, if the server says so.
  case event(StreamName?, StreamEvent)
  case beat
  case pong
  /// The server refuses a stream, and doesn't say which. `isAnonymous`: it does not know who asks.
  case refusal(isAnonymous: Bool)
  case missed
  case ended(StreamEnd)
}

/// Takes what one connection tells, on any thread, decodes it off the main actor, and delivers it there in batches: so
/// few at a time that keys are never kept waiting, and so seldom that a flood draws few frames. What exceeds its room
/// is dropped, and told as ``StreamNews/missed``. Signs of life take no room.
final class StreamMailbox: Sendable {
  /// Signals that are read together.
  struct Batch {
    var signals: [StreamSignal]
    /// The reader of lines, to be given back.
    var lines: EventLines
    fileprivate var drops: Int
  }

  /// What waits, within its room.
  struct State {
    private(set) var waiting: [StreamSignal] = []
    private var bytes = 0
    private var pongs = 0
    private var hasMissed = false
    fileprivate var isWorking = false
    fileprivate var isClosed = false
    private var lines = EventLines()
    /// How often ``lines`` began anew as content was dropped.
    private var drops = 0

    mutating func add(_ signal: StreamSignal) {
      switch signal {
      case .opened, .ended: waiting.append(signal)
      case .beat: addBeat()
      case .pong:
        // The program sends few pings.
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

    /// Anything else that waits is a sign of life, too.
    private mutating func addBeat() {
      if waiting.isEmpty { waiting.append(.beat) }
    }

    /// The requests that follow are made after all that waits, so one report is enough.
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

    /// Takes back the reader of lines, unless content was dropped meanwhile: that may have ended in the middle of an
    /// event.
    mutating func finish(_ batch: Batch) {
      if drops == batch.drops { lines = batch.lines }
    }

    fileprivate mutating func close() {
      isClosed = true
      waiting = []
    }
  }

  private static let mostAtOnce = 100
  /// Room for content, in bytes, with ``overhead``.
  static let mostBytes = 8 << 20
  /// Bytes counted for a signal in addition to its content: a server may send millions of tiny signals.
  static let overhead = 64
  static let mostPongs = 64
  /// The least time between two batches.
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

  /// Takes one signal.
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

  /// Delivers nothing more.
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

  /// The next batch; nil if nothing waits.
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
