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
    var client: Client
    /// Whether its sender may send a long body.
    var isAdmitted = false
    /// Its place in the client's budget, and that of an upload.
    var shares: [Share] = []
  }

  enum State {
    /// Waits for a request.
    case waiting
    /// Waits until the client's pace allows the request.
    case pausing
    /// Waits for the service to say whether a long body may come.
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
  let address: String
  /// The client at ``address``, which may be a proxy.
  let peer: Client
  let deadlines: Deadlines
  let codec: HTTPCodec
  let didChangeIdle: (Bool) -> Void
  var context: ChannelHandlerContext?
  var state = State.waiting
  var body: BodyBuffer?
  /// The body's part of the client's budget.
  var bodyShare: Share?
  var task: Task<Void, Never>?
  /// The part of the client's budget that pipelined requests take.
  private var laterShare: Share?
  /// Parts of pipelined requests.
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
    peer = front.proxies.contains(address) ? .process : .address(ClientAddress.client(address) ?? address)
    self.deadlines = deadlines
    self.codec = codec
    self.ended = ended
    self.didChangeIdle = didChangeIdle
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    deadlines.expired = { [weak self] in self?.expire($0) }
    deadlines.overflowed = { [weak self] in self?.refuse($0, nil) }
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
    countLater()
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
    case .pausing, .asking, .answering, .sending:
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
    if later.isEmpty { laterShare = nil }
    if !isUnderWay { readAgain() }
  }

  private var isUnderWay: Bool {
    switch state {
    case .pausing, .asking, .answering, .sending: true
    default: false
    }
  }

  /// Counts pipelined requests, if they are many. Too many end the connection.
  private func countLater() {
    guard later.count >= Self.fewLaterParts else { return laterShare = nil }
    do throws(Refusal) {
      if laterShare == nil { laterShare = try front.service.budget.take(.requestBytes, for: peer) }
      try laterShare?.resize(to: later.count * Self.bytesOfPart)
    } catch {
      later.removeAll()
      isLast = true
    }
  }

  /// Fewer parts are not counted.
  private static let fewLaterParts = 64
  /// Memory of one part, about.
  private static let bytesOfPart = 256

  func readAgain() {
    if isReadHeld {
      isReadHeld = false
      context?.read()
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
  func answer(_ asked: Asked) {
    guard let context else { return }
    let body = self.body
    self.body = nil
    guard front.traffic.begin() else { return refuse(.ending, asked) }
    state = .answering
    let request = front.request(of: asked, at: address)
    if body == nil, var response = front.service.keptResponse(to: request) {
      Compression.compress(&response, for: request)
      return finish(asked, response)
    }
    deadlines.enter(.service)
    let me = NIOLoopBound(self, eventLoop: context.eventLoop)
    task = Task { [front] in
      let (answer, listening) = await front.answer(request, body)
      me.eventLoop.execute {
        if let listening { me.value.stream(asked, listening) } else { me.value.finish(asked, answer) }
      }
    }
  }

  /// Sends the service's response, unless nobody waits for it.
  func finish(_ asked: Asked, _ response: WrittenResponse) {
    task = nil
    bodyShare = nil
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
    (body, bodyShare) = (nil, nil)
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
    (body, bodyShare) = (nil, nil)
    if let task { task.cancel() } else { end() }
  }

  func end() {
    ended?.succeed()
    ended = nil
  }
}
