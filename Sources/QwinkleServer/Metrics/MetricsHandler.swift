import NIOCore

/// Handles a connection of ``MetricsFront``: answers one request, then closes the connection.
///
/// It reads nothing of a request but the first line, so it needs no HTTP parser.
final class MetricsHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let limits: MetricsLimits
  private let text: @Sendable () async -> String
  private var context: ChannelHandlerContext?
  private var head: [UInt8] = []
  private var isAnswering = false
  /// The number of bytes received after the request.
  private var dropped = 0
  private var deadline: Scheduled<Void>?

  /// `text` returns the metrics.
  init(_ limits: MetricsLimits, text: @escaping @Sendable () async -> String) {
    self.limits = limits
    self.text = text
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: TimeAmount(limits.time)) { channel.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    deadline?.cancel()
    deadline = nil
    self.context = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    if isAnswering {
      dropped += bytes.readableBytes
      if dropped > limits.mostDroppedBytes { context.close(promise: nil) }
      return
    }
    let start = head.count
    head += bytes.readableBytesView
    if Self.isComplete(head, from: start) { return answer(context) }
    if head.count > limits.mostHeadBytes { send("431 Request Header Fields Too Large", "The request is too long.\n") }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // A client may close its sending side after the request and still read the response.
    if case ChannelEvent.inputClosed = event, !isAnswering { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  /// Whether an empty line ends the header. Searches only the bytes from `start`, and the three before them.
  private static func isComplete(_ head: [UInt8], from start: Int) -> Bool {
    let new = head[max(0, start - 3)...]
    return new.firstRange(of: "\r\n\r\n".utf8) != nil || new.firstRange(of: "\n\n".utf8) != nil
  }

  private func answer(_ context: ChannelHandlerContext) {
    let line = String(decoding: head.prefix { $0 != 10 }, as: UTF8.self)
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
      return send("400 Bad Request", "This is not an HTTP/1.1 request.\n")
    }
    guard words[1].prefix(while: { $0 != "?" }) == "/metrics" else {
      return send("404 Not Found", "The metrics are at /metrics.\n")
    }
    guard words[0] == "GET" else {
      return send("405 Method Not Allowed", "Only GET is allowed here.\n", "Allow: GET\r\n")
    }
    isAnswering = true
    let me = NIOLoopBound(self, eventLoop: context.eventLoop)
    Task { [text] in
      let text = await text()
      me.eventLoop.execute { me.value.send("200 OK", text) }
    }
  }

  private func send(_ status: String, _ body: String, _ fields: String = "") {
    isAnswering = true
    head = []
    guard let context else { return }
    let response = """
      HTTP/1.1 \(status)\r
      Content-Type: \(MetricsText.contentType)\r
      Content-Length: \(body.utf8.count)\r
      Cache-Control: no-store\r
      Connection: close\r
      \(fields)\r
      \(body)
      """
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: response))).whenComplete { _ in
      channel.close(mode: .output, promise: nil)
    }
  }
}
