import Terminal

/// The format of a snapshot file:
///
///     qwinkle-snapshot 3 size=12x3 cursor=0,4
///     |Home        |
///     |海斗  kaito | wide 0x2
///     |�! tea      | text 0=200B
///     roles
///     text: plain
///     accent: fg=6
///     selection: bold fg=6
///     styles
///     0: 0-3 selection
///     2: 0-1 accent, 3-6 underline fg=4
///     end
///
/// The first line has the size, and the cursor's row and column from 0. Then each row follows between bars, with notes
/// on details that its characters don't show. The note `wide 0x2` means two adjacent wide cells, the first in column 0.
/// The note `text` lists the scalars of cells that don't have exactly one scalar, or whose scalar is invisible or would
/// change the layout.
///
/// The section `roles` is a legend: the theme's named styles that this screen uses, with their attributes and colours,
/// in the theme's order. The first role is the base style. The section `styles` lists all cells in other styles, by row
/// and by first and last column. A style is written as the name of its role. A style without a role, such as a colour
/// of a picture, is written as its attributes and colours.
///
/// Version 2 has no roles. Its base style is the terminal's default, and all styles are written as attributes and
/// colours. Snapshots without roles are written in version 2.
enum SnapshotFormat {
  static let name = "qwinkle-snapshot"
  static let version = 3
  static let versionWithoutRoles = 2
  static let roles = "roles"
  static let styles = "styles"
  static let end = "end"
}

extension Snapshot {
  /// The contents of a snapshot file, for ``init(parsing:)``. Equal snapshots produce equal bytes.
  public var fileText: String {
    var lines = [header]
    lines += cells.map(Self.line(forRow:))
    if !roles.isEmpty {
      lines.append(SnapshotFormat.roles)
      lines += roles.map { "\($0.name): \($0.look.words)" }
    }
    lines.append(SnapshotFormat.styles)
    for (number, row) in cells.enumerated() {
      let runs = styleRuns(of: row).map { "\($0.columns.words) \(roles.words(for: $0.look))" }
      guard !runs.isEmpty else { continue }
      lines.append("\(number): " + runs.joined(separator: ", "))
    }
    lines.append(SnapshotFormat.end)
    return lines.joined(separator: "\n") + "\n"
  }

  private var header: String {
    let cursor = cursor.map { "\($0.row),\($0.column)" } ?? "none"
    let version = roles.isEmpty ? SnapshotFormat.versionWithoutRoles : SnapshotFormat.version
    return "\(SnapshotFormat.name) \(version) size=\(size.columns)x\(size.rows) cursor=\(cursor)"
  }

  private static func line(forRow row: [SnapshotCell]) -> String {
    var text = "|"
    var wide: [(first: Int, count: Int)] = []
    var special: [String] = []
    for (column, cell) in row.enumerated() where cell.columns > 0 {
      text += cell.shownText
      if !cell.isSimple { special.append("\(column)=\(cell.scalarNumbers)") }
      guard cell.columns == 2 else { continue }
      if let last = wide.last, last.first + 2 * last.count == column {
        wide[wide.count - 1].count += 1
      } else {
        wide.append((column, 1))
      }
    }
    text += "|"
    if !wide.isEmpty {
      text += " wide " + wide.map { $0.count == 1 ? "\($0.first)" : "\($0.first)x\($0.count)" }.joined(separator: " ")
    }
    if !special.isEmpty { text += " text " + special.joined(separator: " ") }
    return text
  }

  /// Returns the runs of cells with the same style, except runs in the base style.
  private func styleRuns(of row: [SnapshotCell]) -> [(columns: ClosedRange<Int>, look: CellLook)] {
    let base = roles.first?.look ?? .plain
    var runs: [(columns: ClosedRange<Int>, look: CellLook)] = []
    for (column, cell) in row.enumerated() where cell.look != base {
      if let last = runs.last, last.columns.upperBound == column - 1, last.look == cell.look {
        runs[runs.count - 1].columns = last.columns.lowerBound...column
      } else {
        runs.append((column...column, cell.look))
      }
    }
    return runs
  }
}

extension ClosedRange<Int> {
  /// The range as text, such as `3-7`, or `3` for a single number.
  var words: String { lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound)-\(upperBound)" }
}
