public import Terminal

/// The layout of a text that is being edited. Rows break as in displayed text, but no character is dropped, so the
/// cursor can be anywhere. Positions start at row 0, column 0, and are within ``columns``.
public struct TextBufferLayout: Sendable {
  private let buffer: TextBuffer
  private let broken: TextRows

  init(_ buffer: TextBuffer, rows: TextRows) {
    self.buffer = buffer
    self.broken = rows
  }

  /// At least 1.
  public var columns: Int { broken.columns }
  /// The rows as ranges of the buffer's clusters. There is always at least one. A newline belongs to the row that it
  /// ends.
  public var rows: [Range<Int>] { broken.rows }

  /// Returns the text drawn in `row`: without its newline, with tabs as spaces, and with `…` for a cluster wider than
  /// the row.
  public func text(ofRow row: Int) -> String {
    guard rows.indices.contains(row) else { return "" }
    let range = rows[row].lowerBound..<endOfText(inRow: row)
    let shown = zip(buffer.clusters[range], buffer.measures[range]).map { cluster, measure -> Character in
      if cluster == "\t" { return " " }
      return measure.columns > columns ? "…" : cluster
    }
    return String(shown)
  }

  /// Returns the row and column of `cursor`, a position in the buffer.
  public func position(ofCursor cursor: Int) -> Point {
    let row = broken.row(of: cursor)
    let end = min(max(cursor, rows[row].lowerBound), rows[row].upperBound)
    return Point(row: row, column: min(width(of: rows[row].lowerBound..<end), columns - 1))
  }

  /// Returns the buffer position at `column` of `row`, or the nearest one to the left of `column`. Both arguments are
  /// clamped.
  public func cursor(atRow row: Int, column: Int) -> Int {
    let row = min(max(0, row), rows.count - 1)
    // A cursor after the last cluster of a wrapped row would appear at the start of the next row.
    let goesOn = row + 1 < rows.count && endOfText(inRow: row) == rows[row].upperBound
    let last = goesOn ? rows[row].upperBound - 1 : endOfText(inRow: row)
    var cursor = rows[row].lowerBound
    var reached = 0
    while cursor < last {
      reached += width(of: cursor..<(cursor + 1))
      if reached > column { break }
      cursor += 1
    }
    return cursor
  }

  private func endOfText(inRow row: Int) -> Int {
    let range = rows[row]
    guard let last = buffer.measures[range].last, last.isNewline else { return range.upperBound }
    return range.upperBound - 1
  }

  private func width(of range: Range<Int>) -> Int {
    buffer.measures[range].reduce(0) { $0 + min(columns, $1.columns) }
  }
}
