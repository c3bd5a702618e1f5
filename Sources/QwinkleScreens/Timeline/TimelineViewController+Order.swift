import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import Timekeeping

/// Reading the oldest rows first, like a book: older rows are above, newer rows below. Only timelines with a read
/// position can be read like this.
extension TimelineViewController {
  /// Maximum number of pages that are loaded to open a timeline at its read position.
  private static let mostPagesForOpening = 10
  /// Seconds between two refreshes that a reader at the end causes.
  private static let refreshPause: Double = 10

  /// Adopts the order of the `order` option.
  func takeOrder() {
    let isOldestFirst = settings.isOldestFirst && name.hasReadPosition
    guard isOldestFirst != showsOldestFirst else { return }
    cameFromOlder = isOldestFirst
    isTakingIn = true
    setOrder(oldestFirst: isOldestFirst)
    isTakingIn = false
    guard showsModelRows else { return }
    lastSelected = list.selectedIndex
    // The line between new and read rows is on the other side of its row.
    list.reloadCells()
    countNewAbove()
  }

  /// Selects the list's first or last row, and loads it from the cache if necessary.
  func goToEnd(isFirst: Bool) {
    if isFirst != showsOldestFirst { goToNewest() } else { goToOldest() }
  }

  /// Whether a gap is filled from its older end, because the reader has just read the row there.
  var fillsFromOlder: Bool { showsOldestFirst || cameFromOlder }

  /// Selects the next row after rows were inserted at the selected gap, in the direction in which the reader moves.
  func selectNext(in filled: Range<Int>) {
    guard fillsFromOlder else { return select(filled.lowerBound) }
    let isGapLeft = rows.indices.contains(filled.upperBound) && rows[filled.upperBound].cursor != nil
    // Some servers fill gaps only from their newer end. Then the next row to read isn't loaded yet.
    select(showsOldestFirst && isGapLeft ? filled.upperBound : filled.upperBound - 1)
  }

  // MARK: The read position

  /// Loads the cached rows around the read position, if the oldest rows are first. Returns false if its row isn't
  /// cached.
  func loadReadPosition() -> Bool {
    guard showsOldestFirst, let mark = readMark else { return false }
    let row = Qwink.RowID(status: Qwink.ID(mark.id), booster: mark.booster.map { Qwinker.ID($0) })
    account.timelines.loadCached(name, around: [row], isOldestFirst: true)
    return account.timelines.isInMemory(mark, of: name)
  }

  /// Selects the first row after the read position. Returns false if the position's row isn't cached.
  func goToReadPosition() -> Bool {
    guard loadReadPosition() else { return false }
    selectAfterMark()
    return true
  }

  /// Selects the first unread row, with the last read row above it. If the loaded rows don't reach the read position,
  /// loads more pages first.
  func openAtReadPosition() {
    openingSearch = TimelineOpening(mark: readMark, pages: Self.mostPagesForOpening)
    continueOpening()
  }

  /// Called when the read mark has changed. Opens the timeline again if another client has moved the mark and the
  /// reader hasn't done anything yet.
  func reopenAtReadPosition() {
    guard let openingSearch, let readMark, openingSearch.mark?.isSameRow(as: readMark) != true else { return }
    openAtReadPosition()
  }

  /// Continues to open the timeline after rows have been loaded. If the position from the last run isn't among them,
  /// opens the timeline at the read position.
  func openAfterChange() {
    if openingSearch == nil, waitingPlace != nil, !didPlace, state.refreshedAt != nil {
      waitingPlace = nil
      return openAtReadPosition()
    }
    continueOpening()
  }

  /// Selects the first unread row. Loads another page if the loaded rows don't reach the read position.
  func continueOpening() {
    guard let pages = openingSearch?.pages, pages > 0, !rows.isEmpty, finder.limit == nil, waitingPlace == nil else {
      return
    }
    let isFound = selectAfterMark()
    openingSearch?.pages = isFound || state.isComplete ? 0 : pages - 1
    // Loading from the cache can add rows at once, which calls this again.
    loadOlderWhereNeeded()
  }

  /// Selects the row after the read position, or the oldest row if all loaded rows are unread. Returns false in the
  /// latter case.
  @discardableResult
  private func selectAfterMark() -> Bool {
    let wasPlacing = isPlacing
    isPlacing = true
    isSelectingAfterMark = true
    defer {
      isPlacing = wasPlacing
      isSelectingAfterMark = false
    }
    guard let place = readMark.flatMap({ allRows.firstRead(by: $0) }), place <= rows.count else {
      // Without a known read position, the newest row is the end of the read ones.
      select(0)
      return true
    }
    let me = account.identity.me?.id
    select(rows[..<place].lastIndex { $0.qwink.map { !$0.comes(from: me) } ?? true } ?? 0)
    guard place < rows.count else { return false }
    if place > 0 { list.scroll(toItem: item(ofRow: place), hiddenRows: 0, keepsSelection: true) }
    return true
  }

  // MARK: The end

  /// Fetches new rows if the reader is at the newest row and moves on.
  func refreshAtEnd() {
    guard showsOldestFirst, isAtTop, finder.limit == nil, !account.timelines.isLive(name), !state.isRefreshing,
      let last = state.refreshedAt, account.clock.now.timeIntervalSince(last) >= Self.refreshPause
    else { return }
    account.timelines.catchUp(name)
  }
}

/// The search for the row at which a timeline opens. The reader's next action ends it.
struct TimelineOpening {
  /// The read mark at that time.
  let mark: ReadMark?
  /// Number of pages that may still be loaded.
  var pages: Int
}
