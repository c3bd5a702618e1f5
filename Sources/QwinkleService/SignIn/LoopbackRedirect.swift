import NIOCore
import NIOHTTP1
import NIOPosix
import QwinkleModel

/// Listens on this machine for the browser: after the user has allowed access, the server's page redirects the browser
/// to this address (RFC 8252, section 7.3). Other machines can't connect, and the path is unguessable. The caller must
/// close it when the sign-in has ended.
public final class LoopbackRedirect: Sendable {
  /// The redirect URI for the server: `http://127.0.0.1:PORT/WORD`.
  public let uri: String
  private let group: MultiThreadedEventLoopGroup
  private let listener: any Channel
  private let addresses: AsyncStream<String>

  private init(
    uri: String, group: MultiThreadedEventLoopGroup, listener: any Channel, addresses: AsyncStream<String>
  ) {
    self.uri = uri
    self.group = group
    self.listener = listener
    self.addresses = addresses
  }

  /// Listens on a port that the system chooses. Returns nil if no port is available: the user must then type the code.
  @concurrent public static func open() async -> LoopbackRedirect? {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let path = "/\(RandomWord.make())"
    let (addresses, found) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(1))
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 4)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
          try channel.pipeline.syncOperations.addHandlers(
            IdleStateHandler(allTimeout: .seconds(10)), RedirectHandler(path: path, found: found))
        }
      }
    do {
      let listener = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
      guard let port = listener.localAddress?.port else { throw ChannelError.unknownLocalAddress }
      return LoopbackRedirect(
        uri: "http://127.0.0.1:\(port)\(path)", group: group, listener: listener, addresses: addresses)
    } catch {
      try? await group.shutdownGracefully()
      return nil
    }
  }

  /// Waits for the redirect and returns its whole address, for ``SignIn/finish(code:)``. Returns nil if the listener is
  /// closed or the task is cancelled first.
  @concurrent public func address() async -> String? {
    for await query in addresses { return uri + query }
    return nil
  }

  /// Stops listening.
  @concurrent public func close() async {
    try? await listener.close().get()
    try? await group.shutdownGracefully()
  }
}

/// Accepts a GET request that has the unguessable path and a query, which contains the code or the server's refusal.
/// Responds with 404 to any other request.
private final class RedirectHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private static let page = """
    <!doctype html><html lang="en"><meta charset="utf-8"><title>Qwinkle</title>
    <meta name="viewport" content="width=device-width"><style>body{font:1.1em/1.5 sans-serif;margin:3em auto;max-width:30em;
    padding:0 1em;color-scheme:light dark}</style><h1>Back to your terminal</h1>
    <p>Qwinkle has received the code. You can close this page.</p></html>
    """

  private let path: String
  private let found: AsyncStream<String>.Continuation
  private var target = ""

  init(path: String, found: AsyncStream<String>.Continuation) {
    self.path = path
    self.found = found
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): target = head.method == .GET ? head.uri : ""
    case .body: break
    case .end: answer(context)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func answer(_ context: ChannelHandlerContext) {
    let isIt = target.hasPrefix("\(path)?") && target.utf8.count <= 8192
    let body = ByteBuffer(string: isIt ? Self.page : "Not found")
    let headers: HTTPHeaders = [
      "Content-Type": isIt ? "text/html; charset=utf-8" : "text/plain", "Content-Length": "\(body.readableBytes)",
      "Connection": "close", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    ]
    context.write(
      wrapOutboundOut(.head(.init(version: .http1_1, status: isIt ? .ok : .notFound, headers: headers))), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    if isIt { found.yield(String(target.dropFirst(path.count))) }
  }
}
