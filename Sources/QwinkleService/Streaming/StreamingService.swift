public import QwinkleModel
public import QwinkleWire
public import Timekeeping

/// Listens to one server's streams: by one WebSocket, else by one for each, else by server-sent events; where none of
/// these works its delegates go on asking. On the main actor; the work is done elsewhere.
///
/// A connection that breaks or falls silent is opened again, later after each failure, until one has lasted. While none
/// is open, one line tries for all of them. After each opening the delegates hear did open, and fetch what they missed;
/// after several failures they hear it once the connection has lasted for a few seconds.
@MainActor
public final class StreamingService {
  private struct Follower {
    weak var delegate: (any StreamingServiceDelegate)?
  }

  /// After so long a server that streams nowhere is asked again.
  private static let rest = Duration.seconds(1800)
  /// Number of server errors in a row after which another way is tried.
  private static let mostRefusals = 3
  /// Shortest time between two attempts that don't wait for the schedule, such as the user's.
  private static let wakePause = Duration.seconds(10)

  let clock: any ProgramClock
  let ledger: ActivityLedger
  let transport: any StreamTransport
  /// The factor of the next wait, about 1. It spreads the reconnects of clients after an outage of the server.
  public var jitter: @MainActor () -> Double = { Double.random(in: 0.75...1.25) }

  /// Sends a request and returns whether the server accepts the token. A 401 may instead reject one stream, or the
  /// transport's method of sending the token. Nil: a 401 never rejects the token.
  public var acceptsToken: (@MainActor () async -> Bool)? {
    get { tokenCheck.ask }
    set { tokenCheck.ask = newValue }
  }

  public private(set) var configuration: Configuration
  private(set) var way: Way
  private var followers: [StreamName: [Follower]] = [:]
  private var lines: [StreamName?: StreamLine] = [:]
  private var openStreams: Set<StreamName> = []
  private var refused: Set<StreamName> = []
  private var isKnown = false
  private(set) var namedURL: String?
  private var isSuspended = false
  private var resting: ProgramTimer?
  private var backoff = RetryBackoff(first: .seconds(1), limit: .seconds(300))
  /// The next attempt of the lines that wait.
  private var retry: ProgramTimer?
  /// Uptime of the next attempt.
  private var retryAt = Duration.zero
  /// Uptime before which the server asked for no attempt.
  private var namedTime = Duration.zero
  /// Uptime of the last attempt.
  private var attemptedAt: Duration?
  /// Number of server errors in a row.
  private var refusals = 0
  /// Whether only server errors led from WebSocket to server-sent events.
  private var mayReturnToSockets = false
  private let tokenCheck = StreamTokenCheck()

  /// A service that listens to nothing before ``use(namedURL:)``.
  public init(
    configuration: Configuration, clock: any ProgramClock, ledger: ActivityLedger, transport: any StreamTransport
  ) {
    self.configuration = configuration
    self.clock = clock
    self.ledger = ledger
    self.transport = transport
    way = configuration.firstWay
  }

  /// Whether a stream tells what happens now.
  public func isOpen(_ stream: StreamName) -> Bool { openStreams.contains(stream) }

  /// Begins to listen, where the server's description says: nil if it doesn't.
  public func use(namedURL url: String?) {
    guard !isKnown || url != namedURL else { return }
    if isKnown { endAll() }
    isKnown = true
    namedURL = url
    update()
  }

  /// Listens to a stream for `delegate`, which hears did open at once if it is open.
  public func follow(_ stream: StreamName, for delegate: any StreamingServiceDelegate) {
    guard !stream.needsAccount || configuration.token != nil else { return }
    var all = (followers[stream] ?? []).filter { $0.delegate != nil }
    guard !all.contains(where: { $0.delegate === delegate }) else { return }
    all.append(Follower(delegate: delegate))
    followers[stream] = all
    if openStreams.contains(stream) { return delegate.streamingService(self, didOpen: stream) }
    update()
  }

  /// Ends that.
  public func unfollow(_ stream: StreamName, for delegate: any StreamingServiceDelegate) {
    followers[stream]?.removeAll { $0.delegate == nil || $0.delegate === delegate }
    prune()
    // The line that tried for the others may be gone.
    if retry?.isPending != true { connectWaiting() }
  }

  /// Listens with another token from now on, or at another server, which first has to be described by
  /// ``use(namedURL:)``: the streaming host of the former server must not receive the token of the new one.
  public func use(_ configuration: Configuration) {
    if configuration.serverURL != self.configuration.serverURL { (isKnown, namedURL) = (false, nil) }
    self.configuration = configuration
    endAll()
    update()
  }

  /// Closes all connections: the program is stopped.
  public func suspend() {
    isSuspended = true
    endAll()
  }

  /// Listens again after ``suspend()``.
  public func resume() {
    guard isSuspended else { return }
    isSuspended = false
    update()
  }

