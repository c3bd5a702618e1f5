import PaneKit
import Terminal

/// A row of a cell: runs that begin at a column, and trailing runs that end at the right edge.
struct CellLine: Hashable {
  /// The column of the selection bar.
  static let barColumn = 0
  static let avatarColumn = 2

  var column: Int
  var runs: [TextRun<StyleRole>]
  var trailing: [TextRun<StyleRole>] = []
  /// Whether the trailing runs are key hints, which are shown only if the cell is selected.
  var isHint = false
  /// Number of columns from the left that are highlighted if this is the first line of the active selection. Nil means
  /// all.
  var litColumns: Int?
  /// The letters and the role of an avatar in this row.
  var avatar: TextRun<StyleRole>?

  /// An empty line between two cells.
  static let separator = CellLine(column: 0, runs: [])

  /// The role of highlighted text other than names in a theme that gives the line one colour. If only part of the line
  /// is highlighted, the text has the same role as names, because each style change costs output bytes.
  fileprivate var litRole: StyleRole { litColumns == nil ? .selectedLine : .selectedName }

  var isEmpty: Bool { runs.isEmpty && trailing.isEmpty && avatar == nil }

  /// Pads times so that they align: `2m` is as wide as `14m`.
  static func padded(_ time: String) -> TextRun<StyleRole> {
    TextRun(String(repeating: " ", count: max(0, 4 - DisplayWidth.columns(of: time))) + time, .dim)
  }

  /// Returns the start of a line that fits into `columns`. Truncated text ends in `…`.
  static func truncated(_ runs: [TextRun<StyleRole>], columns: Int) -> [TextRun<StyleRole>] {
    guard width(runs) > columns else { return runs }
    // One column is reserved for the `…`.
    var room = columns - 1
    var line: [TextRun<StyleRole>] = []
    for run in runs {
      let width = DisplayWidth.columns(of: run.text)
      guard width <= room else {
        let end = DisplayWidth.truncated(run.text + " …", to: room + 1)
        return line + [TextRun(end, run.attribute, link: run.link)]
      }
      line.append(run)
      room -= width
    }
    return line
  }

  /// Returns the first rows of a text, at most `rows`. Truncated text ends in `…`.
  static func cut(_ runs: [TextRun<StyleRole>], columns: Int, rows: Int) -> [[TextRun<StyleRole>]] {
    TextLayout.cut(TextLayout.wrap(runs, columns: columns), columns: columns, rows: rows)
  }
}

extension Canvas {
  /// Draws the lines of a cell. If the cell is selected, a bar is drawn at their left.
  func write(_ lines: [CellLine], selection: ListSelection) {
    for (row, line) in lines.enumerated() where visibleRows.contains(row) {
      write(line, row: row, selection: selection)
      if row < lines.count - 1 || !line.isEmpty { writeBar(row: row, selection: selection) }
    }
  }

  /// Draws the selection bar in the first `rows` rows, if the cell is selected.
  func writeBar(rows: Int, selection: ListSelection) {
    for row in visibleRows where row < rows { writeBar(row: row, selection: selection) }
  }

  private func writeBar(row: Int, selection: ListSelection) {
    guard selection != .none else { return }
    let style = selection != .active ? theme[.dim] : row == 0 ? theme.lit(.selection) : theme[.selection]
    write("▌", row: row, column: CellLine.barColumn, style: style)
  }

  private func write(_ line: CellLine, row: Int, selection: ListSelection) {
    // The first line of an active selection has a background.
    let litColumns = row == 0 && selection == .active ? line.litColumns ?? size.columns : 0
    func style(of role: StyleRole, at column: Int) -> TextStyle {
      column < litColumns ? theme.lit(role, in: line.litRole) : theme[role]
    }
    if litColumns > 0 { fill(columns: 0..<litColumns, row: row, style: style(of: .text, at: 0)) }
    if let avatar = line.avatar {
      write(avatar.text, row: row, column: CellLine.avatarColumn, role: avatar.attribute)
    }
    var end = size.columns - 1
    if !line.trailing.isEmpty, !line.isHint || selection != .none {
      let trailing = line.trailing.map { TextRun($0.text.namingKeys, $0.attribute) }
      end -= CellLine.width(trailing)
      var column = end
      for run in trailing {
        column += write(run.text, row: row, column: column, style: style(of: run.attribute, at: end))
      }
      end -= 2
    }
    var column = line.column
    for run in line.runs where column < end {
      column += write(
        run.text, row: row, column: column, style: style(of: run.attribute, at: column), link: run.link,
        columns: end - column)
    }
  }
}
