public import Terminal

/// Compares the snapshot that a tape expects with the actual one.
public struct SnapshotComparison: Sendable {
  public let expected: Snapshot
  public let actual: Snapshot
  /// Positions of cells that differ, row by row, in the area that both snapshots have.
  public let differingCells: [Point]

  public init(expected: Snapshot, actual: Snapshot) {
    self.expected = expected
    self.actual = actual
    differingCells = zip(expected.cells, actual.cells).enumerated().flatMap { row, cells in
      zip(cells.0, cells.1).enumerated().compactMap { column, cell in
        cell.0 == cell.1 ? nil : Point(row: row, column: column)
      }
    }
  }

  /// Whether size, cursor and cells are equal.
  public var isSame: Bool { expected == actual }

  /// A report for the user: what differs, both screens with a `^` below each differing cell, and how styles differ. The
  /// screens are side by side if they fit into `columns`, otherwise one below the other. Each line ends in a newline;
  /// empty if nothing differs.
  public func report(columns: Int = 80) -> String {
    guard !isSame else { return "" }
    let picture = SnapshotReport(self, columns: columns)
    let lines = facts + picture.screens + SnapshotDetails(self).lines
    return lines.map { $0 + "\n" }.joined()
  }

  /// Differences in size and cursor, and the number of differing cells, one per line.
  private var facts: [String] {
    func words(_ cursor: Point?) -> String { cursor.map { "row \($0.row), column \($0.column)" } ?? "hidden" }
    func words(_ size: Size) -> String { "\(size.columns)x\(size.rows)" }
    var facts: [String] = []
    if expected.size != actual.size {
      facts.append("size: expected \(words(expected.size)), actual \(words(actual.size))")
    }
    if expected.cursor != actual.cursor {
      facts.append("cursor: expected \(words(expected.cursor)), actual \(words(actual.cursor))")
    }
    if !differingCells.isEmpty { facts.append("cells that differ: \(differingCells.count)") }
    return facts
  }
}
