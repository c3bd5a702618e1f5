import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOWebSocket

extension RequestHandler {
  /// Turns the connection into a stream of a listener's events.
  func stream(_ pending: PendingRequest, _ listening: Listening) {
    let fields = pending.head.headerFields
    guard case .answering = state, !WebSocketRequest.isAsked(fields) || pending.version == .http1_1 else {
      return finish(pending, Refusal.unwanted.response.written())
    }
    var listening = listening
    do throws(Refusal) {
      listening.connection = try front.service.budget.take(.streams, for: pending.client)
    } catch {
      return finish(pending, error.response.written())
    }
    if WebSocketRequest.isAsked(fields) {
      guard let request = WebSocketRequest(fields) else {
        return finish(pending, Refusal.badWebSocket.response.written())
      }
      begin(pending, status: 101)
      open(request, listening)
    } else {
      begin(pending, status: 200)
      send(eventsTo: pending, listening)
    }
  }

  /// Counts the request as finished although its stream stays open, so that the stream doesn't delay the server's
  /// shutdown.
  private func begin(_ pending: PendingRequest, status: Int) {
    task = nil
    isLast = true
    dropLater()
    front.traffic.log(pending.note, pending.head.method, status: status, since: pending.start)
    front.traffic.finish()
  }

  /// Starts a stream of server-sent events.
  private func send(eventsTo pending: PendingRequest, _ listening: Listening) {
    guard let context else { return }
    let headers: HTTPHeaders = [
      "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
      "Access-Control-Allow-Origin": "*",
      "Date": front.date.now, "Server": "Qwinkle", "Connection": "close",
    ]
    let head = HTTPResponseHead(version: pending.version, status: .ok, headers: headers)
    let output = StreamOutput(
      front, listening, channel: context.channel, .lines,
      write: { [weak self] in self?.write($0) }, beat: { [weak self] in self?.write(ByteBuffer(string: ":thump\n")) })
    state = .streaming(output)
    deadlines.enter(.streaming)
    // Listen before sending the header: a client that has received it expects all later events.
    output.start()
    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    write(ByteBuffer(string: ":)\n"))
    readAgain()
  }

  private func write(_ bytes: ByteBuffer) {
    context?.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
  }

  /// Upgrades the connection from HTTP to a WebSocket.
  private func open(_ request: WebSocketRequest, _ listening: Listening) {
    guard let context else { return }
    request.responseHeaders(on: context.channel).assumeIsolated().whenComplete { [self] result in
      switch result {
      case .success(let headers): open(headers, listening)
      case .failure: context.close(promise: nil)
      }
    }
  }

  private func open(_ upgrade: HTTPHeaders, _ listening: Listening) {
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
        WebSocketHandler(front, listening),
      ])
    } catch {
      return channel.close(promise: nil)
    }
    // The decoder is removed last, because it forwards the bytes received in the meantime.
    pipeline.removeHandler(self, promise: nil)
    pipeline.removeHandler(codec.encoder, promise: nil)
    pipeline.removeHandler(codec.decoder, promise: nil)
    channel.read()
  }
}
