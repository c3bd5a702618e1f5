/// Lists that show part of a store: some rows are in memory, and more are stored above or below.
extension PagedRows {
  /// Appends rows from the store and sets the cursor after them. `hasMore`: the store has more rows below.
  @discardableResult
  public mutating func appendCached(_ cached: [Row], older: PageCursor?, hasMore: Bool) -> ListChange {
    wasFilled = wasFilled || !cached.isEmpty
    hasMoreCached = hasMore
    followed = []
    end = hasMore ? nil : older
    let new = notKnown(cached)
    seen.formUnion(new.lazy.compactMap { $0.item?.rowID })
    return setRows(knownRows + new, touched: Page(items: []))
  }

  /// Prepends rows from the store. `hasMore`: the store has more rows above.
  @discardableResult
  public mutating func prependCached(_ cached: [Row], hasMore: Bool) -> ListChange {
    hasMoreAbove = hasMore
    let new = notKnown(cached)
    seen.formUnion(new.lazy.compactMap { $0.item?.rowID })
    return setRows(new + knownRows, touched: Page(items: []))
  }

  /// Replaces the known rows with rows from the store. Rows that are already in memory retain their state. With
  /// `areNew`, rows that were never shown count as new.
  @discardableResult
  public mutating func setCached(
    _ cached: [Row], hasMoreAbove: Bool, older: PageCursor?, hasMore: Bool, areNew: Bool = false
  ) -> ListChange {
    let states = Dictionary(knownRows.compactMap { $0.item.map { ($0.rowID, $0) } }) { first, _ in first }
    wasFilled = wasFilled || !cached.isEmpty
    self.hasMoreAbove = hasMoreAbove
    hasMoreCached = hasMore
    followed = []
    end = hasMore ? nil : older
    if !areNew { seen.formUnion(cached.lazy.compactMap { $0.item?.rowID }) }
    return setRows(
      cached.map { row in row.item.flatMap { states[$0.rowID] }.map { .item($0) } ?? row }, touched: Page(items: []))
  }

  /// Unloads the first `above` and the last `below` of ``knownRows``. The store still has them.
  @discardableResult
  public mutating func trim(above: Int, below: Int) -> ListChange {
    guard above > 0 || below > 0, above + below < knownRows.count else { return ListChange() }
    let cached = knownRows[above..<(knownRows.count - below)]
    if above > 0 { hasMoreAbove = true }
    if below > 0 {
      hasMoreCached = true
      followed = []
      end = nil
    }
    seen.subtract((knownRows[..<above] + knownRows[cached.endIndex...]).lazy.compactMap { $0.item?.rowID })
    return setRows(Array(cached), touched: Page(items: []))
  }

  /// Whether the list has rows of the user that no page from the server has contained yet.
  public var hasOwn: Bool { !own.isEmpty }

  /// Drops all rows below the first gap. The list ends there and loads no more stored rows.
  public mutating func forgetBelowGap() {
    guard let gap = knownRows.firstIndex(where: { $0.cursor != nil }) else { return }
    hasMoreCached = false
    setRows(Array(knownRows[...gap]), touched: Page(items: []))
  }

  /// Returns the gaps and the unknown items among `rows`, without duplicates.
  private func notKnown(_ rows: [Row]) -> [Row] {
    var fresh: Set<RowID> = []
    return rows.filter { row in
      row.item.map { !known.contains($0.rowID) && fresh.insert($0.rowID).inserted } ?? true
    }
  }
}
