import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal

/// The rows of a timeline that are in memory. The cache can have rows above and below them.
extension TimelineViewController {
  /// If fewer rows than this are above the first visible one, more are loaded.
  private static let rowsAhead = 20

  /// Keeps visible and selected rows in memory, and loads nearby ones.
  func noteReading() {
    guard showsModelRows else { return }
    let seen = rows[shownRows.clamped(to: rows.indices)]
    let ends = [seen.first { $0.qwink != nil }, seen.last { $0.qwink != nil }].map { $0?.qwink?.rowID }
    account.timelines.note(
      self, reads: (ends + [selectedQwink?.rowID]).compactMap(\.self), isOnScreen: isOnScreen,
      needsAll: finder.limit != nil, in: name)
    if finder.limit == nil, shownRows.lowerBound < Self.rowsAhead, hasRowsAbove { account.timelines.loadNewer(name) }
  }

  func goToNewest() {
    guard hasRowsAbove, finder.limit == nil else { return selectNewest() }
    let gap = rows.prefix(selectedIndex ?? 0).lazy.compactMap(\.cursor).last
    account.timelines.showFirst(name) { [weak self] isElsewhere, passed in
      self?.jump(isElsewhere ? gap ?? passed : nil, isElsewhere: isElsewhere) { $0.selectNewest() }
    }
  }

  func goToOldest() {
    guard hasMoreCached, finder.limit == nil, !hiding.endsAtRead else { return selectOldest() }
    let gap = rows.dropFirst((selectedIndex ?? 0) + 1).lazy.compactMap(\.cursor).first
    account.timelines.showLast(name) { [weak self] isElsewhere, passed in
      self?.jump(isElsewhere ? gap ?? passed : nil, isElsewhere: isElsewhere) { $0.selectOldest() }
    }
  }

  /// Selects a row with `select` at the end of a jump. If the jump passed `gap`, shows a message.
  private func jump(_ gap: PageCursor?, isElsewhere: Bool, _ select: (TimelineViewController) -> Void) {
    isTakingIn = isElsewhere
    select(self)
    isTakingIn = false
    if let gap { navigator?.say(TimelineWords.passed(account.timelines.countMissing(at: gap, in: name)), .dim) }
  }

  /// Selects the newest row in memory, or the cell above all rows.
  func selectNewest() { list.select(showsOldestFirst ? list.count - 1 : 0) }

  /// Selects the oldest row in memory.
  private func selectOldest() { list.select(showsOldestFirst ? 0 : list.count - 1) }

  /// Whether the unread rows can be counted. False if the cache has rows above the loaded ones and all loaded rows are
  /// read.
  var knowsUnread: Bool { !hasRowsAbove || news.beginsUnread }

  /// The number of unread rows above the loaded rows.
  var unreadAboveWindow: Int {
    guard hasRowsAbove else { return 0 }
    return news.beginsUnread ? rowsAbove ?? newAboveWindow : newAboveWindow
  }
}
