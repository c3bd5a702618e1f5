public import QwinkleModel
import QwinkleStore

/// Reading of cached rows that are not in memory, to count or find unread rows.
extension Timelines {
  /// Number of rows that a count reads first. Usually enough to reach the read mark of a user who reads often.
  private static let fewUnreadRows = 40
  /// Number of rows that a count reads if the first read doesn't reach the mark. Rows below them are not counted.
  private static let mostUnreadRows = 400

  /// Reads the first cached rows and passes them to `then`, which counts the rows above `mark`. Neither adds the rows
  /// to the timeline in memory nor sends requests.
  public func readFirstRows(
    of name: TimelineName, downTo mark: ReadMark, then: @escaping @MainActor ([Timeline.Row]) -> Void
  ) {
    cache.fetch(name, after: [], limit: Self.fewUnreadRows, isShort: true) { [weak self] stored in
      guard stored.hasMore, stored.rows.firstRead(by: mark) == stored.rows.count else { return then(stored.rows) }
      self?.cache.fetch(name, after: [], limit: Self.mostUnreadRows) { then($0.rows) }
    }
  }

  /// Reads the cached rows that are below the rows in memory and above `mark`, up to ``ReadMark/mostSkipped`` rows.
  /// Passes no rows if the position of `mark` is unknown.
  public func readRows(
    of name: TimelineName, downTo mark: ReadMark, then: @escaping @MainActor ([Timeline.Row]) -> Void
  ) {
    cache.fetch(name, after: timeline(name).knownRows, limit: ReadMark.mostSkipped) { stored in
      then(stored.isAdjacent ? Array(stored.rows.prefix(stored.rows.firstRead(by: mark) ?? 0)) : [])
    }
  }

  /// Returns the cached rows among `rows`, or nil if the cache can't be read or the timeline has several readers.
  public func cached(_ rows: [Qwink.RowID], of name: TimelineName) -> [Qwink]? {
    hasSeveralReaders(name) ? nil : cache.load(rows, of: name)
  }
}
