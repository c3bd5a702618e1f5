import PaneKit
import QwinkleModel

/// The selected row and the visible rows.
extension ListViewController {
  /// Number of list view items above the first row.
  var leadingCount: Int { leadingCell == nil ? 0 : 1 }

  /// Updates the list after a leading cell was added or removed. The selected row stays selected.
  func addOrRemoveLeadingItem() {
    list.performBatchUpdates(followsTop: true) {
      if leadingCell == nil { list.deleteItems(at: [0]) } else { list.insertItems(at: 0..<1) }
    }
  }

  var isLeadingCellSelected: Bool { leadingCell != nil && list.selectedIndex == 0 }

  var isAtTop: Bool {
    list.isAtTop && list.selectedIndex ?? 0 <= (selectsLeadingCell ? 0 : leadingCount) && !hasRowsAbove
  }

  /// The first visible row. In linear form (for screen readers), the selected row.
  var firstShown: Int { (list.shownItems?.lowerBound ?? list.topIndex) - leadingCount }

  var selectedIndex: Int? {
    list.selectedIndex.map { $0 - leadingCount }.flatMap { rows.indices.contains($0) ? $0 : nil }
  }

  var selectedRow: Row? { selectedIndex.map { rows[$0] } }

  public var selectedRowKey: AnyHashable? {
    func key(_ row: some Identifiable) -> AnyHashable { AnyHashable(row.id) }
    return (selectedRow as? any Identifiable).map { key($0) } ?? selectedQwinker.map { AnyHashable($0.id) }
  }

  func select(_ index: Int, reveals: Bool = true) {
    list.select(index + leadingCount, reveals: reveals)
  }

  var canOpen: Bool { isLeadingCellSelected || selectedRow != nil }

  func openSelected() {
    if let selectedRow { open(selectedRow) } else { openLeadingCell() }
  }

  /// The rows that the reader has seen to the end, if any; see ``ListView/itemsSeen``.
  var rowsSeen: Range<Int>? {
    guard let items = list.itemsSeen else { return nil }
    let seen = (max(0, items.lowerBound - leadingCount)..<max(0, items.upperBound - leadingCount))
      .clamped(to: rows.indices)
    return seen.isEmpty ? nil : seen
  }
}
