import PaneKit
public import QwinkleAccount
public import QwinkleModel
import Terminal
import Timekeeping

/// How far a timeline was read.
///
/// A row counts as read once its end was in sight and the reader did something there: moved, scrolled, or acted on a
/// qwink. What merely comes is never read, neither by a poll nor at a start; nor is what somebody sees who only passes
/// through a section. Rows that a jump passes stay unread.
extension TimelineViewController {
  /// Skipped rows read from the cache at a time: they are decoded while the reader waits.
  private static let mostLookedUp = 100

  private var readList: ReadList? { name.hasReadPosition ? .timeline(name) : nil }

  private var readMark: ReadMark? { readList.map { account.readPositions.mark(in: $0) } ?? unkeptMark }

  // MARK: Reading

  /// The mark after the visible rows are read; nil if no visible row is a qwink of the timeline.
  var markInSight: ReadMark? { rowsInSight.flatMap(mark(afterSeeing:)) }

  private var rowsInSight: Range<Int>? { isOnScreen && finder.limit == nil ? rowsSeen : nil }

  private func mark(afterSeeing seen: Range<Int>) -> ReadMark? {
    news.mark(
      afterSeeing: seen, and: flownIn, in: rows, above: qwinksAbove.count, from: readMark,
      me: account.identity.me?.id, at: account.clock.now)
  }

  /// Records the visible rows before new rows push them down. They are read when the reader does something.
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

  /// Marks the rows as read that were visible before the reader did something. If the action has led to another part of
  /// the cache, its rows down to this mark are skipped next.
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

  /// Moves the mark of a list without a saved position.
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

  /// Skips the rows down to the former mark that are in the cache and not in memory.
  private func skipCached(downTo former: ReadMark) {
    guard seenWhileReading == nil, hasMoreKept, allRows.firstRead(by: former) == allRows.count else { return }
    seenWhileReading = flownIn
    account.timelines.readRows(of: name, downTo: former) { [weak self] rows in
      guard let self else { return }
      let seen = seenWhileReading ?? []
      seenWhileReading = nil
      skip(rows.filter { row in row.qwink.map { !isLeftOut($0) && !seen.contains(SkippedRow($0)) } ?? false })
    }
  }

  /// Records that rows below the mark are unread.
  private func skip(_ rows: some Sequence<Timeline.Row>) {
    guard var mark = readMark else { return }
    mark.skip(skippable(rows))
    move(to: mark)
  }

  /// Removes skipped rows from the mark, for example after they left the list.
  private func forgetSkipped(where isGone: (SkippedRow) -> Bool) {
    markBefore?.skipped.removeAll(where: isGone)
    guard var mark = readMark, mark.skipped.contains(where: isGone) else { return }
    mark.skipped.removeAll(where: isGone)
    move(to: mark)
  }

  /// Updates the skipped rows after a change that is shown. `new` are indices of rows that were never here before,
  /// `removed` the rows that left the list.
  func updateSkipped(new: [Int], removed: [Timeline.Row]) {
    let gone = Set(removed.compactMap { $0.qwink.map { SkippedRow($0) } })
    if !gone.isEmpty {
      let here = Set(account.timelines.timeline(name).rows.compactMap { $0.qwink.map { SkippedRow($0) } })
      forgetSkipped { gone.contains($0) && !here.contains($0) }
    }
    // Rows of a gap that the reader jumped past in this visit.
    guard let mark = readMark, let passed, passed.to.isSameRow(as: mark), let start = allRows.firstRead(by: mark),
      let end = allRows.firstRead(by: passed.from), start + 1 < end
    else { return }
    skip(new.filter { (start + 1..<end).contains($0) }.map { allRows[$0] })
  }

