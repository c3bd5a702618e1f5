import FoundationEssentials
import QwinkleModel

/// The unread rows of a timeline, and the line between new and read rows.
///
/// The read mark is the reader's position. Rows above the mark are unread, and so are rows below it that the reader
/// skipped. The mark moves as the reader reads.
///
/// The line is drawn where the mark was at the start of the visit, so that it doesn't move while the user reads. It
/// moves to the mark when the first rows of a new visit arrive, after a refresh at the top, or when new rows arrive
/// while all rows are read and the line isn't visible.
struct NewRows {
  /// The read mark whose row is directly below the line. Nil until the timeline has a mark.
  var line: ReadMark?
  /// Whether the line moves to the mark when the next rows arrive.
  var movesLine = true
  /// Whether the reader has acted in the timeline since the visit began.
  var hasActed = false
  /// The newest row at the first update, used as the mark until the timeline has one.
  private var start: ReadMark?
  /// The indices of the unread rows, ascending. The user's own rows are never unread.
  private(set) var unread: [Int] = []
  /// The skipped rows that aren't in memory, newest first.
  private(set) var skippedElsewhere: [SkippedRow] = []
  /// Whether the first row is above the mark.
  private(set) var beginsUnread = false
  /// Whether there may be unread rows that aren't loaded.
  private(set) var hasMore = false
  /// The row above the line, or nil if no line is drawn.
  private(set) var rowAboveLine: Timeline.Row.ID?
  /// The time of the newest qwink below the line.
  private(set) var lineDate: Date?

  mutating func beginVisit() {
    movesLine = true
    hasActed = false
  }

  /// Moves the line, if necessary, when new rows arrive at the top. `isLineInSight` is whether the line was visible
  /// before they were inserted.
  mutating func noteNews(mark: ReadMark?, isLineInSight: Bool) {
    guard movesLine || (unread.isEmpty && !isLineInSight), let mark = mark ?? start else { return }
    line = mark
    movesLine = false
  }

  /// Updates the unread rows and the line.
  ///
  /// - Parameters:
  ///   - rows: The rows that aren't hidden. The first `count` rows, such as pinned qwinks, are never new.
  ///   - all: All rows in memory, including hidden ones.
  ///   - me: The user, whose own rows are never unread.
  mutating func update(
    _ rows: [Timeline.Row], of all: [Timeline.Row], above count: Int, mark: ReadMark?, me: Qwinker.ID?
  ) {
    if start == nil { start = rows.dropFirst(count).lazy.compactMap(\.qwink).first.map { ReadMark($0, readAt: nil) } }
    func isTheirs(_ row: Timeline.Row) -> Bool { row.qwink.map { !$0.comes(from: me) } ?? false }
    let place = place(of: mark, in: rows)
    beginsUnread = place > 0
    unread = (min(count, place)..<place).filter { isTheirs(rows[$0]) }
    // Read rows can be hidden, so the mark is also searched in all rows.
    let reachesRead = place < rows.count || self.place(of: mark, in: all) < all.count
    hasMore = !unread.isEmpty && (!reachesRead || rows[..<place].contains { $0.cursor != nil })
    skippedElsewhere = mark?.skipped ?? []
    if !skippedElsewhere.isEmpty {
      let skipped = Set(skippedElsewhere)
      unread += rows.indices.dropFirst(max(count, place)).filter { index in
        rows[index].qwink.map { skipped.contains(SkippedRow($0)) && !$0.comes(from: me) } ?? false
      }
      let inMemory = Set(all.compactMap { $0.qwink.map { SkippedRow($0) } })
      skippedElsewhere.removeAll { inMemory.contains($0) }
    }
    if line == nil { line = mark }
    (rowAboveLine, lineDate) = (nil, nil)
    guard let below = line.flatMap({ rows.firstRead(by: $0) }), below > count, rows[..<below].contains(where: isTheirs),
      let date = rows[below...].lazy.compactMap(\.qwink).first?.listedAt
    else { return }
    rowAboveLine = rows[below - 1].id
    lineDate = date
  }

  private func place(of mark: ReadMark?, in rows: [Timeline.Row]) -> Int {
    mark.flatMap { rows.firstRead(by: $0) } ?? start.flatMap { rows.firstRead(by: $0) } ?? 0
  }

  // MARK: Reading

  /// Returns the mark of a reader who has seen the rows at `seen` and the `earlier` rows: the newest row at `seen`, or
  /// the former mark if that is newer. Unread rows between the former mark and `seen` are recorded as skipped, unless
  /// `earlier` contains them. Skipped rows that the reader has now seen, or that have left the list, are removed from
  /// the mark. Returns nil if `seen` contains no qwink of the timeline.
  func mark(
    afterSeeing seen: Range<Int>, and earlier: Set<SkippedRow>, in rows: [Timeline.Row], above count: Int,
    from former: ReadMark?, me: Qwinker.ID?, at time: Date
  ) -> ReadMark? {
    let seen = seen.clamped(to: min(count, rows.count)..<rows.count)
    guard let newest = rows[seen].firstIndex(where: { $0.cursor == nil }), let top = rows[newest].qwink
    else { return nil }
    var mark = former
    if former.flatMap({ rows.firstRead(by: $0) }).map({ newest < $0 }) ?? true {
      mark = ReadMark(top, readAt: time)
      mark?.skipped = former?.skipped ?? []
      let passed = rows[seen.upperBound..<max(seen.upperBound, place(of: former, in: rows))].compactMap(\.qwink)
      mark?.skip(passed.filter { !$0.comes(from: me) }.map { SkippedRow($0) })
    }
    guard mark?.skipped.isEmpty == false else { return mark }
    let known = Set(rows.compactMap { $0.qwink.map { SkippedRow($0) } })
    let items = rows[seen].compactMap(\.qwink)
    let (bottom, shown) = (items.last ?? top, earlier.union(items.map { SkippedRow($0) }))
    mark?.skipped.removeAll { row in
      // An unknown row whose time is between two visible rows was removed from the list.
      let isBetween = row.createdAt.map { $0 > bottom.listedAt && $0 < top.listedAt } ?? false
      return shown.contains(row) || (isBetween && !known.contains(row))
    }
    return mark
  }
}
