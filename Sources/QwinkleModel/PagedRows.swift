/// What stands in a list that a server gives by pages.
public protocol PagedElement: Hashable, Sendable {
  associatedtype RowID: Hashable & Sendable

  /// What tells rows apart. A row stands in a list once.
  var rowID: RowID { get }
  /// Whether the server has it and the list doesn't show it.
  var isFilteredOut: Bool { get }
}

extension PagedElement {
  public var isFilteredOut: Bool { false }
}

/// A row of a list that a server gives by pages.
public enum PagedRow<Element: PagedElement>: Hashable, Sendable {
  case item(Element)
  /// Rows may be missing here; the cursor leads to them.
  case gap(PageCursor)

  public var item: Element? {
    if case .item(let item) = self { item } else { nil }
  }

  /// Where the gap leads; nil for an item.
  public var cursor: PageCursor? {
    if case .gap(let cursor) = self { cursor } else { nil }
  }

  var isShown: Bool { item?.isFilteredOut != true }
}

/// A list that a server gives by pages, newest first, as far as it is known, with gaps where rows may be missing.
///
/// Servers put rows into the middle, take rows out and change them; ids tell rows apart and nothing else. So order is
/// that of pages: each page takes the place of the rows from where it begins down to the last row that both have. A row
/// is gone only where a page proves it at its place: between two rows that the page has next to each other, above the
/// first row of the newest page, or below the last row of the last page. Two rows stand next to each other without a
/// gap only where the last page that has either had them so.
public struct PagedRows<Element: PagedElement>: Sendable {
  public typealias Row = PagedRow<Element>
  public typealias RowID = Element.RowID
  public typealias Change = ListChange

  /// What is shown.
  public private(set) var rows: [Row] = []
  /// What is known: what is shown, and what is filtered out between. Those count where a page is fitted in.
  public private(set) var knownRows: [Row] = []
  /// The way to what is older than the last row; nil at the end, or where nothing was fetched yet.
  public private(set) var older: PageCursor?
  /// Whether rows are kept elsewhere that follow the last one.
  public private(set) var hasMoreKept = false
  /// The rows that were shown once, also those that have gone: what comes back is not new.
  private var seen: Set<RowID> = []
  /// The rows in `knownRows`.
  private var known: Set<RowID> = []
  /// My own rows that no page has brought yet, and how many newest pages have come without them.
  private var own: [RowID: Int] = [:]
  /// Ways on that lead past something that could not be read.
  private var pastUnread: Set<PageCursor> = []
  /// Ways from the end that have been gone since the end was where it is by another page.
  private var followed: Set<PageCursor> = []
  /// Whether a page or kept rows have come.
  private(set) var wasFilled = false

  /// Newest pages without a row of mine after which it is gone: the first ones may have been made before I wrote.
  private static var mostPagesWithoutOwn: Int { 3 }

  public init() {}

  public var isEmpty: Bool { rows.isEmpty }

  /// Where a row is shown.
  public func index(of row: RowID) -> Int? {
    guard known.contains(row) else { return nil }
    return rows.firstIndex { $0.item?.rowID == row }
  }

  // MARK: Pages

  /// Takes in the first page of the list. Where it does not reach down to what is known, a gap follows it.
  public mutating func mergeNewest(_ page: Page<Element>) -> Change {
    if page.isPartial, wasFilled { return update(page.items) }
    wasFilled = true
    let brought = noteOwn(broughtBy: page)
    var rows = Self.rows(knownRows, without: brought.union(dropLostOwn(after: page)))
    let mine = rows.filter { isOwn($0) }
    rows.removeAll { isOwn($0) }
    let splice = PageSplice(page, over: rows, hasMore: hasMoreKept)
    let end = takeUp(splice.end, of: page)
    return setRows(mine + splice.rows + end, touched: page)
  }

  /// Takes in the page that ``older`` led to.
  public mutating func appendOlder(_ page: Page<Element>) -> Change {
    guard let cursor = older else { return Change() }
    wasFilled = true
    followed.insert(cursor)
    older = nil
    if page.items.isEmpty, let next = page.older, !followed.contains(next) {
      // Everything in it was left out by the server.
      older = next
      return Change()
    }
    var rows = Self.rows(knownRows, without: noteOwn(broughtBy: page))
    let rest = divided(page, by: &rows)
    let splice = PageSplice(rest, over: [], hasMore: false)
    if let next = page.older, !page.items.isEmpty, !followed.contains(next) { older = next }
    return setRows(rows + splice.rows, touched: page)
  }

