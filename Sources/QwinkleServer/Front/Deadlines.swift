import NIOCore

/// Watches how fast a client sends and takes bytes. It stands before the decoder, which tells nothing of a request
/// until its header is complete.
final class Deadlines: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// What a connection waits for.
  enum Phase: Equatable {
    /// The first byte of a request.
    case request
    /// The rest of a request's header.
    case head
    /// The request's body.
    case body
    /// The service: the client can't hasten it.
    case service
    /// The client, to take so many bytes.
    case sending(Int)
    /// The client, to end the connection.
    case end
  }

  /// The most bytes of a header that the budget doesn't count.
  private static let shortHead = 2048

  private let limits: FrontLimits
  private let budget: Budget
  private let client: Client
  /// The header's part of the client's budget, once it is long.
  private var share: Share?
  private var context: ChannelHandlerContext?
  private var phase = Phase.request
  private var start = NIODeadline.now()
  /// The bytes that came in this phase.
  private var bytes = 0
  private var timer: (fires: NIODeadline, task: Scheduled<Void>)?
  /// Told what took too long.
  var expired: ((Phase) -> Void)?
  /// Called when a header is too long, or the client's headers are together.
  var overflowed: ((Refusal) -> Void)?

  /// `client` is the connection's, for the bytes of its headers.
  init(_ limits: FrontLimits, _ budget: Budget, _ client: Client) {
    self.limits = limits
    self.budget = budget
    self.client = client
  }

  /// Begins to wait for something else.
  func enter(_ phase: Phase) {
    self.phase = phase
    share = nil
    start = .now()
    bytes = 0
    watch()
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    watch()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    timer?.task.cancel()
    timer = nil
    expired = nil
    overflowed = nil
    self.context = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if phase == .request { enter(.head) }
    bytes += unwrapInboundIn(data).readableBytes
    guard phase == .head else { return context.fireChannelRead(data) }
    if bytes > FrontLimits.mostHeadBytes { overflowed?(.longHeader) } else { takeHead(context, data) }
  }

  /// The decoder keeps a header until it is complete.
  private func takeHead(_ context: ChannelHandlerContext, _ data: NIOAny) {
    do throws(Refusal) {
      if share == nil, bytes > Self.shortHead { share = try budget.take(.requestBytes, for: client) }
      try share?.resize(to: bytes)
    } catch {
      overflowed?(error)
      return
    }
    context.fireChannelRead(data)
  }

  private var due: NIODeadline? {
    let time: Duration? =
      switch phase {
      case .request: limits.idle
      case .head: limits.head
      case .body: limits.time(for: bytes)
      case .service: nil
      case .sending(let size): limits.time(for: size)
      case .end: limits.linger
      }
    return time.map { start + TimeAmount($0) }
  }

  /// Sets the timer. It stays as it is if it fires before the deadline, and finds the deadline then: so a connection
  /// with many short requests sets few.
  private func watch() {
    guard let context, let due else { return }
    if let timer {
      if timer.fires <= due { return }
      timer.task.cancel()
    }
    let fires = min(due, .now() + TimeAmount(limits.head))
    let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: fires) { [weak self] () -> Void in self?.look()
    }
    timer = (fires, task)
  }

  private func look() {
    timer = nil
    if let due, due <= .now() { expired?(phase) } else { watch() }
  }
}
