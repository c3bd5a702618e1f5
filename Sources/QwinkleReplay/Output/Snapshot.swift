public import Terminal

/// What a terminal shows at one moment of a replay.
public struct Snapshot: Hashable, Sendable {
  public let size: Size
  /// Row by row; exactly as many as ``size`` says. Behind each wide cell stands its second column, and nowhere else.
  public let cells: [[SnapshotCell]]
  /// Where the cursor stands; nil where it is hidden.
  public let cursor: Point?

  /// A picture of `size`. Of `cells`, what goes beyond is left out, and what is missing is blank; the cell behind a
  /// wide one becomes its second column, whatever was given there.
  public init(size: Size, cells: [[SnapshotCell]], cursor: Point? = nil) {
    self.size = size
    self.cells = (0..<size.rows).map { Self.whole($0 < cells.count ? cells[$0] : [], columns: size.columns) }
    self.cursor = cursor
  }

  /// The characters of a row, without the blanks at its end.
  public func text(ofRow row: Int) -> String {
    var text = cells[row].map(\.text).joined()
    while text.last == " " { text.removeLast() }
    return text
  }

  /// The part of it in `rows`, counted from 0, as a picture of its own. A cursor outside them is hidden.
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