  /// Closes dead connections, and retries at once instead of at the scheduled time, but not often and not before a time
  /// that the server has named. Such an attempt counts as no failure.
  public func wakeUp() {
    checkAlive()
    let now = clock.uptime
    guard retry?.isPending == true, now >= namedTime, attemptedAt.map({ now - $0 >= Self.wakePause }) ?? true else {
      return
    }
    update(isRetry: true)
  }

  /// Closes connections that were silent for too long, and opens them again.
  public func checkAlive() {
    for line in lines.values { line.endIfSilent() }
  }

  // MARK: Lines

  /// Whether connections have failed several times, and none has lasted since.
  var isUnsteady: Bool { backoff.failures >= 2 }

  /// Whether silence ends a connection.
  var timesOut: Bool { !configuration.isInProcess }

  private var wanted: Set<StreamName> {
    Set(followers.filter { $0.value.contains { $0.delegate != nil } }.keys)
  }

  /// Opens the wanted streams: at once if no attempt is scheduled, or if this `isRetry`.
  private func update(isRetry: Bool = false) {
    guard isKnown, !isSuspended, way != .none, !wanted.isEmpty else { return }
    guard request(for: nil) != nil else { return }
    if way == .events || way == .webSocketForEach {
      for stream in wanted where lines[stream] == nil && !refused.contains(stream) { add(stream) }
    } else if let line = lines[nil] {
      for stream in wanted.subtracting(openStreams).subtracting(line.unconfirmed).subtracting(refused) {
        line.wish(stream, isOn: true)
      }
    } else {
      add(nil)
    }
    if isRetry || retry?.isPending != true { connectWaiting() }
  }

  private func add(_ stream: StreamName?) {
    let line = StreamLine(self, stream)
    let isServed = lines.values.contains(where: \.isOpen)
    lines[stream] = line
    // The scheduled attempt is for lines that have failed.
    if isServed { line.connect() }
  }

  /// Tries to open the lines that wait: after several failures only one of them, until a line is open.
  private func connectWaiting() {
    let waiting = lines.values.filter(\.isWaiting).sorted {
      ($0.attemptedAt, $0.stream?.word ?? "") < ($1.attemptedAt, $1.stream?.word ?? "")
    }
    guard !waiting.isEmpty else { return }
    guard isUnsteady, !lines.values.contains(where: \.isOpen) else {
      attemptedAt = clock.uptime
      for line in waiting { line.connect() }
      return
    }
    guard lines.values.allSatisfy(\.isWaiting) else { return }
    attemptedAt = clock.uptime
    waiting[0].connect()
  }

  /// Schedules the next attempt for a line that ended.
  private func retryLater(_ line: StreamLine) {
    let now = clock.uptime
    let hasLasted = line.hasLasted
    // An attempt that timed out has already taken a part of the wait.
    let elapsed = line.openedAt == nil ? now - line.attemptedAt : .zero
    line.waitForRetry()
    if hasLasted {
      backoff.reset()
    } else if retry?.isPending != true {
      backoff.noteFailure()
    } else if retryAt >= namedTime {
      // The other lines of this attempt, or an attempt of the user.
      return
    }
    scheduleRetry(elapsed: elapsed)
  }

  private func scheduleRetry(elapsed: Duration) {
    let now = clock.uptime
    var wait = max(.zero, backoff.wait(jitter: jitter()) - elapsed)
    if namedTime > now { wait = backoff.failures < 2 ? namedTime - now : max(wait, namedTime - now) }
    retryAt = now + wait
    retry = clock.schedule(after: wait) { [weak self] in self?.update() }
  }

  /// Closes what nobody wants.
  private func prune() {
    followers = followers.filter { $0.value.contains { $0.delegate != nil } }
    for stream in openStreams where followers[stream] == nil {
      openStreams.remove(stream)
      lines[nil]?.wish(stream, isOn: false)
    }
    for (stream, line) in lines {
      if stream.map({ followers[$0] == nil }) ?? followers.isEmpty {
        line.close()
        lines[stream] = nil
      }
    }
  }

  /// Closes all lines, and forgets which transports the server or the network has refused: both may have changed.
  private func endAll() {
    closeLines()
    tokenCheck.reset()
    way = configuration.firstWay
    mayReturnToSockets = false
    resting = nil
    retry = nil
    backoff.reset()
    namedTime = .zero
    noteClosed(openStreams)
  }

  private func closeLines() {
    for line in lines.values { line.close() }
    lines = [:]
    refused = []
    refusals = 0
  }

  private func noteClosed(_ streams: Set<StreamName>) {
    for stream in streams where openStreams.remove(stream) != nil {
      tell(stream) { $0.streamingService(self, didClose: stream) }
    }
  }

  private func noteOpen(_ stream: StreamName) {
    guard openStreams.insert(stream).inserted else { return }
    tell(stream) { $0.streamingService(self, didOpen: stream) }
  }

