public import QwinkleModel
import QwinkleStore

/// Unread rows that are cached but not in memory.
extension Timelines {
  /// Rows read first for a count. Enough to reach the mark of a reader who is up to date.
  private static let fewUnreadRows = 40
  /// Maximum number of rows read for a count.
  private static let mostUnreadRows = 400

  /// Reads the first cached rows, so that the caller can count the rows above a mark. Doesn't load them into memory or
  /// send requests.
  public func readFirstRows(
    of name: TimelineName, downTo mark: ReadMark, then: @escaping @MainActor ([Timeline.Row]) -> Void
  ) {
    cache?.fetch(name, after: [], limit: Self.fewUnreadRows, isShort: true) { [weak self] stored in
      guard stored.hasMore, stored.rows.firstRead(by: mark) == stored.rows.count else { return then(stored.rows) }
      self?.cache?.fetch(name, after: [], limit: Self.mostUnreadRows) { then($0.rows) }
    }
  }

  /// Reads the cached rows between the rows in memory and a mark below them.
  public func readRows(
    of name: TimelineName, downTo mark: ReadMark, then: @escaping @MainActor ([Timeline.Row]) -> Void
  ) {
    guard let cache else { return then([]) }
    cache.fetch(name, after: timeline(name).knownRows, limit: ReadMark.mostSkipped) { stored in
      then(stored.isAdjacent ? Array(stored.rows.prefix(stored.rows.firstRead(by: mark) ?? 0)) : [])
    }
  }

  /// Returns the cached rows among `rows`, or nil if the cache can't be read or the timeline has several readers.
  public func cached(_ rows: [Qwink.RowID], of name: TimelineName) -> [Qwink]? {
    hasSeveralReaders(name) ? nil : cache?.load(rows, of: name)
  }
}
