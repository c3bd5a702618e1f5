import PaneKit

/// The order of the rows on the screen. Rows are newest first in the model, in ``ListViewController/rows`` and in all
/// computations. Only the list view's items are in the order of the screen.
extension ListViewController {
  /// Returns the list view's item that shows a row.
  func item(ofRow index: Int) -> Int { leadingCount + (showsOldestFirst ? rows.count - 1 - index : index) }

  /// Returns the row that an item shows. It isn't in the list if the item is the leading cell.
  func row(ofItem item: Int) -> Int { showsOldestFirst ? rows.count - 1 + leadingCount - item : item - leadingCount }

  /// Returns the rows that items show, without the leading cell.
  func rows(ofItems items: Range<Int>) -> Range<Int> {
    let (lower, upper) = (max(0, items.lowerBound - leadingCount), max(0, items.upperBound - leadingCount))
    return showsOldestFirst ? max(0, rows.count - upper)..<max(0, rows.count - lower) : lower..<upper
  }

  /// The rows that are at least partly visible.
  var shownRows: Range<Int> { shownItems.isEmpty ? 0..<0 : rows(ofItems: shownItems) }

  /// Turns the list over, if necessary. The selected row stays selected.
  func setOrder(oldestFirst: Bool) {
    guard oldestFirst != showsOldestFirst else { return }
    let selected = selectedIndex
    showsOldestFirst = oldestFirst
    guard showsModelRows, !rows.isEmpty else { return }
    isPlacing = true
    list.reloadData()
    if let selected { select(selected) }
    isPlacing = false
    updateWords()
    didShowRows()
  }
}
