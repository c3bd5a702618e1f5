import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOWebSocket

/// One connection: reads a request at a time, has the service answer it, and writes the response. All calls are on the
/// connection's event loop.
final class RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// A request whose header has come.
  struct Asked {
    var head: HTTPRequest
    /// Whether the client wants the connection closed afterwards.
    var closes: Bool
    var version: HTTPVersion
    var note = RequestNote()
    /// The longest body that it may have.
    var most = ServiceRequest.mostBodyBytes
    var start: Duration
  }

  enum State {
    /// Waits for a request.
    case waiting
    /// Waits for the service to say whether a large body may come.
    case asking
    /// Waits for the rest of a body.
    case reading(Asked)
    /// Waits for the service.
    case answering
    /// Waits until the response is written.
    case sending
    /// Writes events as they happen.
    case streaming(StreamOutput)
    /// Waits for the client to end the connection.
    case ending
    case closed
  }

  let front: FrontParts
  private let address: String
  let deadlines: Deadlines
  private let codec: HTTPCodec
  private let didChangeIdle: (Bool) -> Void
  var context: ChannelHandlerContext?
  var state = State.waiting
  private var body: [UInt8] = []
  /// The room that a large body takes, until its request is answered.
  var room: UploadRoom.Place?
  var task: Task<Void, Never>?
  /// What came of later requests.
  private var later = CircularBuffer<HTTPServerRequestPart>()
  /// Whether more was to be read while a request was under way.
  private var isReadHeld = false
  private var isAdvancing = false
  /// Whether the connection ends with the response under way.
  var isLast = false
  private var ended: EventLoopPromise<Void>?

  /// `ended` is kept once the connection is closed and nothing is under way for it.
  init(
    _ front: FrontParts, address: String, deadlines: Deadlines, codec: HTTPCodec,
    ended: EventLoopPromise<Void>,
    didChangeIdle: @escaping (Bool) -> Void
  ) {
    self.front = front
    self.address = address
    self.deadlines = deadlines
    self.codec = codec
    self.ended = ended
    self.didChangeIdle = didChangeIdle
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    deadlines.expired = { [weak self] in self?.expire($0) }
    deadlines.overflowed = { [weak self] in self?.refuse(.longHeader, nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    close()
    self.context = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    close()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isLast { return }
    later.append(unwrapInboundIn(data))
    advance()
  }

  /// Reads nothing more while a request is under way: the client waits, not our memory.
  func read(context: ChannelHandlerContext) {
    if isUnderWay { isReadHeld = true } else { context.read() }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
    // As most servers do, take a client that sends nothing more for one that went away: it can't be told apart.
    switch state {
    case .waiting, .reading, .streaming, .ending: context.close(promise: nil)
    case .asking, .answering, .sending:
      isLast = true
      task?.cancel()
    case .closed: break
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError else { return context.close(promise: nil) }
    switch state {
    case .waiting, .reading:
      if case .headerOverflow = error { refuse(.longHeader, nil) } else { refuse(.notHTTP, nil) }
    default: isLast = true
    }
  }
}

// MARK: - Reading

extension RequestHandler {
  /// Takes what came, up to the end of a request that has to wait.
  func advance() {
    // A request answered at once ends up here again.
    guard !isAdvancing else { return }
    isAdvancing = true
    while !isUnderWay, let part = later.popFirst() { take(part) }
    isAdvancing = false
    if !isUnderWay { readAgain() }
  }

  private var isUnderWay: Bool {
    switch state {
    case .asking, .answering, .sending: true
    default: false
    }
  }

  private func take(_ part: HTTPServerRequestPart) {
    switch (state, part) {
    case (.waiting, .head(let head)): begin(head)
    case (.reading(let asked), .body(let bytes)):
      body.append(contentsOf: bytes.readableBytesView)
      if body.count > asked.most { refuse(.tooLarge(asked.most), asked) }
    case (.reading(let asked), .end): answer(asked)
    default: break
    }
  }

  private func begin(_ head: HTTPRequestHead) {
    didChangeIdle(false)
    guard let method = try? HTTPRequest.Method(head.method) else { return refuse(.notHTTP, nil) }
    var fields = HTTPFields(head.headers, splitCookie: false)
    let authority = head.headers.first(name: "host")
    if let name = HTTPField.Name("Host") { fields[name] = nil }
    var asked = Asked(
      head: HTTPRequest(
        method: method, scheme: "http", authority: authority, path: head.uri, headerFields: fields),
      closes: !head.isKeepAlive || head.version != .http1_1, version: head.version,
      start: front.traffic.now)
    if head.uri.utf8.count > ServiceRequest.mostTargetBytes { return refuse(.longAddress, asked) }
    asked.most = ServiceRequest.mostBodyBytes(of: method, head.uri)
    // Without a length it may be as long as it wants.
    let isChunked = fields[.transferEncoding] != nil
    let length = fields[.contentLength].flatMap { Int($0) } ?? (isChunked ? asked.most : 0)
    if length > asked.most { return refuse(.tooLarge(asked.most), asked) }
    if length > ServiceRequest.mostBodyBytes { ask(asked) } else { read(bodyOf: asked) }
  }

  func read(bodyOf asked: Asked) {
    let fields = asked.head.headerFields
    body.removeAll()
    state = .reading(asked)
    deadlines.enter(.body)
    if fields[.expect]?.lowercased() == "100-continue", asked.version == .http1_1, let context {
      let go = HTTPResponseHead(version: .http1_1, status: .continue)
      context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
    }
  }

  private func expire(_ phase: Deadlines.Phase) {
    switch (phase, state) {
    case (.head, .waiting): refuse(.tooLate, nil)
    case (.body, .reading(let asked)): refuse(.tooLate, asked)
    default: context?.close(promise: nil)
    }
  }
}

// MARK: - Answering

extension RequestHandler {
  private func answer(_ asked: Asked) {
    guard let context else { return }
    let request = request(of: asked)
    body = []
    guard front.traffic.begin() else { return refuse(.ending, asked) }
    state = .answering
    if var response = front.service.keptResponse(to: request) {
      Compression.compress(&response, for: request)
      return finish(asked, response)
    }
    deadlines.enter(.service)
    let me = NIOLoopBound(self, eventLoop: context.eventLoop)
    task = Task { [front, request] in
      if !StreamHandlers.isStream(request) {
        var response = await front.service.respond(to: request)
        Compression.compress(&response, for: request)
        me.eventLoop.execute { [response] in me.value.finish(asked, response) }
        return
      }
      let response = await front.service.stream(for: request)
      if case .stream(let listening) = response.content {
        me.eventLoop.execute { me.value.stream(asked, listening) }
      } else {
        me.eventLoop.execute { me.value.finish(asked, response.written()) }
      }
    }
  }

  /// What has come of a request.
  func request(of asked: Asked) -> ServiceRequest {
    var request = ServiceRequest(head: asked.head, body: body)
    request.note = asked.note
    let forwarded = HTTPField.Name("X-Forwarded-For").map { asked.head.headerFields[values: $0] }
    request.client = front.proxies.client(at: address, forwardedFor: forwarded ?? [])
    let proto = HTTPField.Name("X-Forwarded-Proto").flatMap { asked.head.headerFields[$0] }
    if let scheme = front.proxies.scheme(at: address, forwardedProto: proto) { request.origin.scheme = scheme }
    if let origin = front.origin { request.origin = origin }
    return request
  }

  /// Sends the service's response, unless nobody waits for it.
  private func finish(_ asked: Asked, _ response: WrittenResponse) {
    task = nil
    room = nil
    if case .answering = state, response.head.status != Refusal.unwanted.status {
      front.traffic.log(asked.note, asked.head.method, status: response.head.status.code, since: asked.start)
      let traffic = front.traffic
      send(response, asked).whenComplete { _ in traffic.finish() }
    } else {
      front.traffic.log(asked.note, asked.head.method, status: 0, since: asked.start)
      front.traffic.finish()
      if case .closed = state { end() } else { context?.close(promise: nil) }
    }
  }

  /// Answers without asking the service, and closes the connection.
  func refuse(_ refusal: Refusal, _ asked: Asked?) {
    if let asked {
      front.traffic.log(asked.note, asked.head.method, status: refusal.status.code, since: asked.start)
    }
    isLast = true
    room = nil
    _ = send(refusal.response.written(), asked)
  }

  func sent() {
    guard let context, case .sending = state else { return }
    if isLast {
      state = .ending
      later.removeAll()
      deadlines.enter(.end)
      context.close(mode: .output, promise: nil)
      if isReadHeld { context.read() }
      return
    }
    state = .waiting
    didChangeIdle(true)
    deadlines.enter(.request)
    advance()
  }

  private func close() {
    if case .streaming(let output) = state { output.stop() }
    state = .closed
    later.removeAll()
    body = []
    room = nil
    if let task { task.cancel() } else { end() }
  }

  func end() {
    ended?.succeed()
    ended = nil
  }
}

// MARK: - Streaming

extension RequestHandler {
  /// Keeps the connection for a listener's events.
  private func stream(_ asked: Asked, _ listening: Listening) {
    let fields = asked.head.headerFields
    guard case .answering = state, !WebSocketRequest.isAsked(fields) || asked.version == .http1_1 else {
      return finish(asked, Refusal.unwanted.response.written())
    }
    if WebSocketRequest.isAsked(fields) {
      guard let request = WebSocketRequest(fields) else {
        return finish(asked, Refusal.badWebSocket.response.written())
      }
      begin(asked, status: 101)
      open(request, listening)
    } else {
      begin(asked, status: 200)
      send(eventsTo: asked, listening)
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
  private func send(eventsTo asked: Asked, _ listening: Listening) {
    guard let context else { return }
    let headers: HTTPHeaders = [
      "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
      "Access-Control-Allow-Origin": "*",
      "Date": front.date.now, "Server": "Qwinkle", "Connection": "close",
    ]
    let head = HTTPResponseHead(version: asked.version, status: .ok, headers: headers)
    let output = StreamOutput(
      front, listening, channel: context.channel,
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
    // The decoder last: it hands on the bytes that have come since.
    pipeline.removeHandler(self, promise: nil)
    pipeline.removeHandler(codec.encoder, promise: nil)
    pipeline.removeHandler(codec.decoder, promise: nil)
    channel.read()
  }

  func readAgain() {
    if isReadHeld {
      isReadHeld = false
      context?.read()
    }
  }
}
