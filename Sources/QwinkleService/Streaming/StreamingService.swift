public import QwinkleModel
public import QwinkleWire
public import Timekeeping

/// Connects to the streams of one server: by one WebSocket, else by one WebSocket for each stream, else by server-sent
/// events. If none of these works, its delegates continue polling. The class is confined to the main actor, but
/// decoding and network access run elsewhere.
///
/// A connection (a line, ``StreamLine``) that breaks or falls silent is reopened. Each failure lengthens the wait,
/// until a connection has lasted for a while. After several failures, while no connection is open, only one is tried;
/// the others wait until it opens. The service notifies its delegates of each opened stream (`didOpen`), and they then
/// fetch the events that they missed. After several failures, it delays this call until the connection has been open
/// for a few seconds.
@MainActor
public final class StreamingService {
  private struct Follower {
    weak var delegate: (any StreamingServiceDelegate)?
  }

  /// Wait before another attempt at a server that supports no transport or has rejected the token.
  private static let rest = Duration.seconds(1800)
  /// Number of consecutive server errors after which another transport is tried.
  private static let mostRefusals = 3

  let clock: any ProgramClock
  let ledger: ActivityLedger
  let transport: any StreamTransport
  /// Random factor of the next wait, about 1. It spreads the reconnects of clients after an outage of the server.
  public var jitter: @MainActor () -> Double = { Double.random(in: 0.75...1.25) }

  /// Sends a request and returns whether the server accepts the token. The service calls it after a 401, because a 401
  /// can also reject only one stream, or only the transport's method of sending the token. If nil, a 401 never counts
  /// as a rejected token.
  public var acceptsToken: (@MainActor () async -> Bool)? {
    get { tokenCheck.ask }
    set { tokenCheck.ask = newValue }
  }

  public private(set) var configuration: Configuration
  private(set) var method: ListeningMethod
  private var followers: [StreamName: [Follower]] = [:]
  private var lines: [StreamName?: StreamLine] = [:]
  private var openStreams: Set<StreamName> = []
  private var refused: Set<StreamName> = []
  private var isKnown = false
  private(set) var namedURL: String?
  private var isSuspended = false
  private var resting: ProgramTimer?
  private let retries: StreamRetrySchedule
  /// Number of consecutive server errors.
  private var refusals = 0
  /// Whether server errors alone caused the switch from WebSocket to server-sent events.
  private var mayReturnToSockets = false
  private let tokenCheck = StreamTokenCheck()

  /// Creates a service. It connects only after ``use(namedURL:)``.
  public init(
    configuration: Configuration, clock: any ProgramClock, ledger: ActivityLedger, transport: any StreamTransport
  ) {
    self.configuration = configuration
    self.clock = clock
    self.ledger = ledger
    self.transport = transport
    method = configuration.firstMethod
    retries = StreamRetrySchedule(clock: clock)
  }

  /// Whether a stream is open and delivers current events.
  public func isOpen(_ stream: StreamName) -> Bool { openStreams.contains(stream) }

  /// Sets the streaming URL and connects. `url` is the URL in the server's description, or nil if it names none.
  public func use(namedURL url: String?) {
    guard !isKnown || url != namedURL else { return }
    if isKnown { endAll() }
    isKnown = true
    namedURL = url
    update()
  }

  /// Subscribes `delegate` to a stream. Calls its `didOpen` at once if the stream is already open. Does nothing if the
  /// stream requires an account and the user is signed out.
  public func follow(_ stream: StreamName, for delegate: any StreamingServiceDelegate) {
    guard !stream.needsAccount || configuration.isSignedIn else { return }
    var all = (followers[stream] ?? []).filter { $0.delegate != nil }
    guard !all.contains(where: { $0.delegate === delegate }) else { return }
    all.append(Follower(delegate: delegate))
    followers[stream] = all
    if openStreams.contains(stream) { return delegate.streamingService(self, didOpen: stream) }
    update()
  }

