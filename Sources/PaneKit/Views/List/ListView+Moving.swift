import Terminal

/// Moving the selection and scrolling.
extension ListView {
  /// Moves the selection by `delta` items. If the selected item is taller than the view, scrolls by one row instead
  /// until the end toward which the user moves is visible.
  public func moveSelection(by delta: Int) {
    guard count > 0 else { return }
    guard let selectedIndex else { return select(0) }
    if window?.isLinear != true, let place = placements.first(where: { $0.index == selectedIndex }),
      place.rows > frame.size.rows
    {
      let below = place.row + place.rows - frame.size.rows
      if delta > 0, below > 0 { return scroll(by: 1) }
      if delta < 0, place.row < 0 { return scroll(by: -1) }
    }
    select(selectedIndex + delta)
    if delta < 0 { showEndOfSelection() }
  }

  /// Shows the end of the selected item if it is taller than the view, because the user arrived from below.
  private func showEndOfSelection() {
    guard window?.isLinear != true, let selectedIndex, case let hidden = height(of: selectedIndex) - frame.size.rows,
      hidden > 0
    else { return }
    move { viewport in
      viewport.topIndex = selectedIndex
      viewport.hiddenRows = hidden
    }
  }

  /// Scrolls by rows. If the selected item is no longer completely visible after that, selects the nearest item that
  /// is. Doesn't pass items that stop navigation.
  public func scroll(by rows: Int) {
    wantedTop = nil
    move { $0.scroll(by: rows, rows: frame.size.rows, count: count, tail: tailRows, height: height(of:)) }
    selectInSight()
  }

  /// If the selected item isn't completely visible, selects the nearest item that is, or the first one on the way there
  /// that stops navigation. If no item is completely visible, a partly visible one is enough.
  func selectInSight() {
    let places = placements
    guard let selectedIndex, !places.isEmpty else { return }
    let whole = places.filter { $0.row >= 0 && $0.row + $0.rows <= frame.size.rows }
    let candidates = whole.isEmpty ? places : whole
    if let first = candidates.first, let last = candidates.last {
      let index = min(max(selectedIndex, first.index), last.index)
      let stop = stop(onTheWayTo: index)
      select(stop ?? index, reveals: stop != nil)
    }
  }

  /// Returns the first item between the selected one and `index` that stops navigation.
  private func stop(onTheWayTo index: Int) -> Int? {
    guard let delegate, let selectedIndex, abs(index - selectedIndex) > 1 else { return nil }
    return index > selectedIndex
      ? ((selectedIndex + 1)..<index).first { delegate.listView(self, stopsAtItem: $0) }
      : ((index + 1)..<selectedIndex).last { delegate.listView(self, stopsAtItem: $0) }
  }

  /// Whether the selected item stops navigation.
  var isStopped: Bool { selectedIndex.map { delegate?.listView(self, stopsAtItem: $0) ?? false } ?? false }

  /// Scrolls by pages: 1 is a whole page, and a negative number scrolls up. If the list is already at that end, selects
  /// the first or last item, or the first one on the way there that stops navigation.
  public func scroll(byPages pages: Double) {
    let before = viewport
    let overlap = abs(pages) >= 1 ? 2 : 0
    let distance = max(1, Int(Double(frame.size.rows) * abs(pages)) - overlap)
    scroll(by: pages < 0 ? -distance : distance)
    guard viewport == before else { return }
    let end = pages < 0 ? 0 : count - 1
    select(stop(onTheWayTo: end) ?? end)
  }
}