  /// Selects the oldest unread row, which is read then: new ones are read upwards from there. Returns false if there is
  /// none.
  func selectOldestUnread() -> Bool {
    takeUp()
    guard finder.limit == nil else { return false }
    guard let last = news.unread.last else {
      if selectSkippedElsewhere() { return true }
      guard unreadAboveWindow > 0 else { return false }
      goToFirst()
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

  /// Selects the oldest skipped row that is not in memory but in the cache. Removes skipped rows that aren't cached
  /// or are hidden.
  private func selectSkippedElsewhere() -> Bool {
    for _ in stride(from: 0, to: ReadMark.mostSkipped, by: Self.mostLookedUp) {
      let oldest = news.skippedElsewhere.suffix(Self.mostLookedUp)
      guard !oldest.isEmpty, let cached = account.timelines.cached(oldest.map(\.rowID), of: name) else { return false }
      let found = Set(cached.filter { !isLeftOut($0) }.map { SkippedRow($0) })
      let gone = Set(oldest).subtracting(found)
      if !gone.isEmpty { forgetSkipped { gone.contains($0) } }
      guard let row = oldest.last(where: found.contains) else { continue }
      account.timelines.loadKept(name, around: [row.rowID])
      guard let index = rows.firstIndex(where: { $0.qwink.map { SkippedRow($0) } == row }) else { return false }
      selectAndRead(index)
      return true
    }
    return false
  }

  // MARK: What is new

  /// The cell of a row with the line below it; nil if the line is elsewhere.
  func line(below cell: any ListCell, ofRow row: Timeline.Row.ID, density: Density) -> (any ListCell)? {
    guard row == news.rowAboveLine, finder.limit == nil, let date = news.lineDate else { return nil }
    let (now, zone) = (account.clock.now, account.timeZone)
    return NewSinceCell(
      cell: cell, words: TimelineWords.newSince(date, now: now, zone: zone),
      said: TimelineWords.saidNewSince(date, now: now, zone: zone), density: density)
  }

  /// Moves the line, if need be, before `new` rows are shown.
  func prepareNews(_ new: [Timeline.Row], after change: ListChange, cause: Timelines.Cause) {
    let mark = readMark
    let place = mark.flatMap { new.firstRead(by: $0) } ?? new.count
    if readList != nil, cause != .own, cause != .kept, change.new.contains(where: { $0 < place }) {
      news.noteNews(mark: mark, isLineInSight: isLineInSight)
    }
    updateNews(new)
  }

  /// Shows what ``prepareNews(_:after:cause:)`` found, once the rows are shown.
  func showNews(formerLine: Timeline.Row.ID?) {
    if formerLine != news.rowAboveLine { reloadLine([formerLine, news.rowAboveLine]) }
    countNewAbove()
  }

  private var isLineInSight: Bool {
    guard let row = news.rowAboveLine else { return false }
    return rows[shownRows.clamped(to: rows.indices)].contains { $0.id == row }
  }

  /// Counts the unread rows above those in sight.
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

  /// Brings counts and line up to date with rows that are shown after this.
  func updateNews(_ new: [Timeline.Row]) {
    news.update(
      new, of: account.timelines.timeline(name).rows, above: qwinksAbove.count, mark: readMark,
      me: account.identity.me?.id)
    if readList == nil { news.line = nil }
  }

  /// Brings counts and line up to date where only the mark has moved.
  func updateNews() {
    let former = news.rowAboveLine
    let count = unreadCount
    updateNews(allRows)
    showNews(formerLine: former)
    if unreadCount != count { navigator?.statusDidChange(of: self) }
  }

  private func reloadLine(_ rows: [Timeline.Row.ID?]) {
    reloadRows(keepsPlace: true) { rows.contains($0.id) }
  }

  public func readPositions(_ positions: ReadPositions, didChangeIn list: ReadList) {
    guard list == readList, isTakenUp else { return }
    // Read elsewhere, before anything was done here.
    if !news.hasActed, !news.movesLine { news.line = readMark }
    updateNews()
  }

  public func identityDidChange(_ identity: Identity) {
    guard isTakenUp else { return }
    updateNews()
    goUpToMine()
  }

  /// Shows a reader who was at the top what has come from themselves: it is no news to wait for.
  func goUpToMine() {
    guard staysBelowNew, settings.letsFlow, finder.limit == nil, !hasRowsAbove, let selectedIndex, selectedIndex > 0,
      let me = account.identity.me?.id, rows[..<selectedIndex].allSatisfy({ $0.qwink?.comes(from: me) ?? false })
    else { return }
    list.select(0)
  }

  // MARK: State

  /// The line for ``showLine(at:)``; nil if it is not among the rows.
  var keptLine: String? {
    guard news.rowAboveLine != nil, let line = news.line else { return nil }
    return [line.id, line.booster ?? ""].joined(separator: Self.placeSeparator)
  }

  /// Puts the line where it was in the last run.
  func showLine(at kept: String) {
    let parts = kept.split(separator: Self.placeSeparator, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, readList != nil else { return }
    news.line = ReadMark(id: parts[0], booster: parts[1].isEmpty ? nil : parts[1])
    if isTakenUp { updateNews() }
  }
}
