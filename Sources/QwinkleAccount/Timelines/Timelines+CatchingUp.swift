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

  /// Refreshes with the cause ``Cause/poll``. After a long break, also fetches the rows between the new rows and the
  /// known rows, up to a maximum number of pages.
  public func catchUp(_ name: TimelineName) {
    let entry = entry(name)
    if let last = entry.state.refreshedAt, connection.clock.now.timeIntervalSince(last) > Self.longBreak {
      entries[name]?.gaps.catchesUp = true
    }
    refresh(name, cause: .poll)
  }

  /// Returns the cursor of the page after the newest page if that page must be fetched before the newest page is
  /// merged, otherwise nil. After a break, a short newest page that doesn't reach the last known row doesn't show
  /// whether the known rows below it still exist.
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
    // Rows above the loaded rows are only in the cache, so a gap among them can't be filled.
    guard !entry.timeline.hasMoreAbove else { return }
    // A gap left by the refresh is right below the newest page.
    let newest = entry.timeline.rows.prefix(Self.pageSize + 1)
    guard entry.gaps.filling == nil, entry.state.error == nil, let cursor = newest.lazy.compactMap(\.cursor).first
    else {
      return
    }
    entries[name]?.gaps.filling = GapFilling(cursor: cursor, isUpwards: false, mostPages: Self.maximumPages)
    entries[name]?.state.gap = GapProgress(cursor: cursor, count: 0)
  }
}
