import FoundationEssentials
public import QwinkleModel
import QwinkleService
import Timekeeping

/// Catching up after a time without refreshes: the program was suspended, the machine slept, or there was no network.
extension Timelines {
  /// Minimum time between two refreshes that counts as a break, in seconds. The first refresh after a break also fills
  /// the gap between the new rows and the known rows.
  private static let longBreak: Double = 180
  /// Maximum number of pages fetched to fill the gap after a break. If rows are still missing, the gap remains.
  private static let maximumPages = 10

  /// Refreshes as ``refresh(_:cause:)`` does for a poll. After a long break, fetches all rows down to the known ones.
  public func catchUp(_ name: TimelineName) {
    let entry = entry(name)
    if let last = entry.state.refreshedAt, connection.clock.now.timeIntervalSince(last) > Self.longBreak {
      entries[name]?.catchesUp = true
    }
    refresh(name, cause: .poll)
  }

  /// Passes the newest page to `then`. After a break, first appends the next page if the newest one is short and
  /// doesn't reach the last known row: a short page alone doesn't show whether the known rows below it still exist.
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
      // Apply changes received since the first page.
      then(streamedChanges.applied(to: reactions.applied(to: both, since: settledCount)))
    }
  }

  /// Starts to fill the gap that a refresh after a break has left.
  func fillGapAfterBreak(_ name: TimelineName) {
    guard let entry = entries[name], entry.catchesUp, !entry.state.isRefreshing else { return }
    entries[name]?.catchesUp = false
    // If the loaded rows don't start at the top, no rows above them are loaded, so the gap can't be filled.
    guard !entry.timeline.hasMoreAbove else { return }
    // If there is a gap, it follows the newest page.
    let newest = entry.timeline.rows.prefix(Self.pageSize + 1)
    guard entry.filling == nil, entry.state.error == nil, let cursor = newest.lazy.compactMap(\.cursor).first else {
      return
    }
    entries[name]?.filling = GapFilling(cursor: cursor, isUpwards: false, mostPages: Self.maximumPages)
    entries[name]?.state.gap = GapProgress(cursor: cursor, count: 0)
  }
}
