public import Logging
import NIOCore
import NIOPosix

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Serves other programs over HTTP/1.1, without TLS (put a proxy in front for that).
public struct HTTPFront: Sendable {
  /// Length of the queue of connections not accepted yet.
  private static let backlog: Int32 = 1024

  private let front: FrontParts
  private let connections: Connections
  private let host: String
  private let port: Int
  private let listening: Int32?

  /// Creates a front for `host` and `port`; port 0 lets the system choose one.
  ///
  /// - Parameters:
  ///   - origin: The address the service calls itself by, such as `https://qwinkle.example`; nil to use the one that
  ///     each client does.
  ///   - trustedProxies: The IP addresses of proxies, whose `X-Forwarded-For` header says which client a request is
  ///     from, and whose `X-Forwarded-Proto` header says whether it came by HTTPS.
  ///   - listening: A socket that listens already; nil to listen at `host` and `port`.
  ///   - accessLog: Takes a line for each request: its time, method, route, status, duration and account. Called on any
  ///     thread.
  public init(
    service: Service, host: String, port: Int, origin: String? = nil, trustedProxies: [String] = [],
    listening: Int32? = nil, log: Logger = Logger(label: "qwinkle.serve"),
    accessLog: (@Sendable (String) -> Void)? = nil
  ) {
    self.init(
      service: service, host: host, port: port, origin: origin, trustedProxies: trustedProxies, listening: listening,
      log: log, accessLog: accessLog, limits: FrontLimits())
  }

  /// Whether a text is an IP address, as a proxy has.
  public static func isAddress(_ text: String) -> Bool { ClientAddress.plain(text) != nil }

  init(
    service: Service, host: String, port: Int, origin: String? = nil, trustedProxies: [String] = [],
    listening: Int32? = nil, log: Logger = Logger(label: "qwinkle.serve"),
    accessLog: (@Sendable (String) -> Void)? = nil, limits: FrontLimits
  ) {
    self.host = host
    self.port = port
    self.listening = listening
    front = FrontParts(
      service: service, origin: origin.flatMap(Origin.init(url:)),
      proxies: TrustedProxies(trustedProxies) ?? TrustedProxies(),
      traffic: Traffic(clock: service.clock, accessLog: accessLog), date: HTTPDateText(clock: service.clock),
      tokens: StreamTokens(service, every: limits.beat), log: log,
      limits: limits, group: MultiThreadedEventLoopGroup.singleton)
    connections = Connections(service.budget, mostOfSystem: DescriptorLimit.connections)
  }

  /// The number of requests whose response isn't written yet.
  var underWay: Int { front.traffic.underWay }

  /// Turns new requests away with 503, and calls `whenIdle`, once, when those under way have ended. Cancel the task of
  /// ``run(onRunning:)`` then.
  public func drain(whenIdle: @escaping @Sendable () -> Void) {
    front.traffic.end(whenIdle: whenIdle)
  }

  /// `host:port` as in a URL, with IPv6 addresses in brackets.
  public static func authority(host: String, port: Int) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// Listens until the task is cancelled, then closes the socket and after it all connections. Calls `onRunning` with
  /// the port once it accepts connections.
  ///
  /// - Throws: ``ServiceError`` if the file can't be opened or the address can't be listened on.
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

  /// Accepts connections, on a new socket unless the system passed one.
  private func listen(_ setup: FrontChannel) async throws -> any Channel {
    let bootstrap = ServerBootstrap(group: front.group)
      .serverChannelOption(.backlog, value: Self.backlog)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          // While no descriptor is free (EMFILE), accepting is retried every second.
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
