import Terminal

/// Two screens as text, with the cells that differ marked.
struct SnapshotReport {
  private let comparison: SnapshotComparison
  private let columns: Int
  /// The columns to mark, by row.
  private let marks: [Int: Set<Int>]

  /// Between two screens side by side.
  private static let gap = "  "

  init(_ comparison: SnapshotComparison, columns: Int) {
    self.comparison = comparison
    self.columns = columns
    marks = comparison.differingCells.reduce(into: [:]) { marks, place in
      let isWide = [comparison.expected, comparison.actual].contains {
        $0.cells[place.row][place.column].columns == 2
      }
      marks[place.row, default: []].formUnion(isWide ? [place.column, place.column + 1] : [place.column])
    }
  }

  var screens: [String] {
    let (expected, actual) = (comparison.expected, comparison.actual)
    let width = numberColumns + paneColumns(expected) + Self.gap.count + paneColumns(actual)
    return width <= columns ? sideBySide : below("expected", expected) + below("actual", actual)
  }

  private var sideBySide: [String] {
    let (expected, actual) = (comparison.expected, comparison.actual)
    let indent = String(repeating: " ", count: numberColumns)
    func line(_ start: String, _ left: String, columns: Int, _ right: String) -> String {
      (start + padded(left, columns: columns, to: paneColumns(expected)) + Self.gap + right).withoutBlanksAtEnd
    }
    var lines = [line(indent, "expected", columns: 8, "actual")]
    for row in 0..<max(expected.size.rows, actual.size.rows) {
      let left = pane(expected, row: row)
      let columns = left.isEmpty ? 0 : expected.size.columns + 2
      lines.append(line(number(row), left, columns: columns, pane(actual, row: row)))
      let marks = marks(row: row)
      guard !marks.isEmpty else { continue }
      lines.append(line(indent, marks, columns: marks.count, marks))
    }
    return lines
  }

  private func below(_ name: String, _ snapshot: Snapshot) -> [String] {
    let indent = String(repeating: " ", count: numberColumns)
    return [indent + name]
      + (0..<snapshot.size.rows).flatMap { row in
        let marks = marks(row: row)
        return [number(row) + pane(snapshot, row: row)] + (marks.isEmpty ? [] : [indent + marks])
      }
  }

  /// A row between bars; empty if there is no such row.
  private func pane(_ snapshot: Snapshot, row: Int) -> String {
    guard snapshot.cells.indices.contains(row) else { return "" }
    return "|" + snapshot.cells[row].map(\.shownInItsColumns).joined() + "|"
  }

  /// The marks below a row; empty if nothing differs in it.
  private func marks(row: Int) -> String {
    guard let columns = marks[row], let last = columns.max() else { return "" }
    return " " + (0...last).map { columns.contains($0) ? "^" : " " }.joined()
  }

  /// Width of a screen with its bars, or of its title if that is wider.
  private func paneColumns(_ snapshot: Snapshot) -> Int { max(8, snapshot.size.columns + 2) }

  private var numberColumns: Int {
    String(max(0, comparison.expected.size.rows - 1, comparison.actual.size.rows - 1)).count + 1
  }

  /// The number before a row, from 0 as in the file.
  private func number(_ row: Int) -> String {
    String(repeating: " ", count: numberColumns - 1 - String(row).count) + "\(row) "
  }

  private func padded(_ text: String, columns: Int, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columns))
  }
}

extension SnapshotCell {
  /// The text, padded to the cell's width.
  fileprivate var shownInItsColumns: String {
    columns == 2 && shownText != text ? shownText + " " : columns == 0 ? "" : shownText
  }
}

extension String {
  fileprivate var withoutBlanksAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
