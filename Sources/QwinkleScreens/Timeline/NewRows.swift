import FoundationEssentials
import QwinkleModel

/// What is new in a timeline: its unread rows, and where the line stands between new and read ones.
///
/// Unread is what is above the mark, which moves as the reader goes on. The line stands where the mark was when the
/// visit began, so that it stands still while somebody reads. It moves to the mark with the first rows that come in a
/// new visit, after a refresh at the top, or once all is read and the line is out of sight.
struct NewRows {
  /// The mark below the line; nil until one is known.
  var line: ReadMark?
  /// Whether the line moves to the mark with the next rows that come.
  var movesLine = true
  /// Whether the reader has done something in this visit.
  var hasActed = false
  /// Stands for the mark while none is known: the top when rows were first seen.
  private var start: ReadMark?
  /// The indices of the unread rows, ascending. My own are none.
  private(set) var unread: [Int] = []
  /// Whether the first row is above the mark.
  private(set) var beginsUnread = false
  /// Whether there are more unread ones than are loaded.
  private(set) var hasMore = false
  /// The row above the line; nil: the line is not among the rows.
  private(set) var rowAboveLine: Timeline.Row.ID?
  /// The time of the newest qwink below the line.
  private(set) var lineDate: Date?

  /// A new visit begins.
  mutating func beginVisit() {
    movesLine = true
    hasActed = false
  }

  /// New rows have come on top: moves the line if it is time for that. `isLineInSight` is asked before the rows come.
  mutating func noteNews(mark: ReadMark?, isLineInSight: Bool) {
    guard movesLine || (unread.isEmpty && !isLineInSight), let mark = mark ?? start else { return }
    line = mark
    movesLine = false
  }

  /// Brings all up to date with the rows and how far they were read. The first `count` of them stand above the
  /// timeline and are never new. `me` wrote some of them.
  mutating func update(_ rows: [Timeline.Row], above count: Int, mark: ReadMark?, me: Qwinker.ID?) {
    if start == nil { start = rows.dropFirst(count).lazy.compactMap(\.qwink).first.map { ReadMark($0, readAt: nil) } }
    func isTheirs(_ row: Timeline.Row) -> Bool { row.qwink.map { !$0.comes(from: me) } ?? false }
    let place = mark.flatMap { rows.firstRead(by: $0) } ?? start.flatMap { rows.firstRead(by: $0) } ?? 0
    beginsUnread = place > 0
    unread = (min(count, place)..<place).filter { isTheirs(rows[$0]) }
    hasMore = !unread.isEmpty && (place == rows.count || rows[..<place].contains { $0.cursor != nil })
    if line == nil { line = mark }
    (rowAboveLine, lineDate) = (nil, nil)
    guard let below = line.flatMap({ rows.firstRead(by: $0) }), below > count, rows[..<below].contains(where: isTheirs),
      let date = rows[below...].lazy.compactMap(\.qwink).first?.listedAt
    else { return }
    rowAboveLine = rows[below - 1].id
    lineDate = date
  }
}

extension Qwink {
  /// Whether `qwinker` wrote or boosted what this row of a timeline shows.
  func comes(from qwinker: Qwinker.ID?) -> Bool { (booster ?? author).id == qwinker }
}
