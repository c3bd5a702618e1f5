/// The known part of a paginated list, newest first, with gaps where rows may be missing. All such lists share this
/// merge algorithm: timelines, conversations, notifications, accounts.
///
/// Servers insert rows in the middle, remove rows and change them, and ids carry no order. So the pages define the
/// order: a page replaces the rows from its first row down to the last row that is both on the page and known. A row is
/// removed only if a page proves that the server no longer lists it: the row was between two rows that are adjacent on
/// the page, above the first row of the newest page, or below the last row of the last page. Two rows are adjacent
/// without a gap only if they were adjacent on the latest page that had either of them.
public struct PagedRows<Element: PagedElement>: Sendable {
  public typealias Row = PagedRow<Element>
  public typealias RowID = Element.RowID

  /// The rows that the list shows: all known rows, or only the rows above the first gap if ``endsAtGap`` is true.
  public private(set) var rows: [Row] = []
  /// All known rows, including the rows that ``endsAtGap`` hides.
  public private(set) var knownRows: [Row] = []
  /// The cursor of the server's page after the last known row. Nil at the end of the list, before the first fetch, and
  /// while ``hasMoreCached`` is true.
  var end: PageCursor?
  /// Whether the store, which is on disk, has rows below the last known row.
  public internal(set) var hasMoreCached = false
  /// Whether the store has rows above the first known row.
  public internal(set) var hasMoreAbove = false
  /// Incremented when known rows are added, removed or reordered. Rows read from the store at another revision are
  /// stale.
  public private(set) var revision = 0
  /// Whether the list hides everything below its first gap. Known rows below it reappear when the gap is filled.
  private let endsAtGap: Bool
  /// Ids of rows that don't count as new if they are inserted. Contains the rows shown so far, except rows that were
  /// unloaded to save memory. Rows loaded from the store are added before they are shown, unless they are new.
  var seen: Set<RowID> = []
  /// The ids of `knownRows`.
  private(set) var known: Set<RowID> = []
  public var mergeState = MergeState<RowID>()
  /// Whether a page or stored rows were loaded.
  var wasFilled = false

  /// Number of complete first pages without the user's own row after which the row is dropped. The first of these pages
  /// may be older than the row.
  private static var mostPagesWithoutOwn: Int { 3 }

  /// Creates an empty list. With `endsAtGap`, the list shows no gaps: it ends at the first gap and loads more rows from
  /// there.
  public init(endsAtGap: Bool = false) {
    self.endsAtGap = endsAtGap
  }

  public var isEmpty: Bool { rows.isEmpty }

  public var items: [Element] { rows.compactMap(\.item) }

  /// The cursor of the next page to load: the cursor of the gap at which the list ends, or else the cursor after the
  /// last known row. Without such a gap, nil at the end of the list, before the first fetch, and while the store has
  /// more rows below.
  public var older: PageCursor? { hiddenGap ?? end }

  public subscript(row: RowID) -> Element? { index(of: row).flatMap { rows[$0].item } }

  /// Returns the index of a visible row.
  public func index(of row: RowID) -> Int? {
    guard known.contains(row) else { return nil }
    return rows.firstIndex { $0.item?.rowID == row }
  }

  // MARK: Pages

  /// Merges the first page of the list. Adds a gap if the page doesn't reach the known rows. If the page is partial and
  /// rows were loaded before, only updates known rows.
  @discardableResult
  public mutating func mergeNewest(_ page: Page<Element>) -> ListChange {
    if page.isPartial && wasFilled { return update(page.items) }
    wasFilled = true
    let brought = noteOwn(broughtBy: page)
    var rows = Self.rows(knownRows, without: brought.union(dropLostOwn(after: page)))
    let mine = rows.filter { isOwn($0) }
    rows.removeAll { isOwn($0) }
    let splice = PageSplice(page, over: rows, hasMore: hasMoreCached)
    let end = applyEnd(splice.end, of: page)
    return setRows(mine + splice.rows + end, touched: page)
  }

  /// Merges the page at ``older``.
  @discardableResult
  public mutating func appendOlder(_ page: Page<Element>) -> ListChange {
    if let hiddenGap { return fillGap(hiddenGap, with: page) }
    guard let cursor = end else { return update(page.items) }
    wasFilled = true
    mergeState.followed.insert(cursor)
    end = nil
    if page.items.isEmpty, let next = page.older, !mergeState.followed.contains(next) {
      // The server filtered out all items of the page.
      end = next
      return ListChange()
    }
    var rows = Self.rows(knownRows, without: noteOwn(broughtBy: page))
    let rest = divided(page, by: &rows)
    let splice = PageSplice(rest, over: [], hasMore: false)
    if let next = page.older, !page.items.isEmpty, !mergeState.followed.contains(next) { end = next }
    return setRows(rows + splice.rows, touched: page)
  }

