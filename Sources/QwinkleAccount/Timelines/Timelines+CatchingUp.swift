import FoundationEssentials
public import QwinkleModel
import QwinkleService
import Timekeeping

/// After a time without refreshes: the program was stopped, the machine slept, or there was no network.
extension Timelines {
  /// A refresh this much later than the last one leaves no gap. In seconds.
  private static let longBreak: Double = 180
  /// The most pages fetched for that; what is still missing then stays a gap.
  private static let maximumPages = 10

  /// Fetches news as ``refresh(_:cause:)`` does for a poll; after a long break all of it, down to the rows that are
  /// there.
  public func catchUp(_ name: TimelineName) {
    let entry = entry(name)
    if let last = entry.state.refreshedAt, connection.clock.now.timeIntervalSince(last) > Self.longBreak {
      entries[name]?.catchesUp = true
    }
    refresh(name, cause: .poll)
  }

  /// Passes on the newest page, after a break together with the next one if the list may end there: a page that is
  /// neither full nor the last one doesn't tell whether the rows below it are still there.
  func confirmEnd(of page: Page<Qwink>, in name: TimelineName, then: @escaping @MainActor (Page<Qwink>) -> Void) {
    guard let entry = entries[name], entry.catchesUp, page.isComplete, page.items.count < Self.pageSize,
      let cursor = page.older, let last = entry.timeline.knownRows.last?.qwink,
      !page.items.contains(where: { $0.rowID == last.rowID })
    else { return then(page) }
    let settledCount = reactions.settledCount
    load(.timelinePage(name, cursor)) { [weak self] result in
      guard let self, case .success(let next) = result, next.isComplete else { return then(page) }
      var both = page
      let haveSources = page.sources.count == page.items.count && next.sources.count == next.items.count
      both.items += next.items
      both.sources = haveSources ? page.sources + next.sources : []
      both.older = next.older
      // What has changed since the first of them came.
      then(streamedChanges.applied(to: reactions.applied(to: both, since: settledCount)))
    }
  }

  /// Begins to fill the gap that a refresh after a break has left.
  func fillGapAfterBreak(_ name: TimelineName) {
    guard let entry = entries[name], entry.catchesUp, !entry.state.isRefreshing else { return }
    entries[name]?.catchesUp = false
    // Above a window in the middle there is no list to fill it in.
    guard !entry.timeline.hasMoreAbove else { return }
    // The newest page ends at the gap.
    let newest = entry.timeline.rows.prefix(Self.pageSize + 1)
    guard entry.filling == nil, entry.state.error == nil, let cursor = newest.lazy.compactMap(\.cursor).first else {
      return
    }
    entries[name]?.filling = GapFilling(cursor: cursor, isUpwards: false, mostPages: Self.maximumPages)
    entries[name]?.state.gap = GapProgress(cursor: cursor, count: 0)
  }
}
