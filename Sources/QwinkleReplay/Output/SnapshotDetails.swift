import Terminal

/// Differences between two screens that printing their text doesn't show: styles, and characters that look alike.
struct SnapshotDetails {
  private let runs: [Detail]

  /// Maximum number of differences listed.
  private static let mostRuns = 40

  init(_ comparison: SnapshotComparison) {
    var details: [Detail] = []
    for place in comparison.differingCells {
      let expected = comparison.expected.cells[place.row][place.column]
      let actual = comparison.actual.cells[place.row][place.column]
      if !expected.isTold(from: actual) {
        details.append(Detail(place, "text", expected.scalarWords, actual.scalarWords))
      }
      let expectedStyle = comparison.expectedRoles.words(for: expected.look)
      let actualStyle = comparison.actualRoles.words(for: actual.look)
      if expectedStyle != actualStyle { details.append(Detail(place, "style", expectedStyle, actualStyle)) }
    }
    var runs: [Detail] = []
    // Join one kind at a time, because a text detail may be between two style details of the same run.
    for kind in ["style", "text"] {
      for detail in details where detail.kind == kind {
        if let last = runs.last, last.goesOn(in: detail) {
          runs[runs.count - 1].columns = last.columns.lowerBound...detail.columns.upperBound
        } else {
          runs.append(detail)
        }
      }
    }
    self.runs = runs
  }

  /// Returns the differences in lines of at most `columns`, if possible.
  func lines(columns: Int) -> [String] {
    let lines = runs.prefix(Self.mostRuns).flatMap { $0.difference.lines(columns: columns) }
    return lines + (runs.count > Self.mostRuns ? ["and \(runs.count - Self.mostRuns) more such differences"] : [])
  }
}

/// A difference that is the same in adjacent columns of a row.
private struct Detail {
  let row: Int
  var columns: ClosedRange<Int>
  let kind: String
  let expected: String
  let actual: String

  init(_ place: Point, _ kind: String, _ expected: String, _ actual: String) {
    self.row = place.row
    self.columns = place.column...place.column
    self.kind = kind
    self.expected = expected
    self.actual = actual
  }

  func goesOn(in other: Detail) -> Bool {
    row == other.row && kind == other.kind && columns.upperBound + 1 == other.columns.lowerBound
      && expected == other.expected && actual == other.actual
  }

  var difference: SnapshotDifference {
    let place = "\(columns.count == 1 ? "column" : "columns") \(columns.words)"
    return SnapshotDifference(subject: "\(kind) in row \(row), \(place)", expected: expected, actual: actual)
  }
}

extension SnapshotCell {
  /// Whether a reader of both printed texts can see if they differ. False for different texts that may look alike, and
  /// for equal texts of different width.
  fileprivate func isTold(from other: SnapshotCell) -> Bool {
    if hasText(of: other) { return columns == other.columns || columns == 0 || other.columns == 0 }
    return shownText != other.shownText && looksLikeItself && other.looksLikeItself
  }

  private var looksLikeItself: Bool {
    guard !text.isEmpty else { return true }
    return isSimple && (text == " " || text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace })
  }

  /// The text's scalars, such as `U+65 U+301`.
  fileprivate var scalarWords: String {
    guard !text.isEmpty else { return "the end of a wide character" }
    let scalars = text.unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }
    return scalars.joined(separator: " ") + (columns == 2 ? ", wide" : "")
  }
}
