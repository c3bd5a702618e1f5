import PaneKit
import QwinkleAccount

/// The reader's place: where it is now, and going to where it was.
extension ListViewController {
  /// Where the reader is; nil where every reader begins.
  var currentPlace: ListPlace? {
    guard !rows.isEmpty, !isAtUsualPlace else { return nil }
    let top = list.top
    return ListPlace(
      selected: selectedIndex.flatMap(key(near:)),
      top: top.index < leadingCount ? "" : key(near: top.index - leadingCount), hiddenRows: top.hiddenRows)
  }

  /// The key of a row, or else of the nearest one above that has one.
  private func key(near index: Int) -> String? {
    rows[...min(index, rows.count - 1)].lazy.reversed().compactMap { self.placeKey(of: $0) }.first
  }

  /// Goes to `place`, once there are rows for it.
  func go(to place: ListPlace) {
    waitingPlace = place
    pagesForPlace = 10
    findPlace()
  }

  /// Has the rows there that the place to go to is among: only those are decoded.
  func loadWaitingPlace() {
    if let waitingPlace { loadKept(around: waitingPlace.keys) }
  }

  /// Has no place to go to any more.
  func forgetPlace() { waitingPlace = nil }

  /// Goes to where the reader was, as far as the rows are there.
  func findPlace() {
    guard let place = waitingPlace, !rows.isEmpty, !isPlacing else { return }
    isPlacing = true
    defer { isPlacing = false }
    if place.keys.contains(where: { index(ofKey: $0) == nil }) { loadKept(around: place.keys) }
    let selected = place.selected.flatMap(index(ofKey:))
    let top = place.top.flatMap { $0.isEmpty ? -leadingCount : index(ofKey: $0) }
    if let selected {
      didPlace = true
      select(selected, reveals: top == nil)
    }
    if let top { list.scroll(toItem: top + leadingCount, hiddenRows: place.hiddenRows) }
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
