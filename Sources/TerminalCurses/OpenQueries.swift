/// Queries that the terminal has not answered.
struct OpenQueries {
  /// After this silence the terminal does not know the query.
  static let lifetime = Duration.seconds(3)
  /// Delay of a reply after the one that every terminal sends last. A multiplexer answers most queries itself and
  /// forwards the others.
  static let delay = Duration.milliseconds(300)

  private var queries: Set<TerminalQuery> = []
  /// Time of the latest question or reply.
  private var latest = ContinuousClock.now
  /// Whether the query that every terminal answers last has been answered.
  private var isSettled = false

  var isEmpty: Bool { queries.isEmpty }

  mutating func ask(_ asked: Set<TerminalQuery>, at now: ContinuousClock.Instant) {
    queries.formUnion(asked)
    latest = now
    isSettled = false
  }

  mutating func note(_ reply: TerminalReply, at now: ContinuousClock.Instant) {
    queries.remove(reply.query)
    latest = now
    if reply.query == .ambiguousWidth { isSettled = true }
  }

  /// Whether a reply may still arrive.
  func mayBeAnswered(at now: ContinuousClock.Instant) -> Bool {
    !queries.isEmpty && now - latest < (isSettled ? Self.delay : Self.lifetime)
  }
}