  /// Unsubscribes `delegate` from a stream.
  public func unfollow(_ stream: StreamName, for delegate: any StreamingServiceDelegate) {
    followers[stream]?.removeAll { $0.delegate == nil || $0.delegate === delegate }
    prune()
    // The closed line may have been the only one that was tried, while the other lines waited for it.
    if !retries.isPending { connectWaiting() }
  }

  /// Reconnects with another token or to another server. A new server is contacted only after the next
  /// ``use(namedURL:)``: the streaming host of the previous server must not receive the new token.
  public func use(_ configuration: Configuration) {
    if configuration.serverURL != self.configuration.serverURL { (isKnown, namedURL) = (false, nil) }
    self.configuration = configuration
    endAll()
    update()
  }

  /// Closes all connections. Called when the program is suspended.
  public func suspend() {
    isSuspended = true
    endAll()
  }

  /// Reconnects after ``suspend()``.
  public func resume() {
    guard isSuspended else { return }
    isSuspended = false
    update()
  }

  /// Closes dead connections. If a retry is scheduled, also retries now, unless the last attempt was recent or the
  /// server asked not to be contacted yet. A failure of this attempt doesn't lengthen the wait.
  public func wakeUp() {
    checkAlive()
    if retries.mayAttemptNow { update(isRetry: true) }
  }

  /// Closes and reopens connections that were silent for too long.
  public func checkAlive() {
    for line in lines.values { line.endIfSilent() }
  }

  // MARK: Lines

  /// Whether connections have failed several times, and none has lasted since.
  var isUnsteady: Bool { retries.isUnsteady }

  var timesOut: Bool { !configuration.isInProcess }

  private var wanted: Set<StreamName> {
    Set(followers.filter { $0.value.contains { $0.delegate != nil } }.keys)
  }

  /// Opens the streams that have delegates. If a retry is scheduled, waiting lines connect only then, or at once if
  /// `isRetry` is true.
  private func update(isRetry: Bool = false) {
    guard isKnown, !isSuspended, method != .none, !wanted.isEmpty else { return }
    guard request(for: nil) != nil else { return }
    if method == .events || method == .webSocketForEach {
      for stream in wanted where lines[stream] == nil && !refused.contains(stream) { add(stream) }
    } else if let line = lines[nil] {
      for stream in wanted.subtracting(openStreams).subtracting(line.unconfirmed).subtracting(refused) {
        line.wish(stream, isOn: true)
      }
    } else {
      add(nil)
    }
    if isRetry || !retries.isPending { connectWaiting() }
  }

  private func add(_ stream: StreamName?) {
    let line = StreamLine(self, stream)
    let isServed = lines.values.contains(where: \.isOpen)
    lines[stream] = line
    // A new line connects at once if another one is open. A scheduled retry is only for lines that have failed.
    if isServed { line.connect() }
  }

  /// Tries to open the waiting lines. After several failures it tries only one, until a line is open.
  private func connectWaiting() {
    let waiting = lines.values.filter(\.isWaiting).sorted {
      ($0.attemptedAt, $0.stream?.word ?? "") < ($1.attemptedAt, $1.stream?.word ?? "")
    }
    guard !waiting.isEmpty else { return }
    guard isUnsteady, !lines.values.contains(where: \.isOpen) else {
      retries.noteAttempt()
      for line in waiting { line.connect() }
      return
    }
    guard lines.values.allSatisfy(\.isWaiting) else { return }
    retries.noteAttempt()
    waiting[0].connect()
  }

  private func retryLater(_ line: StreamLine) {
    let hasLasted = line.hasLasted
    // The time that the attempt took to fail counts towards the wait.
    let elapsed = line.openedAt == nil ? clock.uptime - line.attemptedAt : .zero
    line.waitForRetry()
    retries.schedule(afterFailure: !hasLasted, elapsed: elapsed, jitter: jitter) { [weak self] in self?.update() }
  }

  /// Closes streams without delegates.
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

