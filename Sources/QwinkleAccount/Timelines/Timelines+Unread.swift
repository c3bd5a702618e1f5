public import QwinkleModel
import QwinkleStore

/// Unread rows that are in the cache and not in memory.
extension Timelines {
  /// Rows read first for a count. They have the mark of a reader who is up to date.
  private static let fewUnreadRows = 40
  /// The most rows read for a count.
  private static let mostUnreadRows = 400

  /// Reads the first rows of the cache, for a count of those above a mark. They don't come into memory, and nothing is
  /// requested.
  public func readFirstRows(
    of name: TimelineName, downTo mark: ReadMark, then: @escaping @MainActor ([Timeline.Row]) -> Void
  ) {
    cache?.fetch(name, after: [], limit: Self.fewUnreadRows, isShort: true) { [weak self] kept in
      guard kept.hasMore, kept.rows.firstRead(by: mark) == kept.rows.count else { return then(kept.rows) }
      self?.cache?.fetch(name, after: [], limit: Self.mostUnreadRows) { then($0.rows) }
    }
  }

  /// Reads the cached rows between the rows in memory and a mark below them.
  public func readRows(
    of name: TimelineName, downTo mark: ReadMark, then: @escaping @MainActor ([Timeline.Row]) -> Void
  ) {
    guard let cache else { return then([]) }
    cache.fetch(name, after: timeline(name).knownRows, limit: ReadMark.mostSkipped) { kept in
      then(kept.isAdjacent ? Array(kept.rows.prefix(kept.rows.firstRead(by: mark) ?? 0)) : [])
    }
  }

  /// Returns the cached ones of `rows`; nil if the cache can't be read, or can't be shown as others show the timeline.
  public func cached(_ rows: [Qwink.RowID], of name: TimelineName) -> [Qwink]? {
    hasSeveralReaders(name) ? nil : cache?.load(rows, of: name)
  }
}
