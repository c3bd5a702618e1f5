import Terminal

/// The differing rows of two screens as text: the expected row, the actual row, and a `^` below each differing cell.
/// Each run of adjacent differing rows has one row of context before and after it.
struct SnapshotReport {
  private let comparison: SnapshotComparison
  private let columns: Int
  /// The columns marked with a `^`, by row.
  private let marks: [Int: Set<Int>]

  /// Prefix of a line.
  private enum Gutter: String {
    case context = "  "
    case expected = "- "
    case actual = "+ "
  }

  /// Number of columns shown before the first marked cell, unless the line starts at column 0.
  private static let lead = 8

  /// Creates a report whose lines are at most `columns` wide, or 20 if `columns` is less.
  init(_ comparison: SnapshotComparison, columns: Int) {
    self.comparison = comparison
    self.columns = max(20, columns)
    marks = comparison.differingCells.reduce(into: [:]) { marks, place in
      let isWide = [comparison.expected, comparison.actual].contains {
        $0.cells[place.row][place.column].columns == 2
      }
      marks[place.row, default: []].formUnion(isWide ? [place.column, place.column + 1] : [place.column])
    }
  }

  /// The lines, or none if no row differs.
  var lines: [String] {
    let runs = differingRuns
    return runs.isEmpty ? [] : ["- expected, + actual"] + runs.flatMap { lines(of: $0) }
  }

  /// Runs of rows that differ or exist in only one screen.
  private var differingRuns: [ClosedRange<Int>] {
    let (rows, others) = (comparison.expected.size.rows, comparison.actual.size.rows)
    return (0..<max(rows, others)).reduce(into: []) { runs, row in
      guard marks[row] != nil || row >= min(rows, others) else { return }
      if let last = runs.last, last.upperBound == row - 1 {
        runs[runs.count - 1] = last.lowerBound...row
      } else {
        runs.append(row...row)
      }
    }
  }

  private func lines(of run: ClosedRange<Int>) -> [String] {
    parts(of: run).flatMap { part -> [String] in
      let place = run.count == 1 ? "row \(run.lowerBound)" : "rows \(run.lowerBound)-\(run.upperBound)"
      let width = max(comparison.expected.size.columns, comparison.actual.size.columns)
      let isWhole = part.lowerBound == 0 && (part.upperBound >= width || isBlank(run, from: part.upperBound))
      let title = isWhole ? place : "\(place), columns \(part.lowerBound)-\(min(part.upperBound, width) - 1)"
      var lines = [title]
      lines += line(.context, comparison.expected, run.lowerBound - 1, part)
      for row in run { lines += rowLines(row, part) }
      lines += line(.context, comparison.expected, run.upperBound + 1, part)
      return lines
    }
  }

  private func rowLines(_ row: Int, _ part: Range<Int>) -> [String] {
    let marks = marks[row, default: []].filter(part.contains)
    // This row differs only outside this part.
    if marks.isEmpty, comparison.expected.size.rows > row, comparison.actual.size.rows > row {
      return line(.context, comparison.expected, row, part)
    }
    let pair = line(.expected, comparison.expected, row, part) + line(.actual, comparison.actual, row, part)
    guard let last = marks.max() else { return pair }
    return pair + [Gutter.context.rawValue + (part.lowerBound...last).map { marks.contains($0) ? "^" : " " }.joined()]
  }

  /// Returns the ranges of columns to show, each as wide as a line: a single range from column 0 if it contains all
  /// marks, otherwise ranges around the marks.
  private func parts(of run: ClosedRange<Int>) -> [Range<Int>] {
    let room = columns - Gutter.context.rawValue.count
    let width = max(comparison.expected.size.columns, comparison.actual.size.columns)
    var marked = run.flatMap { marks[$0, default: []] }.sorted()[...]
    var parts: [Range<Int>] = []
    while let first = marked.first {
      let isWhole = parts.isEmpty && (marked.last ?? first) < room
      let start = isWhole ? 0 : max(parts.last?.upperBound ?? 0, min(first - Self.lead, width - room))
      parts.append(start..<(start + room))
      marked = marked.drop { $0 < start + room }
    }
    return parts.isEmpty ? [0..<room] : parts
  }

  private func isBlank(_ run: ClosedRange<Int>, from column: Int) -> Bool {
    [comparison.expected, comparison.actual].allSatisfy { snapshot in
      (run.lowerBound - 1...run.upperBound + 1).allSatisfy { row in
        !snapshot.cells.indices.contains(row) || snapshot.cells[row].dropFirst(column).allSatisfy { $0.text == " " }
      }
    }
  }

  /// Returns a part of a row without trailing blanks, or nothing if the row doesn't exist.
  private func line(_ gutter: Gutter, _ snapshot: Snapshot, _ row: Int, _ part: Range<Int>) -> [String] {
    guard snapshot.cells.indices.contains(row) else { return [] }
    let cells = snapshot.cells[row]
    let shown = part.clamped(to: 0..<cells.count)
    // A wide cell is shown as a blank if its other half is outside the part.
    let texts = shown.map { column in
      switch cells[column].columns {
      case 0: column == shown.lowerBound ? " " : ""
      case 2: column + 1 < shown.upperBound ? cells[column].shownInItsColumns : " "
      default: cells[column].shownText
      }
    }
    return [(gutter.rawValue + texts.joined()).withoutBlanksAtEnd]
  }
}

extension SnapshotCell {
  /// The text, padded to the cell's width.
  fileprivate var shownInItsColumns: String { columns == 2 && shownText != text ? shownText + " " : shownText }
}

extension String {
  var withoutBlanksAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