  /// Closes all lines and forgets which transports failed, since the server or the network may have changed.
  private func endAll() {
    closeLines()
    tokenCheck.reset()
    method = configuration.firstMethod
    mayReturnToSockets = false
    resting = nil
    retries.reset()
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

  // MARK: Reports of lines

  func lineDidOpen(_ line: StreamLine) {
    refusals = 0
    if let stream = line.stream { noteOpen(stream) } else { update() }
    // After several failures, the other lines wait until one line has opened.
    if isUnsteady { connectWaiting() }
  }

  /// Called when a line has been open for a while after failures.
  func lineDidLast(_ line: StreamLine) {
    if !lines.values.contains(where: \.isWaiting) { retries.noteLasting() }
  }

  func line(_ line: StreamLine, didConfirm streams: Set<StreamName>) {
    for stream in streams where followers[stream] != nil { noteOpen(stream) }
  }

  /// Called when the server has refused one of `streams`, without naming it and without closing the connection.
  /// `isAnonymous` is true if the server doesn't recognize the user.
  func line(_ line: StreamLine, wasRefused streams: Set<StreamName>, isAnonymous: Bool) {
    // Pleroma ignores a token in the Authorization header, and accepts the connection as anonymous. Handle this like
    // 401, so that the next attempt sends the token in another way.
    if isAnonymous, method == .webSocket, configuration.token != nil, openStreams.isEmpty, lines[line.stream] === line {
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
      // The server didn't name the stream that it refused, so several streams counted as refused. An event shows that
      // this stream wasn't.
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
      if !retries.isPending { connectWaiting() }
      return
    }
    if case .refused(let status, let wait) = end {
      if status == 401, configuration.token != nil, tokenCheck.isNeeded { return checkToken(for: line) }
      if Self.isFinal(status) { return refuse(line, status) }
      if let wait { retries.waitAtLeast(wait) }
      // A rate limit would apply to another transport, too, so it is no reason to switch.
      if status != 429 { refusals += 1 }
    }
    retryLater(line)
    if refusals >= Self.mostRefusals, !lines.values.contains(where: \.isOpen) { tryOtherWay() }
  }

  /// Whether a retry after this status would be useless.
  private static func isFinal(_ status: Int) -> Bool { status != 429 && (status < 500 || status == 501) }

  /// Switches between WebSocket and server-sent events for the next attempt: a proxy in front of the server may support
  /// only one of the two.
  private func tryOtherWay() {
    refusals = 0
    guard method != .events || mayReturnToSockets else { return }
    closeLines()
    mayReturnToSockets = method != .events
    method = mayReturnToSockets ? .events : .webSocket
  }

  /// Closes a line that got 401 and checks the token. If the server rejects the token, closes all lines. If it accepts
  /// the token, only the lines that got 401 are refused.
  private func checkToken(for line: StreamLine) {
    line.close()
    tokenCheck.begin(for: line, in: ledger) { [weak self] isAccepted, refused in
      guard let self else { return }
      guard isAccepted else {
        closeLines()
        noteClosed(openStreams)
        method = .none
        return restForLong()
      }
      for line in refused where lines[line.stream] === line { refuse(line, 401) }
    }
  }

  private func refuse(_ line: StreamLine, _ status: Int) {
    line.close()
    lines[line.stream] = nil
    mayReturnToSockets = false
    switch method {
    case .webSocket:
      switch status {
      case 401 where configuration.token != nil, 403 where configuration.token != nil: method = .webSocketBySubprotocol
      // The server requires a stream name in the address.
      case 400, 404: method = .webSocketForEach
      default: method = .events
      }
    case .webSocketBySubprotocol: method = .events
    case .webSocketForEach, .events:
      // The server may still accept other streams.
      if let stream = line.stream { refused.insert(stream) }
      if !lines.isEmpty || !wanted.subtracting(refused).isEmpty { return update() }
      if method == .events { method = .none } else { (method, refused) = (.events, []) }
    case .none: break
    }
    guard method != .none else { return restForLong() }
    update()
  }

  private func restForLong() {
    resting = clock.schedule(after: Self.rest) { [weak self] in
      guard let self else { return }
      tokenCheck.reset()
      method = configuration.firstMethod
      refused = []
      update()
    }
  }
}