  /// Merges the page at a gap's cursor. Removes the gap, or moves it to the end of the page if the page doesn't reach
  /// the known rows below. If the page is empty, the gap stays, and adopts the cursor of the next page, if any. If the
  /// list has no such gap, or if the page is partial, only updates known rows.
  @discardableResult
  public mutating func fillGap(_ cursor: PageCursor, with page: Page<Element>) -> ListChange {
    guard let index = knownRows.firstIndex(of: .gap(cursor)), !page.isPartial else { return update(page.items) }
    if page.items.isEmpty {
      guard let next = page.older, next != cursor else { return ListChange() }
      var rows = knownRows
      rows[index] = .gap(next)
      if page.hasDamagedEnd || mergeState.pastUnread.contains(cursor) { mergeState.pastUnread.insert(next) }
      return setRows(rows, touched: page)
    }
    let brought = noteOwn(broughtBy: page)
    var above = Self.rows(Array(knownRows[..<index]), without: brought)
    let below = Self.rows(Array(knownRows[(index + 1)...]), without: brought)
    let rest = divided(page, by: &above)
    let splice = PageSplice(
      rest, over: below, hasMore: hasMoreCached, isAfterUnread: mergeState.pastUnread.contains(cursor))
    var end = applyEnd(splice.end, of: page)
    // A page whose cursor points to itself proves nothing about the rows below.
    if end.first == .gap(cursor), splice.rows.isEmpty { end = [.gap(cursor)] + below }
    return setRows(above + splice.rows + end, touched: page)
  }

  /// Whether one of the user's own posts with an id in `ids` is above other rows in `rows`. Such a post can't move
  /// below the gap, because the page doesn't prove that the post is older than these rows.
  private func hasOwn(in ids: Set<Element.RowID>, aboveOthers rows: ArraySlice<Row>) -> Bool {
    let items = rows.compactMap { $0.item?.rowID }
    guard let first = items.firstIndex(where: { ids.contains($0) && mergeState.own[$0] != nil }) else { return false }
    return items[first...].contains { mergeState.own[$0] == nil }
  }

  /// Merges the page directly above ``rowToFillUpwards(_:)``. Removes the gap if the page reaches the known rows above
  /// it. Otherwise, the gap stays above the page's rows.
  ///
  /// If the page can't be placed, only updates known rows. This happens if the list has no such gap, if the page is
  /// incomplete, repeats an item or contradicts the known rows, and if it doesn't end with the first row below the gap:
  /// a server that doesn't support `min_id` returns the first page of the list.
  @discardableResult
  public mutating func fillGapUpwards(_ cursor: PageCursor, with page: Page<Element>) -> ListChange {
    guard rowToFillUpwards(cursor) != nil, let index = knownRows.firstIndex(of: .gap(cursor)), page.isComplete,
      let last = page.items.last, last.rowID == knownRows[index + 1].item?.rowID
    else { return update(page.items) }
    let ids = Set(page.items.map(\.rowID))
    guard ids.count == page.items.count else { return update(page.items) }
    let above = Self.rows(Array(knownRows[..<index]), without: ids.intersection(mergeState.own.keys))
    // A row from below the gap that is on the page has moved up.
    let below = Self.rows(Array(knownRows[(index + 1)...]), without: ids)
    let middle = page.items.map { Row.item($0) }
    guard let first = page.items.first(where: { item in above.contains { $0.item?.rowID == item.rowID } }),
      let place = above.firstIndex(where: { $0.item?.rowID == first.rowID })
    else {
      guard !hasOwn(in: ids, aboveOthers: knownRows[..<index]) else { return update(page.items) }
      _ = noteOwn(broughtBy: page)
      return setRows(above + [.gap(cursor)] + middle + below, touched: page)
    }
    let upper = above[..<place].filter { $0.item.map { !ids.contains($0.rowID) } ?? true }
    // If the page and the rows above the gap disagree about the order, keep the gap. The page at its cursor can still
    // fill it.
    guard above[place...].allSatisfy({ $0.item.map { ids.contains($0.rowID) } ?? false }) else {
      return update(page.items)
    }
    // If both the page and the known rows have rows above the first shared row, nothing proves their order, so keep the
    // gap.
    guard page.items.first?.rowID == first.rowID || upper.isEmpty else { return update(page.items) }
    _ = noteOwn(broughtBy: page)
    return setRows(Array(upper) + middle + below, touched: page)
  }

