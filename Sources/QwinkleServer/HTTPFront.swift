import HTTPTypes
import Hummingbird
public import Logging
import NIOCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Serves other programs over HTTP/1.1, without TLS (put a proxy in front for that).
public struct HTTPFront: Sendable {
  private let service: Service
  private let host: String
  private let port: Int
  private let origin: Origin?
  private let log: Logger
  private let traffic: Traffic

  /// Creates a front for `host` and `port`; port 0 lets the system choose one.
  ///
  /// - Parameters:
  ///   - origin: The address the service calls itself by, such as `https://qwinkle.example`; nil to use the one that
  ///     each client does.
  ///   - accessLog: Takes a line for each request: its time, method, route, status, duration and account. Called on any
  ///     thread.
  public init(
    service: Service, host: String, port: Int, origin: String? = nil, log: Logger = Logger(label: "qwinkle.serve"),
    accessLog: (@Sendable (String) -> Void)? = nil
  ) {
    self.service = service
    self.host = host
    self.port = port
    self.origin = origin.flatMap(Origin.init(url:))
    self.log = log
    traffic = Traffic(clock: service.clock, accessLog: accessLog)
  }

  /// The number of requests that have no response yet.
  var underWay: Int { traffic.underWay }

  /// Turns new requests away with 503, and calls `whenIdle`, once, when those under way have ended. Cancel the task of
  /// ``run(onRunning:)`` then.
  public func drain(whenIdle: @escaping @Sendable () -> Void) {
    traffic.end(whenIdle: whenIdle)
  }

  /// `host:port` as in a URL, with IPv6 addresses in brackets.
  public static func authority(host: String, port: Int) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// Listens until the task is cancelled. Calls `onRunning` with the port once it accepts connections.
  ///
  /// - Throws: ``ServiceError`` if the file can't be opened or the address can't be listened on.
  public func run(onRunning: @escaping @Sendable (Int) async -> Void) async throws {
    try service.openForMany()
    let application = Application(
      responder: CallbackResponder<BasicRequestContext> { request, _ in
        try await traffic.pass(request) { try await respond(to: request, $0) }
      },
      server: .http1(configuration: .init(idleTimeout: .seconds(60))),
      configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: "Qwinkle"),
      onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? port) },
      logger: Logger(label: log.label) { _ in EndingLogHandler(base: log.handler) })
    do {
      try await application.run()
    } catch is CancellationError {
      return
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw ServiceError.portInUse(host: host, port: port)
    } catch {
      if Task.isCancelled { return }
      throw ServiceError.cannotListen(host: host, port: port, reason: String(describing: error))
    }
  }

  private func respond(to request: Request, _ note: RequestNote) async throws -> Response {
    if (request.head.path ?? "").utf8.count > ServiceRequest.mostTargetBytes { return response(Refusal.longAddress) }
    let body: [UInt8]
    do {
      let buffer = try await request.body.collect(upTo: ServiceRequest.mostBodyBytes)
      body = Array(buffer.readableBytesView)
    } catch is NIOTooManyBytesError {
      return response(Refusal.tooLarge)
    }
    var asked = ServiceRequest(head: request.head, body: body)
    asked.note = note
    if let origin { asked.origin = origin }
    let (head, answer) = await service.respond(to: asked)
    let response = Response(
      status: head.status, headers: head.headerFields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer)))
    return request.method == .head ? response.createHeadResponse() : response
  }

  private func response(_ refusal: Refusal) -> Response {
    let (head, body) = refusal.response.written()
    return Response(
      status: head.status, headers: head.headerFields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}
