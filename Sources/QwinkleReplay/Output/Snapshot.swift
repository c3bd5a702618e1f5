public import Terminal

/// A terminal's screen at one moment of a replay.
public struct Snapshot: Hashable, Sendable {
  public let size: Size
  /// The rows of the screen; ``size`` gives their number and length. Each wide cell is followed by an empty cell, which
  /// is its second column.
  public let cells: [[SnapshotCell]]
  /// The cursor's position; nil if hidden.
  public let cursor: Point?
  /// The roles used in ``cells``. A role is a named style of the theme. The first role is always the base style. Empty
  /// if the snapshot doesn't name its styles.
  public let roles: [SnapshotRole]

  /// Creates a snapshot of `size`. Surplus `cells` are dropped, and missing cells are blank. The cell after a wide cell
  /// is replaced by the wide cell's second column.
  ///
  /// - Parameter roles: The first role is the base style. If several roles have the same look, the first of them names
  ///   it. Unused roles are dropped.
  public init(size: Size, cells: [[SnapshotCell]], cursor: Point? = nil, roles: [SnapshotRole] = []) {
    let rows = (0..<size.rows).map { Self.whole($0 < cells.count ? cells[$0] : [], columns: size.columns) }
    self.size = size
    self.cells = rows
    self.cursor = cursor
    self.roles = Self.used(roles, in: rows)
  }

  /// Returns the text of a row without trailing blanks.
  public func text(ofRow row: Int) -> String { cells[row].map(\.text).joined().withoutBlanksAtEnd }

  /// Returns a snapshot of only these rows, counted from 0. A cursor outside them is hidden.
  public func rows(_ rows: Range<Int>) -> Snapshot {
    let rows = rows.clamped(to: 0..<size.rows)
    return Snapshot(
      size: Size(rows: rows.count, columns: size.columns), cells: Array(cells[rows]),
      cursor: cursor.flatMap { cursor in
        rows.contains(cursor.row) ? Point(row: cursor.row - rows.lowerBound, column: cursor.column) : nil
      }, roles: roles)
  }

  /// Returns the base style's role, and the first role of each other look in `cells`.
  private static func used(_ roles: [SnapshotRole], in cells: [[SnapshotCell]]) -> [SnapshotRole] {
    guard let base = roles.first else { return [] }
    var unnamed = Set(cells.joined().map(\.look))
    unnamed.insert(base.look)
    return roles.filter { unnamed.remove($0.look) != nil }
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
