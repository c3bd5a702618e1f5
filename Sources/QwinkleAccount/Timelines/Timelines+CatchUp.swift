import QwinkleModel
import QwinkleService
import QwinkleStore

/// Cached rows of a catch-up, in the order of the timeline.
struct CatchUpChunk {
  var rows: [Timeline.Row]
  /// The item of each row. Nil for a gap.
  var items: [CatchUpItem?]
  /// Whether more rows are cached after these.
  var hasMore: Bool
  /// Cursor for fetching rows older than the last cached one.
  var older: PageCursor?
  /// See ``CachedRows/isAdjacent``.
  var isAdjacent: Bool
}

/// Fetching and reading for a catch-up, which may be far from the rows in memory.
extension Timelines {
  /// Fetches the page at the cursor of a gap or of the end of the cached rows, and merges it into the cache. Rows in
  /// memory are updated, but rows that no view uses don't stay in memory. Calls `then` after the merge, or with the
  /// error.
  func fetchPage(
    at cursor: PageCursor, of name: TimelineName, then: @escaping @MainActor (DownloadError?) -> Void
  ) -> DownloadIdentifier {
    load(.timelinePage(name, cursor), of: name, for: .catchUp(cursor, then: then))
  }

  func mergeCatchUp(
    _ page: Page<Qwink>, at cursor: PageCursor, into name: TimelineName, then: @escaping @MainActor () -> Void
  ) {
    take(page, at: .at(cursor), into: name) { [weak self] change in
      guard let self else { return }
      entries[name]?.noteComplete()
      tell(change, name, .older)
      trim(name)
      then()
    }
  }

  /// Reads cached rows after `rows`, or the first rows if `rows` is empty. Items are made in the background. Passes nil
  /// if the cache can't be read.
  func readItems(
    of name: TimelineName, after rows: [Timeline.Row], limit: Int,
    then: @escaping @MainActor @Sendable (CatchUpChunk?) -> Void
  ) {
    cache.fetch(name, after: rows, limit: limit, converting: { CatchUpItem($0) }) { read in
      then(
        read.map { rows, items in
          CatchUpChunk(
            rows: rows.rows, items: items, hasMore: rows.hasMore, older: rows.older, isAdjacent: rows.isAdjacent)
        })
    }
  }

  /// Counts the cached rows and gaps above a row. Passes nil if the row isn't cached.
  func countRows(
    above row: Timeline.Row, of name: TimelineName, then: @escaping @MainActor @Sendable (Int?) -> Void
  ) {
    cache.count(above: [row], in: name, then: then)
  }

  /// Returns a row from memory or, synchronously, from the cache.
  func cachedQwink(_ row: Qwink.RowID, of name: TimelineName) -> Qwink? {
    entries[name]?.timeline[row] ?? cache.load([row], of: name)?.first
  }

  /// Returns the JSON (UTF-8) of cached rows as the server sent it.
  func cachedSources(_ rows: [Qwink.RowID], of name: TimelineName) -> [Qwink.RowID: [UInt8]] {
    cache.loadSources(rows, of: name)
  }
}
