/// A list that shows part of a store: the rows in memory, with more stored above or below.
extension PagedRows {
  /// Appends rows from the store, and the cursor at their end. `hasMore`: the store has more below.
  @discardableResult
  public mutating func appendKept(_ kept: [Row], older: PageCursor?, hasMore: Bool) -> ListChange {
    wasFilled = wasFilled || !kept.isEmpty
    hasMoreKept = hasMore
    followed = []
    end = hasMore ? nil : older
    let new = notKnown(kept)
    seen.formUnion(new.lazy.compactMap { $0.item?.rowID })
    return setRows(knownRows + new, touched: Page(items: []))
  }

  /// Puts rows from the store above the first one. `hasMore`: the store has more above.
  @discardableResult
  public mutating func prependKept(_ kept: [Row], hasMore: Bool) -> ListChange {
    hasMoreAbove = hasMore
    let new = notKnown(kept)
    seen.formUnion(new.lazy.compactMap { $0.item?.rowID })
    return setRows(new + knownRows, touched: Page(items: []))
  }

  /// Shows these rows of the store in place of those that are known. Rows that stay keep their state. With `areNew`,
  /// rows that were never shown count as new.
  @discardableResult
  public mutating func setKept(
    _ kept: [Row], hasMoreAbove: Bool, older: PageCursor?, hasMore: Bool, areNew: Bool = false
  ) -> ListChange {
    let states = Dictionary(knownRows.compactMap { $0.item.map { ($0.rowID, $0) } }) { first, _ in first }
    wasFilled = wasFilled || !kept.isEmpty
    self.hasMoreAbove = hasMoreAbove
    hasMoreKept = hasMore
    followed = []
    end = hasMore ? nil : older
    if !areNew { seen.formUnion(kept.lazy.compactMap { $0.item?.rowID }) }
    return setRows(
      kept.map { row in row.item.flatMap { states[$0.rowID] }.map { .item($0) } ?? row }, touched: Page(items: []))
  }

  /// Forgets the first `above` and the last `below` of ``knownRows``, which the store has.
  @discardableResult
  public mutating func trim(above: Int, below: Int) -> ListChange {
    guard above > 0 || below > 0, above + below < knownRows.count else { return ListChange() }
    let kept = knownRows[above..<(knownRows.count - below)]
    if above > 0 { hasMoreAbove = true }
    if below > 0 {
      hasMoreKept = true
      followed = []
      end = nil
    }
    seen.subtract((knownRows[..<above] + knownRows[kept.endIndex...]).lazy.compactMap { $0.item?.rowID })
    return setRows(Array(kept), touched: Page(items: []))
  }

  /// Whether rows of mine wait for a page that has them.
  public var hasOwn: Bool { !own.isEmpty }

  /// Drops all rows below the first gap, and those in the store.
  public mutating func forgetBelowGap() {
    guard let gap = knownRows.firstIndex(where: { $0.cursor != nil }) else { return }
    hasMoreKept = false
    setRows(Array(knownRows[...gap]), touched: Page(items: []))
  }

  /// The gaps among `rows`, and the items that aren't known, each once.
  private func notKnown(_ rows: [Row]) -> [Row] {
    var fresh: Set<RowID> = []
    return rows.filter { row in
      row.item.map { !known.contains($0.rowID) && fresh.insert($0.rowID).inserted } ?? true
    }
  }
}
