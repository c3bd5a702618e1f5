import FoundationEssentials
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// A WebSocket handshake request (RFC 6455, section 4.2.1).
struct WebSocketRequest {
  private let key: String
  /// The first requested subprotocol. Browsers send the access token in it, because they can't set other headers.
  let subprotocol: String?

  /// Returns nil if the fields don't form a valid handshake.
  init?(_ fields: HTTPFields) {
    guard Self.isAsked(fields), fields[.secWebSocketVersion]?.contains("13") == true,
      let key = fields[.secWebSocketKey], Data(base64Encoded: key)?.count == 16
    else { return nil }
    self.key = key
    subprotocol = Self.subprotocol(fields)
  }

  /// Returns the headers of the handshake response. Completes immediately when called on the channel's event loop.
  func responseHeaders(on channel: any Channel) -> EventLoopFuture<HTTPHeaders> {
    let upgrader = NIOWebSocketServerUpgrader(
      shouldUpgrade: { [subprotocol] channel, _ in
        var headers = HTTPHeaders()
        if let subprotocol { headers.add(name: "Sec-WebSocket-Protocol", value: subprotocol) }
        return channel.eventLoop.makeSucceededFuture(headers)
      },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    let request = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: "/", headers: ["Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13"])
    // NIO's upgrader only builds the response, because the request handler changes the pipeline itself.
    return upgrader.buildUpgradeResponse(channel: channel, upgradeRequest: request, initialResponseHeaders: [:])
  }

  /// Whether a request asks for a WebSocket, even if the handshake is invalid.
  static func isAsked(_ fields: HTTPFields) -> Bool { fields[.upgrade]?.lowercased() == "websocket" }

  /// Returns the first subprotocol in the list.
  static func subprotocol(_ fields: HTTPFields) -> String? {
    let first = fields[.secWebSocketProtocol]?.prefix { $0 != "," }.filter { $0 != " " }
    return first?.isEmpty == false ? first : nil
  }
}

/// Handles a listener's WebSocket: sends events, and processes the client's requests to subscribe to streams or
/// unsubscribe.
final class WebSocketHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// The longest frame accepted from a client, in bytes.
  static let mostFrameBytes = 4096

  private let front: FrontParts
  private let listening: Listening
  private var output: StreamOutput?
  private var context: ChannelHandlerContext?
  /// Whether a read was postponed.
  private var isReadHeld = false
  /// Whether reading is paused because the client exceeds its request rate.
  private var isPausing = false
  /// Whether a close frame was sent. No frame is sent or processed afterwards (RFC 6455, section 5.5.1).
  private var isClosing = false
  /// Ids of lists whose streams the client wants to receive. The service is checking whether the first list belongs to
  /// the viewer. It checks one list at a time, because each check costs a database read.
  private var lists: [Int64] = []

  init(_ front: FrontParts, _ listening: Listening) {
    self.front = front
    self.listening = listening
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let output = StreamOutput(
      front, listening, channel: context.channel, .frame,
      write: { [weak self] in self?.send(.text, $0) }, beat: { [weak self] in self?.send(.ping, ByteBuffer()) })
    self.output = output
    output.start()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    output?.stop()
    output = nil
    self.context = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isClosing { return }
    let frame = unwrapInboundIn(data)
    guard keepsPace(context) else { return }
    let bytes = Array(frame.unmaskedData.readableBytesView)
    switch frame.opcode {
    case .text where frame.fin: take(bytes)
    case .ping: send(.pong, ByteBuffer(bytes: bytes))
    case .pong: break
    case .connectionClose: close(bytes.count >= 2 ? Array(bytes.prefix(2)) : [])
    // 1003: unsupported data.
    default: close([3, 235])
    }
  }

  /// Postpones reads while the client doesn't read its responses or exceeds its request rate. Otherwise the responses
  /// to its frames would fill the memory.
  func read(context: ChannelHandlerContext) {
    if isClosing || isPausing || !context.channel.isWritable { isReadHeld = true } else { context.read() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    readAgain(context)
    context.fireChannelWritabilityChanged()
  }

  private func readAgain(_ context: ChannelHandlerContext) {
    guard isReadHeld, !isClosing, !isPausing, context.channel.isWritable else { return }
    isReadHeld = false
    context.read()
  }

  /// Counts a frame towards the client's request rate. If the client exceeds the rate, pauses reading. If the pause
  /// would be too long, closes the connection and returns false.
  private func keepsPace(_ context: ChannelHandlerContext) -> Bool {
    guard let delay = try? front.service.budget.delay(of: listening.client) else {
      // 1008: policy violation.
      close([3, 240])
      return false
    }
    guard delay > .zero, !isPausing else { return true }
    isPausing = true
    let me = NIOLoopBound(self, eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: TimeAmount(delay)) { me.value.endPause() }
    return true
  }

  private func endPause() {
    isPausing = false
    if let context { readAgain(context) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  /// A client's message: <https://docs.joinmastodon.org/methods/streaming/#websocket>.
  private struct Wish: Decodable {
    var type: String
    var stream: String
    var tag: String?
    var list: String?
  }

  private func take(_ bytes: [UInt8]) {
    guard let wish = try? JSONDecoder().decode(Wish.self, from: Data(bytes)),
      let stream = StreamChannel(wish.stream, tag: wish.tag, list: wish.list)
    else { return refuse(.unknownStream) }
    switch wish.type {
    case "subscribe":
      do throws(Refusal) {
        try listening.check(stream)
        if case .list(let list) = stream { look(for: list) } else { add(stream) }
      } catch {
        refuse(error)
      }
    case "unsubscribe":
      if case .list(let list) = stream, let waiting = lists.dropFirst().firstIndex(of: list) {
        lists.remove(at: waiting)
      }
      output?.unsubscribe(from: stream)
    default: refuse(.unknownStream)
    }
  }

  private func add(_ stream: StreamChannel) {
    do throws(Refusal) {
      try output?.subscribe(to: stream)
    } catch {
      refuse(error)
    }
  }

  /// Adds a list's stream after checking that the list belongs to the viewer.
  private func look(for list: Int64) {
    guard lists.count < EventHub.mostStreams else { return refuse(.tooManyStreams) }
    lists.append(list)
    if lists.count == 1 { lookUp() }
  }

  private func lookUp() {
    guard let context, !isClosing, let list = lists.first else { return }
    let me = NIOLoopBound(self, eventLoop: context.eventLoop)
    Task { [service = front.service, listening] in
      let isTheirs = await service.isList(list, of: listening)
      me.eventLoop.execute { me.value.didLookUp(list, isTheirs: isTheirs) }
    }
  }

  private func didLookUp(_ list: Int64, isTheirs: Bool) {
    guard context != nil, !isClosing else { return }
    lists.removeFirst()
    if isTheirs { add(.list(list)) } else { refuse(.notFound) }
    lookUp()
  }

  private func refuse(_ refusal: Refusal) {
    struct Answer: Encodable {
      var error: String
      var status: Int
    }
    send(.text, ByteBuffer(bytes: SmallJSON.bytes(Answer(error: refusal.message, status: refusal.status.code))))
  }

  private func close(_ code: [UInt8]) {
    guard let context, !isClosing else { return }
    isClosing = true
    let channel = context.channel
    let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: ByteBuffer(bytes: code))
    context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { _ in channel.close(promise: nil) }
  }

  private func send(_ opcode: WebSocketOpcode, _ bytes: ByteBuffer) {
    if isClosing { return }
    let frame = WebSocketFrame(fin: true, opcode: opcode, data: bytes)
    context?.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }
}
