import Terminal

/// The terminal's properties that its environment doesn't show, as far as the terminal has reported them.
struct TerminalReports {
  /// Queries without a reply so far, or nil before the first query.
  private var openQueries: Set<TerminalQuery>?
  /// The terminal's support for pictures.
  private(set) var graphics = GraphicsSupport()
  /// The size of a cell. If the size was reported in a reply to a query, the query must be sent again after the window
  /// has changed.
  private(set) var cellSize: CellSize?
  private var cellSizeIsReply = false
  private var cellSizeIsStale = false
  /// The terminal's background, if known.
  private(set) var background: TerminalBackground?

  /// Forgets the properties of the former terminal, and takes the properties of a newly opened one.
  @MainActor
  mutating func begin(_ connection: any TerminalConnection) {
    graphics = GraphicsSupport(connection.environment, isAsked: connection.repliesToQueries)
    cellSize = connection.cellSize
    cellSizeIsReply = false
    background = connection.background
  }

  /// Returns the queries to send with a frame. The first frame has queries about all properties that only the terminal
  /// knows.
  mutating func takeQueries(size: Size, _ capabilities: TerminalCapabilities, isAsked: Bool) -> [TerminalQuery] {
    defer { cellSizeIsStale = false }
    guard openQueries == nil else {
      let queries: [TerminalQuery] = cellSizeIsStale ? [.cellSize, .areaSize] : []
      openQueries?.formUnion(queries)
      return queries
    }
    var queries: [TerminalQuery] = []
    if isAsked {
      if capabilities.hasTitle { queries.append(.synchronizedOutput) }
      if size.rows > 1, !capabilities.textForm.isASCII {
        // Consoles and old terminals don't know these sequences and would print them.
        if capabilities.hasTitle, size.columns >= TerminalQuery.columns {
          queries += [.clusterWidth, .emojiWidth]
          queries += [.program, .graphics, .attributes, .background]
          if cellSize == nil { queries += [.cellSize, .areaSize] }
        }
        // Send this query even if the user has set the form: every terminal replies to it, after all other replies.
        queries.append(.ambiguousWidth)
      }
    }
    openQueries = Set(queries)
    return queries
  }

  /// Records the cell size after the window has changed. `known` is nil if only a query reports it. Returns whether the
  /// size differs.
  mutating func note(cellSize known: CellSize?) -> Bool {
    cellSizeIsStale = known == nil && cellSizeIsReply
    guard let known, known != cellSize else { return false }
    cellSize = known
    cellSizeIsReply = false
    return true
  }

  /// Processes a reply about one of these properties. Returns false for other and unexpected replies.
  mutating func take(_ reply: TerminalReply, onScreenOf size: Size) -> Bool {
    guard openQueries?.contains(reply.query) == true else { return false }
    if graphics.take(reply) {
      openQueries?.remove(reply.query)
    } else if let size = reply.cellSize(onScreenOf: size) {
      // Use only the first of these two replies. The reply with the cell size arrives before the one with the area's
      // size, and is more precise.
      openQueries?.subtract([.cellSize, .areaSize])
      (cellSize, cellSizeIsReply) = (size, true)
    } else if case .background(let reported) = reply {
      openQueries?.remove(.background)
      background = reported
    } else {
      return false
    }
    return true
  }

  /// Returns whether the reply answers an open query, which is no longer open then.
  mutating func close(_ reply: TerminalReply) -> Bool { openQueries?.remove(reply.query) != nil }
}
