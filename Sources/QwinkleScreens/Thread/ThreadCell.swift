import PaneKit
import Terminal

/// An ancestor of the opened qwink, or a reply. Replies are indented by their depth in the tree, and lines connect them
/// with their parents.
@MainActor
final class ThreadCell: ListCell {
  private static let columnsPerLevel = 3
  /// Deeper replies aren't indented further, because text needs space.
  private static let maximumLevels = 6
  private static let minimumTextColumns = 34

  private let cell: QwinkCell
  private let node: ThreadTree.Node
  /// The text below the reply, such as the number of folded replies.
  private let note: TextRun<StyleRole>?

  init(_ data: QwinkCellData, node: ThreadTree.Node, pictures: CellPictures? = nil, note: TextRun<StyleRole>? = nil) {
    cell = QwinkCell(data, pictures: pictures)
    self.node = node
    self.note = note
  }

  func rows(forColumns columns: Int) -> Int {
    let indent = indent(columns)
    return cell.rows(forColumns: columns - indent, indent: indent) + (note == nil ? 0 : 1)
  }

  func words(forColumns columns: Int) -> [String]? {
    let notes = note.map { [$0.text] } ?? []
    guard let words = cell.words(forColumns: columns), let first = words.first, node.depth > 0 else {
      return cell.words(forColumns: columns).map { $0 + notes }
    }
    return ["\(ThreadWords.reply(depth: node.depth)): \(first)"] + words.dropFirst() + notes
  }

  func draw(in canvas: Canvas, selection: ListSelection) {
    let indent = indent(canvas.size.columns)
    let inner = canvas.part(
      Rect(row: 0, column: indent, rows: canvas.size.rows, columns: canvas.size.columns - indent))
    cell.draw(in: inner, indent: indent, selection: selection)
    if indent > 0 { drawLines(in: canvas, selection: selection) }
    guard let note else { return }
    // The note is in the blank row below the text.
    let columns = canvas.size.columns - indent
    let textColumn = QwinkCellLayout.textColumn(forColumns: columns, indent: indent)
    let room = max(1, columns - textColumn - 1)
    inner.write(
      DisplayWidth.truncated(note.text.namingKeys, to: room),
      row: max(0, cell.rows(forColumns: columns, indent: indent) - 1), column: textColumn, role: note.attribute)
  }

  /// Draws the lines of the tree, and the selection bar at their left instead of next to the avatar.
  private func drawLines(in canvas: Canvas, selection: ListSelection) {
    let columns = canvas.size.columns
    let levels = indent(columns) / Self.columnsPerLevel
    // A reply that can't be indented further is in its parent's column. The depths of both show that they aren't
    // siblings.
    let isDeep = node.depth > levels
    let hasDeepReplies = node.hasReplies && Self.indent(columns, depth: node.depth + 1) == indent(columns)
    let goesOn = node.continues[levels - 1]
    for row in canvas.visibleRows where row < canvas.size.rows {
      let isLit = row == 0 && selection == .active
      let style = isLit ? canvas.theme.lit(.rule) : canvas.theme[.rule]
      if isLit { canvas.write(String(repeating: " ", count: indent(columns)), row: row, column: 0, style: style) }
      for (level, goesOn) in zip(1..<levels, node.continues) where goesOn {
        canvas.write("│", row: row, column: Self.column(ofLevel: level), style: style)
      }
      var line = goesOn ? "│ " : "  "
      if row == 0 {
        let start = goesOn ? (isDeep ? "│" : "├") : "└"
        line = start + (isDeep || hasDeepReplies ? "\(min(node.depth, 99))" : "─")
      }
      canvas.write(line, row: row, column: Self.column(ofLevel: levels), style: style)
    }
    let rows = cell.rows(forColumns: columns - indent(columns), indent: indent(columns))
    canvas.writeBar(rows: rows - 1, selection: selection)
  }

  private static func column(ofLevel level: Int) -> Int { CellLine.avatarColumn + (level - 1) * columnsPerLevel }

  private func indent(_ columns: Int) -> Int { Self.indent(columns, depth: node.depth) }

  /// Returns the indentation, in columns, of a reply in a list that is `columns` wide.
  static func indent(_ columns: Int, depth: Int) -> Int {
    let wanted = min(depth, maximumLevels) * columnsPerLevel
    let room = max(0, columns - minimumTextColumns)
    return min(wanted, room - room % columnsPerLevel)
  }
}
