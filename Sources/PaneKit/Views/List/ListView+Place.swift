import Terminal

/// Where a list is scrolled to, from run to run.
extension ListView {
  /// An item to stand at the top.
  struct WantedTop {
    let mark: ListMark
    /// Rows of the item above the view.
    let hiddenRows: Int
  }

  /// The item at the top, and how many of its rows are hidden above the view.
  public var top: (index: Int, hiddenRows: Int) {
    if let wantedTop { return (max(0, wantedTop.mark.index), wantedTop.hiddenRows) }
    return (viewport.topIndex, viewport.hiddenRows)
  }

  /// Whether ``scroll(toItem:hiddenRows:)`` has not been possible yet.
  public var isWaitingForTop: Bool { wantedTop != nil }

  /// Has the item at `index` stand at the top with `hiddenRows` of its rows above the view; at least one row of it is
  /// seen. Waits until the list has a size, and enough items below, or until the reader moves. The nearest item in
  /// sight is selected if the selected one is not.
  public func scroll(toItem index: Int, hiddenRows: Int) {
    guard (0..<count).contains(index) else { return }
    wantedTop = WantedTop(mark: mark(at: index), hiddenRows: max(0, hiddenRows))
    setNeedsLayout()
    settle()
  }

  /// Scrolls to ``wantedTop``, as far as that is possible. Returns whether there was one.
  func takeWantedTop() -> Bool {
    guard let wantedTop, count > 0 else { return false }
    let index = min(max(0, wantedTop.mark.index), count - 1)
    var new = ListViewport(topIndex: index, hiddenRows: min(wantedTop.hiddenRows, height(of: index) - 1))
    let wanted = new
    new.fillFromBelow(rows: frame.size.rows, count: count, tail: tailRows, height: height(of:))
    if new == wanted || wantedTop.mark.isGone { self.wantedTop = nil }
    viewport = new
    mustFollowView = true
    setNeedsDisplay()
    setNeedsUpdateProperties()
    return true
  }

  /// Keeps the selection in sight after ``takeWantedTop()``.
  func followView() {
    guard mustFollowView, !frame.isEmpty else { return }
    mustFollowView = false
    let pending = wantedTop
    selectInSight()
    wantedTop = pending
  }
}
