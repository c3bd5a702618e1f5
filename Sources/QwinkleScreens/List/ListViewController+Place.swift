import PaneKit
import QwinkleAccount

/// Saving and restoring the reader's position.
extension ListViewController {
  /// The reader's position. Nil at the default position, and if there are no rows.
  var currentPlace: ListPlace? {
    guard !rows.isEmpty, !isAtUsualPlace else { return nil }
    let top = list.top
    return ListPlace(
      selected: selectedIndex.flatMap(key(near:)),
      top: top.index < leadingCount ? "" : key(near: row(ofItem: top.index)), hiddenRows: top.hiddenRows)
  }

  /// Returns the key of a row, or of the nearest row above that has a key.
  private func key(near index: Int) -> String? {
    rows[...min(index, rows.count - 1)].lazy.reversed().compactMap { self.placeKey(of: $0) }.first
  }

  /// Moves to `place` once its rows are loaded. Fetches up to ten further pages to find them.
  func go(to place: ListPlace) {
    waitingPlace = place
    pagesForPlace = 10
    findPlace()
  }

  /// Loads the rows around the pending position. The other cached rows aren't decoded.
  func loadWaitingPlace() {
    if let waitingPlace { loadCached(around: waitingPlace.keys) }
  }

  /// Restores the parts of the pending position whose rows are loaded: the selected row, the first visible row, or
  /// both. If a row is missing, loads the next older page to find it. When there are no older rows, or
  /// ``pagesForPlace`` has reached 0, gives up, but not before the list has been refreshed once.
  func findPlace() {
    guard let place = waitingPlace, !rows.isEmpty, !isPlacing else { return }
    isPlacing = true
    defer { isPlacing = false }
    if place.keys.contains(where: { index(ofKey: $0) == nil }) { loadCached(around: place.keys) }
    let selected = place.selected.flatMap(index(ofKey:))
    let top = place.top.flatMap { $0.isEmpty ? 0 : index(ofKey: $0).map(item(ofRow:)) }
    if let selected {
      didPlace = true
      select(selected, reveals: top == nil)
    }
    if let top { list.scroll(toItem: top, hiddenRows: place.hiddenRows) }
    if (selected != nil) == (place.selected != nil), (top != nil) == (place.top != nil) { return waitingPlace = nil }
    guard currentRows == nil, !state.isRefreshing, !state.isLoadingMore else { return }
    guard hasOlderRows, !state.isComplete, pagesForPlace > 0 else {
      if state.refreshedAt != nil { waitingPlace = nil }
      return
    }
    pagesForPlace -= 1
    loadOlder()
  }

  private func index(ofKey key: String) -> Int? { rows.firstIndex { placeKey(of: $0) == key } }
}
