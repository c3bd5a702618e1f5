import HTTPTypes
import NIOCore
public import QwinkleWire
import Synchronization

/// Sends requests over HTTP and HTTPS. It has its own thread and connection pools, which are created with the first
/// request. Callable from anywhere.
///
/// Redirects are not followed. A request is sent only once, with one exception: a GET or HEAD that may have reused a
/// connection is retried once if the server closes the connection without a response. Other methods always use a new
/// connection.
public final class HTTPTransport: Transport {
  static let privateAddress = "the address is in a private network"

  private struct State {
    var engine: HTTPEngine?
    /// Number of reads in progress, by server.
    var inProgress: [String: Int] = [:]
    /// Servers that have responded before: a pooled connection to one of them may be stale.
    var knownServers: Set<String> = []
    var isShutDown = false

    mutating func end(_ server: String) {
      guard let count = inProgress[server] else { return }
      inProgress[server] = count > 1 ? count - 1 : nil
    }
  }

  private let trustRoots: String?
  private let proxies: ProxyRules
  let connectTimeout: TimeAmount
  private let refusesPrivateAddresses: Bool
  private let socket: SharedSocket?
  private let state = Mutex(State())

  /// Creates a transport. By default it trusts this machine's certificate authorities.
  ///
  /// - Parameters:
  ///   - trustRoots: The path of a PEM file. If given, only the authorities in it are trusted.
  ///   - proxies: Decides which requests use a proxy.
  ///   - connectTimeout: The time limit for a connection, including the TLS handshake.
  ///   - refusesPrivateAddresses: Whether connections to this machine or a private network fail. Connections through a
  ///     proxy aren't checked.
  ///   - socket: The Unix socket that serves ``SharedSocket/serverURL``. If given, other servers can't be reached. The
  ///     socket is checked before each connection is used.
  public init(
    trustRoots: String? = nil, proxies: ProxyRules = .none, connectTimeout: Duration = .seconds(10),
    refusesPrivateAddresses: Bool = false, socket: SharedSocket? = nil
  ) {
    self.trustRoots = trustRoots
    self.proxies = proxies
    self.connectTimeout = TimeAmount(connectTimeout)
    self.refusesPrivateAddresses = refusesPrivateAddresses
    self.socket = socket
  }

  public var sendsFiles: Bool { true }

  @concurrent public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let isRead = request.head.method == .get || request.head.method == .head
    let deadline = NIODeadline.now() + TimeAmount(request.timeout)
    let (route, engine) = try route(for: request.head)
    let origin = route.origin
    let clients = engine.clients(through: route.proxy)

    if isRead { state.withLock { $0.inProgress[origin.url, default: 0] += 1 } }
    defer { if isRead { state.withLock { $0.end(origin.url) } } }
    var client = isRead ? clients.pooled : clients.fresh
    var mayRetry = isRead
    while true {
      let exchange = HTTPExchange(
        request: request, route: route, client: client, group: engine.group, deadline: deadline)
      switch await exchange.result() {
      case .success(let response):
        state.withLock { _ = $0.knownServers.insert(origin.url) }
        return response
      case .failure(let failure) where mayRetry && failure.isOfStaleConnection && mayHaveReused(origin):
        // Other connections in the pool may be stale, too.
        client = clients.fresh
        mayRetry = false
      // The probe connects directly, which may be impossible behind a proxy.
      case .failure(let failure) where failure.isAboutCertificate && route.proxy == nil:
        let probe = CertificateProbe(origin: origin, group: engine.group, timeout: connectTimeout)
        throw .untrusted(host: origin.authority, reason: await probe.reason())
      case .failure(let failure):
        switch failure.error {
        // The proxy couldn't be reached, so the server wasn't tried.
        case .refused where route.proxy != nil, .unknownHost where route.proxy != nil:
          throw .local(reason: ProxyRules.words(ofFailure: "the proxy cannot be reached"))
        default: throw failure.error
        }
      }
    }
  }

  /// Whether a request may have reused a connection. True if the server has responded before, or if another read is in
  /// progress, because its response may have arrived without being recorded yet.
  private func mayHaveReused(_ origin: Origin) -> Bool {
    state.withLock { $0.knownServers.contains(origin.url) || $0.inProgress[origin.url, default: 0] > 1 }
  }

  @concurrent public func shutDown() async {
    let engine = state.withLock { state in
      state.isShutDown = true
      defer { state.engine = nil }
      return state.engine
    }
    await engine?.shutDown()
  }

  deinit {
    // Releasing a client that isn't shut down crashes the program.
    guard let engine = state.withLock({ $0.engine }) else { return }
    Task { await engine.shutDown() }
  }

  /// Returns the route of a request and the engine that sends it. Throws an error if a request isn't allowed to be sent
  /// this way.
  func route(for head: HTTPRequest) throws(TransportError) -> (Route, HTTPEngine) {
    let authority = head.authority ?? ""
    guard let origin = Origin("\(head.scheme ?? "")://\(authority)") else { throw .unknownHost(authority) }
    let route = try route(to: origin)
    guard let engine = engine() else { throw .cancelled }
    if origin.scheme == "https", let fault = engine.trustFault { throw .local(reason: fault) }
    return (route, engine)
  }

  private func route(to origin: Origin) throws(TransportError) -> Route {
    guard let socket else { return Route(origin: origin, proxy: try proxy(for: origin)) }
    guard origin.url == SharedSocket.serverURL else {
      throw .local(reason: "Nothing was sent: \(origin.authority) is not on the socket \(socket.path).")
    }
    do throws(SocketFault) {
      try socket.owner()
    } catch {
      throw .socket(path: socket.path, error)
    }
    return Route(origin: origin, socket: socket)
  }

  private func proxy(for origin: Origin) throws(TransportError) -> ProxyRules.Proxy? {
    do throws(ProxyRules.Unusable) {
      return try proxies.proxy(for: origin)
    } catch {
      throw .local(reason: error.sentence)
    }
  }

  func engine() -> HTTPEngine? {
    state.withLock { state in
      if state.isShutDown { return nil }
      if let engine = state.engine { return engine }
      let engine = HTTPEngine(
        trustRoots: trustRoots, connectTimeout: connectTimeout, refusesPrivateAddresses: refusesPrivateAddresses,
        socket: socket)
      state.engine = engine
      return engine
    }
  }
}