  private func tell(_ stream: StreamName, _ body: (any StreamingServiceDelegate) -> Void) {
    for follower in followers[stream] ?? [] { follower.delegate.map(body) }
  }

  // MARK: What lines tell

  func lineDidOpen(_ line: StreamLine) {
    refusals = 0
    if let stream = line.stream { noteOpen(stream) } else { update() }
    // This line has tried for the others.
    if isUnsteady { connectWaiting() }
  }

  /// A line has been open for a while after failures.
  func lineDidLast(_ line: StreamLine) {
    if !lines.values.contains(where: \.isWaiting) { backoff.reset() }
  }

  func line(_ line: StreamLine, didConfirm streams: Set<StreamName>) {
    for stream in streams where followers[stream] != nil { noteOpen(stream) }
  }

  /// The server has refused one of these, and goes on. `isAnonymous`: it does not know who asks.
  func line(_ line: StreamLine, wasRefused streams: Set<StreamName>, isAnonymous: Bool) {
    // Pleroma lets everybody in, and doesn't look for the token where it was.
    if isAnonymous, way == .webSocket, configuration.token != nil, openStreams.isEmpty, lines[line.stream] === line {
      return refuse(line, 401)
    }
    refused.formUnion(streams)
    noteClosed(streams)
  }

  func line(_ line: StreamLine, didReceive events: [(StreamName?, StreamEvent)]) {
    var batch: [StreamEvent] = []
    var stream: StreamName?
    func flush() {
      if let stream, !batch.isEmpty {
        tell(stream) { $0.streamingService(self, didReceive: batch, of: stream) }
      }
      batch = []
    }
    for (name, event) in events {
      let name = line.stream ?? name ?? .user
      if name != stream { flush() }
      stream = name
      // One that was refused together with others may be granted all the same.
      if refused.remove(name) != nil { noteOpen(name) }
      batch.append(event)
    }
    flush()
  }

  func lineMissed(_ line: StreamLine) {
    for stream in line.stream.map({ [$0] }) ?? openStreams {
      tell(stream) { $0.streamingService(self, mayHaveMissedEventsOf: stream) }
    }
  }

  func line(_ line: StreamLine, didEnd end: StreamEnd) {
    guard lines[line.stream] === line else { return }
    noteClosed(line.stream.map { [$0] } ?? openStreams)
    if line.stream == nil { refused = [] }
    prune()
    guard lines[line.stream] === line else {
      if retry?.isPending != true { connectWaiting() }
      return
    }
    if case .refused(let status, let wait) = end {
      if status == 401, configuration.token != nil, tokenCheck.isNeeded { return checkToken(for: line) }
      if Self.isFinal(status) { return refuse(line, status) }
      if let wait { namedTime = clock.uptime + wait }
      // Too many requests are no matter of how to listen.
      if status != 429 { refusals += 1 }
    }
    retryLater(line)
    if refusals >= Self.mostRefusals, !lines.values.contains(where: \.isOpen) { tryOtherWay() }
  }

  /// Whether trying again would change nothing.
  private static func isFinal(_ status: Int) -> Bool { status != 429 && (status < 500 || status == 501) }

  /// Uses the other transport at the next attempt: a proxy in front of the server may pass only one of them on.
  private func tryOtherWay() {
    refusals = 0
    guard way != .events || mayReturnToSockets else { return }
    closeLines()
    mayReturnToSockets = way != .events
    way = mayReturnToSockets ? .events : .webSocket
  }

  /// Closes a line that got 401 and checks whether the server accepts the token. An accepted token refuses the line.
  private func checkToken(for line: StreamLine) {
    line.close()
    tokenCheck.begin(for: line, in: ledger) { [weak self] isAccepted, refused in
      guard let self else { return }
      guard isAccepted else {
        closeLines()
        noteClosed(openStreams)
        way = .none
        return restForLong()
      }
      for line in refused where lines[line.stream] === line { refuse(line, 401) }
    }
  }

  private func refuse(_ line: StreamLine, _ status: Int) {
    line.close()
    lines[line.stream] = nil
    mayReturnToSockets = false
    switch way {
    case .webSocket:
      switch status {
      case 401 where configuration.token != nil, 403 where configuration.token != nil: way = .webSocketBySubprotocol
      // It misses the name of a stream.
      case 400, 404: way = .webSocketForEach
      default: way = .events
      }
    case .webSocketBySubprotocol: way = .events
    case .webSocketForEach, .events:
      // Others may be granted.
      if let stream = line.stream { refused.insert(stream) }
      if !lines.isEmpty || !wanted.subtracting(refused).isEmpty { return update() }
      if way == .events { way = .none } else { (way, refused) = (.events, []) }
    case .none: break
    }
    guard way != .none else { return restForLong() }
    update()
  }

  private func restForLong() {
    resting = clock.schedule(after: Self.rest) { [weak self] in
      guard let self else { return }
      tokenCheck.reset()
      way = configuration.firstWay
      refused = []
      update()
    }
  }
}
