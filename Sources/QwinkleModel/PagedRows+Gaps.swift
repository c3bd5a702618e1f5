/// Questions about a gap, which is a range of rows that haven't been fetched.
extension PagedRows {
  /// Returns the number of rows missing at a gap, judging by the page at its cursor. The number is exact if the page is
  /// complete and reaches the known rows below. Nil if the list has no such gap, or if the page is empty or partial.
  public func countMissing(at cursor: PageCursor, in page: Page<Element>) -> MissingCount? {
    guard let index = knownRows.firstIndex(of: .gap(cursor)), !page.items.isEmpty, !page.isPartial else { return nil }
    let above = Set(knownRows[..<index].compactMap { $0.item?.rowID })
    let below = Set(knownRows[index...].compactMap { $0.item?.rowID })
    let end = page.items.firstIndex { below.contains($0.rowID) }
    let missing = page.items[..<(end ?? page.items.count)].count { !above.contains($0.rowID) }
    return MissingCount(atLeast: missing, isExact: end != nil && page.isComplete)
  }

  /// Returns the second row below a gap. The page requested with this row's id as `min_id` fills the gap from below: it
  /// ends with the first row below the gap, which proves that the page and the known rows are adjacent. Returns nil if
  /// no row is above the gap, if the two rows below it aren't both items, or if an unreadable item may be at the gap.
  public func rowToFillUpwards(_ cursor: PageCursor) -> Element? {
    guard let index = knownRows.firstIndex(of: .gap(cursor)), index > 0, index + 2 < knownRows.count,
      knownRows[index + 1].item != nil, !mergeState.pastUnread.contains(cursor)
    else { return nil }
    return knownRows[index + 2].item
  }
}
