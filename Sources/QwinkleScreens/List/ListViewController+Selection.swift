import PaneKit
import QwinkleAccount
import QwinkleModel

/// The selected row and the visible rows.
extension ListViewController {
  /// Number of list view items above the first row.
  var leadingCount: Int { leadingCell == nil ? 0 : 1 }

  /// Shows the selected row's number and the number of rows.
  func updatePosition() {
    let hasMore = hasOlderRows && finder.limit == nil && !state.isComplete
    // In a list without a limit, the row's number is unknown until the rows above are counted.
    let place = finder.limit == nil ? selectedIndex.flatMap { index in rowsAbove.map { $0 + index } } : selectedIndex
    let count = rows.count + (finder.limit == nil ? (rowsAbove ?? 0) + rowsBelow : 0)
    let number = place.map { showsOldestFirst ? count - $0 : $0 + 1 }
    titleRule.note = number.map { "\($0)/\(count)\(hasMore ? "+" : "")" } ?? ""
  }

  /// Updates the list after a leading cell was added or removed. The selected row stays selected.
  func addOrRemoveLeadingItem() {
    list.performBatchUpdates(followsTop: true) {
      if leadingCell == nil { list.deleteItems(at: [0]) } else { list.insertItems(at: 0..<1) }
    }
  }

  var isLeadingCellSelected: Bool { leadingCell != nil && list.selectedIndex == 0 }

  /// Whether the reader is at the end of the list where new rows arrive.
  var isAtTop: Bool {
    if showsOldestFirst { return list.isAtEnd && selectedIndex ?? 0 == 0 && !hasRowsAbove }
    return list.isAtTop && list.selectedIndex ?? 0 <= (selectsLeadingCell ? 0 : leadingCount) && !hasRowsAbove
  }

  /// The newest visible row. In linear form (for screen readers), the selected row.
  var firstShown: Int { rows(ofItems: list.shownItems ?? list.topIndex..<(list.topIndex + 1)).lowerBound }

  var selectedIndex: Int? {
    list.selectedIndex.map(row(ofItem:)).flatMap { rows.indices.contains($0) ? $0 : nil }
  }

  var selectedRow: Row? { selectedIndex.map { rows[$0] } }

  public var selectedRowKey: AnyHashable? {
    func key(_ row: some Identifiable) -> AnyHashable { AnyHashable(row.id) }
    return (selectedRow as? any Identifiable).map { key($0) } ?? selectedQwinker.map { AnyHashable($0.id) }
  }

  func select(_ index: Int, reveals: Bool = true) {
    list.select(item(ofRow: index), reveals: reveals)
  }

  var canOpen: Bool { isLeadingCellSelected || selectedRow != nil }

  func openSelected() {
    if let selectedRow { open(selectedRow) } else { openLeadingCell() }
  }

  /// The rows that the reader has seen to the end, if any; see ``ListView/itemsSeen``.
  var rowsSeen: Range<Int>? {
    guard let items = list.itemsSeen else { return nil }
    let seen = rows(ofItems: items).clamped(to: rows.indices)
    return seen.isEmpty ? nil : seen
  }
}
