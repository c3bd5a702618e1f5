import PaneKit
public import QwinkleAccount
public import QwinkleModel
import Terminal
import Timekeeping

/// How far a timeline was read.
///
/// A row counts as read once its end was in sight and the reader did something there: moved, scrolled, or acted on a
/// qwink. What merely comes is never read, neither by a poll nor at a start; nor is what somebody sees who only passes
/// through a section.
extension TimelineViewController {
  private var readList: ReadList? { name.hasReadPosition ? .timeline(name) : nil }

  private var readMark: ReadMark? { readList.map { account.readPositions.mark(in: $0) } ?? unkeptMark }

  // MARK: Reading

  /// The mark at the first row in sight; nil if nothing in sight can be read.
  var inSight: ReadMark? { isOnScreen && finder.limit == nil ? firstRowSeen.flatMap(mark(at:)) : nil }

  /// The mark at the row with an index, or at the next one that is a qwink of the timeline.
  private func mark(at index: Int) -> ReadMark? {
    rows.dropFirst(max(index, qwinksAbove.count)).lazy.compactMap(\.qwink).first
      .map { ReadMark($0, readAt: account.clock.now) }
  }

  /// The first row in sight, and with it all below, has been read.
  func readInSight() {
    if let inSight { read(inSight) }
  }

  /// The row of a mark, and with it all below, has been read.
  func read(_ mark: ReadMark) {
    news.hasActed = true
    if let readList { return account.readPositions.read(readList, upTo: mark) }
    guard unkeptMark.map({ account.timelines.timeline(name).isMark(mark, above: $0) ?? true }) ?? true else { return }
    unkeptMark = mark
    updateNews()
  }

  /// Selects the oldest unread row, which is read then: new ones are read upwards from there. Returns false if there is
  /// none.
  func selectOldestUnread() -> Bool {
    takeUp()
    guard finder.limit == nil else { return false }
    guard let last = news.unread.last else {
      guard unreadAboveWindow > 0 else { return false }
      goToFirst()
      return true
    }
    select(last)
    if let mark = mark(at: last) { read(mark) }
    return true
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
    newCount = news.unread.prefix { $0 < top }.count + unreadAboveWindow
  }

  /// Brings counts and line up to date with rows that are shown after this.
  func updateNews(_ new: [Timeline.Row]) {
    news.update(new, above: qwinksAbove.count, mark: readMark, me: account.identity.me?.id)
    if readList == nil { news.line = nil }
  }

  /// Brings counts and line up to date where only the mark has moved.
  func updateNews() {
    let former = news.rowAboveLine
    let count = news.unread.count
    updateNews(allRows)
    showNews(formerLine: former)
    if news.unread.count != count { navigator?.statusDidChange(of: self) }
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
