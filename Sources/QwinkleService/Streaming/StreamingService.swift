import HTTPTypes
public import QwinkleModel
public import QwinkleWire
public import Timekeeping

/// Listens to one server's streams: by one WebSocket, else by one for each, else by server-sent events; where none of
/// these works its delegates go on asking. On the main actor; the work is done elsewhere.
///
/// A connection that breaks or falls silent is made anew, later after each failure. Each time its delegates hear did
/// open: what happened meanwhile is theirs to fetch.
@MainActor
public final class StreamingService {
  public struct Configuration: Sendable {
    /// `https://host[:port]`, without a path.
    public var serverURL: String
    /// The bearer token; nil if signed out.
    public var token: String?
    /// Whether the server is in this process: then there is no network that could fail.
    public var isInProcess: Bool

    public init(serverURL: String, token: String?, isInProcess: Bool = false) {
      self.serverURL = serverURL
      self.token = token
      self.isInProcess = isInProcess
    }
  }

  /// How to listen, in the order in which it is tried.
  enum Way {
    case webSocket
    /// With the token as subprotocol: some servers take it only there.
    case webSocketBySubprotocol
    /// A WebSocket for each stream, which its address names, with the token as subprotocol: Akkoma knows no other.
    case webSocketForEach
    case events
    case none
  }

  private struct Follower {
    weak var delegate: (any StreamingServiceDelegate)?
  }

  /// After so long a server that streams nowhere is asked again.
  private static let rest = Duration.seconds(1800)
  /// Number of failures in a row after which another way is tried.
  private static let mostFailures = 3

  let clock: any ProgramClock
  let ledger: ActivityLedger
  let transport: any StreamTransport
  /// The factor of the next wait, about 1, so that clients of a server that was down don't come back together.
  public var jitter: @MainActor () -> Double = { Double.random(in: 0.5...1.5) }

  public private(set) var configuration: Configuration
  private(set) var way: Way
  private var followers: [StreamName: [Follower]] = [:]
  private var lines: [StreamName?: StreamLine] = [:]
  private var openStreams: Set<StreamName> = []
  private var refused: Set<StreamName> = []
  private var isKnown = false
  private var namedURL: String?
  private var isSuspended = false
  private var resting: ProgramTimer?

  /// A service that listens to nothing before ``use(namedURL:)``.
  public init(
    configuration: Configuration, clock: any ProgramClock, ledger: ActivityLedger, transport: any StreamTransport
  ) {
    self.configuration = configuration
    self.clock = clock
    self.ledger = ledger
    self.transport = transport
    way = configuration.isInProcess ? .events : .webSocket
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
  }

  /// Listens with another token, or at another address, from now on.
  public func use(_ configuration: Configuration) {
    self.configuration = configuration
    way = configuration.isInProcess ? .events : .webSocket
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

  /// Looks whether connections still live, and tries at once where one waits for the time to: the program or the
  /// network may have slept.
  public func wakeUp() {
    for line in lines.values { line.wakeUp() }
  }

  /// Ends connections that were silent for too long, and makes them anew.
  public func checkAlive() {
    for line in lines.values { line.endIfSilent() }
  }

  // MARK: Lines

  /// Whether silence ends a connection.
  var timesOut: Bool { !configuration.isInProcess }

  func request(for stream: StreamName?) -> StreamRequest? {
    guard let server = Origin(configuration.serverURL) else { return nil }
    guard let origin = configuration.isInProcess ? server : StreamAddress.origin(server: server, named: namedURL)
    else { return nil }
    let path = way == .events ? StreamAddress.path(of: stream) : StreamAddress.socketPath(of: stream)
    var head = HTTPRequest(method: .get, scheme: origin.scheme, authority: origin.authority, path: path)
    head.headerFields[.userAgent] = DownloadService.userAgent
    if let token = configuration.token {
      if way == .webSocketBySubprotocol || way == .webSocketForEach {
        head.headerFields[.secWebSocketProtocol] = token
      } else {
        head.headerFields[.authorization] = "Bearer \(token)"
      }
    }
    if way == .events { head.headerFields[.accept] = "text/event-stream" }
    return StreamRequest(way == .events ? .events : .webSocket, head: head)
  }

  private var wanted: Set<StreamName> {
    Set(followers.filter { $0.value.contains { $0.delegate != nil } }.keys)
  }

  /// Opens what is wanted.
  private func update() {
    guard isKnown, !isSuspended, way != .none, !wanted.isEmpty else { return }
    guard request(for: nil) != nil else { return }
    if way == .events || way == .webSocketForEach {
      for stream in wanted where lines[stream] == nil && !refused.contains(stream) { connect(stream) }
    } else if let line = lines[nil] {
      for stream in wanted.subtracting(openStreams).subtracting(line.unconfirmed).subtracting(refused) {
        line.wish(stream, isOn: true)
      }
    } else {
      connect(nil)
    }
  }

  private func connect(_ stream: StreamName?) {
    let line = StreamLine(self, stream)
    lines[stream] = line
    line.connect()
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

  private func endAll() {
    for line in lines.values { line.close() }
    lines = [:]
    refused = []
    resting = nil
    noteClosed(openStreams)
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
    if let stream = line.stream { noteOpen(stream) } else { update() }
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
    guard lines[line.stream] === line else { return }
    if case .refused(let status) = end, Self.isFinal(status) || line.failures + 1 >= Self.mostFailures {
      return refuse(line, status)
    }
    line.retryLater()
  }

  /// Whether trying again would change nothing.
  private static func isFinal(_ status: Int) -> Bool { status != 429 && status < 500 }

  private func refuse(_ line: StreamLine, _ status: Int) {
    line.close()
    lines[line.stream] = nil
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
      if !lines.isEmpty || !wanted.subtracting(refused).isEmpty { return }
      if way == .events { way = .none } else { (way, refused) = (.events, []) }
    case .none: break
    }
    guard way != .none else { return restForLong() }
    update()
  }

  private func restForLong() {
    resting = clock.schedule(after: Self.rest) { [weak self] in
      guard let self else { return }
      way = configuration.isInProcess ? .events : .webSocket
      refused = []
      update()
    }
  }
}
