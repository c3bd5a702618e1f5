import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOWebSocket

/// Handles a connection: reads one request at a time, asks the service for the response, and writes it. All calls are
/// on the connection's event loop.
final class RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// A request whose header is complete but whose response isn't sent yet.
  struct PendingRequest {
    var head: HTTPRequest
    /// Whether the connection is closed after the response.
    var closes: Bool
    var version: HTTPVersion
    var note = RequestNote()
    /// The longest body accepted, in bytes.
    var most = ServiceRequest.mostBodyBytes
    var start: Duration
    var client: Client
    /// Whether the sender is allowed to send a long body.
    var isAdmitted = false
    /// Shares of the client's budget: for the request itself, a long header, the part of the body in memory, and an
    /// upload. Released with the request.
    var shares: [Share] = []
  }

  enum State {
    /// Waiting for a request.
    case waiting
    /// Delayed, because the client exceeds its request rate.
    case pausing(PendingRequest)
    /// Waiting until the service has authenticated the sender of a long body.
    case admitting(PendingRequest)
    /// Waiting for the rest of a body.
    case reading(PendingRequest)
    /// Waiting for the service.
    case answering
    /// Waiting until the response is written.
    case sending
    /// Streaming events.
    case streaming(StreamOutput)
    /// Waiting for the client to close the connection.
    case ending
    case closed
  }

  let front: FrontParts
  let source: ConnectionSource
  /// The client at ``source``. For a proxy, ``Client/process``, because its connection has no limits.
  let peer: Client
  let deadlines: Deadlines
  let codec: HTTPCodec
  let didChangeIdle: (Bool) -> Void
  var context: ChannelHandlerContext?
  var state = State.waiting
  var body: BodyBuffer?
  /// Share of the client's budget for ``body``.
  var bodyShare: Share?
  var task: Task<Void, Never>?
  /// Parts received while a request is in progress, such as pipelined requests.
  private var later = CircularBuffer<HTTPServerRequestPart>()
  /// Approximate memory size of ``later``, in bytes.
  private var laterBytes = 0
  /// Share of the client's budget for ``later``. Nil unless ``later`` has become long since it was last empty.
  private var laterShare: Share?
  /// Whether the bytes after ``later`` aren't valid HTTP.
  private var isBroken = false
  /// Whether a read was postponed because a request is in progress.
  private var isReadHeld = false
  private var isAdvancing = false
  /// Whether the connection closes after the current response.
  var isLast = false
  private var ended: EventLoopPromise<Void>?

  /// `ended` succeeds once the connection is closed and its last request has ended.
  init(
    _ front: FrontParts, source: ConnectionSource, peer: Client, deadlines: Deadlines,
    codec: HTTPCodec, ended: EventLoopPromise<Void>,
    didChangeIdle: @escaping (Bool) -> Void
  ) {
    self.front = front
    self.source = source
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
    if later.isEmpty, !isInProgress, !isAdvancing { return advance(with: part) }
    laterBytes += part.memory
    later.append(part)
    advance()
    countLater()
  }

  /// Postpones reads while a request is in progress, so that further requests wait at the client and not in our memory.
  func read(context: ChannelHandlerContext) {
    if isInProgress { isReadHeld = true } else { context.read() }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
    // Treat a client that has closed its sending side as disconnected, as most servers do, because the server can't
    // distinguish the two. Only a response that is already being sent is completed.
    switch state {
    case .waiting, .pausing, .admitting, .reading, .streaming, .ending: context.close(promise: nil)
    case .answering, .sending:
      isLast = true
      // At the end of input, NIO delivers pipelined requests even if no read was requested.
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
      // Don't refuse the request yet: the parts in `later` may complete it.
      isBroken = true
      isLast = true
    default: isLast = true
    }
  }
}

// MARK: - Reading

extension RequestHandler {
  /// Processes `first`, then the parts in ``later``. Stops when a request has to wait, for example for its response.
  func advance(with first: HTTPServerRequestPart? = nil) {
    // If `take` sends a response immediately, this method is called recursively.
    guard !isAdvancing else { return }
    isAdvancing = true
    if let first { take(first) }
    while !isInProgress, let part = later.popFirst() {
      laterBytes -= part.memory
      take(part)
    }
    isAdvancing = false
    if later.isEmpty, laterShare != nil { dropLater() }
    if isBroken, case .reading(let pending) = state { return refuse(.notHTTP, pending) }
    if !isInProgress { readAgain() }
  }

  private var isInProgress: Bool {
    switch state {
    case .pausing, .admitting, .answering, .sending: true
    default: false
    }
  }

  /// Counts the parts in ``later`` in the client's budget if they are long. If the parts exceed the budget, drops them
  /// and closes the connection after the current response.
  private func countLater() {
    guard laterBytes > Self.fewLaterBytes || laterShare != nil else { return }
    do throws(Refusal) {
      if laterShare == nil { laterShare = try front.service.budget.take(.requestBytes, for: peer) }
      try laterShare?.resize(to: laterBytes)
    } catch {
      dropLater()
      switch state {
      // The dropped parts may belong to this request, so it can't be completed.
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

  /// Up to this number of bytes, ``later`` isn't counted in the budget.
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
    // The request retains the body's share, because the body stays in memory until the request is answered, even if the
    // client disconnects.
    if let bodyShare { pending.shares.append(bodyShare) }
    (self.body, bodyShare) = (nil, nil)
    guard front.traffic.begin() else { return refuse(.ending, pending) }
    state = .answering
    let request = front.request(of: pending, from: source)
    if body == nil, var response = front.service.cachedResponse(to: request) {
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

  /// Sends the service's response, unless the client has disconnected.
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

  /// Responds with an error, without asking the service. Then closes the connection.
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
  /// Approximate memory size, in bytes.
  fileprivate var memory: Int {
    switch self {
    case .head(let head): 256 + head.byteCount
    case .body(let bytes): 256 + bytes.readableBytes
    case .end: 256
    }
  }
}

extension HTTPRequestHead {
  /// Bytes of the URI and the header fields.
  var byteCount: Int { headers.reduce(uri.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count } }
}
