import PaneKit
import QwinkleAccount

/// Loading older rows: near the end of the list, and to replace hidden rows.
extension ListViewController {
  /// Maximum number of consecutive pages without visible rows. After that many pages, no more are loaded until the
  /// reader does something.
  var mostHiddenPages: Int { 5 }

  /// Loads older rows if the last visible row is near the end, or if all loaded rows are hidden. During a refresh and
  /// after a failure, only rows in the store are loaded. The same is true after the reader cancelled a request, unless
  /// `byReader` is true.
  func loadOlderWhereNeeded(byReader: Bool = false) {
    let state = state
    // Rows in the store load immediately, so a margin of two rows is enough: the first frame needs only the visible
    // rows.
    let rowsAhead = hasMoreCached ? 2 : 10
    let needsRows =
      rows.isEmpty
      ? hidesRows && isOnScreen : shownRows.upperBound > 0 && shownRows.upperBound + rowsAhead >= rows.count
    // Don't load rows for a limited list. If few rows match, the list would load one page after another to the end.
    guard needsRows, finder.limit == nil, !hidesRows || hiddenPages < mostHiddenPages else { return }
    let mayAsk = state.error == nil && !state.isRefreshing && (byReader || !state.wasCancelled)
    if mayAsk || hasMoreCached { loadOlder() }
  }

  /// Counts consecutive changes that added no row, such as pages with only hidden rows. Call this after each change.
  func countHiddenPage() {
    hiddenPages = hidesRows && rows.count == shownBefore ? hiddenPages + 1 : 0
    shownBefore = rows.count
  }

  /// Updates the texts after ``state`` has changed, and the relative times if a refresh has begun. Loads older rows if
  /// they are needed.
  func stateDidChange() {
    guard showsModelRows else { return }
    // Update the relative times.
    if state.isRefreshing { list.reloadCells() }
    updateWords()
    loadOlderWhereNeeded()
  }
}
