import Terminal

extension ListView {
  private static let wheelRows = 3

  func scroll(byWheel event: MouseEvent) {
    scroll(by: event.kind == .wheelUp ? -Self.wheelRows : Self.wheelRows)
  }

  /// A click selects an item and gives the list the keys; a click on the selected one opens it.
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
  /// Goes into what is selected.
  public static let open: Action = "open"
}
