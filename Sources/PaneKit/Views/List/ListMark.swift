/// An item of a list, whose index follows it as items come and go.
@MainActor
final class ListMark {
  /// Its index; after it has gone, that of the item before it, perhaps -1.
  private(set) var index: Int
  /// Whether the item has gone.
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
