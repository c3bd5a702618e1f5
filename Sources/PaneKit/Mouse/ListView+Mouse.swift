import Terminal

extension ListView {
  private static let wheelRows = 3

  /// A click selects an item and gives the list the keys; a click on what is selected already opens it; the wheel
  /// scrolls.
  func handleMouse(_ event: MouseEvent) -> Bool {
    switch event.kind {
    case .wheelDown: scroll(by: Self.wheelRows)
    case .wheelUp: scroll(by: -Self.wheelRows)
    case .press: click(row: event.point.row)
    case .drag, .release: return false
    }
    return true
  }

  private func click(row: Int) {
    let hadKeys = window?.effectiveFirstResponder === self
    if !hadKeys { window?.firstResponder = self }
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
