import Terminal

extension ListView {
  /// The text of the selected item, or of the placeholder if the list is empty.
  var focusedLines: [String] {
    guard count > 0 else { return lines(of: placeholder) }
    return selectedIndex.map { lines(ofItemAt: $0) } ?? []
  }

  /// The text of the list's placeholder, if the list is empty, isn't focused, and announces new items.
  var textsInPlaceOfItems: [LinearText] {
    guard tellsNewItems, count == 0, window?.effectiveFirstResponder !== self else { return [] }
    return [LinearText(.text, focusedLines)]
  }

  func lines(ofItemAt index: Int) -> [String] {
    lines(of: cell(at: index))
  }

  /// The footer's text, if the last item is selected.
  var footerLines: [String] {
    count > 0 && selectedIndex == count - 1 ? lines(of: footer) : []
  }

  private func lines(of cell: (any ListCell)?) -> [String] {
    guard let cell, let window else { return [] }
    return cell.lines(forColumns: max(1, frame.size.columns), theme: window.theme)
  }
}

extension ListCell {
  public func words(forColumns columns: Int) -> [String]? { nil }

  /// Returns the cell's own words. If the cell doesn't provide any, returns the text that it draws.
  fileprivate func lines(forColumns columns: Int, theme: Theme) -> [String] {
    if let words = words(forColumns: columns) { return words.filter { !$0.isEmpty } }
    let all = Rect(row: 0, column: 0, rows: max(1, rows(forColumns: columns)), columns: columns)
    let surface = Surface(size: all.size, form: .current)
    draw(in: Canvas(surface: surface, frame: all, clip: all, theme: theme), selection: .none)
    return all.rows.map { LinearWords.cleaned(surface.grid.text(ofRow: $0)) }.filter { !$0.isEmpty }
  }
}
