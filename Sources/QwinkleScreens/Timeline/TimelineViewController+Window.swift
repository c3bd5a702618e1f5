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

  func goToFirst() {
    guard hasRowsAbove, finder.limit == nil else { return list.select(0) }
    let gap = rows.prefix(selectedIndex ?? 0).lazy.compactMap(\.cursor).last
    account.timelines.showFirst(name) { [weak self] isElsewhere, passed in
      self?.jump(isElsewhere ? gap ?? passed : nil, isElsewhere: isElsewhere) { $0.select(0) }
    }
  }

  func goToLast() {
    guard hasMoreCached, finder.limit == nil, !hiding.endsAtRead else { return list.select(list.count - 1) }
    let gap = rows.dropFirst((selectedIndex ?? 0) + 1).lazy.compactMap(\.cursor).first
    account.timelines.showLast(name) { [weak self] isElsewhere, passed in
      self?.jump(isElsewhere ? gap ?? passed : nil, isElsewhere: isElsewhere) { $0.select($0.count - 1) }
    }
  }

  /// Selects a row with `select` at the end of a jump. If the jump passed `gap`, shows a message.
  private func jump(_ gap: PageCursor?, isElsewhere: Bool, _ select: (ListView) -> Void) {
    isTakingIn = isElsewhere
    select(list)
    isTakingIn = false
    if let gap { navigator?.say(TimelineWords.passed(account.timelines.countMissing(at: gap, in: name)), .dim) }
  }

  /// Whether the unread rows can be counted. False if the cache has rows above the loaded ones and all loaded rows are
  /// read.
  var knowsUnread: Bool { !hasRowsAbove || news.beginsUnread }

  /// The number of unread rows above the loaded rows.
  var unreadAboveWindow: Int {
    guard hasRowsAbove else { return 0 }
    return news.beginsUnread ? rowsAbove ?? newAboveWindow : newAboveWindow
  }
}
