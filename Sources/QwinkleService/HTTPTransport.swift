import HTTPTypes
import NIOCore
public import QwinkleWire
import Synchronization

/// Carries requests over HTTP and HTTPS. It has its own thread and connection pools, made at the first request.
/// Callable from anywhere.
///
/// Redirects are not followed, and nothing is sent twice, with one exception: a GET or HEAD is sent once more if the
/// server closes its connection before any answer and another request may have used that connection. Other methods
/// always use a new connection.
public final class HTTPTransport: Transport {
  /// Why a connection to a private address fails.
  static let privateAddress = "the address is in a private network"

  private struct State {
    var engine: HTTPEngine?
    /// Number of reads in progress, by server.
    var underWay: [String: Int] = [:]
    /// Servers that have answered: a connection to one of them may be stale.
    var knownServers: Set<String> = []
    var isShutDown = false

    mutating func end(_ server: String) {
      guard let count = underWay[server] else { return }
      underWay[server] = count > 1 ? count - 1 : nil
    }
  }

  private let userAgent: String
  private let trustRoots: String?
  private let proxies: ProxyRules
  let connectTimeout: TimeAmount
  private let mostInflatedBytes: Int
  private let refusesPrivateAddresses: Bool
  private let state = Mutex(State())

  /// A transport that trusts this machine's certificate authorities, or, if `trustRoots` is a path, only those in that
  /// file (PEM).
  ///
  /// - Parameters:
  ///   - userAgent: for requests that don't have their own.
  ///   - trustRoots: the path of a file of authorities' certificates, or nil.
  ///   - proxies: which requests go through a proxy.
  ///   - connectTimeout: how long to wait for a connection, with its TLS handshake.
  ///   - mostInflatedBytes: the limit for inflating a compressed answer, whatever its request allows.
  ///   - refusesPrivateAddresses: whether connections to addresses of this machine or a network nearby fail.
  public init(
    userAgent: String = DownloadService.userAgent, trustRoots: String? = nil, proxies: ProxyRules = .none,
    connectTimeout: Duration = .seconds(10), mostInflatedBytes: Int = 8 << 20,
    refusesPrivateAddresses: Bool = false
  ) {
    self.userAgent = userAgent
    self.trustRoots = trustRoots
    self.proxies = proxies
    self.connectTimeout = TimeAmount(connectTimeout)
    self.mostInflatedBytes = mostInflatedBytes
    self.refusesPrivateAddresses = refusesPrivateAddresses
  }

  public var sendsFiles: Bool { true }

  @concurrent public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let authority = request.head.authority ?? ""
    guard let origin = Origin("\(request.head.scheme ?? "")://\(authority)") else { throw .unknownHost(authority) }
    let isRead = request.head.method == .get || request.head.method == .head
    let deadline = NIODeadline.now() + TimeAmount(request.timeout)
    let proxy = try proxy(for: origin)
    guard let engine = engine() else { throw .cancelled }
    if origin.scheme == "https", let fault = engine.trustFault { throw .local(reason: fault) }
    let clients = engine.clients(through: proxy)

    if isRead { state.withLock { $0.underWay[origin.url, default: 0] += 1 } }
    defer { if isRead { state.withLock { $0.end(origin.url) } } }
    var client = isRead ? clients.pooled : clients.fresh
    var mayRetry = isRead
    while true {
      let exchange = HTTPExchange(
        request: request, origin: origin, client: client, group: engine.group,
        userAgent: userAgent, deadline: deadline)
      switch await exchange.result() {
      case .success(let response):
        state.withLock { _ = $0.knownServers.insert(origin.url) }
        return response
      case .failure(let failure) where mayRetry && failure.isOfStaleConnection && mayHaveReused(origin):
        // Others in the pool may be as stale.
        client = clients.fresh
        mayRetry = false
      // The probe connects directly, which may not be possible behind a proxy.
      case .failure(let failure) where failure.isAboutCertificate && proxy == nil:
        let probe = CertificateProbe(origin: origin, group: engine.group, timeout: connectTimeout)
        throw .untrusted(host: origin.authority, reason: await probe.reason())
      case .failure(let failure):
        switch failure.error {
        // Only the proxy was tried, not the server.
        case .refused where proxy != nil, .unknownHost where proxy != nil:
          throw .local(reason: ProxyRules.words(ofFailure: "the proxy cannot be reached"))
        default: throw failure.error
        }
      }
    }
  }

  /// Whether a request may have got a connection that another one has used: the server has answered before, or another
  /// request is in progress, whose answer may not have reached its task yet.
  private func mayHaveReused(_ origin: Origin) -> Bool {
    state.withLock { $0.knownServers.contains(origin.url) || $0.underWay[origin.url, default: 0] > 1 }
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

  func proxy(for origin: Origin) throws(TransportError) -> ProxyRules.Proxy? {
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
        trustRoots: trustRoots, connectTimeout: connectTimeout, mostInflatedBytes: mostInflatedBytes,
        refusesPrivateAddresses: refusesPrivateAddresses)
      state.engine = engine
      return engine
    }
  }
}