  // MARK: Single rows

  /// Inserts the user's own new row at the top, or updates it if the list already contains it. Ignored if nothing is
  /// loaded yet: the first page will include the row. Also not inserted while the list's top isn't in memory.
  @discardableResult
  public mutating func insertOwn(_ item: Element) -> ListChange {
    guard wasFilled else { return ListChange() }
    if hasMoreAbove || known.contains(item.rowID) { return update([item]) }
    mergeState.own[item.rowID] = 0
    seen.insert(item.rowID)
    return setRows([.item(item)] + knownRows, touched: Page(items: []))
  }

  /// Moves the user's own row to the top, or inserts it there, even in an empty list.
  @discardableResult
  public mutating func putOnTop(_ item: Element) -> ListChange {
    if !known.contains(item.rowID) { mergeState.own[item.rowID] = 0 }
    seen.insert(item.rowID)
    return setRows([.item(item)] + Self.rows(knownRows, without: [item.rowID]), touched: Page(items: [item]))
  }

  /// Inserts a row at an index of ``rows``, clamped to the end. Used to undo a removal.
  @discardableResult
  public mutating func insert(_ item: Element, at index: Int) -> ListChange {
    guard !known.contains(item.rowID) else { return ListChange() }
    var new = knownRows
    let upper = rows.prefix(max(0, index)).last.flatMap { new.firstIndex(of: $0) }
    new.insert(.item(item), at: upper.map { $0 + 1 } ?? 0)
    return setRows(new, touched: Page(items: []))
  }

  /// Updates known rows in place.
  @discardableResult
  public mutating func update(_ items: [Element]) -> ListChange {
    let before = rows
    knownRows = updated(knownRows, by: items)
    rows = visible(knownRows)
    // The rows stay the same and in order, so their difference needn't be computed.
    return ListChange(changed: rows.indices.filter { rows[$0] != before[$0] })
  }

  /// Updates the rows for which `newer` returns a new state.
  @discardableResult
  public mutating func update(by newer: (Element) -> Element?) -> ListChange {
    update(knownRows.compactMap { $0.item.flatMap(newer) })
  }

  /// Updates the rows that `change` modifies.
  @discardableResult
  public mutating func modify(_ change: (inout Element) -> Void) -> ListChange {
    update { old in
      var new = old
      change(&new)
      return new == old ? nil : new
    }
  }

