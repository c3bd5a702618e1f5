import FoundationEssentials
public import QwinkleModel
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
      entries[name]?.gaps.catchesUp = true
    }
    refresh(name, cause: .poll)
  }

  /// Returns the cursor of the page after the newest one, if that page is needed before the newest one is merged: after
  /// a break, if the newest page is short and doesn't reach the last known row. A short page alone doesn't show whether
  /// the known rows below it still exist.
  func cursorToConfirmEnd(of page: Page<Qwink>, in name: TimelineName) -> PageCursor? {
    guard let entry = entries[name], entry.gaps.catchesUp, page.isComplete, page.items.count < Self.pageSize,
      let last = entry.timeline.knownRows.last?.qwink, !page.items.contains(where: { $0.rowID == last.rowID })
    else { return nil }
    return page.older
  }

  /// Starts to fill the gap that a refresh after a break has left.
  func fillGapAfterBreak(_ name: TimelineName) {
    guard let entry = entries[name], entry.gaps.catchesUp, !entry.state.isRefreshing else { return }
    entries[name]?.gaps.catchesUp = false
    // If the loaded rows don't start at the top, no rows above them are loaded, so the gap can't be filled.
    guard !entry.timeline.hasMoreAbove else { return }
    // If there is a gap, it follows the newest page.
    let newest = entry.timeline.rows.prefix(Self.pageSize + 1)
    guard entry.gaps.filling == nil, entry.state.error == nil, let cursor = newest.lazy.compactMap(\.cursor).first
    else {
      return
    }
    entries[name]?.gaps.filling = GapFilling(cursor: cursor, isUpwards: false, mostPages: Self.maximumPages)
    entries[name]?.state.gap = GapProgress(cursor: cursor, count: 0)
  }
}
