extension ReadableElement {
  /// Whether this stands above `other` in a list that the server orders by ids; nil: the ids don't tell.
  func isAbove(_ other: some ReadableElement) -> Bool? {
    IdentifierOrder.isNewer(readID, than: other.readID)
  }
}

extension IdentifierOrder {
  /// Whether `id` stands above `other` in a list that the server orders by ids; nil: they don't tell.
  public static func isAbove(_ id: String, _ other: String) -> Bool? { isNewer(id, than: other) }
}

/// What became of streamed rows.
public struct StreamedRows<Element: PagedElement>: Sendable {
  public var change = ListChange()
  /// Rows above the first known one: only the store has their place.
  public var above: [Element] = []
  /// Rows whose place only the server knows.
  public var unplaced: [Element] = []
}

extension PagedRows where Element: ReadableElement {
  /// Inserts streamed rows into a list that the server orders by id, and that lacks nothing that came before them.
  ///
  /// Each row goes where its id belongs. One that belongs at a gap or below the last row is left out: the page that
  /// loads those rows will bring it. If ids can't be compared, only a row newer than all others has a place. Known rows
  /// stay unchanged.
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
    /// Where rows are not loaded.
    case missing
    case unknown
  }

  private func place(of item: Element, in rows: [Row]) -> StreamPlace {
    var isFirst = true
    for (index, row) in rows.enumerated() {
      guard let other = row.item else { continue }
      guard let isAbove = item.isAbove(other) else {
        guard isFirst, item.listedAt > other.listedAt else { return .unknown }
        return hasMoreAbove ? .above : .at(0)
      }
      if isAbove {
        if index == 0 { return hasMoreAbove ? .above : .at(0) }
        return rows[index - 1].cursor == nil ? .at(index) : .missing
      }
      isFirst = false
    }
    if hasMoreKept || hasMoreAbove || end != nil || !wasFilled { return .missing }
    return rows.last?.cursor == nil ? .at(rows.count) : .missing
  }
}
