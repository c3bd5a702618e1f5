import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import QwinkleWire
import Synchronization

/// A WebSocket connection (RFC 6455).
final class WebSocketConnection: StreamConnection {
  /// Maximum size of a message in bytes.
  static let mostBytes = 1 << 20
  private static let mostFragments = 1024

  private struct State {
    var channel: (any Channel)?
    var isClosed = false
  }

  private let state = Mutex(State())
  private let hear: @Sendable (StreamSignal) -> Void
  private let hasEnded = Atomic(false)

  init(hear: @escaping @Sendable (StreamSignal) -> Void) {
    self.hear = hear
  }

  /// Connects by `route`, which must have no proxy, and requests a WebSocket. Uses TLS if `tls` isn't nil.
  func open(
    _ request: StreamRequest, by route: Route, group: any EventLoopGroup, tls: NIOSSLContext?, timeout: TimeAmount
  ) {
    let (origin, path) = (route.origin, request.head.path ?? "/")
    var fields = HTTPHeaders([("Host", origin.authority)])
    for field in request.head.headerFields { fields.add(name: field.name.rawName, value: field.value) }
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: fields)
    let name = (try? SocketAddress(ipAddress: origin.host, port: 0)) == nil ? origin.host : nil
    let bootstrap = ClientBootstrap(group: group).connectTimeout(timeout).channelInitializer { [self] channel in
      channel.eventLoop.makeCompletedFuture {
        let pipeline = channel.pipeline.syncOperations
        if let socket = route.socket { try pipeline.addHandler(SocketPeerHandler(socket)) }
        if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name)) }
        let upgrader = NIOWebSocketClientUpgrader(maxFrameSize: Self.mostBytes) { channel, _ in
          channel.eventLoop.makeCompletedFuture { try self.begin(on: channel) }
        }
        try pipeline.addHTTPClientHandlers(
          leftOverBytesStrategy: .forwardBytes,
          withClientUpgrade: (
            upgraders: [upgrader],
            completionHandler: { context in
              try? context.pipeline.syncOperations.handler(type: HandshakeHandler.self).finish()
            }
          ))
        try pipeline.addHandler(HandshakeHandler(head: head, timeout: timeout) { self.end($0) })
      }
    }
    let connected =
      route.socket.map { bootstrap.connect(unixDomainSocketPath: $0.path) }
      ?? bootstrap.connect(host: origin.host, port: origin.port)
    connected.whenComplete { [self] result in
      switch result {
      case .failure(let error): end(.failed(route.failure(error, hadAnswer: false).error))
      case .success(let channel):
        let isClosed = state.withLock { state in
          state.channel = channel
          return state.isClosed
        }
        channel.closeFuture.whenComplete { _ in self.end(.closed) }
        if isClosed { channel.close(promise: nil) }
      }
    }
  }

  func send(_ text: [UInt8]) { write(.text, text) }

  func ping() { write(.ping, []) }

  func close() {
    let channel = state.withLock { state in
      state.isClosed = true
      return state.channel
    }
    channel?.close(promise: nil)
  }

  private func write(_ opcode: WebSocketOpcode, _ bytes: [UInt8]) {
    guard let channel = state.withLock({ $0.channel }) else { return }
    channel.writeAndFlush(
      WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: ByteBuffer(bytes: bytes)), promise: nil)
  }

  private func begin(on channel: any Channel) throws {
    let pipeline = channel.pipeline.syncOperations
    state.withLock { $0.channel = channel }
    try pipeline.addHandler(
      NIOWebSocketFrameAggregator(
        minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: Self.mostFragments,
        maxAccumulatedFrameSize: Self.mostBytes))
    try pipeline.addHandler(FrameHandler(hear: hear))
    hear(.opened)
  }

  private func end(_ end: StreamEnd) {
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    hear(.ended(end))
    close()
  }
}

/// Sends the WebSocket handshake. If the server refuses, reads the status of its response.
private final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let head: HTTPRequestHead
  private let timeout: TimeAmount
  private let end: (StreamEnd) -> Void
  private var timer: Scheduled<Void>?
  private var context: ChannelHandlerContext?

  init(head: HTTPRequestHead, timeout: TimeAmount, end: @escaping (StreamEnd) -> Void) {
    self.head = head
    self.timeout = timeout
    self.end = end
  }

  func channelActive(context: ChannelHandlerContext) {
    self.context = context
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data) else { return }
    timer?.cancel()
    end(.refusal(status: Int(head.status.code), head.headers))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    timer?.cancel()
    end(.failed(HTTPFailure(error, host: "", hadAnswer: false).error))
    context.close(promise: nil)
  }

  func finish() {
    timer?.cancel()
    context?.pipeline.syncOperations.removeHandler(self, promise: nil)
    context = nil
  }
}

/// Reads frames and replies to pings. If the connection can't be written to, it stores only the latest ping, and
/// replies later (RFC 6455, section 5.5.3).
private final class FrameHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let hear: @Sendable (StreamSignal) -> Void
  /// Content of the latest ping without a reply.
  private var openPing: ByteBuffer?

  init(hear: @escaping @Sendable (StreamSignal) -> Void) {
    self.hear = hear
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    let content = frame.unmaskedData
    switch frame.opcode {
    case .text: hear(.message(Array(content.readableBytesView)))
    case .ping:
      openPing = content
      answerPing(context)
      hear(.beat)
    case .connectionClose: context.close(promise: nil)
    case .pong: hear(.pong)
    default: hear(.beat)
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    answerPing(context)
    context.fireChannelWritabilityChanged()
  }

  private func answerPing(_ context: ChannelHandlerContext) {
    guard context.channel.isWritable, let content = openPing else { return }
    openPing = nil
    let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: content)
    context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
