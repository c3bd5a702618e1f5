import AsyncHTTPClient
import Dispatch
import LibC
import NIOCore
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import QwinkleWire
import Synchronization

/// The thread and connection pools of a transport. There are two pools for each proxy, and two for direct connections.
final class HTTPEngine: Sendable {
  struct Clients: Sendable {
    /// Reuses connections. The server may have closed an idle one without notice.
    let pooled: HTTPClient
    /// Uses each connection once.
    let fresh: HTTPClient
  }

  /// Lifetime of the thread after ``shutDown()``, so that name lookups in progress can end.
  private static let timeForLookups = TimeAmount.seconds(10)
  /// Maximum size of a decompressed response, even if its request allows more.
  private static let mostInflatedBytes = 8 << 20
  private static let ending = DispatchQueue(label: "qwinkle.http.ending")

  let group: MultiThreadedEventLoopGroup
  /// Error message if the file of trusted certificate authorities can't be used.
  let trustFault: String?
  private let configuration: HTTPClient.Configuration
  private let refusesPrivateAddresses: Bool
  private let clients = Mutex<[ProxyRules.Proxy?: Clients]>([:])

  init(
    trustRoots: String?, connectTimeout: TimeAmount, refusesPrivateAddresses: Bool = false,
    socket: SharedSocket? = nil
  ) {
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow, timeout: .init(connect: connectTimeout),
      decompression: .enabled(limit: .size(Self.mostInflatedBytes)))
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.http1_1ConnectionDebugInitializer = { channel in
      guard let socket else { return AnswerGuard.add(toConnection: channel) }
      return socket.check(channel).flatMap { AnswerGuard.add(toConnection: channel) }
    }
    configuration.http2StreamChannelDebugInitializer = { AnswerGuard.add(toStream: $0) }
    self.refusesPrivateAddresses = refusesPrivateAddresses
    trustFault = trustRoots.flatMap(Self.fault(of:))
    if let trustRoots, trustFault == nil {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.trustRoots = .file(trustRoots)
      configuration.tlsConfiguration = tls
    }
    self.configuration = configuration
  }

  var tlsConfiguration: TLSConfiguration { configuration.tlsConfiguration ?? .makeClientConfiguration() }

  /// Returns the clients that connect through `proxy`, or directly if `proxy` is nil.
  func clients(through proxy: ProxyRules.Proxy?) -> Clients {
    clients.withLock { clients in
      if let made = clients[proxy] { return made }
      var configuration = configuration
      configuration.proxy = proxy.map(Self.proxy)
      // Don't check connections to a proxy: the proxy may be on a private network, and resolves the server's name
      // itself.
      if refusesPrivateAddresses, proxy == nil { Self.refusePrivateAddresses(in: &configuration) }
      let pooled = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
      configuration.maximumUsesPerConnection = 1
      let fresh = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
      let made = Clients(pooled: pooled, fresh: fresh)
      clients[proxy] = made
      return made
    }
  }

  /// Closes all connections, and ends the thread later. Errors are ignored, because connections that can't be closed
  /// end with the thread.
  @concurrent func shutDown() async {
    let all = clients.withLock { clients in
      defer { clients = [:] }
      return Array(clients.values)
    }
    for clients in all {
      try? await clients.pooled.shutdown()
      try? await clients.fresh.shutdown()
    }
    // A name lookup can outlive its client, and then reports to the event loop. If the loop had already ended, NIO
    // would write an error to the terminal.
    group.any().scheduleTask(in: Self.timeForLookups) { [group] in
      group.shutdownGracefully(queue: Self.ending) { _ in }
    }
  }

  private static func proxy(_ proxy: ProxyRules.Proxy) -> HTTPClient.Configuration.Proxy {
    if proxy.isSOCKS { return .socksServer(host: proxy.host, port: proxy.port) }
    guard let user = proxy.user else { return .server(host: proxy.host, port: proxy.port) }
    return .server(
      host: proxy.host, port: proxy.port, authorization: .basic(username: user, password: proxy.password ?? ""))
  }

  /// Adds a check that closes connections to private addresses before anything is sent. It checks the connection's
  /// address, because the host name doesn't reveal the address.
  private static func refusePrivateAddresses(in configuration: inout HTTPClient.Configuration) {
    @Sendable func check(_ channel: any Channel) -> EventLoopFuture<Void> {
      guard let address = channel.remoteAddress?.ipAddress, !PrivateAddress.contains(address) else {
        return channel.eventLoop.makeFailedFuture(TransportError.local(reason: HTTPTransport.privateAddress))
      }
      return channel.eventLoop.makeSucceededVoidFuture()
    }
    configuration.http1_1ConnectionDebugInitializer = { channel in
      check(channel).flatMap { AnswerGuard.add(toConnection: channel) }
    }
    configuration.http2ConnectionDebugInitializer = { check($0) }
  }

  /// Returns an error message if the file of certificate authorities can't be used. The file is checked here, because
  /// for an empty file the library would only report that no server can be trusted.
  private static func fault(of path: String) -> String? {
    let reason: String
    if access(path, R_OK) != 0 {
      reason = "cannot be read: \(systemWords())"
    } else if (try? NIOSSLCertificate.fromPEMFile(path))?.isEmpty ?? true {
      reason = "contains no certificate"
    } else {
      return nil
    }
    return "Nothing was sent: the CA file \(path) \(reason). Check or unset SSL_CERT_FILE."
  }
}
