/// A page laid over the rows from where it begins: what then stands there.
struct PageSplice<Element: PagedElement> {
  typealias Row = PagedRow<Element>

  /// What stands below the page.
  enum End {
    /// Rows that are known to follow.
    case known([Row])
    /// Rows that follow as far as anybody knows: what stands between could not be read.
    case unproven([Row])
    /// Rows of which nobody knows what stands above them.
    case gap(PageCursor, [Row])
    /// Nothing: the list ends here, or goes on where the page leads.
    case last
  }

  /// The rows from the first of the page down to its last, or to the last that both have.
  private(set) var rows: [Row] = []
  private(set) var end = End.last

  /// Lays `page` over `old`, the rows that are known from the place on where the page begins. `hasMore` says that
  /// others follow these, `isAfterUnread` that something that could not be read may stand right above the page.
  init(_ page: Page<Element>, over old: [Row], hasMore: Bool, isAfterUnread: Bool = false) {
    var items = Self.once(page)
    if isAfterUnread, !items.isEmpty { items[0].isAfterUnread = true }
    let fixed = Self.fixedRows(items, in: old, isLast: page.older == nil)
    let brought = Set(items.map(\.item.rowID))
    var next = 0
    var placeOfUnread: Int?
    for (index, (item, isAfterUnread)) in items.enumerated() {
      if isAfterUnread, placeOfUnread == nil { placeOfUnread = rows.count }
      if let place = fixed[index] {
        // What stood between and isn't in the page is gone, unless it is what could not be read.
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
    let hasUnreadBelow = placeOfUnread != nil || page.hasDamagedEnd
    if rest.isEmpty, !hasMore {
      end = .last
    } else if isLastKnown, page.older != nil || !page.isComplete {
      end = hasUnreadBelow ? .unproven(rest) : .known(rest)
    } else if let cursor = page.older {
      end = .gap(cursor, rest)
    } else if page.isComplete {
      end = .last
    } else {
      rows.insert(contentsOf: rest, at: placeOfUnread ?? rows.count)
      end = .unproven([])
    }
  }

  /// The items of a page, each once, and whether some that could not be read stand before it.
  private static func once(_ page: Page<Element>) -> [(item: Element, isAfterUnread: Bool)] {
    var seen: Set<Element.RowID> = []
    return page.items.enumerated().compactMap { index, item in
      seen.insert(item.rowID).inserted ? (item, page.isDamaged(before: index)) : nil
    }
  }

  /// What a row that moved counts against rows that are gone.
  private static var costOfMove: Int { 3 }

  /// Where those of the items stand in `old` that have stayed in place, by their index. Others have moved, to the top
  /// mostly, and say nothing of the rows that they have passed. Of all that could have happened the least is believed:
  /// few moves, and few rows gone.
  private static func fixedRows(
    _ items: [(item: Element, isAfterUnread: Bool)], in old: [Row], isLast: Bool
  ) -> [Int: Int] {
    let ids = Set(items.map(\.item.rowID))
    var places: [Element.RowID: Int] = [:]
    // How many rows above a place are not in the page.
    var missing: [Int] = []
    var count = 0
    for (place, row) in old.enumerated() {
      missing.append(count)
      guard let id = row.item?.rowID else { continue }
      if ids.contains(id) { places[id] = place } else { count += 1 }
    }
    let common = items.indices.compactMap { index in places[items[index].item.rowID].map { (index: index, place: $0) } }
    // Where something could not be read nothing is gone.
    var unread: [Int] = []
    for item in items { unread.append((unread.last ?? 0) + (item.isAfterUnread ? 1 : 0)) }
    func gone(above number: Int, below other: Int?) -> Int {
      let item = common[number]
      let isUnread = unread[item.index] > (other.map { unread[common[$0].index] } ?? 0)
      return isUnread ? 0 : missing[item.place] - (other.map { missing[common[$0].place] } ?? 0)
    }
    // The least that happened down to each, where it has stayed, and the one before it that has.
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
    // A single row with others missing above it may as well have come up to where it is.
    if let last = number, before[last] == nil,
      isLast ? gone(above: last, below: nil) > 0 : missing[common[last].place] > 0
    {
      number = nil
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

/// The longest increasing run in a row of numbers.
enum LongestRun {
  /// The indices of a longest run of `numbers`, none of them twice, that only grow.
  static func indices(of numbers: [Int]) -> [Int] {
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var run: [Int] = []
    var index = ends.last
    while let current = index {
      run.append(current)
      index = before[current]
    }
    return run.reversed()
  }
}
