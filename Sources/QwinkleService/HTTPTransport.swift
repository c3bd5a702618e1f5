import HTTPTypes
import NIOCore
public import QwinkleWire
import Synchronization

/// Carries requests over HTTP and HTTPS. It has one thread of its own and pools connections; both are made at
/// the first request. Callable from anywhere.
///
/// Nothing is done behind the asker's back: redirects are not followed, and nothing is sent twice, but for one case. A
/// GET that finds its kept-alive connection closed by the server before any answer is sent once more. What
/// is not a GET always goes over a new connection, where that cannot happen.
public final class HTTPTransport: Transport {
  private struct State {
    var engine: HTTPEngine?
    /// Servers that have answered: a connection to one of them may be an old one.
    var knownServers: Set<String> = []
    var isShutDown = false
  }

  private let userAgent: String
  private let trustRoots: String?
  private let proxies: ProxyRules
  private let connectTimeout: TimeAmount
  private let mostInflatedBytes: Int
  private let state = Mutex(State())

  /// A transport that trusts the certificate authorities of this machine, or, where `trustRoots` is a path, those in
  /// that file (PEM) and no others.
  ///
  /// - Parameters:
  ///   - userAgent: goes with requests that don't have one of their own.
  ///   - trustRoots: a path to certificates of authorities, or nil.
  ///   - proxies: through whom requests go.
  ///   - connectTimeout: how long to wait for a connection, with its TLS handshake.
  ///   - mostInflatedBytes: a compressed answer is not inflated past this, whatever its request allows.
  public init(
    userAgent: String = DownloadService.userAgent, trustRoots: String? = nil, proxies: ProxyRules = .none,
    connectTimeout: Duration = .seconds(10), mostInflatedBytes: Int = 8 << 20
  ) {
    self.userAgent = userAgent
    self.trustRoots = trustRoots
    self.proxies = proxies
    self.connectTimeout = TimeAmount(connectTimeout)
    self.mostInflatedBytes = mostInflatedBytes
  }

  @concurrent public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let authority = request.head.authority ?? ""
    guard let origin = Origin("\(request.head.scheme ?? "")://\(authority)") else { throw .unknownHost(authority) }
    let isRead = request.head.method == .get || request.head.method == .head
    let deadline = NIODeadline.now() + TimeAmount(request.timeout)
    let proxy = try proxy(for: origin)
    guard let engine = engine() else { throw .cancelled }
    if origin.scheme == "https", let fault = engine.trustFault { throw .local(reason: fault) }
    let clients = engine.clients(through: proxy)

    var mayRetry = isRead && state.withLock { $0.knownServers.contains(origin.url) }
    while true {
      let exchange = HTTPExchange(
        request: request, origin: origin, client: isRead ? clients.reads : clients.writes, group: engine.group,
        userAgent: userAgent, deadline: deadline)
      switch await exchange.result() {
      case .success(let response):
        state.withLock { _ = $0.knownServers.insert(origin.url) }
        return response
      case .failure(let failure) where mayRetry && failure.isOfStaleConnection:
        mayRetry = false
      // Through a proxy nobody could look at it: it leads to no other place than the request's.
      case .failure(let failure) where failure.isAboutCertificate && proxy == nil:
        let probe = CertificateProbe(origin: origin, group: engine.group, timeout: connectTimeout)
        throw .untrusted(host: origin.authority, reason: await probe.reason())
      case .failure(let failure):
        switch failure.error {
        // Whether the server itself can be reached nobody has tried.
        case .refused where proxy != nil, .unknownHost where proxy != nil:
          throw .local(reason: ProxyRules.words(ofFailure: "the proxy cannot be reached"))
        default: throw failure.error
        }
      }
    }
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
    // Clients that are not shut down stop the program when they are released.
    guard let engine = state.withLock({ $0.engine }) else { return }
    Task { await engine.shutDown() }
  }

  private func proxy(for origin: Origin) throws(TransportError) -> ProxyRules.Proxy? {
    do throws(ProxyRules.Unusable) {
      return try proxies.proxy(for: origin)
    } catch {
      throw .local(reason: error.sentence)
    }
  }

  private func engine() -> HTTPEngine? {
    state.withLock { state in
      if state.isShutDown { return nil }
      if let engine = state.engine { return engine }
      let engine = HTTPEngine(
        trustRoots: trustRoots, connectTimeout: connectTimeout, mostInflatedBytes: mostInflatedBytes)
      state.engine = engine
      return engine
    }
  }
}
