import LibC
public import Logging
import NIOCore
import NIOPosix

/// An HTTP/1.1 server for the service. It has no TLS: put a proxy in front of it.
public struct HTTPFront: Sendable {
  /// Length of the queue of connections not yet accepted.
  private static let backlog: Int32 = 1024

  private let front: FrontParts
  private let connections: Connections
  private let host: String
  private let port: Int
  private let listening: Int32?

  /// Creates a server for `host` and `port`. Port 0 lets the system choose a port.
  ///
  /// - Parameters:
  ///   - origin: The service's public address, such as `https://qwinkle.example`. Nil uses the address that each client
  ///     requested.
  ///   - trustedProxies: IP addresses of trusted proxies. Their `X-Forwarded-For` header names the client of a request.
  ///     Their `X-Forwarded-Proto` header states whether the client used HTTPS. If an element isn't an IP address, no
  ///     proxy is trusted, so the caller checks each with ``isAddress(_:)``.
  ///   - listening: A socket that is already listening. Nil listens at `host` and `port`.
  ///   - accessLog: Called on any thread with a line for each request: its time, method, route, status, duration and
  ///     account.
  public init(
    service: Service, host: String, port: Int, origin: String? = nil, trustedProxies: [String] = [],
    listening: Int32? = nil, log: Logger = Logger(label: "qwinkle.serve"),
    accessLog: (@Sendable (String) -> Void)? = nil, limits: FrontLimits = FrontLimits()
  ) {
    self.host = host
    self.port = port
    self.listening = listening
    front = FrontParts(
      service: service, origin: origin.flatMap(BaseURL.init(url:)),
      proxies: TrustedProxies(trustedProxies) ?? TrustedProxies(),
      traffic: Traffic(clock: service.clock, accessLog: accessLog), date: HTTPDateText(clock: service.clock),
      tokens: StreamTokens(service, every: limits.beat), log: log,
      limits: limits, group: MultiThreadedEventLoopGroup.singleton)
    connections = Connections(service.budget, mostOfSystem: DescriptorLimit.connections)
  }

  /// Whether a text is an IP address.
  public static func isAddress(_ text: String) -> Bool { ClientAddress.plain(text) != nil }

  /// The number of requests without a complete response.
  var inProgress: Int { front.traffic.inProgress }

  /// Rejects new requests with 503. Calls `whenIdle` once, when all requests in progress have ended. The caller should
  /// then cancel the task of ``run(onRunning:)``.
  public func drain(whenIdle: @escaping @Sendable () -> Void) {
    front.traffic.end(whenIdle: whenIdle)
  }

  /// `host:port` as in a URL, with IPv6 addresses in brackets.
  public static func authority(host: String, port: Int) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// Listens until the task is cancelled, then closes the socket and all connections. Calls `onRunning` with the port
  /// when the server is listening.
  ///
  /// - Throws: ``ServiceError`` if the service's database file can't be opened, if the address can't be listened on, or
  ///   if the system closes the socket.
  public func run(onRunning: @escaping @Sendable (Int) async -> Void) async throws {
    try front.service.openForMany()
    let service = front.service
    let alarm = Alarm(service.agenda, clock: service.clock) { [weak service] in await service?.doDueWork() }
    await alarm.start()
    defer { alarm.stop() }
    let setup = FrontChannel(front: front, connections: connections)
    let listener: any Channel
    do {
      listener = try await listen(setup)
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw ServiceError.portInUse(host: host, port: port)
    } catch {
      throw ServiceError.cannotListen(host: host, port: port, reason: String(describing: error))
    }
    await onRunning(listener.localAddress?.port ?? port)
    await withTaskCancellationHandler {
      try? await listener.closeFuture.get()
    } onCancel: {
      listener.close(promise: nil)
    }
    await setup.closeAll()
    if !Task.isCancelled {
      throw ServiceError.cannotListen(host: host, port: port, reason: "the system closed the socket")
    }
  }

  /// Accepts connections on the inherited socket, or on a new one.
  private func listen(_ setup: FrontChannel) async throws -> any Channel {
    let bootstrap = ServerBootstrap(group: front.group)
      .serverChannelOption(.backlog, value: Self.backlog)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          // If no descriptor is free (EMFILE), this handler retries accepting connections every second.
          try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler(shouldForwardIOErrorCaught: false))
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: FrontLimits.mostReadBytes)
      )
      .childChannelInitializer { setup.setUp($0) }
    let bound =
      if let listening { bootstrap.withBoundSocket(listening) } else { bootstrap.bind(host: host, port: port) }
    return try await bound.get()
  }
}
