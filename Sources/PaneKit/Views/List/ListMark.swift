/// Tracks one item of a list while items are inserted and deleted.
@MainActor
final class ListMark {
  /// The item's index. After the item's deletion, the index of the item before it, or -1 if no item is before it.
  private(set) var index: Int
  /// Whether the item has been deleted.
  private(set) var isGone = false

  init(_ index: Int) {
    self.index = index
  }

  func shift(forInserted range: Range<Int>) {
    if index >= range.lowerBound { index += range.count }
  }

  func shift(forDropped dropped: Int) {
    guard dropped <= index else { return }
    if dropped == index { isGone = true }
    index -= 1
  }
}
