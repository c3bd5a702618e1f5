import Terminal

extension ListView {
  private static let wheelRows = 3

  func scroll(byWheel event: MouseEvent) {
    scroll(by: event.kind == .wheelUp ? -Self.wheelRows : Self.wheelRows)
  }

  /// Focuses the list and selects the clicked item. If the list was already focused and the item was already selected,
  /// opens the item.
  func click(row: Int) {
    let hadKeys = window?.effectiveFirstResponder === self
    if !hadKeys { window?.makeFirstResponder(self) }
    guard let index = index(atRow: row) else { return }
    if index == selectedIndex, hadKeys {
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
