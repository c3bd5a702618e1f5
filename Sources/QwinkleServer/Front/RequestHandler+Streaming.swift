import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOWebSocket

extension RequestHandler {
  /// Keeps the connection for a listener's events.
  func stream(_ asked: Asked, _ listening: Listening) {
    let fields = asked.head.headerFields
    guard case .answering = state, !WebSocketRequest.isAsked(fields) || asked.version == .http1_1 else {
      return finish(asked, Refusal.unwanted.response.written())
    }
    let share: Share
    do throws(Refusal) {
      share = try front.service.budget.take(.streams, for: asked.client)
    } catch {
      return finish(asked, error.response.written())
    }
    if WebSocketRequest.isAsked(fields) {
      guard let request = WebSocketRequest(fields) else {
        return finish(asked, Refusal.badWebSocket.response.written())
      }
      begin(asked, status: 101)
      open(request, listening, share)
    } else {
      begin(asked, status: 200)
      send(eventsTo: asked, listening, share)
    }
  }

  /// Counts the request as answered: a stream holds up no end of the server.
  private func begin(_ asked: Asked, status: Int) {
    task = nil
    isLast = true
    front.traffic.log(asked.note, asked.head.method, status: status, since: asked.start)
    front.traffic.finish()
  }

  /// Server-sent events.
  private func send(eventsTo asked: Asked, _ listening: Listening, _ share: Share) {
    guard let context else { return }
    let headers: HTTPHeaders = [
      "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
      "Access-Control-Allow-Origin": "*",
      "Date": front.date.now, "Server": "Qwinkle", "Connection": "close",
    ]
    let head = HTTPResponseHead(version: asked.version, status: .ok, headers: headers)
    let output = StreamOutput(
      front, listening, share, channel: context.channel,
      write: { [weak self] in self?.write($0.lines) }, beat: { [weak self] in self?.write(Array(":thump\n".utf8)) })
    state = .streaming(output)
    // First: the client believes that it hears everything from the response's header on.
    output.start()
    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    write(Array(":)\n".utf8))
    readAgain()
  }

  private func write(_ bytes: [UInt8]) {
    context?.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
  }

  /// Takes the connection from HTTP to a WebSocket.
  private func open(_ request: WebSocketRequest, _ listening: Listening, _ share: Share) {
    guard let context else { return }
    request.responseHeaders(on: context.channel).assumeIsolated().whenComplete { [self] result in
      switch result {
      case .success(let headers): open(headers, listening, share)
      case .failure: context.close(promise: nil)
      }
    }
  }

  private func open(_ upgrade: HTTPHeaders, _ listening: Listening, _ share: Share) {
    guard let context else { return }
    var headers = upgrade
    headers.add(contentsOf: ["Date": front.date.now, "Server": "Qwinkle"])
    let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    let (channel, pipeline) = (context.channel, context.pipeline.syncOperations)
    do {
      try pipeline.addHandlers([
        WebSocketFrameEncoder(),
        ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: WebSocketHandler.mostFrameBytes)),
        WebSocketHandler(front, listening, share),
      ])
    } catch {
      return channel.close(promise: nil)
    }
    // The decoder last: it hands on the bytes that have come since.
    pipeline.removeHandler(self, promise: nil)
    pipeline.removeHandler(codec.encoder, promise: nil)
    pipeline.removeHandler(codec.decoder, promise: nil)
    channel.read()
  }
}
