import PaneKit
public import QwinkleAccount
public import QwinkleModel
import Terminal
import Timekeeping

/// The reading position of a timeline.
///
/// A row counts as read once its end was visible and the reader did something in the timeline: moved, scrolled, or
/// acted on a qwink. Rows that merely arrive, by a poll or at startup, stay unread. So do rows that a reader only sees
/// while passing through a section, and rows passed by a jump.
extension TimelineViewController {
  /// Maximum number of skipped rows that are read from the cache at a time. The reader waits while they are decoded.
  private static let mostLookedUp = 100

  private var readList: ReadList? { name.hasReadPosition ? .timeline(name) : nil }

  var readMark: ReadMark? { readList.map { account.readPositions.mark(in: $0) } ?? unkeptMark }

  // MARK: Reading

  /// The mark that the timeline would have if all visible rows were read. Nil if no visible row is a qwink of the
  /// timeline, or while the timeline is hidden or limited to matching rows.
  var markInSight: ReadMark? { rowsInSight.flatMap(mark(afterSeeing:)) }

  private var rowsInSight: Range<Int>? { isOnScreen && finder.limit == nil ? rowsSeen : nil }

  private func mark(afterSeeing seen: Range<Int>) -> ReadMark? {
    news.mark(
      afterSeeing: seen, and: flownIn, in: rows, above: qwinksAbove.count, from: readMark,
      me: account.identity.me?.id, at: account.clock.now
    )
    .map(folds.covered)
  }

  /// Records the visible rows before new rows push them down. The reader's next action marks them as read.
  func noteRowsInSight() {
    guard let rowsInSight else { return }
    flownIn.formUnion(skippable(rows[rowsInSight]))
    if flownIn.count > ReadMark.mostSkipped { flownIn = Set(SkippedRow.newest(Array(flownIn))) }
  }

  private func skippable(_ rows: some Sequence<Timeline.Row>) -> [SkippedRow] {
    let me = account.identity.me?.id
    return rows.compactMap(\.qwink).filter { !$0.comes(from: me) }.map { SkippedRow($0) }
  }

  /// Marks the visible rows as read.
  func readInSight() {
    if let rowsInSight { seenWhileReading?.formUnion(skippable(rows[rowsInSight])) }
    if let markInSight { read(markInSight) }
  }

  /// Marks the rows that were visible before the reader's action as read. If the action jumped to another part of the
  /// cache, ``readInSight()`` then records the cached rows down to this mark as skipped.
  func readBefore(_ mark: ReadMark) {
    let isInMemory = allRows.firstRead(by: mark) != allRows.count
    if isInMemory { read(mark) } else { move(to: mark) }
  }

  /// Moves the mark, or changes the skipped rows below it.
  func read(_ mark: ReadMark) {
    news.hasActed = true
    let former = readMark
    move(to: mark)
    if let former, readMark?.isSameRow(as: former) == false { skipCached(downTo: former) }
  }

  private func move(to mark: ReadMark) {
    guard let readList else { return moveUnkept(to: mark) }
    let former = readMark
    account.readPositions.read(readList, upTo: mark)
    guard let former, let now = readMark, !now.isSameRow(as: former) else { return }
    if let passed, passed.to.isSameRow(as: former) {
      self.passed = (passed.from, now)
    } else {
      passed = (former, now)
    }
  }

  /// Moves the mark of a list whose position isn't saved.
  private func moveUnkept(to mark: ReadMark) {
    if let own = unkeptMark {
      let changes =
        own.isSameRow(as: mark)
        ? mark.skipped != own.skipped : account.timelines.timeline(name).isMark(mark, above: own) != false
      guard changes else { return }
    }
    unkeptMark = mark
    updateNews()
  }

  /// If the former mark isn't in memory, records the cached rows between the rows in memory and the mark as skipped.
  private func skipCached(downTo former: ReadMark) {
    guard seenWhileReading == nil, hasMoreCached, allRows.firstRead(by: former) == allRows.count else { return }
    seenWhileReading = flownIn
    account.timelines.readRows(of: name, downTo: former) { [weak self] rows in
      guard let self else { return }
      let seen = seenWhileReading ?? []
      seenWhileReading = nil
      let visible = rows.filter { row in row.qwink.map { !isLeftOut($0) } ?? true }
      let folds = FoldedBoosts(visible, keeping: [])
      skip(visible.filter { row in folds.shows(row) && row.qwink.map { !seen.contains(SkippedRow($0)) } ?? false })
    }
  }

