import Terminal

extension ListView {
  private static let wheelRows = 3

  func scroll(byWheel event: MouseEvent) {
    scroll(by: event.kind == .wheelUp ? -Self.wheelRows : Self.wheelRows)
  }

  /// Focuses the list and selects the clicked item. If a link was clicked, the delegate opens it. If the list was
  /// already focused and the item was already selected, opens the item.
  func click(_ point: Point) {
    let hadKeys = window?.effectiveFirstResponder === self
    if !hadKeys { window?.makeFirstResponder(self) }
    guard let index = index(atRow: point.row) else { return }
    let origin = originInWindow
    if let link = window?.link(at: Point(row: origin.row + point.row, column: origin.column + point.column)) {
      select(index)
      delegate?.listView(self, didClick: link, inItemAt: index)
    } else if index == selectedIndex, hadKeys {
      perform(.open)
    } else {
      select(index)
    }
  }
}

extension Action {
  /// Opens the selected item.
  public static let open: Action = "open"
}
