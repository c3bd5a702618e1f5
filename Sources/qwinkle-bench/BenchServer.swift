import NIOCore
import NIOHTTP1
import NIOPosix

/// A small HTTP/1 server on a port that the system chooses.
struct BenchServer: Sendable {
  /// The response to a request.
  enum Answer: Sendable {
    case json(ByteBuffer)
    /// An endless stream of server-sent events. The function returns the new events, given the number of events sent.
    /// It is called every 5 ms, unless the client reads too slowly.
    case events(@Sendable (Int) -> [[UInt8]])
    case notFound
  }

  /// Returns the response to a request for a path.
  let answer: @Sendable (String) -> Answer

  /// Returns a server that sends the same bytes for every request, to measure the cost of the HTTP library.
  static func bare(_ bytes: [UInt8]) -> Self {
    let buffer = ByteBuffer(bytes: bytes)
    return Self { _ in .json(buffer) }
  }

  /// Runs `body` with the server's port while the server is listening.
  func serving(_ body: (Int) async throws -> Void) async throws {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { [answer] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(BenchHandler(answer))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    defer { listener.close(promise: nil) }
    try await body(listener.localAddress?.port ?? 0)
  }
}

/// One connection of a ``BenchServer``.
private final class BenchHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let answer: @Sendable (String) -> BenchServer.Answer
  private var path = ""
  private var sent = 0
  private var feed: RepeatedTask?

  init(_ answer: @escaping @Sendable (String) -> BenchServer.Answer) {
    self.answer = answer
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): path = String(head.uri.prefix { $0 != "?" })
    case .body: break
    case .end: respond(context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    feed?.cancel()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func respond(_ context: ChannelHandlerContext) {
    switch answer(path) {
    case .json(let body):
      begin(context, .ok, ["Content-Type": "application/json", "Content-Length": "\(body.readableBytes)"])
      context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    case .events(let next):
      begin(context, .ok, ["Content-Type": "text/event-stream"])
      context.flush()
      let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
      feed = context.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(5)) { _ in
        bound.value.handler.send(next, bound.value.context)
      }
    case .notFound:
      begin(context, .notFound, ["Content-Length": "0"])
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }

  private func begin(_ context: ChannelHandlerContext, _ status: HTTPResponseStatus, _ headers: HTTPHeaders) {
    let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
  }

  private func send(_ next: @Sendable (Int) -> [[UInt8]], _ context: ChannelHandlerContext) {
    guard context.channel.isWritable else { return }
    let events = next(sent)
    guard !events.isEmpty else { return }
    sent += events.count
    let bytes = ByteBuffer(bytes: events.joined())
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
  }
}
