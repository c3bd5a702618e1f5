import Terminal

/// Saving and restoring the scroll position.
extension ListView {
  /// An item that should be at the top of the view.
  struct WantedTop {
    let mark: ListMark
    /// Number of the item's rows that should be hidden above the view.
    let hiddenRows: Int
    /// Whether the list scrolls further to show the selected item, instead of selecting a visible item.
    let keepsSelection: Bool
  }

  /// The item at the top, and the number of its rows hidden above the view. While a call to
  /// ``scroll(toItem:hiddenRows:)`` is pending, the requested position.
  public var top: (index: Int, hiddenRows: Int) {
    if let wantedTop { return (max(0, wantedTop.mark.index), wantedTop.hiddenRows) }
    return (viewport.topIndex, viewport.hiddenRows)
  }

  /// Whether a call to ``scroll(toItem:hiddenRows:)`` is still pending.
  public var isWaitingForTop: Bool { wantedTop != nil }

  /// Scrolls the item at `index` to the top, with `hiddenRows` of its rows above the view. At least one of its rows
  /// stays visible. If the list has no size yet, or has too few items below `index`, the call stays pending until the
  /// list can scroll that far or the user moves. If the selected item isn't visible, the nearest visible one is
  /// selected. With `keepsSelection`, the list scrolls further instead, until the selected item is visible.
  public func scroll(toItem index: Int, hiddenRows: Int, keepsSelection: Bool = false) {
    guard (0..<count).contains(index) else { return }
    wantedTop = WantedTop(mark: mark(at: index), hiddenRows: max(0, hiddenRows), keepsSelection: keepsSelection)
    setNeedsLayout()
    settle()
  }

  /// Cancels a pending call to ``scroll(toItem:hiddenRows:)``, so that items added below don't scroll the list. Does
  /// nothing while the list has no size.
  public func stopWaitingForTop() {
    if !frame.isEmpty { wantedTop = nil }
  }

  /// Scrolls to ``wantedTop`` as far as possible. Returns false if no scroll is pending or the list is empty.
  func takeWantedTop() -> Bool {
    guard let wantedTop, count > 0 else { return false }
    let index = min(max(0, wantedTop.mark.index), count - 1)
    var new = ListViewport(topIndex: index, hiddenRows: min(wantedTop.hiddenRows, height(of: index) - 1))
    let wanted = new
    new.fillFromBelow(rows: frame.size.rows, count: count, tail: tailRows, height: height(of:))
    if new == wanted || wantedTop.mark.isGone { self.wantedTop = nil }
    viewport = new
    if wantedTop.keepsSelection {
      if let selectedIndex { reveal(selectedIndex) }
    } else {
      mustFollowView = true
    }
    setNeedsDisplay()
    setNeedsUpdateProperties()
    return true
  }

  /// Selects the nearest visible item if ``takeWantedTop()`` scrolled the selected one out of the view.
  func followView() {
    guard mustFollowView, !frame.isEmpty else { return }
    mustFollowView = false
    let pending = wantedTop
    selectInSight()
    wantedTop = pending
  }
}
