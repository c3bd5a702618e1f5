import Terminal

extension ListView {
  private static let wheelRows = 3

  func scroll(byWheel event: MouseEvent) {
    scroll(by: event.kind == .wheelUp ? -Self.wheelRows : Self.wheelRows)
  }

  /// Selects the clicked item and focuses the list. If the item is already selected and the list focused, opens it.
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
