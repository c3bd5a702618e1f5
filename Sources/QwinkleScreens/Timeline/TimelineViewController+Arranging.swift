import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal

/// Arranges the rows: inserts qwinks above the timeline, such as a user's pinned qwinks, and removes hidden and folded
/// rows.
extension TimelineViewController {
  // MARK: Arranging

  /// Returns the rows to show, and their difference from the current rows. `change` is the change to the timeline that
  /// caused the update, if any.
  func arranged(after change: ListChange? = nil) -> (rows: [Timeline.Row], change: ListChange) {
    let rows = account.timelines.timeline(name).rows
    let above = hasRowsAbove ? [] : qwinksAbove
    hasFiltered = rows.contains { row in
      row.qwink.map { !$0.filterMatches.isEmpty && account.disclosure(of: $0, in: filterPlace).isHidden } ?? false
    }
    let hides = hidesRows
    let was = isArranged
    let ids = Set(qwinksAbove.map(\.rowID))
    let idsBefore = idsAbove
    idsAbove = ids
    let others = withoutHidden(rows, besides: ids, hides: hides)
    folds = FoldedBoosts(others, keeping: keptRows)
    isArranged = hides || !ids.isEmpty || !folds.isEmpty
    if !isArranged, !was, let change { return (rows, change) }
    let new = above.map { Timeline.Row.item($0) } + others.filter(folds.shows)
    var difference = ListChange(from: allRows, to: new)
    if ids != idsBefore {
      // A row that gains or loses the label “pinned” must be drawn again, even if it doesn't move.
      let old = allRows
      difference = ListChange(from: old.map(\.id), to: new.map(\.id)) { former, index in
        let isTurned = new[index].qwink.map { ids.contains($0.rowID) != idsBefore.contains($0.rowID) } ?? false
        return isTurned || old[former] != new[index]
      }
    }
    if hides || was || !folds.isEmpty, let change {
      // Rows that were only hidden before aren't new.
      let came = Set(change.new.compactMap { rows[$0].qwink?.rowID })
      let returned = difference.inserted.joined().filter { new[$0].qwink.map { !came.contains($0.rowID) } ?? true }
      difference.returned.formUnion(returned)
    }
    return (new, difference)
  }

  /// Updates the rows after a change outside the timeline, such as a changed filter.
  func rearrange() {
    guard showsModelRows, hidesRows || isArranged else { return }
    let (new, change) = arranged()
    guard !change.isEmpty || folds != shownFolds else { return }
    show(arranged: new, after: change)
    if hidesRows { lookForMore() }
  }

  /// Updates the rows after ``qwinksAbove`` may have changed.
  func showQwinksAbove() {
    guard showsModelRows else { return }
    let (new, change) = arranged()
    if !change.isEmpty || folds != shownFolds { show(arranged: new, after: change) }
  }

  private func show(arranged new: [Timeline.Row], after change: ListChange) {
    let former = news.rowAboveLine
    showFolds { showKeepingSelection(new, after: change, followsTop: isAtTop) }
    updateNews()
    showNews(formerLine: former)
    // Inserted rows may have scrolled the leading cell, such as a profile, out of view. Selecting it again reveals it.
    if isLeadingCellSelected { list.select(list.selectedIndex) }
    navigator?.selectionDidChange(in: self)
  }

  // MARK: Folding

  /// The rows that must not be folded: the shown rows, or while a position from the last run isn't restored yet, its
  /// rows.
  private var keptRows: Set<Qwink.RowID> {
    waitingPlace.map { Set($0.keys.compactMap(Self.row(ofKey:))) } ?? Set(allRows.lazy.compactMap { $0.qwink?.rowID })
  }

  /// Shows the rows folded by ``folds`` with `show`, and redraws the names of boosters. If the selected row disappears,
  /// selects the row that shows its post now.
  func showFolds(_ show: () -> Void) {
    let former = shownFolds
    shownFolds = folds
    let selected = selectedQwink?.rowID
    show()
    let changed = Set(former.boosters.keys).union(folds.boosters.keys).filter {
      former.boosters[$0] != folds.boosters[$0]
    }
    if !changed.isEmpty { reloadRows(keepsPlace: true) { $0.qwink.map { changed.contains($0.rowID) } ?? false } }
    guard let selected, former.boosters[selected] != nil, selectedQwink?.rowID != selected else { return }
    // A row that was folded into the selected row can be folded into a new one now.
    let heirs = Set(former.rows(foldedInto: selected).map(folds.shownRow))
    if let heir = rows.firstIndex(where: { $0.qwink.map { heirs.contains($0.rowID) } ?? false }) { select(heir) }
  }

  /// Called after a change to the rows while some are hidden. Loads another page to replace hidden rows if the screen
  /// isn't full.
  func lookForMore() {
    noteReading()
    countHiddenPage()
    loadOlderWhereNeeded()
  }
}
