import HTTPTypes
import Synchronization
public import Timekeeping

/// Streams over a simulated bad link, like ``ConditionedTransport`` for requests. The client's messages aren't delayed.
public final class ConditionedStreams: StreamTransport {
  private let transport: any StreamTransport
  private let conditioner: LinkConditioner
  private let ledger: ActivityLedger

  /// Opens streams through `transport`, over the link of `conditioner`. `ledger` lists the work in progress.
  public init(_ transport: any StreamTransport, conditioner: LinkConditioner, ledger: ActivityLedger) {
    self.transport = transport
    self.conditioner = conditioner
    self.ledger = ledger
  }

  public func open(
    _ request: StreamRequest, hear: @escaping @Sendable (StreamSignal) -> Void
  ) -> any StreamConnection {
    let stream = ConditionedStream(request, through: transport, over: conditioner, ledger: ledger, hear: hear)
    stream.begin()
    return stream
  }
}

/// One connection over a bad link.
final class ConditionedStream: StreamConnection {
  private struct State {
    var inner: (any StreamConnection)?
    /// Signals to pass on, with the clock's uptime at their arrival.
    var waiting: [(signal: StreamSignal, at: Duration)] = []
    var isPassing = false
    var isOver = false
    /// Entry in the ledger, from the request until the first signal.
    var opening: Activity?
  }

  private static let forever = Duration.seconds(1_000_000_000)

  private let request: StreamRequest
  private let transport: any StreamTransport
  private let conditioner: LinkConditioner
  private let ledger: ActivityLedger
  private let hear: @Sendable (StreamSignal) -> Void
  private let state = Mutex(State())

  init(
    _ request: StreamRequest, through transport: any StreamTransport, over conditioner: LinkConditioner,
    ledger: ActivityLedger, hear: @escaping @Sendable (StreamSignal) -> Void
  ) {
    self.request = request
    self.transport = transport
    self.conditioner = conditioner
    self.ledger = ledger
    self.hear = hear
  }

  deinit { state.withLock { $0.inner }?.close() }

  func begin() {
    conditioner.add(self)
    run { await $0.goOut() }
  }

  func send(_ text: [UInt8]) { state.withLock { $0.inner }?.send(text) }
  func ping() { state.withLock { $0.inner }?.ping() }
  func close() { end() }

  /// Called when the link's condition changes.
  func conditionDidChange() {
    switch conditioner.current.condition {
    // Flapping begins with the link down.
    case .reset, .flapping: fail(.interrupted(host: host))
    default: break
    }
  }

  // MARK: Outbound

  @concurrent private func goOut() async {
    while !state.withLock({ $0.isOver }) {
      let now = conditioner.current
      switch now.condition {
      case .off, .truncated, .close: return open()
      case .flapping:
        if now.isDown(at: conditioner.clock.uptime) { return fail(.refused(host: host)) }
        open()
        if await passes(now.timeToNextPeriod(at: conditioner.clock.uptime), while: now) {
          fail(.interrupted(host: host))
        }
        return
      case .tooManyRequests: return end(.refused(status: 429))
      case .reset: return fail(.interrupted(host: host))
      case .loss: _ = await passes(Self.forever, while: now)
      case .dns: if await passes(LinkCondition.lookupTime, while: now) { return fail(.unknownHost(host)) }
      case .latency: if await passes(LinkCondition.roundTripTime, while: now) { return open() }
      case .slow: if await passes(.seconds(1), while: now) { return open() }
      }
    }
  }

  private func open() {
    let opening = ledger.begin("opening a stream", isBackground: true)
    state.withLock { $0.opening = opening }
    let inner = transport.open(request) { [weak self] in self?.take($0) }
    let isOver = state.withLock { state in
      state.inner = inner
      return state.isOver
    }
    if isOver { inner.close() }
  }

  // MARK: Inbound

  private func take(_ signal: StreamSignal) {
    let (begins, opening) = state.withLock { state -> (Bool, Activity?) in
      defer { state.opening = nil }
      guard !state.isOver else { return (false, state.opening) }
      state.waiting.append((signal, conditioner.clock.uptime))
      defer { state.isPassing = true }
      return (!state.isPassing, state.opening)
    }
    if begins { run { await $0.pass() } }
    opening?.end()
  }

  /// Passes on the queued signals in order, each as soon as the link lets it through.
  @concurrent private func pass() async {
    while let next = first() {
      let now = conditioner.current
      switch now.condition {
      case .off, .dns, .tooManyRequests, .truncated, .close, .flapping: passFirst()
      case .reset: fail(.interrupted(host: host))
      case .loss: _ = await passes(Self.forever, while: now)
      case .latency:
        let left = next.at + LinkCondition.roundTripTime / 2 - conditioner.clock.uptime
        if left <= .zero { passFirst() } else { _ = await passes(left, while: now) }
      case .slow:
        let time = Duration.seconds(next.signal.byteCount) / LinkCondition.bytesPerSecond
        if await passes(time, while: now) { passFirst() }
      }
    }
  }

  private func first() -> (signal: StreamSignal, at: Duration)? {
    state.withLock { state in
      if state.waiting.isEmpty { state.isPassing = false }
      return state.waiting.first
    }
  }

  private func passFirst() {
    let signal = state.withLock { state -> StreamSignal? in
      guard !state.waiting.isEmpty else { return nil }
      let signal = state.waiting.removeFirst().signal
      if case .ended = signal { state.isOver = true }
      return signal
    }
    if let signal { hear(signal) }
  }

  // MARK: Closing

  private func fail(_ error: TransportError) { end(.failed(error)) }

  /// Closes the connection and reports `reason`, if any.
  private func end(_ reason: StreamEnd? = nil) {
    let inner = state.withLock { state -> (any StreamConnection)?? in
      guard !state.isOver else { return nil }
      state.isOver = true
      state.waiting = []
      state.opening = nil
      return .some(state.inner)
    }
    guard let inner else { return }
    inner?.close()
    if let reason { hear(.ended(reason)) }
  }

  // MARK: Helpers

  private var host: String { request.head.authority ?? "" }

  private func passes(_ time: Duration, while now: LinkConditioner.Current) async -> Bool {
    await conditioner.wait(for: time, while: now) == .passed
  }

  private func run(_ body: @escaping @Sendable (ConditionedStream) async -> Void) {
    let activity = ledger.begin("stream over the link", isBackground: true)
    Activity.$current.withValue(activity) {
      Task { [weak self] in
        if let self { await body(self) }
        activity.end()
      }
    }
  }
}

extension StreamSignal {
  fileprivate var byteCount: Int {
    switch self {
    case .message(let bytes), .bytes(let bytes): bytes.count
    case .opened, .beat, .pong, .missed, .ended: 0
    }
  }
}

extension StreamTransport {
  /// Returns a transport that opens the streams of this transport over the link of `conditioner`.
  public func conditioned(by conditioner: LinkConditioner, ledger: ActivityLedger) -> ConditionedStreams {
    ConditionedStreams(self, conditioner: conditioner, ledger: ledger)
  }
}
