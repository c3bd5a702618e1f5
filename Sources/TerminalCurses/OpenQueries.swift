/// Queries without a reply so far.
struct OpenQueries {
  /// Time without replies after which the terminal is assumed not to support the remaining queries.
  static let lifetime = Duration.seconds(3)
  /// Shorter time without replies, which applies after the terminal has replied to the last query. Every terminal
  /// replies to that query. A few replies to other queries may still arrive later, because a multiplexer answers most
  /// queries itself and forwards the others to the outer terminal.
  static let delay = Duration.milliseconds(300)

  private var queries: Set<TerminalQuery> = []
  /// Time of the latest query or reply.
  private var latest = ContinuousClock.now
  /// Whether the terminal has replied to the last query, to which every terminal replies.
  private var isSettled = false

  var isEmpty: Bool { queries.isEmpty }

  mutating func ask(_ asked: Set<TerminalQuery>, at now: ContinuousClock.Instant) {
    expire(at: now)
    queries.formUnion(asked)
    latest = now
    isSettled = false
  }

  mutating func note(_ reply: TerminalReply, at now: ContinuousClock.Instant) {
    queries.remove(reply.query)
    // Replies arrive in order, and the cell size is queried before the area's size. So after this reply, no reply with
    // the cell size will arrive.
    if reply.query == .areaSize { queries.remove(.cellSize) }
    latest = now
    if reply.query == .ambiguousWidth { isSettled = true }
  }

  /// Removes the queries whose replies are no longer expected.
  mutating func expire(at now: ContinuousClock.Instant) {
    if now - latest >= (isSettled ? Self.delay : Self.lifetime) { queries = [] }
  }
}
