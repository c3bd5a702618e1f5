public import Terminal

/// What a terminal shows at one moment of a replay.
public struct Snapshot: Hashable, Sendable {
  public let size: Size
  /// Row by row, exactly ``size``. Each wide cell is followed by its second column, which occurs nowhere else.
  public let cells: [[SnapshotCell]]
  /// The cursor's position; nil if hidden.
  public let cursor: Point?

  /// A snapshot of `size`. Surplus `cells` are dropped, missing ones are blank. The cell after a wide one becomes its
  /// second column, whatever was given.
  public init(size: Size, cells: [[SnapshotCell]], cursor: Point? = nil) {
    self.size = size
    self.cells = (0..<size.rows).map { Self.whole($0 < cells.count ? cells[$0] : [], columns: size.columns) }
    self.cursor = cursor
  }

  /// The text of a row, without trailing blanks.
  public func text(ofRow row: Int) -> String {
    var text = cells[row].map(\.text).joined()
    while text.last == " " { text.removeLast() }
    return text
  }

  /// A snapshot of only these rows, counted from 0. A cursor outside them is hidden.
  public func rows(_ rows: Range<Int>) -> Snapshot {
    let rows = rows.clamped(to: 0..<size.rows)
    return Snapshot(
      size: Size(rows: rows.count, columns: size.columns), cells: Array(cells[rows]),
      cursor: cursor.flatMap { cursor in
        rows.contains(cursor.row) ? Point(row: cursor.row - rows.lowerBound, column: cursor.column) : nil
      })
  }

  private static func whole(_ given: [SnapshotCell], columns: Int) -> [SnapshotCell] {
    var row = Array(given.prefix(columns))
    row += Array(repeating: SnapshotCell(), count: columns - row.count)
    var column = 0
    while column < columns {
      if row[column].columns == 2, column + 1 < columns {
        row[column + 1] = row[column].secondColumn
        column += 2
      } else {
        if row[column].columns != 1 { row[column] = row[column].narrow }
        column += 1
      }
    }
    return row
  }
}
