public import Terminal

/// What differs between the snapshot that a tape expects and the one that it got.
public struct SnapshotComparison: Sendable {
  public let expected: Snapshot
  public let actual: Snapshot
  /// The places whose cells differ, row by row; of those that both have.
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

  /// Whether nothing differs: size, cursor and cells.
  public var isSame: Bool { expected == actual }

  /// For a person: what differs; both screens, with a `^` below each cell that does; and how styles differ. The screens
  /// stand side by side where `columns` suffice, else one below the other. Lines end in newlines; empty where nothing
  /// differs.
  public func report(columns: Int = 80) -> String {
    guard !isSame else { return "" }
    let picture = SnapshotReport(self, columns: columns)
    let lines = facts + picture.screens + SnapshotDetails(self).lines
    return lines.map { $0 + "\n" }.joined()
  }

  /// All that is not in a cell, a line each.
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
