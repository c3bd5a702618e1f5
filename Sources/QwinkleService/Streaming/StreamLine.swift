import QwinkleModel
import QwinkleWire
import Timekeeping

/// One streaming connection. The service reopens it when it breaks or falls silent.
@MainActor
final class StreamLine {
  /// A connection that stays open this long ends a series of failures.
  private static let lasting = Duration.seconds(60)
  /// After several failures, a new connection is used only after it has been open this long. Each use causes requests,
  /// which would be wasted on a connection that breaks at once.
  private static let probation = Duration.seconds(5)
  /// Longest wait for a connection to open.
  private static let opening = Duration.seconds(25)
  /// Minimum time between two reports of missed events, because each report causes requests.
  private static let missedPause = Duration.seconds(5)
  /// Longest silence before a connection is closed. After `look`, a shorter silence, the connection is pinged.
  static let silence = Duration.seconds(75)
  private static let look = Duration.seconds(40)
  /// Longest wait for a reply after a subscription. If none arrives, the subscription counts as confirmed, because some
  /// servers never reply.
  private static let confirmation = Duration.seconds(5)

  private unowned let service: StreamingService
  /// The only stream of this connection; nil if one WebSocket carries all streams.
  let stream: StreamName?
  private(set) var isOpen = false
  /// Whether the connection is closed until its next attempt, which the service schedules.
  private(set) var isWaiting = true
  /// Uptime of the last attempt.
  private(set) var attemptedAt = Duration.zero
  /// Uptime at which the server opened the connection.
  private(set) var openedAt: Duration?
  private var connection: (any StreamConnection)?
  private var mailbox: StreamMailbox?
  private var heardAt = Duration.zero
  private var looking: ProgramTimer?
  private var settling: ProgramTimer?
  private var confirming: ProgramTimer?
  private var missing: ProgramTimer?
  private var missedAt: Duration?
  private(set) var unconfirmed: Set<StreamName> = []
  /// Subscriptions that count as confirmed only because the server took too long to reply. The server may still refuse
  /// them.
  private var presumed: Set<StreamName> = []
  /// Number of pings without a reply.
  private var openPings = 0

  init(_ service: StreamingService, _ stream: StreamName?) {
    self.service = service
    self.stream = stream
  }

  /// Whether the connection lasted long enough that its end doesn't count as a failure.
  var hasLasted: Bool { openedAt.map { service.clock.uptime - $0 >= Self.lasting } ?? false }

  func connect() {
    isWaiting = false
    guard connection == nil, let request = service.request(for: stream) else { return }
    let mailbox = StreamMailbox(clock: service.clock, ledger: service.ledger) { [weak self] in self?.take($0) }
    self.mailbox = mailbox
    heardAt = service.clock.uptime
    attemptedAt = heardAt
    connection = service.transport.open(request) { mailbox.take($0) }
    if service.timesOut { lookLater(after: Self.opening) }
  }

  func close() {
    (looking, settling, confirming, missing) = (nil, nil, nil, nil)
    mailbox?.close()
    mailbox = nil
    connection?.close()
    connection = nil
    unconfirmed = []
    presumed = []
    openPings = 0
    isOpen = false
    openedAt = nil
  }

  func waitForRetry() {
    close()
    isWaiting = true
  }

  func wish(_ stream: StreamName, isOn: Bool) {
    guard isOpen, self.stream == nil else { return }
    connection?.send(WireEncoder.streamWish(stream, isOn: isOn))
    guard isOn else {
      unconfirmed.remove(stream)
      return
    }
    unconfirmed.insert(stream)
    ping()
    confirming = service.clock.schedule(after: Self.confirmation) { [weak self] in
      guard let self else { return }
      let streams = unconfirmed
      confirm()
      presumed = streams
    }
  }

  /// Closes a connection that hasn't opened in time, or that has been silent for too long, for example after the
  /// machine slept.
  func endIfSilent() {
    guard connection != nil, service.timesOut, service.clock.uptime - heardAt >= longestSilence else { return }
    service.line(self, didEnd: .failed(.timedOut(host: "")))
  }

  private var longestSilence: Duration { openedAt == nil ? Self.opening : Self.silence }

  // MARK: Observing

  private func take(_ news: [StreamNews]) {
    guard connection != nil else { return }
    heardAt = service.clock.uptime
    // Each signal moves the deadline, so no timer wakes the program while the server is sending signals.
    if service.timesOut { lookLater(after: Self.look) }
    var events: [(StreamName?, StreamEvent)] = []
    func flush() {
      // Until the connection counts as open, events are dropped. When it opens, the delegates send requests, which also
      // fetch the dropped events.
      if isOpen, !events.isEmpty { service.line(self, didReceive: events) }
      events = []
    }
    for item in news {
      switch item {
      case .event(let name, let event): events.append((name, event))
      case .beat: break
      case .pong:
        // If several pings are unanswered, this reply belongs to an earlier ping and doesn't confirm the latest
        // subscription.
        openPings = max(0, openPings - 1)
        guard openPings == 0 else { break }
        presumed = []
        if !unconfirmed.isEmpty { confirm() }
      case .opened:
        openedAt = heardAt
        if service.isUnsteady {
          settling = service.clock.schedule(after: Self.probation) { [weak self] in self?.settle() }
        } else {
          settle()
        }
      case .refusal(let isAnonymous):
        let refused = unconfirmed.isEmpty ? presumed : unconfirmed
        unconfirmed = []
        presumed = []
        service.line(self, wasRefused: refused, isAnonymous: isAnonymous)
      case .missed:
        flush()
        noteMissed()
      case .ended(let end):
        flush()
        return service.line(self, didEnd: end)
      }
    }
    flush()
  }

  private func settle() {
    isOpen = true
    if service.isUnsteady {
      settling = service.clock.schedule(after: Self.lasting) { [weak self] in self.map { $0.service.lineDidLast($0) } }
    }
    service.lineDidOpen(self)
  }

  private func noteMissed() {
    guard isOpen, missing?.isPending != true else { return }
    guard service.timesOut else { return service.lineMissed(self) }
    let now = service.clock.uptime
    let wait = missedAt.map { Self.missedPause - (now - $0) } ?? .zero
    guard wait > .zero else {
      missedAt = now
      return service.lineMissed(self)
    }
    missing = service.clock.schedule(after: wait) { [weak self] in self?.noteMissed() }
  }

  private func ping() {
    openPings += 1
    connection?.ping()
  }

  private func confirm() {
    confirming = nil
    presumed = []
    let streams = unconfirmed
    unconfirmed = []
    service.line(self, didConfirm: streams)
  }

  private func lookLater(after wait: Duration) {
    looking = service.clock.schedule(after: wait) { [weak self] in self?.checkSilence() }
  }

  private func checkSilence() {
    endIfSilent()
    guard connection != nil, service.timesOut else { return }
    let silent = service.clock.uptime - heardAt
    guard openedAt != nil else { return lookLater(after: Self.opening - silent) }
    if silent >= Self.look { ping() }
    lookLater(after: silent >= Self.look ? Self.silence - silent : Self.look - silent)
  }
}
