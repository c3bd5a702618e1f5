/// The outcome of inserting streamed rows.
public struct StreamedRows<Element: PagedElement>: Sendable {
  public var change = ListChange()
  /// Rows above the first known row. Only the store can determine their positions.
  public var above: [Element] = []
  /// Rows whose positions only the server can determine.
  public var unplaced: [Element] = []
}

extension PagedRows where Element: ReadableElement {
  /// Inserts streamed rows into a list that the server orders by id and that is complete up to these rows.
  ///
  /// Each row is inserted where its id belongs. Omits rows that belong at a gap or in a part that isn't loaded: the
  /// page that loads that part will include them. If ids aren't comparable, only a row newer than all others can be
  /// placed. Known rows stay unchanged.
  @discardableResult
  public mutating func insertStreamed(_ items: [Element]) -> StreamedRows<Element> {
    var result = StreamedRows<Element>()
    var rows = knownRows
    var known = known
    var settled: Set<RowID> = []
    for item in items {
      if !known.insert(item.rowID).inserted {
        settled.insert(item.rowID)
        continue
      }
      switch place(of: item, in: rows) {
      case .at(let index): rows.insert(.item(item), at: index)
      case .above: result.above.append(item)
      case .missing: known.remove(item.rowID)
      case .unknown:
        known.remove(item.rowID)
        result.unplaced.append(item)
      }
    }
    noteBrought(settled)
    if rows.count != knownRows.count { result.change = setRows(rows, touched: Page(items: [])) }
    return result
  }

  private enum StreamPlace {
    case at(Int)
    /// Above the first known row, in the store.
    case above
    /// In a part of the list that isn't loaded.
    case missing
    case unknown
  }

  private func place(of item: Element, in rows: [Row]) -> StreamPlace {
    var isFirst = true
    for (index, row) in rows.enumerated() {
      guard let other = row.item else { continue }
      guard let isAbove = IdentifierOrder.isNewer(item.readID, than: other.readID) else {
        guard isFirst, item.listedAt > other.listedAt else { return .unknown }
        return hasMoreAbove ? .above : .at(0)
      }
      if isAbove {
        if index == 0 { return hasMoreAbove ? .above : .at(0) }
        return rows[index - 1].cursor == nil ? .at(index) : .missing
      }
      isFirst = false
    }
    if hasMoreCached || hasMoreAbove || end != nil || !wasFilled { return .missing }
    return rows.last?.cursor == nil ? .at(rows.count) : .missing
  }
}