  /// Records rows below the mark as skipped, so that they stay unread.
  private func skip(_ rows: some Sequence<Timeline.Row>) {
    guard var mark = readMark else { return }
    mark.skip(skippable(rows))
    move(to: mark)
  }

  /// Removes skipped rows from the mark, for example after they have left the list.
  private func forgetSkipped(where isGone: (SkippedRow) -> Bool) {
    markBefore?.skipped.removeAll(where: isGone)
    guard var mark = readMark, mark.skipped.contains(where: isGone) else { return }
    mark.skipped.removeAll(where: isGone)
    move(to: mark)
  }

  /// Updates the skipped rows after a change was shown. `new` contains the indices of rows that weren't in the timeline
  /// before, and `removed` contains the rows that left it.
  func updateSkipped(new: [Int], removed: [Timeline.Row]) {
    let gone = Set(removed.compactMap { $0.qwink.map { SkippedRow($0) } })
    if !gone.isEmpty {
      let here = Set(account.timelines.timeline(name).rows.compactMap { $0.qwink.map { SkippedRow($0) } })
      forgetSkipped { gone.contains($0) && !here.contains($0) }
    }
    // New rows in a gap that the reader jumped over in this visit are skipped rows.
    guard let mark = readMark, let passed, passed.to.isSameRow(as: mark), let start = allRows.firstRead(by: mark),
      let end = allRows.firstRead(by: passed.from), start + 1 < end
    else { return }
    skip(new.filter { (start + 1..<end).contains($0) }.map { allRows[$0] })
  }

  /// Selects the oldest unread row and marks it as read, so that the reader continues upwards. If the only unread rows
  /// are above the rows in memory, goes to the first row instead. Returns false if all rows are read or the list is
  /// limited to matching rows.
  func selectOldestUnread() -> Bool {
    showModelRows()
    guard finder.limit == nil else { return false }
    guard let last = news.unread.last else {
      if selectSkippedElsewhere() { return true }
      guard unreadAboveWindow > 0 else { return false }
      if !showsOldestFirst || !goToReadPosition() { goToNewest() }
      return true
    }
    selectAndRead(last)
    return true
  }

  private func selectAndRead(_ index: Int) {
    if let row = rows[index].qwink.map({ SkippedRow($0) }) { markBefore?.skipped.removeAll { $0 == row } }
    select(index)
    if let mark = mark(afterSeeing: index..<(index + 1)) { read(mark) }
  }

  /// Selects the oldest skipped row that is cached but not in memory. Forgets skipped rows that are hidden or no longer
  /// cached.
  private func selectSkippedElsewhere() -> Bool {
    for _ in stride(from: 0, to: ReadMark.mostSkipped, by: Self.mostLookedUp) {
      let oldest = news.skippedElsewhere.suffix(Self.mostLookedUp)
      guard !oldest.isEmpty, let cached = account.timelines.cached(oldest.map(\.rowID), of: name) else { return false }
      let found = Set(cached.filter { !isLeftOut($0) }.map { SkippedRow($0) })
      let gone = Set(oldest).subtracting(found)
      if !gone.isEmpty { forgetSkipped { gone.contains($0) } }
      guard let row = oldest.last(where: found.contains) else { continue }
      account.timelines.loadCached(name, around: [row.rowID])
      let shown = folds.shownRow(for: row.rowID)
      guard let index = rows.firstIndex(where: { $0.qwink?.rowID == shown }) else { return false }
      selectAndRead(index)
      return true
    }
    return false
  }

  // MARK: New rows

  /// Returns the cell with the line below it, or nil if the line isn't below this row.
  func line(below cell: any ListCell, ofRow row: Timeline.Row.ID, density: Density) -> (any ListCell)? {
    guard row == news.rowAboveLine, finder.limit == nil, let date = news.lineDate else { return nil }
    let (now, zone) = (account.clock.now, account.timeZone)
    return NewSinceCell(
      cell: cell, words: TimelineWords.newSince(date, now: now, zone: zone),
      said: TimelineWords.saidNewSince(date, isBelow: showsOldestFirst, now: now, zone: zone),
      isAbove: showsOldestFirst, density: density)
  }

