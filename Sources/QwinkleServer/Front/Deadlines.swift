import NIOCore

/// Closes connections that send or read too slowly, and counts the bytes of headers. It precedes the decoder in the
/// pipeline, because the decoder emits nothing before a header is complete.
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
    /// Events to send. The client may send nothing.
    case streaming
    /// The client, to take so many bytes.
    case sending(Int)
    /// The client, to end the connection.
    case end
  }

  /// The most bytes of a header that the budget doesn't count.
  static let shortHead = 2048

  private let limits: FrontLimits
  private let budget: Budget
  private let client: Client
  /// The client's share for a long header that is incomplete.
  private var share: Share?
  private var context: ChannelHandlerContext?
  private var phase = Phase.request
  private var start = NIODeadline.now()
  /// Number of bytes received in this phase.
  private var bytes = 0
  private var timer: (fires: NIODeadline, task: Scheduled<Void>)?
  /// Called with the phase that took too long.
  var expired: ((Phase) -> Void)?
  /// Called when a header is too long, or exceeds the client's budget.
  var overflowed: ((Refusal) -> Void)?

  /// `client` is the connection's, for the bytes of its headers.
  init(_ limits: FrontLimits, _ budget: Budget, _ client: Client) {
    self.limits = limits
    self.budget = budget
    self.client = client
  }

  /// Returns the share of the header that has just been completed, and stops counting the header here. Nil if the
  /// header is short, or was received while an earlier request was in progress.
  func takeHeadShare() -> Share? {
    defer { share = nil }
    return share
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
    if phase == .streaming { return context.close(promise: nil) }
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
      case .service, .streaming: nil
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