  /// Replaces rows with the results of `newer`, possibly with other ids. A row for which `newer` returns nil stays
  /// unchanged. A row whose new id is already known is removed.
  @discardableResult
  public mutating func replace(by newer: (Element) -> Element?) -> ListChange {
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
        if let count = mergeState.own.removeValue(forKey: old.rowID) { mergeState.own[item.rowID] = count }
        if seen.contains(old.rowID) { seen.insert(item.rowID) }
      }
      new.append(.item(item))
      changed.append(item)
    }
    return setRows(new, touched: Page(items: changed), renamed: renamed)
  }

  @discardableResult
  public mutating func remove(where isGone: (Element) -> Bool) -> ListChange {
    setRows(knownRows.filter { $0.item.map { !isGone($0) } ?? true }, touched: Page(items: []))
  }

  // MARK: Helpers

  /// The cursor of the first gap, if the list ends there.
  private var hiddenGap: PageCursor? {
    endsAtGap ? knownRows.lazy.compactMap(\.cursor).first : nil
  }

  private func isOwn(_ row: Row) -> Bool {
    row.item.map { mergeState.own[$0.rowID] != nil } ?? false
  }

  /// Marks the user's own rows that are on a page as confirmed, so that the page determines their position. Returns
  /// their ids.
  private mutating func noteOwn(broughtBy page: Page<Element>) -> Set<RowID> {
    guard !mergeState.own.isEmpty else { return [] }
    let brought = Set(page.items.lazy.map(\.rowID)).intersection(mergeState.own.keys)
    for row in brought { mergeState.own[row] = nil }
    return brought
  }

  /// Marks the user's own rows among `rows` as confirmed. The server has sent these rows.
  mutating func noteBrought(_ rows: Set<RowID>) {
    for row in rows { mergeState.own[row] = nil }
  }

  /// Counts `page` as one more first page without the user's own rows, if it is complete. Rows that too many such pages
  /// lacked are no longer treated as the user's own. Returns their ids, so that the caller can remove the rows.
  private mutating func dropLostOwn(after page: Page<Element>) -> Set<RowID> {
    guard page.isComplete else { return [] }
    for row in mergeState.own.keys { mergeState.own[row]? += 1 }
    let lost = Set(mergeState.own.filter { $0.value >= Self.mostPagesWithoutOwn }.keys)
    for row in lost { mergeState.own[row] = nil }
    return lost
  }

  private static func rows(_ rows: [Row], without ids: Set<RowID>) -> [Row] {
    ids.isEmpty ? rows : rows.filter { row in row.item.map { !ids.contains($0.rowID) } ?? true }
  }

  /// Updates `rows` with the items of `page` that they already contain, because some servers repeat items of an earlier
  /// page. Returns the rest of the page. If the page has new items between two repeated items that are adjacent in
  /// `rows`, inserts the new items there.
  private func divided(_ page: Page<Element>, by rows: inout [Row]) -> Page<Element> {
    guard page.items.contains(where: { known.contains($0.rowID) }) else { return page }
    let places = Dictionary(rows.indices.map { (rows[$0].id, $0) }) { first, _ in first }
    let repeated = page.items.indices.compactMap { index in
      places[.item(page.items[index].rowID)].map { (place: $0, index: index) }
    }
    guard !repeated.isEmpty else { return page }
    rows = updated(rows, by: page.items)
    var placed = Set(repeated.map { page.items[$0.index].rowID })
    let indices = Dictionary(repeated.map { ($0.place, $0.index) }) { first, _ in first }
    // Adjacent rows that the page has in the same order. Between them, the page may have items that it repeats out of
    // order, so the closest pair around a new item places it.
    let pairs = indices.compactMap { place, index in
      indices[place - 1].flatMap { $0 < index ? (place: place, items: $0..<index) : nil }
    }
    var new: [(place: Int, rows: [Row])] = []
    for (place, items) in pairs.sorted(by: { ($0.items.count, $0.place) < ($1.items.count, $1.place) }) {
      let late = page.items[items].filter { !known.contains($0.rowID) && placed.insert($0.rowID).inserted }
      new.append((place, late.map { .item($0) }))
    }
    for (place, late) in new.sorted(by: { $0.place > $1.place }) { rows.insert(contentsOf: late, at: place) }
    return page.filtered { !placed.contains($0.rowID) }
  }

  private func updated(_ rows: [Row], by items: [Element]) -> [Row] {
    guard !items.isEmpty else { return rows }
    let newer = Dictionary(items.map { ($0.rowID, $0) }) { first, _ in first }
    return rows.map { row in row.item.flatMap { newer[$0.rowID] }.map { .item($0) } ?? row }
  }

  /// Returns the rows below a page: the gap, if any, and the known rows. If the list ends with the page, stores the
  /// page's cursor.
  private mutating func applyEnd(_ end: PageSplice<Element>.End, of page: Page<Element>) -> [Row] {
    switch end {
    case .known(let rest):
      if rest.isEmpty, !hasMoreCached { setOlder(page.older) }
      return rest
    case .gap(let cursor, let rest):
      if page.hasDamagedEnd { mergeState.pastUnread.insert(cursor) }
      return [.gap(cursor)] + rest
    case .last:
      hasMoreCached = false
      setOlder(page.older)
      return []
    }
  }

  /// Whether two lists of rows differ in more than the state of their items.
  private static func isOther(_ one: [Row], _ other: [Row]) -> Bool {
    one.count != other.count || zip(one, other).contains { $0.id != $1.id }
  }

  private mutating func setOlder(_ cursor: PageCursor?) {
    guard cursor != end else { return }
    mergeState.followed = []
    end = cursor
  }

  private func visible(_ known: [Row]) -> [Row] { endsAtGap ? Array(known.prefix { $0.cursor == nil }) : known }

  /// Sets the known rows and returns the change to ``rows``. Only items on `page` are reported as changed. `renamed`
  /// has the new ids of rows that stayed, keyed by their old ids.
  @discardableResult
  mutating func setRows(
    _ new: [Row], touched page: Page<Element>, renamed: [RowID: RowID] = [:]
  ) -> ListChange {
    let before = rows
    var new = Self.withoutDoubleGaps(new)
    if !hasMoreCached, case .gap(let cursor)? = new.last {
      // A gap without rows below it becomes the end cursor.
      new.removeLast()
      setOlder(cursor)
    }
    if Self.isOther(new, knownRows) { revision += 1 }
    knownRows = new
    known = Set(new.lazy.compactMap { $0.item?.rowID })
    mergeState.own = mergeState.own.filter { known.contains($0.key) }
    rows = visible(new)
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
}
