public import Terminal

/// Compares the snapshot expected by a tape with the actual snapshot. Styles are compared by role, which is a named
/// style of the theme. If either snapshot has no roles, styles are compared by look.
public struct SnapshotComparison: Sendable {
  public let expected: Snapshot
  public let actual: Snapshot
  /// Positions of cells that differ, row by row, in the area common to both snapshots. Two cells with the same role
  /// have equal styles, even if the role has a different look in each snapshot.
  public let differingCells: [Point]
  /// Roles of the expected snapshot, or of the actual one if the expected one has none.
  let expectedRoles: [SnapshotRole]
  /// Roles of the actual snapshot, or of the expected one if the actual one has none.
  let actualRoles: [SnapshotRole]

  public init(expected: Snapshot, actual: Snapshot) {
    let expectedRoles = expected.roles.isEmpty ? actual.roles : expected.roles
    let actualRoles = actual.roles.isEmpty ? expected.roles : actual.roles
    func differ(_ expected: SnapshotCell, _ actual: SnapshotCell) -> Bool {
      guard expected.columns == actual.columns, expected.hasText(of: actual) else { return true }
      return expectedRoles.words(for: expected.look) != actualRoles.words(for: actual.look)
    }
    self.expected = expected
    self.actual = actual
    self.expectedRoles = expectedRoles
    self.actualRoles = actualRoles
    differingCells = zip(expected.cells, actual.cells).enumerated().flatMap { row, cells in
      zip(cells.0, cells.1).enumerated().compactMap { column, cell in
        differ(cell.0, cell.1) ? Point(row: row, column: column) : nil
      }
    }
  }

  /// Whether size, cursor, cells and roles are equal.
  public var isSame: Bool {
    expected.size == actual.size && expected.cursor == actual.cursor && differingCells.isEmpty && roleFacts.isEmpty
  }

  /// Returns a report for the user: the differences, the differing rows with a `^` below each differing cell, and the
  /// style differences by role. Rows wider than 80 columns are reduced to the parts that differ. Each line ends in a
  /// newline. The report is empty if nothing differs.
  public func report() -> String {
    guard !isSame else { return "" }
    let columns = 80
    var lines = facts.flatMap { $0.lines(columns: columns) }
    if !differingCells.isEmpty { lines.append("cells that differ: \(differingCells.count)") }
    lines += roleFacts.flatMap { $0.lines(columns: columns) }
    lines += SnapshotReport(self, columns: columns).lines
    lines += SnapshotDetails(self).lines(columns: columns)
    return lines.map { $0 + "\n" }.joined()
  }

  /// Differences in size and cursor.
  private var facts: [SnapshotDifference] {
    func words(_ cursor: Point?) -> String { cursor.map { "row \($0.row), column \($0.column)" } ?? "hidden" }
    func words(_ size: Size) -> String { "\(size.columns)x\(size.rows)" }
    let facts = [
      SnapshotDifference(subject: "size", expected: words(expected.size), actual: words(actual.size)),
      SnapshotDifference(subject: "cursor", expected: words(expected.cursor), actual: words(actual.cursor)),
    ]
    return facts.filter { $0.expected != $0.actual }
  }

  /// Roles with different looks, and roles that only one snapshot uses. Empty if a snapshot has no roles.
  private var roleFacts: [SnapshotDifference] {
    guard !expected.roles.isEmpty, !actual.roles.isEmpty else { return [] }
    func words(_ name: String, in roles: [SnapshotRole]) -> String {
      roles.first { $0.name == name }?.look.words ?? "unused"
    }
    let names = expected.roles.map(\.name)
    let others = actual.roles.map(\.name).filter { !names.contains($0) }
    return (names + others).compactMap { name -> SnapshotDifference? in
      let (one, other) = (words(name, in: expected.roles), words(name, in: actual.roles))
      return one == other ? nil : SnapshotDifference(subject: "role \(name)", expected: one, actual: other)
    }
  }
}
