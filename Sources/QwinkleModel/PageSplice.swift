/// The result of merging a page into known rows. It begins with the page's first row.
struct PageSplice<Element: PagedElement> {
  typealias Row = PagedRow<Element>

  /// The rows that follow the page.
  enum End {
    /// Rows that follow directly. Only an unreadable item of the page can be in between.
    case known([Row])
    /// Rows below a gap, and the gap's cursor.
    case gap(PageCursor, [Row])
    /// No rows: the list ends here or continues at the page's cursor.
    case last
  }

  /// The rows of the page, and known rows that may be its unreadable items.
  private(set) var rows: [Row] = []
  private(set) var end = End.last

  /// The rows of the page and the rows that follow.
  var allRows: [Row] {
    switch end {
    case .known(let rest), .gap(_, let rest): rows + rest
    case .last: rows
    }
  }

  /// Merges `page` into `old`.
  ///
  /// - Parameters:
  ///   - old: The known rows, starting where the page begins.
  ///   - hasMore: Whether more rows follow `old`.
  ///   - isAfterUnread: Whether an unreadable item may directly precede the page.
  init(_ page: Page<Element>, over old: [Row], hasMore: Bool, isAfterUnread: Bool = false) {
    var items = Self.once(page)
    if isAfterUnread, !items.isEmpty { items[0].isAfterUnread = true }
    let fixed = Self.fixedRows(items, in: old, unreadable: page.damagedCount + (isAfterUnread ? 1 : 0))
    let brought = Set(items.map(\.item.rowID))
    var next = 0
    var placeOfUnread: Int?
    for (index, (item, isAfterUnread)) in items.enumerated() {
      if isAfterUnread, placeOfUnread == nil { placeOfUnread = rows.count }
      if let place = fixed[index] {
        // The page proves that known rows between two of its items were removed, unless they may be its unreadable
        // items.
        if let placeOfUnread {
          let unread = Self.rows(old[next..<place], without: brought).filter { $0.item != nil }
          rows.insert(contentsOf: unread, at: placeOfUnread)
        }
        placeOfUnread = nil
        next = place + 1
      }
      rows.append(.item(item))
    }
    let rest = Self.rows(old[next...], without: brought)
    let isLastKnown = items.indices.last.map { fixed[$0] != nil } ?? false
    if rest.isEmpty, !hasMore {
      end = .last
    } else if let cursor = page.older {
      end = isLastKnown ? .known(rest) : .gap(cursor, rest)
    } else if page.isComplete {
      end = .last
    } else {
      // The page reaches the end of the list, so no gap remains, only rows that may be its unreadable items.
      rows.insert(contentsOf: rest.filter { $0.item != nil }, at: placeOfUnread ?? rows.count)
      end = .known([])
    }
  }

  /// Returns the items of a page without duplicates. `isAfterUnread`: unreadable items may precede the item.
  private static func once(_ page: Page<Element>) -> [(item: Element, isAfterUnread: Bool)] {
    var seen: Set<Element.RowID> = []
    return page.items.enumerated().compactMap { index, item in
      seen.insert(item.rowID).inserted ? (item, page.isDamaged(before: index)) : nil
    }
  }

  /// Number of removed rows that is as likely as one moved row.
  private static var costOfMove: Int { 3 }

  /// Returns the positions in `old` of the page's items that weren't moved, keyed by their index in `items`. The other
  /// known items moved, mostly to the top, and prove nothing about the rows that they passed. Assumes the smallest
  /// change: few moves and few removals. `unreadable` is the number of the page's unreadable items.
  private static func fixedRows(
    _ items: [(item: Element, isAfterUnread: Bool)], in old: [Row], unreadable: Int
  ) -> [Int: Int] {
    let ids = Set(items.map(\.item.rowID))
    var places: [Element.RowID: Int] = [:]
    // For each position, the number of rows above it that aren't on the page.
    var missing: [Int] = []
    var count = 0
    for (place, row) in old.enumerated() {
      missing.append(count)
      guard let id = row.item?.rowID else { continue }
      if ids.contains(id) { places[id] = place } else { count += 1 }
    }
    let common = items.indices.compactMap { index in places[items[index].item.rowID].map { (index: index, place: $0) } }
    // For each item, the number of places above it where an item may be unreadable. As many known rows as the page has
    // unreadable items may be missing from such places without having been removed.
    var unread: [Int] = []
    for item in items { unread.append((unread.last ?? 0) + (item.isAfterUnread ? 1 : 0)) }
    func gone(above number: Int, below other: Int?) -> Int {
      let item = common[number]
      let isUnread = unread[item.index] > (other.map { unread[common[$0].index] } ?? 0)
      let count = missing[item.place] - (other.map { missing[common[$0].place] } ?? 0)
      return isUnread ? max(0, count - unreadable) : count
    }
    // Fast path for most pages: nothing was moved or removed.
    if common.count > 1, zip(common, common.dropFirst()).allSatisfy({ $0.place < $1.place }),
      common.indices.allSatisfy({ gone(above: $0, below: $0 > 0 ? $0 - 1 : nil) == 0 })
    {
      return Dictionary(uniqueKeysWithValues: common.map { ($0.index, $0.place) })
    }
    // For each common item, assuming that it wasn't moved: the lowest cost of the moves and removals above it, and the
    // previous item that wasn't moved.
    var costs: [Int] = []
    var before: [Int?] = []
    for (number, item) in common.enumerated() {
      var least = (cost: number * costOfMove + gone(above: number, below: nil), before: Int?.none)
      for other in 0..<number where common[other].place < item.place {
        let cost = costs[other] + (number - other - 1) * costOfMove + gone(above: number, below: other)
        if cost <= least.cost { least = (cost, other) }
      }
      costs.append(least.cost)
      before.append(least.before)
    }
    let ends = common.indices.map { (cost: costs[$0] + (common.count - 1 - $0) * costOfMove, number: Int?($0)) }
    let none = (cost: common.count * costOfMove, number: Int?.none)
    var number = ends.reduce(none) { $1.cost <= $0.cost ? $1 : $0 }.number
    // If the last row that seems to be in place is the only one of its piece, which begins at the list's top or at a
    // gap, and rows of the piece above it are missing, it may just as well have moved up past them.
    while let last = number {
      let (place, upper) = (common[last].place, before[last])
      let start = if let upper { old[common[upper].place..<place].lastIndex { $0.cursor != nil } } else { Int?(0) }
      guard let start, missing[place] > missing[start], gone(above: last, below: upper) > 0 else { break }
      number = upper
    }
    var fixed: [Int: Int] = [:]
    while let current = number {
      fixed[common[current].index] = common[current].place
      number = before[current]
    }
    return fixed
  }

  private static func rows(_ rows: ArraySlice<Row>, without ids: Set<Element.RowID>) -> [Row] {
    rows.filter { row in row.item.map { !ids.contains($0.rowID) } ?? true }
  }
}
