/// Lists whose rows are in a store on disk. Only some of the rows are in memory. The store may have more rows above or
/// below them.
extension PagedRows {
  /// Appends rows from the store. `hasMore` is true if the store has more rows below. Otherwise, the server's page at
  /// `older` is loaded next.
  @discardableResult
  public mutating func appendCached(_ cached: [Row], older: PageCursor?, hasMore: Bool) -> ListChange {
    wasFilled = wasFilled || !cached.isEmpty
    hasMoreCached = hasMore
    mergeState.followed = []
    end = hasMore ? nil : older
    let new = notKnown(cached)
    seen.formUnion(new.lazy.compactMap { $0.item?.rowID })
    return setRows(knownRows + new, touched: Page(items: []))
  }

  /// Prepends rows from the store. `hasMore` is true if the store has more rows above.
  @discardableResult
  public mutating func prependCached(_ cached: [Row], hasMore: Bool) -> ListChange {
    hasMoreAbove = hasMore
    let new = notKnown(cached)
    seen.formUnion(new.lazy.compactMap { $0.item?.rowID })
    return setRows(new + knownRows, touched: Page(items: []))
  }

  /// Replaces the known rows with rows from the store. Rows that are already in memory retain their state.
  ///
  /// - Parameters:
  ///   - newer: Newer states of rows.
  ///   - former: The rows that aren't new, even if the list never showed them; nil if no row is new.
  @discardableResult
  public mutating func setCached(
    _ cached: [Row], hasMoreAbove: Bool, older: PageCursor?, hasMore: Bool, newer: [Element] = [],
    former: Set<RowID>? = nil
  ) -> ListChange {
    var states = Dictionary(knownRows.compactMap { $0.item.map { ($0.rowID, $0) } }) { first, _ in first }
    for item in newer { states[item.rowID] = item }
    wasFilled = true
    self.hasMoreAbove = hasMoreAbove
    hasMoreCached = hasMore
    mergeState.followed = []
    end = hasMore ? nil : older
    seen.formUnion(former ?? Set(cached.lazy.compactMap { $0.item?.rowID }))
    return setRows(
      cached.map { row in row.item.flatMap { states[$0.rowID] }.map { .item($0) } ?? row },
      touched: Page(items: newer))
  }

  /// Unloads the first `above` rows and the last `below` rows of ``knownRows``. The unloaded rows remain in the store.
  /// Does nothing if no row would stay in memory.
  @discardableResult
  public mutating func trim(above: Int, below: Int) -> ListChange {
    guard above > 0 || below > 0, above + below < knownRows.count else { return ListChange() }
    let cached = knownRows[above..<(knownRows.count - below)]
    if above > 0 { hasMoreAbove = true }
    if below > 0 {
      hasMoreCached = true
      mergeState.followed = []
      end = nil
    }
    seen.subtract((knownRows[..<above] + knownRows[cached.endIndex...]).lazy.compactMap { $0.item?.rowID })
    return setRows(Array(cached), touched: Page(items: []))
  }

  /// Whether the list has rows that the user created and that no page from the server has contained yet.
  public var hasOwn: Bool { !mergeState.own.isEmpty }

  /// Drops all rows below the first gap, where rows between two pages are missing. The list ends at the gap and loads
  /// no more stored rows.
  public mutating func forgetBelowGap() {
    guard let gap = knownRows.firstIndex(where: { $0.cursor != nil }) else { return }
    hasMoreCached = false
    setRows(Array(knownRows[...gap]), touched: Page(items: []))
  }

  /// Returns `rows` without duplicates and without items that the list already has. Gaps are retained.
  private func notKnown(_ rows: [Row]) -> [Row] {
    var fresh: Set<RowID> = []
    return rows.filter { row in
      row.item.map { !known.contains($0.rowID) && fresh.insert($0.rowID).inserted } ?? true
    }
  }
}
