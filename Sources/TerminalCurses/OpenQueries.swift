/// Queries that the terminal has not answered.
struct OpenQueries {
  /// Silence after which the terminal is taken not to know the query.
  static let lifetime = Duration.seconds(3)
  /// The same, once the terminal has answered the query that every terminal answers last. A multiplexer answers most
  /// queries itself and forwards the others, so their replies may still arrive.
  static let delay = Duration.milliseconds(300)

  private var queries: Set<TerminalQuery> = []
  /// Time of the latest query or reply.
  private var latest = ContinuousClock.now
  /// Whether the query that every terminal answers last has been answered.
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
    // Replies arrive in order, and the cell size is asked first.
    if reply.query == .areaSize { queries.remove(.cellSize) }
    latest = now
    if reply.query == .ambiguousWidth { isSettled = true }
  }

  /// Removes the queries whose replies are not expected any more.
  mutating func expire(at now: ContinuousClock.Instant) {
    if now - latest >= (isSettled ? Self.delay : Self.lifetime) { queries = [] }
  }
}