  /// Moves the line, if necessary, and updates the counts. `new` contains all rows that are about to be shown after
  /// `change`.
  func prepareNews(_ new: [Timeline.Row], after change: ListChange, cause: Timelines.Cause) {
    let mark = readMark
    let place = mark.flatMap { new.firstRead(by: $0) } ?? new.count
    if readList != nil, cause != .own, cause != .cache, change.new.contains(where: { $0 < place }) {
      news.noteNews(mark: mark, isLineInSight: isLineInSight)
    }
    updateNews(new)
  }

  /// Draws the result of ``prepareNews(_:after:cause:)`` after the rows are shown.
  func showNews(formerLine: Timeline.Row.ID?) {
    if formerLine != news.rowAboveLine { reloadLine([formerLine, news.rowAboveLine]) }
    countNewAbove()
  }

  private var isLineInSight: Bool {
    guard let row = news.rowAboveLine else { return false }
    return rows[shownRows.clamped(to: rows.indices)].contains { $0.id == row }
  }

  /// Counts the unread rows above the first visible one.
  func countNewAbove() {
    guard finder.limit == nil else { return }
    let top = firstShown
    newCount = news.unread.prefix { $0 < top }.count + unreadAboveWindow + skippedAboveWindow
  }

  /// The number of unread rows, in memory or not.
  var unreadCount: Int { news.unread.count + unreadAboveWindow + news.skippedElsewhere.count }

  /// The number of skipped rows above the first row in memory.
  private var skippedAboveWindow: Int {
    guard hasRowsAbove, let first = allRows.lazy.compactMap(\.qwink).first else { return 0 }
    return news.skippedElsewhere.count { $0.createdAt.map { $0 > first.listedAt } ?? false }
  }

  /// Updates the counts and the line for rows that are about to be shown.
  func updateNews(_ new: [Timeline.Row]) {
    news.update(
      new, of: account.timelines.timeline(name).rows, above: qwinksAbove.count, mark: readMark,
      me: account.identity.me?.id)
    if readList == nil { news.line = nil }
  }

  /// Updates the counts and the line after the mark has moved.
  func updateNews() {
    let former = news.rowAboveLine
    let (count, hadMore) = (unreadCount, news.hasMore)
    updateNews(allRows)
    showNews(formerLine: former)
    if unreadCount != count || news.hasMore != hadMore { navigator?.statusDidChange(of: self) }
  }

  private func reloadLine(_ rows: [Timeline.Row.ID?]) {
    reloadRows(keepsPlace: true) { rows.contains($0.id) }
  }

  public func readPositions(_ positions: ReadPositions, didChangeIn list: ReadList) {
    guard list == readList, showsModelRows else { return }
    // Another client moved the mark before the reader did anything here, so the line moves too.
    if !news.hasActed, !news.movesLine { news.line = readMark }
    // At the start, rows can be shown before the position is loaded.
    if !news.hasActed, hiding.visitMark == nil { hideReadNow() }
    updateNews()
    reopenAtReadPosition()
  }

  public func identityDidChange(_ identity: Identity) {
    guard showsModelRows else { return }
    // Kinds and rules never hide the user's own posts.
    if !hiddenQwinks.isEmpty { rearrange() }
    updateNews()
    goUpToMine()
  }

  /// Scrolls up to the user's own new rows if the user was at the top, because they already know these rows.
  func goUpToMine() {
    guard staysBelowNew, !showsOldestFirst, settings.letsFlow, finder.limit == nil, !hasRowsAbove, let selectedIndex,
      selectedIndex > 0,
      let me = account.identity.me?.id, rows[..<selectedIndex].allSatisfy({ $0.qwink?.comes(from: me) ?? false })
    else { return }
    list.select(0)
  }

  // MARK: State

  /// The line's position for ``showLine(at:)``, or nil if the line isn't among the rows.
  var savedLine: String? {
    guard news.rowAboveLine != nil, let line = news.line else { return nil }
    return [line.id, line.booster ?? ""].joined(separator: Self.placeSeparator)
  }

  /// Restores the line's position from the last run.
  func showLine(at position: String) {
    let parts = position.split(separator: Self.placeSeparator, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, readList != nil else { return }
    news.line = ReadMark(id: parts[0], booster: parts[1].isEmpty ? nil : parts[1])
    if showsModelRows { updateNews() }
  }
}
