public import Terminal

/// How a text that is being edited is shown: broken into rows as texts are, but keeping each character, so that the cursor
/// can stand anywhere. All places are inside the columns given, from row 0, column 0.
public struct TextBufferLayout: Sendable {
  /// At least 1.
  public let columns: Int
  /// The rows, at least one, as ranges of the buffer's clusters; a newline belongs to the row that it ends.
  public let rows: [Range<Int>]
  private let clusters: [Character]

  /// The layout of `buffer` in `columns` columns; fewer than 1 count as 1.
  public init(_ buffer: TextBuffer, columns: Int) {
    self.columns = max(1, columns)
    self.clusters = buffer.clusters
    self.rows = TextLayout.editingRows(of: buffer.clusters, columns: columns)
  }

  /// What `row` shows: without its newline, tabs as spaces, a cluster that is wider than the row as `…`.
  public func text(ofRow row: Int) -> String {
    guard rows.indices.contains(row) else { return "" }
    let shown = clusters[rows[row].lowerBound..<endOfText(inRow: row)].map { cluster -> Character in
      if cluster == "\t" { return " " }
      return DisplayWidth.drawn(cluster).columns > columns ? "…" : cluster
    }
    return String(shown)
  }

  /// Where a cursor before the cluster `cursor` (or at the text's end) is shown.
  public func position(ofCursor cursor: Int) -> Point {
    var low = 0
    var high = rows.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if rows[middle].lowerBound <= cursor { low = middle } else { high = middle - 1 }
    }
    let end = min(max(cursor, rows[low].lowerBound), rows[low].upperBound)
    return Point(row: low, column: min(width(of: rows[low].lowerBound..<end), columns - 1))
  }

  /// The cursor that is shown at `column` of `row`, or next to it on the left; both are clamped.
  public func cursor(atRow row: Int, column: Int) -> Int {
    let row = min(max(0, row), rows.count - 1)
    // Behind the last cluster of a row that goes on, the cursor is already on the next row.
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
    guard let last = clusters[range].last, last.isNewline else { return range.upperBound }
    return range.upperBound - 1
  }

  private func width(of range: Range<Int>) -> Int {
    clusters[range].reduce(0) { $0 + min(columns, DisplayWidth.drawn($1).columns) }
  }
}