  /// Takes in the page that a gap's cursor led to. The gap goes, or moves to the end of the page where that still does
  /// not reach what is known below.
  public mutating func fillGap(_ cursor: PageCursor, with page: Page<Element>) -> Change {
    guard let index = knownRows.firstIndex(of: .gap(cursor)) else { return Change() }
    if page.isPartial { return update(page.items) }
    if page.items.isEmpty {
      guard let next = page.older, next != cursor else { return Change() }
      var rows = knownRows
      rows[index] = .gap(next)
      if page.hasDamagedEnd || pastUnread.contains(cursor) { pastUnread.insert(next) }
      return setRows(rows, touched: page)
    }
    let brought = noteOwn(broughtBy: page)
    var above = Self.rows(Array(knownRows[..<index]), without: brought)
    let below = Self.rows(Array(knownRows[(index + 1)...]), without: brought)
    let rest = divided(page, by: &above)
    let splice = PageSplice(
      rest, over: below, hasMore: hasMoreKept, isAfterUnread: pastUnread.contains(cursor))
    var end = takeUp(splice.end, of: page)
    // A page that leads back to itself leads nowhere, and says nothing of what is below.
    if end.first == .gap(cursor), splice.rows.isEmpty { end = [.gap(cursor)] + below }
    return setRows(above + splice.rows + end, touched: page)
  }

  /// The row to ask for what is above, as `min_id` does, so that a gap is filled from below: the second one below the
  /// gap, as the page then has the first one too, which proves that it belongs there. Nil where there is none.
  public func rowToFillUpwards(_ cursor: PageCursor) -> Element? {
    guard let index = knownRows.firstIndex(of: .gap(cursor)), index > 0, index + 2 < knownRows.count,
      knownRows[index + 1].item != nil, !pastUnread.contains(cursor)
    else { return nil }
    return knownRows[index + 2].item
  }

  /// Takes in the page with the rows right above that of ``rowToFillUpwards(_:)``. The gap goes where the page reaches
  /// what is known above it. A page that doesn't end with the first row below the gap is not believed: a server that
  /// doesn't know `min_id` gives the first page.
  public mutating func fillGapUpwards(_ cursor: PageCursor, with page: Page<Element>) -> Change {
    guard rowToFillUpwards(cursor) != nil, let index = knownRows.firstIndex(of: .gap(cursor)), page.isComplete,
      let last = page.items.last, last.rowID == knownRows[index + 1].item?.rowID
    else { return Change() }
    let ids = Set(page.items.map(\.rowID))
    let above = Self.rows(Array(knownRows[..<index]), without: ids.intersection(own.keys))
    // What stood below and is above now has moved up.
    let below = Self.rows(Array(knownRows[(index + 1)...]), without: ids)
    let middle = page.items.map { Row.item($0) }
    guard let first = page.items.first(where: { item in above.contains { $0.item?.rowID == item.rowID } }),
      let place = above.firstIndex(where: { $0.item?.rowID == first.rowID })
    else {
      _ = noteOwn(broughtBy: page)
      return setRows(above + [.gap(cursor)] + middle + below, touched: page)
    }
    let upper = above[..<place].filter { $0.item.map { !ids.contains($0.rowID) } ?? true }
    // Where the page and the rows above the gap are not one order, the way from above tells more.
    guard above[place...].allSatisfy({ $0.item.map { ids.contains($0.rowID) } ?? false }) else { return Change() }
    // What the page has above the first row that both have is not known to follow the row above that.
    guard page.items.first?.rowID == first.rowID || upper.isEmpty else { return Change() }
    _ = noteOwn(broughtBy: page)
    return setRows(Array(upper) + middle + below, touched: page)
  }

