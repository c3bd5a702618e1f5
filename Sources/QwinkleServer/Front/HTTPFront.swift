import HummingbirdCore
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
  private let front: FrontParts
  private let connections: Connections
  private let host: String
  private let port: Int
  private let listening: Int32?
  private let log: Logger

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
    self.log = log
    front = FrontParts(
      service: service, origin: origin.flatMap(Origin.init(url:)),
      proxies: TrustedProxies(trustedProxies) ?? TrustedProxies(),
      traffic: Traffic(clock: service.clock, accessLog: accessLog), date: HTTPDateText(clock: service.clock),
      tokens: StreamTokens(service, every: limits.beat), log: log,
      limits: limits, group: MultiThreadedEventLoopGroup.singleton)
    let most = min(limits.connections, DescriptorLimit.connections)
    connections = Connections(most: most, mostOfOne: min(limits.connectionsOfOne, most))
  }

  /// The number of requests whose response isn't written yet.
  var underWay: Int { front.traffic.underWay }

  /// The number of open connections.
  var connectionCount: Int { connections.count }

  /// Turns new requests away with 503, and calls `whenIdle`, once, when those under way have ended. Cancel the task of
  /// ``run(onRunning:)`` then.
  public func drain(whenIdle: @escaping @Sendable () -> Void) {
    front.traffic.end(whenIdle: whenIdle)
  }

  /// `host:port` as in a URL, with IPv6 addresses in brackets.
  public static func authority(host: String, port: Int) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// Listens until the task is cancelled. Calls `onRunning` with the port once it accepts connections.
  ///
  /// - Throws: ``ServiceError`` if the file can't be opened or the address can't be listened on.
  public func run(onRunning: @escaping @Sendable (Int) async -> Void) async throws {
    try front.service.openForMany()
    let service = front.service
    let alarm = Alarm(service.agenda, clock: service.clock) { [weak service] in await service?.doDueWork() }
    await alarm.start()
    defer { alarm.stop() }
    let setup = FrontChannel(front: front, connections: connections)
    let ending = Logger(label: log.label) { _ in EndingLogHandler(base: log.handler) }
    do {
      if let listening {
        try await serve(listening, setup, ending, onRunning)
      } else {
        try await Server(
          childChannelSetup: setup,
          configuration: ServerConfiguration(address: .hostname(host, port: port), backlog: 1024),
          onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? port) },
          eventLoopGroup: front.group, logger: ending
        ).run()
      }
    } catch is CancellationError {
      return
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw ServiceError.portInUse(host: host, port: port)
    } catch {
      if Task.isCancelled { return }
      throw ServiceError.cannotListen(host: host, port: port, reason: String(describing: error))
    }
  }

  /// Accepts connections on a socket that listens already, which Hummingbird's server can't.
  private func serve(
    _ socket: Int32, _ setup: FrontChannel, _ log: Logger, _ onRunning: @Sendable (Int) async -> Void
  ) async throws {
    let listener = try await ServerBootstrap(group: front.group)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .bind(socket) { setup.setup(channel: $0, logger: log) }
    await onRunning(listener.channel.localAddress?.port ?? 0)
    try await withThrowingDiscardingTaskGroup { group in
      try await listener.executeThenClose { inbound in
        for try await connection in inbound {
          group.addTask { await setup.handle(value: connection, logger: log) }
        }
      }
    }
  }
}
