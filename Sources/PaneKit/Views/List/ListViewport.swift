/// The visible part of a list, and how it moves. A pure value: item heights are requested through a closure, and only
/// for items near the view.
struct ListViewport: Equatable {
  /// The first visible item.
  var topIndex = 0
  /// Number of the top item's rows that are hidden above the view.
  var hiddenRows = 0

  /// A visible item.
  struct Placement: Equatable {
    let index: Int
    /// The row of the item's upper edge; negative if the item begins above the view.
    let row: Int
    let rows: Int
  }

  /// Returns the visible items from top to bottom.
  func placements(rows: Int, count: Int, height: (Int) -> Int) -> [Placement] {
    var placements: [Placement] = []
    var row = -hiddenRows
    var index = topIndex
    while row < rows, index < count {
      let itemRows = height(index)
      placements.append(Placement(index: index, row: row, rows: itemRows))
      row += itemRows
      index += 1
    }
    return placements
  }

  /// Scrolls by `delta` rows, down if positive, but not beyond the ends of the list. `tail` is the number of rows below
  /// the last item.
  mutating func scroll(by delta: Int, rows: Int, count: Int, tail: Int, height: (Int) -> Int) {
    guard count > 0 else {
      self = ListViewport()
      return
    }
    topIndex = min(topIndex, count - 1)
    var offset = hiddenRows + delta
    while offset < 0, topIndex > 0 {
      topIndex -= 1
      offset += height(topIndex)
    }
    offset = max(0, offset)
    while topIndex < count - 1, offset >= height(topIndex) {
      offset -= height(topIndex)
      topIndex += 1
    }
    hiddenRows = min(offset, max(0, height(topIndex) - 1))
    fillFromBelow(rows: rows, count: count, tail: tail, height: height)
  }

  /// Scrolls up as far as possible to fill empty rows below the last item.
  mutating func fillFromBelow(rows: Int, count: Int, tail: Int, height: (Int) -> Int) {
    guard count > 0, rows > 0 else { return }
    var missing = rows - tail + hiddenRows
    var index = topIndex
    while index < count, missing > 0 {
      missing -= height(index)
      index += 1
    }
    guard missing > 0 else { return }
    let pulled = min(missing, hiddenRows)
    hiddenRows -= pulled
    missing -= pulled
    while missing > 0, topIndex > 0 {
      topIndex -= 1
      let itemRows = height(topIndex)
      hiddenRows = max(0, itemRows - missing)
      missing -= itemRows
    }
  }

  /// Scrolls as little as necessary to show a whole item, or its upper part if it is taller than the view.
  mutating func reveal(_ index: Int, rows: Int, count: Int, tail: Int, height: (Int) -> Int) {
    guard index < count, rows > 0 else { return }
    // If the last item is revealed, the rows below it become visible too.
    let wholeRows = rows
    let rows = index == count - 1 ? max(1, rows - tail) : rows
    if index < topIndex || (index == topIndex && hiddenRows > 0) {
      topIndex = index
      hiddenRows = 0
    } else {
      // Check whether the item's lower edge is below the view.
      var row = -hiddenRows
      var current = topIndex
      while current < index, row < rows + height(index) {
        row += height(current)
        current += 1
      }
      let itemRows = height(index)
      guard current < index || row + itemRows > rows else { return }
      topIndex = index
      hiddenRows = 0
      var room = rows - itemRows
      while room > 0, topIndex > 0 {
        topIndex -= 1
        let above = height(topIndex)
        hiddenRows = max(0, above - room)
        room -= above
      }
    }
    fillFromBelow(rows: wholeRows, count: count, tail: tail, height: height)
  }
}
