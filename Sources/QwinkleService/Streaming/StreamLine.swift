import QwinkleModel
import QwinkleWire
import Timekeeping

/// One connection that streams: it is kept up, and made anew when it breaks or falls silent.
@MainActor
final class StreamLine {
  /// Longer silences end a connection, in a way that the other end is asked once in between.
  static let silence = Duration.seconds(75)
  private static let look = Duration.seconds(40)
  private static let firstRetry = Duration.seconds(1)
  private static let longestRetry = Duration.seconds(300)
  /// Longest wait for a sign of life after a wish: not all servers give one.
  private static let confirmation = Duration.seconds(5)

  private unowned let service: StreamingService
  /// By server-sent events the only one that it has.
  let stream: StreamName?
  private(set) var isOpen = false
  private var connection: (any StreamConnection)?
  private var mailbox: StreamMailbox?
  private var heardAt = Duration.zero
  private var looking: ProgramTimer?
  private var retry: ProgramTimer?
  private var confirming: ProgramTimer?
  /// Streams that were asked for, and not confirmed.
  private(set) var unconfirmed: Set<StreamName> = []
  /// Streams that count as confirmed, as the server took long to say anything.
  private var presumed: Set<StreamName> = []
  /// Pings that were not answered.
  private var openPings = 0
  /// Number of failures in a row.
  private(set) var failures = 0

  init(_ service: StreamingService, _ stream: StreamName?) {
    self.service = service
    self.stream = stream
  }

  /// Whether it waits for the time of the next attempt.
  var isWaiting: Bool { retry?.isPending ?? false }

  func connect() {
    retry = nil
    guard connection == nil, let request = service.request(for: stream) else { return }
    let mailbox = StreamMailbox(clock: service.clock, ledger: service.ledger) { [weak self] in self?.take($0) }
    self.mailbox = mailbox
    heardAt = service.clock.uptime
    connection = service.transport.open(request) { mailbox.take($0) }
    if service.timesOut { lookLater(after: Self.look) }
  }

  func close() {
    (retry, looking, confirming) = (nil, nil, nil)
    mailbox?.close()
    mailbox = nil
    connection?.close()
    connection = nil
    unconfirmed = []
    presumed = []
    openPings = 0
    isOpen = false
  }

  /// Subscribes by WebSocket.
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

  /// Tries again soon after a failure, each time later.
  func retryLater() {
    close()
    failures += 1
    let doubled = Self.firstRetry * (1 << min(failures - 1, 9))
    let wait = min(doubled, Self.longestRetry) * service.jitter()
    retry = service.clock.schedule(after: wait) { [weak self] in self?.connect() }
  }

  /// Tries again at once if it waits, and ends a connection that was silent for too long, as after a sleep.
  func wakeUp() {
    if isWaiting { connect() } else { endIfSilent() }
  }

  /// Ends a connection that has been silent for too long.
  func endIfSilent() {
    guard connection != nil, service.timesOut, service.clock.uptime - heardAt >= Self.silence else { return }
    service.line(self, didEnd: .failed(.timedOut(host: "")))
  }

  // MARK: Hearing

  private func take(_ news: [StreamNews]) {
    guard connection != nil else { return }
    heardAt = service.clock.uptime
    // Each sign of life moves the deadline: while the server sends some, no timer of ours wakes the program.
    if service.timesOut { lookLater(after: Self.look) }
    var events: [(StreamName?, StreamEvent)] = []
    func flush() {
      if !events.isEmpty { service.line(self, didReceive: events) }
      events = []
    }
    for item in news {
      switch item {
      case .event(let name, let event): events.append((name, event))
      case .beat: break
      case .pong:
        // An earlier ping's answer says nothing of a later wish.
        openPings = max(0, openPings - 1)
        guard openPings == 0 else { break }
        presumed = []
        if !unconfirmed.isEmpty { confirm() }
      case .opened:
        isOpen = true
        failures = 0
        service.lineDidOpen(self)
      case .refusal(let isAnonymous):
        let refused = unconfirmed.isEmpty ? presumed : unconfirmed
        unconfirmed = []
        presumed = []
        service.line(self, wasRefused: refused, isAnonymous: isAnonymous)
      case .missed:
        flush()
        service.lineMissed(self)
      case .ended(let end):
        flush()
        return service.line(self, didEnd: end)
      }
    }
    flush()
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
    if silent >= Self.look { ping() }
    lookLater(after: silent >= Self.look ? Self.silence - silent : Self.look - silent)
  }
}
