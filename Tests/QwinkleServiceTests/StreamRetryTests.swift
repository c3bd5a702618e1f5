import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleService

/// The rate of attempts to connect to a server whose streams fail.
@MainActor
@Suite(.bounded) struct StreamRetryTests {
  /// Failures of a server's streams.
  enum Failure: CaseIterable, Sendable {
    case closesAtOnce, closesAfterHalfAMinute, refusesConnections, hangs, limitsRate, limitsRateUntilNamedTime
    case isUnavailable

    static let namedTime = Duration.seconds(45)

    /// Longest time from the end of the failure to an open stream.
    var limit: Duration { self == .limitsRateUntilNamedTime ? Self.namedTime : .seconds(30) }

    var signals: [StreamSignal] {
      switch self {
      case .closesAtOnce: [.opened, .ended(.closed)]
      case .closesAfterHalfAMinute: [.opened]
      case .refusesConnections: [.ended(.failed(.refused(host: "")))]
      case .hangs: []
      case .limitsRate: [.ended(.refused(status: 429))]
      case .limitsRateUntilNamedTime: [.ended(.refused(status: 429, retryAfter: Self.namedTime))]
      case .isUnavailable: [.ended(.refused(status: 503))]
      }
    }
  }

  /// A server whose streams fail until it recovers.
  private final class Server: Sendable {
    struct State {
      var attempts = 0
      var times: [Duration] = []
      var openedAt: Duration?
      var isFailing = true
      var open: [(connection: ScriptedStreams.Connection, since: Duration)] = []
    }

    let state = Mutex(State())
    let failure: Failure
    let clock: VirtualClock

    init(_ failure: Failure, _ clock: VirtualClock) {
      self.failure = failure
      self.clock = clock
    }

    /// Accepts streams over one transport only.
    func streams(_ kind: StreamRequest.Kind) -> ScriptedStreams {
      ScriptedStreams { [self] connection in
        if kind == .events, connection.request.kind == .webSocket {
          return connection.tell(.ended(.refused(status: 404)))
        }
        let isFailing = state.withLock { state in
          state.attempts += 1
          state.times.append(clock.uptime)
          state.open.append((connection, clock.uptime))
          if !state.isFailing, state.openedAt == nil { state.openedAt = clock.uptime }
          return state.isFailing
        }
        for signal in isFailing ? failure.signals : [.opened] { connection.tell(signal) }
      }
    }

    /// Closes connections after half a minute if the failure is of this kind.
    func closeOld() {
      guard failure == .closesAfterHalfAMinute else { return }
      let now = clock.uptime
      let old = state.withLock { state in
        guard state.isFailing else { return [] as [ScriptedStreams.Connection] }
        let old = state.open.filter { now - $0.since >= .seconds(30) }
        state.open.removeAll { now - $0.since >= .seconds(30) }
        return old.map(\.connection)
      }
      for connection in old { connection.tell(.ended(.closed)) }
    }
  }

  @Test(arguments: Failure.allCases, [StreamRequest.Kind.webSocket, .events])
  func `a failing stream is tried at most 30 times in ten minutes or 90 times with user retries`(
    failure: Failure, kind: StreamRequest.Kind
  ) async {
    for isWoken in [false, true] {
      let clock = VirtualClock()
      let ledger = ActivityLedger()
      let server = Server(failure, clock)
      let ear = Ear()
      let service = StreamingService(
        configuration: .init(serverURL: "https://tilde.example", token: "t"), clock: clock, ledger: ledger,
        transport: server.streams(kind))
      service.jitter = { 1 }
      service.follow(.user, for: ear)
      service.follow(.direct, for: ear)
      service.use(namedURL: nil)
      func pass(_ seconds: Int) async {
        for _ in 0..<seconds {
          if isWoken { service.wakeUp() }
          server.closeOld()
          await ledger.settle()
          await clock.advance(by: .seconds(1)) { await ledger.settle() }
        }
      }
      await pass(600)
      let attempts = server.state.withLock { $0.attempts }
      #expect((5...(isWoken ? 90 : 30)).contains(attempts), "\(failure), \(kind): \(attempts) attempts")
      if failure == .limitsRateUntilNamedTime, !isWoken {
        let times = server.state.withLock { $0.times }
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(gaps.allSatisfy { $0 == .zero || $0 >= Failure.namedTime }, "\(kind): \(gaps)")
      }
      if failure == .closesAtOnce {
        let openings = ear.heard.count { $0 == "open user" }
        #expect(openings <= 2, "\(openings) times everything was fetched")
      }
      let recovered = clock.uptime
      ear.heard = []
      server.state.withLock { $0.isFailing = false }
      // Each stream must then stay open for a few seconds.
      await pass(60)
      #expect(service.isOpen(.user) && service.isOpen(.direct), "\(failure), \(kind): \(ear.heard)")
      // A stream that was open when the failures ended stays open.
      guard failure != .closesAfterHalfAMinute else { continue }
      let opened = server.state.withLock { $0.openedAt }
      #expect(opened.map { $0 - recovered <= failure.limit } ?? false, "\(failure), \(kind): not found again in time")
      #expect(ear.heard.filter { $0.hasPrefix("open") }.sorted() == ["open direct", "open user"], "\(ear.heard)")
    }
  }

  @Test func `retry delays are short again after a lasting connection`() async {
    let clock = VirtualClock()
    let ledger = ActivityLedger()
    let fails = Mutex(true)
    let streams = ScriptedStreams { connection in
      if fails.withLock({ $0 }) { connection.tell(.opened, .ended(.closed)) } else { connection.tell(.opened) }
    }
    let ear = Ear()
    let service = StreamingService(
      configuration: .init(serverURL: "https://tilde.example", token: "t"), clock: clock, ledger: ledger,
      transport: streams)
    service.jitter = { 1 }
    service.follow(.user, for: ear)
    service.use(namedURL: nil)
    func pass(_ time: Duration) async {
      await ledger.settle()
      await clock.advance(by: time) { await ledger.settle() }
    }
    await pass(.seconds(300))
    fails.withLock { $0 = false }
    await pass(.seconds(100))
    #expect(service.isOpen(.user))
    ear.heard = []
    streams.connections.last?.tell(.ended(.closed))
    await pass(.seconds(2))
    #expect(ear.heard == ["closed user", "open user"])
  }

  @Test func `a flood of beats and tiny messages uses little memory`() {
    let signals: [StreamSignal] = [.beat, .pong, .message([]), .bytes([]), .missed]
    for signal in signals {
      var state = StreamMailbox.State()
      state.add(.opened)
      for _ in 0..<10_000 { state.add(signal) }
      #expect(state.waiting.count <= 1 + StreamMailbox.mostPongs, "\(signal)")
    }
    var mixed = StreamMailbox.State()
    for _ in 0..<10_000 { for signal in signals { mixed.add(signal) } }
    #expect(mixed.waiting.count <= 3 + StreamMailbox.mostPongs)
    var tiny = StreamMailbox.State()
    for _ in 0..<200_000 { tiny.add(.message([1])) }
    #expect(tiny.waiting.count <= StreamMailbox.mostBytes / StreamMailbox.overhead)
    #expect(tiny.waiting.contains { if case .missed = $0 { true } else { false } })
  }
}
