import LibC
public import Logging
import NIOCore
import NIOPosix

/// An HTTP/1.1 server for the service, on network addresses and Unix sockets. It has no TLS: put a proxy in front of
/// it.
public struct HTTPFront: Sendable {
  let front: FrontParts
  private let connections: Connections
  private let addresses: [FrontAddress]

  /// Creates a server for `host` and `port`. Port 0 lets the system choose a port.
  public init(
    service: Service, host: String, port: Int, origin: String? = nil, trustedProxies: [String] = [],
    log: Logger = Logger(label: "qwinkle.serve"), accessLog: (@Sendable (String) -> Void)? = nil,
    metrics: Metrics? = nil, limits: FrontLimits = FrontLimits()
  ) {
    self.init(
      service: service, addresses: [.network(host: host, port: port)], origin: origin, trustedProxies: trustedProxies,
      log: log, accessLog: accessLog, metrics: metrics, limits: limits)
  }

  /// Creates a server for some addresses.
  ///
  /// - Parameters:
  ///   - origin: The service's public address, such as `https://qwinkle.example`. Nil uses the address that each client
  ///     requested.
  ///   - trustedProxies: IP addresses of trusted proxies. Their `X-Forwarded-For` header names the client of a request.
  ///     Their `X-Forwarded-Proto` header states whether the client used HTTPS. If an element isn't an IP address, no
  ///     proxy is trusted, so the caller checks each with ``isAddress(_:)``.
  ///   - accessLog: Called on any thread with a line for each request: its time, method, route, status, duration,
  ///     account and uid.
  ///   - metrics: Counts the requests, connections and bytes of this server.
  public init(
    service: Service, addresses: [FrontAddress], origin: String? = nil, trustedProxies: [String] = [],
    log: Logger = Logger(label: "qwinkle.serve"),
    accessLog: (@Sendable (String) -> Void)? = nil, metrics: Metrics? = nil, limits: FrontLimits = FrontLimits()
  ) {
    self.init(
      service: service, addresses: addresses, origin: origin, trustedProxies: trustedProxies,
      readPeer: nil, log: log, accessLog: accessLog, metrics: metrics, limits: limits)
  }

  /// - Parameter readPeer: Returns the user at the other end of a Unix socket. Nil asks the kernel.
  init(
    service: Service, addresses: [FrontAddress], origin: String? = nil, trustedProxies: [String] = [],
    readPeer: UnixPeer.Reader?,
    log: Logger = Logger(label: "qwinkle.serve"), accessLog: (@Sendable (String) -> Void)? = nil,
    metrics: Metrics? = nil, limits: FrontLimits = FrontLimits()
  ) {
    self.addresses = addresses
    front = FrontParts(
      service: service, origin: origin.flatMap(BaseURL.init(url:)),
      proxies: TrustedProxies(trustedProxies) ?? TrustedProxies(), readPeer: readPeer,
      traffic: Traffic(clock: service.clock, accessLog: accessLog, metrics: metrics), metrics: metrics,
      date: HTTPDateText(clock: service.clock), tokens: StreamTokens(service, every: limits.beat), log: log,
      limits: limits, group: MultiThreadedEventLoopGroup.singleton)
    connections = Connections(service.budget, mostOfSystem: DescriptorLimit.connections)
  }

  /// Whether a text is an IP address.
  public static func isAddress(_ text: String) -> Bool { ClientAddress.plain(text) != nil }

  /// The number of requests without a complete response.
  var inProgress: Int { front.traffic.inProgress }

  /// The number of open connections.
  public var connectionCount: Int { connections.count }

  /// Rejects new requests with 503. Calls `whenIdle` once, when all requests in progress have ended. The caller should
  /// then cancel the task of ``run(onRunning:)``.
  public func drain(whenIdle: @escaping @Sendable () -> Void) {
    front.traffic.end(whenIdle: whenIdle)
  }

  /// `host:port` as in a URL, with IPv6 addresses in brackets.
  public static func authority(host: String, port: Int) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// Listens until the task is cancelled, then closes the sockets and all connections. Calls `onRunning` when the
  /// server is listening, with the port of its network address, or 0 if it has none.
  ///
  /// - Throws: ``ServiceError`` if the service's database file can't be opened, if an address can't be listened on, or
  ///   if the system closes a socket.
  public func run(onRunning: @escaping @Sendable (Int) async -> Void) async throws {
    try front.service.openForMany()
    let service = front.service
    let alarm = Alarm(service.agenda, clock: service.clock) { [weak service] in await service?.doDueWork() }
    await alarm.start()
    defer { alarm.stop() }
    let setup = FrontChannel(front: front, connections: connections)
    let listeners = try await listeners(setup)
    await onRunning(listeners.compactMap(\.port).first ?? 0)
    await withTaskCancellationHandler {
      try? await firstToClose(listeners)
    } onCancel: {
      for listener in listeners { listener.channel.close(promise: nil) }
    }
    for listener in listeners { await listener.close() }
    await setup.closeAll()
    if !Task.isCancelled { throw ServiceError.inheritedSocketNotUsable(reason: "the system closed a socket") }
  }

  /// Listens on all addresses, or on none if one of them fails.
  private func listeners(_ setup: FrontChannel) async throws -> [Listener] {
    var listeners: [Listener] = []
    do {
      for address in addresses { listeners.append(try await listener(on: address, setup)) }
      return listeners
    } catch {
      for listener in listeners { await listener.close() }
      await setup.closeAll()
      throw error
    }
  }

  /// Returns when one of the sockets is closed.
  private func firstToClose(_ listeners: [Listener]) async throws {
    let closed = front.group.any().makePromise(of: Void.self)
    for listener in listeners { listener.channel.closeFuture.cascade(to: closed) }
    try await closed.futureResult.get()
  }
}
