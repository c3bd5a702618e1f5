public import QwinkleModel
import QwinkleService
import QwinkleStore

/// The state of a gap while it is being filled, page by page.
struct GapFilling {
  var cursor: PageCursor
  /// Whether the gap is filled from below, if the server supports it.
  var isUpwards: Bool
  /// Cursors of the pages already fetched from above, to detect a cycle.
  var followed: Set<PageCursor> = []
  /// Maximum number of pages to fetch, or nil for no limit.
  var mostPages: Int?
  /// Whether the page being fetched is from below.
  var isAskedUpwards = false
}

/// Progress in filling a gap.
public struct GapProgress: Hashable, Sendable {
  /// The current cursor of the gap.
  public var cursor: PageCursor
  /// Number of rows added so far.
  public var count: Int
}

extension Timelines {
  /// Fetches all rows missing at a gap, page by page. Starts from below if the reader scrolls `upwards` and the server
  /// can return the page directly above a row, otherwise from above. ``Account/cancelDownloads()`` stops it and leaves
  /// the rest of the gap.
  public func fillGap(_ cursor: PageCursor, in name: TimelineName, upwards: Bool = false) {
    let entry = entry(name)
    guard !entry.state.isLoadingMore, entry.gaps.filling == nil, entry.timeline.rows.contains(.gap(cursor)) else {
      return
    }
    entries[name]?.gaps.filling = GapFilling(cursor: cursor, isUpwards: upwards && entry.gaps.leadsRightAbove)
    entries[name]?.state.gap = GapProgress(cursor: cursor, count: 0)
    entries[name]?.state.wasCancelled = false
    if !entry.state.isRefreshing { fetchGapPage(name) }
    tellState(name)
  }

  /// Returns the number of rows missing at a gap, if known.
  public func countMissing(at cursor: PageCursor, in name: TimelineName) -> MissingCount? {
    entry(name).gaps.counts[cursor] ?? nil
  }

  /// Fetches one page to count the rows missing at a gap, unless they were counted before. Notifies observers of a
  /// change to the timeline's state. If no rows are missing, the gap is removed.
  public func countGap(_ cursor: PageCursor, in name: TimelineName) {
    let entry = entry(name)
    guard entry.gaps.counts[cursor] == nil, entry.gaps.filling == nil, entry.state.error == nil,
      !entry.state.isRefreshing,
      !entry.state.isLoadingMore, entry.state.refreshedAt != nil, entry.timeline.rows.contains(.gap(cursor))
    else { return }
    entries[name]?.gaps.counts[cursor] = .some(nil)
    load(.timelinePage(name, cursor), of: name, for: .gapCount(cursor))
  }

  /// Counts the rows missing at a gap. `page` was requested with the gap's cursor.
  func countGap(_ cursor: PageCursor, by page: Page<Qwink>, in name: TimelineName) {
    // If the gap is being filled by now, the progress of the filling is shown instead.
    guard let entry = entries[name], entry.gaps.filling == nil,
      let count = entry.timeline.countMissing(at: cursor, in: page)
    else { return }
    entries[name]?.gaps.counts[cursor] = count
    if count == MissingCount(atLeast: 0, isExact: true) { close(cursor, with: page, in: name) }
    tellState(name)
  }

  /// Removes a gap at which no rows are missing.
  private func close(_ cursor: PageCursor, with page: Page<Qwink>, in name: TimelineName) {
    take(page, at: .at(cursor), into: name) { [weak self] in self?.tell($0, name, .older) }
  }

  /// Fetches the next page of the gap being filled.
  func fetchGapPage(_ name: TimelineName) {
    fillGapAfterBreak(name)
    guard let entry = entries[name], var filling = entry.gaps.filling else { return }
    if let mostPages = filling.mostPages {
      guard mostPages > 0 else { return endFilling(name) }
      filling.mostPages = mostPages - 1
    }
    var way = filling.cursor
    filling.isAskedUpwards = false
    if filling.isUpwards, let row = entry.timeline.rowToFillUpwards(filling.cursor),
      let up = PageCursor.above(row.id, in: name, limit: Self.pageSize)
    {
      way = up
      filling.isAskedUpwards = true
    } else if !filling.followed.insert(way).inserted {
      // The cursors form a cycle.
      return endFilling(name)
    }
    entries[name]?.gaps.filling = filling
    loadMore(name, at: way, for: .gap)
  }

  /// Merges a page into the gap being filled.
  func mergeGap(_ page: Page<Qwink>, of name: TimelineName) {
    guard let filling = entries[name]?.gaps.filling else { return didLoadMore(name) }
    let gaps = Set(entries[name]?.timeline.rows.compactMap(\.cursor) ?? [])
    take(page, at: filling.isAskedUpwards ? .above(filling.cursor) : .at(filling.cursor), into: name) {
      [weak self] change in
      guard let self, var entry = entries[name] else { return }
      // The page from below had no new rows, so the server doesn't support such requests. Continue from above.
      if filling.isAskedUpwards, change.inserted.isEmpty { entry.gaps.filling?.isUpwards = false }
      entry.state.isComplete = entry.isComplete
      // Continue at the same gap if it still exists, otherwise at the gap that the page left.
      let next =
        entry.timeline.rows.contains(.gap(filling.cursor))
        ? filling.cursor : entry.timeline.rows.lazy.compactMap(\.cursor).first { !gaps.contains($0) }
      if let next, entry.gaps.filling != nil {
        entry.gaps.filling?.cursor = next
        entry.state.gap = GapProgress(cursor: next, count: (entry.state.gap?.count ?? 0) + change.new.count)
      } else {
        entry.gaps.filling = nil
        entry.state.gap = nil
      }
      entries[name] = entry
      tell(change, name, .older)
      didLoadMore(name)
    }
  }

  func endFilling(_ name: TimelineName) {
    entries[name]?.gaps.filling = nil
    entries[name]?.state.gap = nil
  }
}
