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

  /// A request whose header is complete, until it is answered.
  struct PendingRequest {
    var head: HTTPRequest
    /// Whether the client wants the connection closed afterwards.
    var closes: Bool
    var version: HTTPVersion
    var note = RequestNote()
    /// The longest body accepted, in bytes.
    var most = ServiceRequest.mostBodyBytes
    var start: Duration
    var client: Client
    /// Whether its sender may send a long body.
    var isAdmitted = false
    /// Its shares of the client's budget, released with the request: itself, its long header and its long body.
    var shares: [Share] = []
  }

  enum State {
    /// Waits for a request.
    case waiting
    /// Waits until the client's pace allows the request.
    case pausing(PendingRequest)
    /// Waits until the service has authenticated the sender of a long body.
    case admitting(PendingRequest)
    /// Waits for the rest of a body.
    case reading(PendingRequest)
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
  /// The client at ``address``; the service itself for a proxy, whose connection has no limits.
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
  /// Parts received while the connection reads nothing, such as pipelined requests.
  private var later = CircularBuffer<HTTPServerRequestPart>()
  /// The memory of ``later``, about.
  private var laterBytes = 0
  /// The share of the client's budget for ``later``, if it is long.
  private var laterShare: Share?
  /// Whether the bytes after ``later`` are no HTTP.
  private var isBroken = false
  /// Whether more was to be read while a request was under way.
  private var isReadHeld = false
  private var isAdvancing = false
  /// Whether the connection ends with the response under way.
  var isLast = false
  private var ended: EventLoopPromise<Void>?

  /// `ended` is kept once the connection is closed and nothing is under way for it.
  init(
    _ front: FrontParts, address: String, peer: Client, deadlines: Deadlines, codec: HTTPCodec,
    ended: EventLoopPromise<Void>,
    didChangeIdle: @escaping (Bool) -> Void
  ) {
    self.front = front
    self.address = address
    self.peer = peer
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
    let part = unwrapInboundIn(data)
    laterBytes += part.memory
    later.append(part)
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
    case .waiting, .pausing, .admitting, .reading, .streaming, .ending: context.close(promise: nil)
    case .answering, .sending:
      isLast = true
      // NIO read them, up to the end, although nothing was asked for.
      dropLater()
      task?.cancel()
    case .closed: break
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError else { return context.close(promise: nil) }
    switch state {
    case .waiting, .reading:
      if case .headerOverflow = error { refuse(.longHeader, nil) } else { refuse(.notHTTP, nil) }
    case .pausing, .admitting:
      // The request may be complete: its end can be among the parts received since.
      isBroken = true
      isLast = true
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
    while !isUnderWay, let part = later.popFirst() {
      laterBytes -= part.memory
      take(part)
    }
    isAdvancing = false
    if later.isEmpty { dropLater() }
    if isBroken, case .reading(let pending) = state { return refuse(.notHTTP, pending) }
    if !isUnderWay { readAgain() }
  }

  private var isUnderWay: Bool {
    switch state {
    case .pausing, .admitting, .answering, .sending: true
    default: false
    }
  }

  /// Counts the parts received while nothing is read, if they are long. Too many end the connection.
  private func countLater() {
    guard laterBytes > Self.fewLaterBytes else { return laterShare = nil }
    do throws(Refusal) {
      if laterShare == nil { laterShare = try front.service.budget.take(.requestBytes, for: peer) }
      try laterShare?.resize(to: laterBytes)
    } catch {
      dropLater()
      switch state {
      // The dropped parts may be of this request.
      case .pausing(let pending), .admitting(let pending): refuse(error, pending)
      default: isLast = true
      }
    }
  }

  func dropLater() {
    later.removeAll()
    laterBytes = 0
    laterShare = nil
  }

  /// Shorter parts are not counted.
  private static let fewLaterBytes = 16 << 10

  func readAgain() {
    if isReadHeld {
      isReadHeld = false
      context?.read()
    }
  }

  private func expire(_ phase: Deadlines.Phase) {
    switch (phase, state) {
    case (.head, .waiting): refuse(.tooLate, nil)
    case (.body, .reading(let pending)): refuse(.tooLate, pending)
    default: context?.close(promise: nil)
    }
  }
}

// MARK: - Answering

extension RequestHandler {
  func answer(_ pending: PendingRequest) {
    guard let context else { return }
    var pending = pending
    let body = self.body
    // The body is in memory until the request is answered, also if the client disconnects.
    if let bodyShare { pending.shares.append(bodyShare) }
    (self.body, bodyShare) = (nil, nil)
    guard front.traffic.begin() else { return refuse(.ending, pending) }
    state = .answering
    let request = front.request(of: pending, at: address)
    if body == nil, var response = front.service.keptResponse(to: request) {
      Compression.compress(&response, for: request)
      return finish(pending, response)
    }
    deadlines.enter(.service)
    let me = NIOLoopBound(self, eventLoop: context.eventLoop)
    task = Task { [front, pending] in
      let (answer, listening) = await front.answer(request, body)
      me.eventLoop.execute {
        if let listening { me.value.stream(pending, listening) } else { me.value.finish(pending, answer) }
      }
    }
  }

  /// Sends the service's response, unless nobody waits for it.
  func finish(_ pending: PendingRequest, _ response: WrittenResponse) {
    task = nil
    if case .answering = state, response.head.status != Refusal.unwanted.status {
      front.traffic.log(pending.note, pending.head.method, status: response.head.status.code, since: pending.start)
      let traffic = front.traffic
      send(response, pending).whenComplete { _ in traffic.finish() }
    } else {
      front.traffic.log(pending.note, pending.head.method, status: 0, since: pending.start)
      front.traffic.finish()
      if case .closed = state { end() } else { context?.close(promise: nil) }
    }
  }

  /// Answers without asking the service, and closes the connection.
  func refuse(_ refusal: Refusal, _ pending: PendingRequest?) {
    if let pending {
      front.traffic.log(pending.note, pending.head.method, status: refusal.status.code, since: pending.start)
    }
    isLast = true
    (body, bodyShare) = (nil, nil)
    _ = send(refusal.response.written(), pending)
  }

  func sent() {
    guard let context, case .sending = state else { return }
    if isLast {
      state = .ending
      dropLater()
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
    dropLater()
    (body, bodyShare) = (nil, nil)
    if let task { task.cancel() } else { end() }
  }

  func end() {
    ended?.succeed()
    ended = nil
  }
}

extension HTTPServerRequestPart {
  /// Bytes that it takes in memory, about.
  fileprivate var memory: Int {
    switch self {
    case .head(let head): 256 + head.byteCount
    case .body(let bytes): 256 + bytes.readableBytes
    case .end: 256
    }
  }
}

extension HTTPRequestHead {
  /// Bytes of its address and fields.
  var byteCount: Int { headers.reduce(uri.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count } }
}