  /// Takes in rows that were kept from an earlier time and stand after those that are here, and the way on from them.
  /// `hasMore` says that more are kept after these.
  public mutating func appendKept(_ kept: [Row], older: PageCursor?, hasMore: Bool) -> Change {
    wasFilled = wasFilled || !kept.isEmpty
    hasMoreKept = hasMore
    followed = []
    self.older = hasMore ? nil : older
    var fresh: Set<RowID> = []
    let new = kept.filter { row in
      row.item.map { !known.contains($0.rowID) && fresh.insert($0.rowID).inserted } ?? true
    }
    seen.formUnion(fresh)
    return setRows(knownRows + new, touched: Page(items: []))
  }

  /// Says that nothing is kept elsewhere any more, and which way leads on.
  public mutating func forgetKept(older: PageCursor?) {
    hasMoreKept = false
    followed = []
    self.older = older
  }

  // MARK: Single rows

  /// Puts one's own new row on top. It may be there already. A list of which nothing has come yet stays as it is: the
  /// first page will bring it.
  public mutating func insertOwn(_ item: Element) -> Change {
    guard wasFilled else { return Change() }
    if known.contains(item.rowID) { return update([item]) }
    own[item.rowID] = 0
    seen.insert(item.rowID)
    return setRows([.item(item)] + knownRows, touched: Page(items: []))
  }

  /// Shows newer states of rows, where they stand.
  public mutating func update(_ items: [Element]) -> Change {
    let items = items.filter { known.contains($0.rowID) }
    if items.isEmpty { return Change() }
    return setRows(updated(knownRows, by: items), touched: Page(items: items))
  }

  /// Changes rows by `newer`, which gives nil for those that stay as they are.
  public mutating func update(by newer: (Element) -> Element?) -> Change {
    update(knownRows.compactMap { $0.item.flatMap(newer) })
  }

  /// Puts rows by `newer`, with other ids perhaps, in the place of what they were; it gives nil for those that stay as
  /// they are. A row that stands elsewhere under its new id already goes.
  public mutating func replace(by newer: (Element) -> Element?) -> Change {
    var renamed: [RowID: RowID] = [:]
    var changed: [Element] = []
    var new: [Row] = []
    for row in knownRows {
      guard let old = row.item, let item = newer(old) else {
        new.append(row)
        continue
      }
      if item.rowID != old.rowID {
        guard known.insert(item.rowID).inserted else { continue }
        renamed[old.rowID] = item.rowID
        if let count = own.removeValue(forKey: old.rowID) { own[item.rowID] = count }
        if seen.contains(old.rowID) { seen.insert(item.rowID) }
      }
      new.append(.item(item))
      changed.append(item)
    }
    return setRows(new, touched: Page(items: changed), renamed: renamed)
  }

  /// Takes out rows.
  public mutating func remove(where isGone: (Element) -> Bool) -> Change {
    setRows(knownRows.filter { $0.item.map { !isGone($0) } ?? true }, touched: Page(items: []))
  }

  // MARK: Helpers

  private func isOwn(_ row: Row) -> Bool {
    row.item.map { own[$0.rowID] != nil } ?? false
  }

  /// Rows of mine that the page has get the place that it gives them.
  private mutating func noteOwn(broughtBy page: Page<Element>) -> Set<RowID> {
    guard !own.isEmpty else { return [] }
    let brought = Set(page.items.lazy.map(\.rowID)).intersection(own.keys)
    for row in brought { own[row] = nil }
    return brought
  }

  /// Rows of mine that newest pages go on leaving out are gone.
  private mutating func dropLostOwn(after page: Page<Element>) -> Set<RowID> {
    guard page.isComplete else { return [] }
    for row in own.keys { own[row]? += 1 }
    let lost = Set(own.filter { $0.value >= Self.mostPagesWithoutOwn }.keys)
    for row in lost { own[row] = nil }
    return lost
  }

  private static func rows(_ rows: [Row], without ids: Set<RowID>) -> [Row] {
    ids.isEmpty ? rows : rows.filter { row in row.item.map { !ids.contains($0.rowID) } ?? true }
  }

