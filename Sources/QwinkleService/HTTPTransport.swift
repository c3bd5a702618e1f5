import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTPCompression
import NIOPosix
import NIOSSL
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
    var engine: Engine?
    /// Servers that have answered: a connection to one of them may be an old one.
    var knownServers: Set<String> = []
    var isShutDown = false
  }

  private let userAgent: String
  private let trustRoots: String?
  private let connectTimeout: TimeAmount
  private let mostInflatedBytes: Int
  private let state = Mutex(State())

  /// A transport that trusts the certificate authorities of this machine, or, where `trustRoots` is a path, those in that
  /// file (PEM) and no others.
  ///
  /// - Parameters:
  ///   - userAgent: goes with requests that don't have one of their own.
  ///   - trustRoots: a path to certificates of authorities, or nil.
  ///   - connectTimeout: how long to wait for a connection, with its TLS handshake.
  ///   - mostInflatedBytes: a compressed answer is not inflated past this, whatever its request allows.
  public init(
    userAgent: String = DownloadService.userAgent, trustRoots: String? = nil, connectTimeout: Duration = .seconds(10),
    mostInflatedBytes: Int = 8 << 20
  ) {
    self.userAgent = userAgent
    self.trustRoots = trustRoots
    self.connectTimeout = TimeAmount(connectTimeout)
    self.mostInflatedBytes = mostInflatedBytes
  }

  @concurrent public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let authority = request.head.authority ?? ""
    guard let origin = Origin("\(request.head.scheme ?? "")://\(authority)") else { throw .unknownHost(authority) }
    let isRead = request.head.method == .get || request.head.method == .head
    let deadline = NIODeadline.now() + TimeAmount(request.timeout)
    guard let engine = engine() else { throw .cancelled }

    var mayRetry = isRead && state.withLock { $0.knownServers.contains(origin.url) }
    while true {
      let exchange = HTTPExchange(
        request: request, origin: origin, client: isRead ? engine.reads : engine.writes, group: engine.group,
        userAgent: userAgent, deadline: deadline)
      switch await exchange.result() {
      case .success(let response):
        state.withLock { _ = $0.knownServers.insert(origin.url) }
        return response
      case .failure(let failure) where mayRetry && failure.isOfStaleConnection:
        mayRetry = false
      case .failure(let failure) where failure.isAboutCertificate:
        let probe = CertificateProbe(origin: origin, group: engine.group, timeout: connectTimeout)
        throw .untrusted(host: origin.authority, reason: await probe.reason())
      case .failure(let failure):
        throw failure.error
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

  private func engine() -> Engine? {
    state.withLock { state in
      if state.isShutDown { return nil }
      if let engine = state.engine { return engine }
      let engine = Engine(
        trustRoots: trustRoots, connectTimeout: connectTimeout, mostInflatedBytes: mostInflatedBytes)
      state.engine = engine
      return engine
    }
  }
}

/// The thread, and the pools of connections on it.
private struct Engine: Sendable {
  let group: MultiThreadedEventLoopGroup
  let reads: HTTPClient
  /// Uses each connection once.
  let writes: HTTPClient

  init(trustRoots: String?, connectTimeout: TimeAmount, mostInflatedBytes: Int) {
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow, timeout: .init(connect: connectTimeout),
      decompression: .enabled(limit: .size(mostInflatedBytes)))
    configuration.connectionPool.retryConnectionEstablishment = false
    if let trustRoots {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.trustRoots = .file(trustRoots)
      configuration.tlsConfiguration = tls
    }
    reads = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
    configuration.maximumUsesPerConnection = 1
    writes = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
  }

  /// There is nothing to be done about errors here: what could not be closed is gone with the thread.
  @concurrent func shutDown() async {
    try? await reads.shutdown()
    try? await writes.shutdown()
    try? await group.shutdownGracefully()
  }
}
