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

  /// The role of highlighted text other than names. If only part of the line is highlighted, the text has the same role
  /// as names, because each style change costs output bytes.
  fileprivate var litRole: StyleRole { litColumns == nil ? .selectedLine : .selectedName }

  var isEmpty: Bool { runs.isEmpty && trailing.isEmpty && avatar == nil }

  /// Pads times so that they align: `2m` is as wide as `14m`.
  static func padded(_ time: String) -> TextRun<StyleRole> {
    TextRun(String(repeating: " ", count: max(0, 4 - DisplayWidth.columns(of: time))) + time, .dim)
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
    let role: StyleRole = selection != .active ? .dim : row == 0 ? .selectedName : .selection
    write("▌", row: row, column: CellLine.barColumn, role: role)
  }

  private func write(_ line: CellLine, row: Int, selection: ListSelection) {
    // The first line of an active selection has a background.
    let litColumns = row == 0 && selection == .active ? line.litColumns ?? size.columns : 0
    func role(of run: TextRun<StyleRole>, at column: Int) -> StyleRole {
      guard column < litColumns else { return run.attribute }
      return run.attribute.isOfName ? .selectedName : line.litRole
    }
    if litColumns > 0 {
      write(String(repeating: " ", count: litColumns), row: row, column: 0, role: line.litRole)
    }
    if let avatar = line.avatar {
      write(avatar.text, row: row, column: CellLine.avatarColumn, role: avatar.attribute)
    }
    var end = size.columns - 1
    if !line.trailing.isEmpty, !line.isHint || selection != .none {
      let trailing = line.trailing.map { TextRun($0.text.namingKeys, $0.attribute) }
      end -= CellLine.width(trailing)
      write(trailing.map { TextRun($0.text, role(of: $0, at: end)) }, row: row, column: end)
      end -= 2
    }
    var column = line.column
    for run in line.runs where column < end {
      column += write(run.text, row: row, column: column, role: role(of: run, at: column), columns: end - column)
    }
  }
}

extension StyleRole {
  private static let names: Set<StyleRole> = Set(coloredNames + [.name, .quietName])

  fileprivate var isOfName: Bool { Self.names.contains(self) }
}