  /// What of a page stands in `rows` already, where a server repeats what an earlier page had, and the rest of it. What
  /// the page has right between two rows that are neighbours there is put between them.
  private func divided(_ page: Page<Element>, by rows: inout [Row]) -> Page<Element> {
    guard page.items.contains(where: { known.contains($0.rowID) }) else { return page }
    let ids = Set(page.items.map(\.rowID))
    let repeated = Set(rows.compactMap { $0.item?.rowID }.filter(ids.contains))
    guard !repeated.isEmpty else { return page }
    rows = updated(rows, by: page.items)
    var placed = repeated
    var between: [Element] = []
    var last: RowID?
    for item in page.items {
      if !repeated.contains(item.rowID) {
        between.append(item)
        continue
      }
      if let upper = last, !between.isEmpty, let place = rows.firstIndex(where: { $0.item?.rowID == upper }),
        place + 1 < rows.count, rows[place + 1].item?.rowID == item.rowID
      {
        let new = between.filter { !known.contains($0.rowID) && placed.insert($0.rowID).inserted }
        rows.insert(contentsOf: new.map { .item($0) }, at: place + 1)
      }
      between = []
      last = item.rowID
    }
    return page.filtered { !placed.contains($0.rowID) }
  }

  private func updated(_ rows: [Row], by items: [Element]) -> [Row] {
    guard !items.isEmpty else { return rows }
    let newer = Dictionary(items.map { ($0.rowID, $0) }) { first, _ in first }
    return rows.map { row in row.item.flatMap { newer[$0.rowID] }.map { .item($0) } ?? row }
  }

  /// Notes what a page says of the way on. Returns what stands below it.
  private mutating func takeUp(_ end: PageSplice<Element>.End, of page: Page<Element>) -> [Row] {
    switch end {
    case .known(let rest):
      if rest.isEmpty, !hasMoreKept { setOlder(page.older) }
      return rest
    case .unproven(let rest):
      return rest
    case .gap(let cursor, let rest):
      if page.hasDamagedEnd { pastUnread.insert(cursor) }
      return [.gap(cursor)] + rest
    case .last:
      hasMoreKept = false
      setOlder(page.older)
      return []
    }
  }

  private mutating func setOlder(_ cursor: PageCursor?) {
    guard cursor != older else { return }
    followed = []
    older = cursor
  }

  /// Makes these the rows, and says what is different for whoever shows them. `renamed` has the new ids of rows that
  /// have stayed.
  private mutating func setRows(
    _ new: [Row], touched page: Page<Element>, renamed: [RowID: RowID] = [:]
  ) -> Change {
    let before = rows
    var new = Self.withoutDoubleGaps(new)
    if !hasMoreKept, let last = new.lastIndex(where: \.isShown), case .gap(let cursor) = new[last] {
      // A gap with nothing below it is the way on.
      new.removeSubrange(last...)
      setOlder(cursor)
    }
    knownRows = new
    known = Set(new.lazy.compactMap { $0.item?.rowID })
    own = own.filter { known.contains($0.key) }
    rows = new.filter(\.isShown)
    let touched = Set(page.items.lazy.map(\.rowID))
    let after = rows
    let change = ListChange(
      from: Self.keys(of: before, renamed: renamed), to: Self.keys(of: after),
      isChanged: { old, new in
        after[new].item.map { touched.contains($0.rowID) } == true && before[old] != after[new]
      },
      wasHere: { key in
        switch key {
        case .item(let row): seen.contains(row)
        case .gap: false
        }
      })
    for range in change.inserted { seen.formUnion(after[range].lazy.compactMap { $0.item?.rowID }) }
    return change
  }

  /// Of gaps with nothing shown between them the first leads to all that is missing.
  private static func withoutDoubleGaps(_ rows: [Row]) -> [Row] {
    guard rows.contains(where: { $0.cursor != nil }) else { return rows }
    var kept: [Row] = []
    for row in rows {
      if row.cursor != nil, let last = kept.lastIndex(where: \.isShown), kept[last].cursor != nil {
        kept.removeSubrange((last + 1)...)
      } else {
        kept.append(row)
      }
    }
    return kept
  }

  private enum Key: Hashable {
    case item(RowID)
    case gap(PageCursor, count: Int)
  }

  private static func keys(of rows: [Row], renamed: [RowID: RowID] = [:]) -> [Key] {
    var gaps: [PageCursor: Int] = [:]
    return rows.map { row in
      switch row {
      case .item(let item): return .item(renamed[item.rowID] ?? item.rowID)
      case .gap(let cursor):
        gaps[cursor, default: 0] += 1
        return .gap(cursor, count: gaps[cursor] ?? 0)
      }
    }
  }
}
