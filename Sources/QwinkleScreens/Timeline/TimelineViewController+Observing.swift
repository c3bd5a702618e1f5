import PaneKit
public import QwinkleAccount
public import QwinkleModel
import Terminal

extension TimelineViewController: AccountObserver {
  public func timelines(
    _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause
  ) {
    guard name == self.name, showsModelRows else { return }
    isTakingIn = true
    defer { isTakingIn = false }
    let (new, change) = arranged(after: change)
    // If the cache has rows above the loaded ones, loading a page also drops rows from memory. They remain in the
    // timeline.
    let removed = cause == .cache || hasRowsAbove ? [] : change.removed.map { allRows[$0] }
    // A reader at the top sees new rows after refreshing or posting, and streamed rows while idle. Otherwise the
    // position doesn't change. A reader who reads the oldest rows first continues downwards to new rows.
    let followsTop =
      showsOldestFirst
      ? isAtTop && cause == .own : isAtTop && cause != .poll && cause != .cache && (cause != .stream || isIdle)
    if showsOldestFirst, cause != .cache { list.stopWaitingForTop() }
    let gap = selectedIndex.flatMap { rows[$0].cursor == nil ? nil : $0 }
    let filled = gap.flatMap { gap in change.inserted.first { (gap...(gap + 1)).contains($0.lowerBound) } }
    let fillsGap = filled != nil && cause == .older && finder.limit == nil
    // If the reader moved to the gap from the older row next to it, that row stays in position.
    if let gap, fillsGap, fillsFromOlder, gap + 1 < rows.count { select(gap + 1, reveals: false) }
    // If rows arrive while the reader is selecting a row, `lastSelected` is updated after the selection.
    let isSelecting = lastSelected != list.selectedIndex
    let isOnTop = change.inserted.first?.lowerBound == 0 && !rows.isEmpty
    if cause == .userRefresh, isAtTop { news.beginVisit() }
    let former = news.rowAboveLine
    prepareNews(new, after: change, cause: cause)
    if isOnTop, !followsTop, isAtTop { staysBelowNew = true }
    if isOnTop, followsTop { noteRowsInSight() }
    showFolds { show(new, after: change, followsTop: followsTop) }
    if isOnTop, followsTop { selectNewest() } else { goUpToMine() }
    if !isSelecting { lastSelected = list.selectedIndex }
    showNews(formerLine: former)
    if cause != .cache { updateSkipped(new: cause == .own ? [] : change.new, removed: removed) }
    // A reader who refreshes at the top sees the new rows, so they are read.
    if isOnTop, followsTop, cause == .userRefresh { readInSight() }
    // Select the next row in the filled gap, in the direction in which the reader was moving.
    if fillsGap, let filled { selectNext(in: filled) }
    if showsOldestFirst { openAfterChange() }
    // Rows inserted below the leading cell may have moved the selected row. Selecting it again reveals it.
    if leadingCell != nil { list.select(list.selectedIndex) }
    navigator?.selectionDidChange(in: self)
    if hidesRows || !folds.isEmpty { lookForMore() }
  }

  public func followsDidChangeHidden(_ follows: Follows) {
    if name.leavesOutMuted { rearrange() }
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    guard showsModelRows else { return }
    pictures?.lookSoon()
    let changed = allRows.indices.filter { allRows[$0].qwink?.originalID == qwink.originalID }
    guard !changed.isEmpty else { return }
    var (new, change) = arranged(after: ListChange(changed: changed))
    if isArranged {
      // Revealing a qwink changes its cell but not the qwink, so the difference doesn't contain it.
      change.changed = new.indices.filter { new[$0].qwink?.originalID == qwink.originalID }
    }
    showFolds { show(new, after: change) }
    // Reveal the whole row if it has grown.
    if let selectedIndex, rows[selectedIndex].qwink?.originalID == qwink.originalID {
      select(selectedIndex)
      navigator?.selectionDidChange(in: self)
    }
  }

  public func drafts(_ drafts: Drafts, didChangeRepliesTo qwinks: Set<Qwink.ID>) {
    reloadRows { $0.qwink.map { qwinks.contains($0.originalID) } ?? false }
  }

  public func timelines(_ timelines: Timelines, didChangeStateOf name: TimelineName) {
    guard name == self.name else { return }
    if !state.isRefreshing {
      refreshControl.endRefreshing()
      // Loading older pages doesn't postpone the poll.
      if wasRefreshing || wasLive != account.timelines.isLive(name) || (state.error != nil && !state.isLoadingMore) {
        schedulePoll()
      }
    }
    // Pinned qwinks are shown once the first page has arrived, even an empty one.
    if wasRefreshing, !state.isRefreshing, !qwinksAbove.isEmpty { showQwinksAbove() }
    wasRefreshing = state.isRefreshing
    wasLive = account.timelines.isLive(name)
    // Gaps show the number of loaded rows.
    reloadRows { $0.cursor != nil }
    countGapsInSight()
    updateWords()
    loadOlderWhereNeeded()
  }

  public func timelines(_ timelines: Timelines, didKeepNew rows: [Qwink.RowID], in name: TimelineName) {
    guard name == self.name else { return }
    newAboveWindow = (hasRowsAbove ? newAboveWindow : 0) + countShown(rows)
    countNewAbove()
    navigator?.statusDidChange(of: self)
  }

  /// Returns the number of new rows above the loaded rows that aren't hidden.
  private func countShown(_ rows: [Qwink.RowID]) -> Int {
    guard hidesRows, let cached = account.timelines.cached(rows, of: name) else { return rows.count }
    return cached.count { !isLeftOut($0) }
  }

  public func timelines(_ timelines: Timelines, didCountRowsIn name: TimelineName) {
    guard name == self.name, showsModelRows else { return }
    updatePosition()
    countNewAbove()
    navigator?.statusDidChange(of: self)
  }
}
