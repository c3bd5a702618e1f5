import NIOCore

/// Closes connections that send or receive too slowly, and counts the bytes of headers in the client's budget. This
/// handler precedes the decoder in the pipeline, because the decoder emits nothing until a header is complete.
final class Deadlines: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// The event that a connection waits for.
  enum Phase: Equatable {
    /// The first byte of a request.
    case request
    /// The rest of a request's header.
    case head
    /// The request's body.
    case body
    /// The service. The client can't speed it up, so there is no deadline.
    case service
    /// Events to send. If the client sends anything, the connection is closed.
    case streaming
    /// The client, to receive a number of bytes.
    case sending(Int)
    /// The client, to close the connection.
    case end
  }

  /// Longest header that isn't counted in the budget, in bytes.
  static let shortHead = 2048

  private let limits: FrontLimits
  private let budget: Budget
  private let client: Client
  /// Share of the client's budget for a long header that is still incomplete.
  private var share: Share?
  private var context: ChannelHandlerContext?
  private var phase = Phase.request
  private var start = NIODeadline.now()
  /// Number of bytes received in this phase.
  private var bytes = 0
  private var timer: (fires: NIODeadline, task: Scheduled<Void>)?
  /// Called with the phase whose deadline passed.
  var expired: ((Phase) -> Void)?
  /// Called when a header is too long or exceeds the client's budget.
  var overflowed: ((Refusal) -> Void)?

  /// `client` is the client whose budget counts the bytes of incomplete headers.
  init(_ limits: FrontLimits, _ budget: Budget, _ client: Client) {
    self.limits = limits
    self.budget = budget
    self.client = client
  }

  /// Transfers to the caller the share for the header that was just completed. Returns nil if the header is short, or
  /// was received while an earlier request was in progress.
  func takeHeadShare() -> Share? {
    defer { share = nil }
    return share
  }

  /// Starts a phase and its deadline.
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

  /// Forwards a part of a header to the decoder, which buffers the header until it is complete. Counts the buffered
  /// bytes in the client's budget.
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

  /// Sets the timer. A timer that fires before the deadline isn't replaced: it checks the deadline when it fires. A
  /// connection with many short requests therefore schedules few timers.
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
