import PaneKit
import Terminal

/// An ancestor of the opened qwink, or a reply. Replies to replies are indented by their depth in the tree.
@MainActor
final class ThreadCell: ListCell {
  private static let columnsPerLevel = 2
  /// Deeper replies aren't indented further, because text needs space.
  private static let maximumLevels = 6
  private static let minimumTextColumns = 34

  private let cell: QwinkCell
  private let depth: Int
  /// The text below the reply, such as the number of folded replies.
  private let note: TextRun<StyleRole>?

  init(_ data: QwinkCellData, depth: Int, pictures: CellPictures? = nil, note: TextRun<StyleRole>? = nil) {
    cell = QwinkCell(data, pictures: pictures)
    self.depth = depth
    self.note = note
  }

  func rows(forColumns columns: Int) -> Int {
    let indent = indent(columns)
    return cell.rows(forColumns: columns - indent, indent: indent) + (note == nil ? 0 : 1)
  }

  func words(forColumns columns: Int) -> [String]? {
    let notes = note.map { [$0.text] } ?? []
    guard let words = cell.words(forColumns: columns), let first = words.first, depth > 0 else {
      return cell.words(forColumns: columns).map { $0 + notes }
    }
    return ["\(ThreadWords.reply(depth: depth)): \(first)"] + words.dropFirst() + notes
  }

  func draw(in canvas: Canvas, selection: ListSelection) {
    let indent = indent(canvas.size.columns)
    for row in canvas.visibleRows where row < canvas.size.rows {
      for column in stride(from: 1, through: indent - 1, by: Self.columnsPerLevel) {
        canvas.write("│", row: row, column: column, role: .rule)
      }
    }
    let inner = canvas.part(
      Rect(row: 0, column: indent, rows: canvas.size.rows, columns: canvas.size.columns - indent))
    cell.draw(in: inner, indent: indent, selection: selection)
    guard let note else { return }
    // The note is in the blank row below the text.
    let columns = canvas.size.columns - indent
    let textColumn = QwinkCellLayout.textColumn(forColumns: columns, indent: indent)
    let room = max(1, columns - textColumn - 1)
    inner.write(
      DisplayWidth.truncated(note.text.namingKeys, to: room),
      row: max(0, cell.rows(forColumns: columns, indent: indent) - 1), column: textColumn, role: note.attribute)
  }

  private func indent(_ columns: Int) -> Int { Self.indent(columns, depth: depth) }

  /// Returns the indentation, in columns, of a reply in a list that is `columns` wide.
  static func indent(_ columns: Int, depth: Int) -> Int {
    let wanted = min(max(0, depth - 1), maximumLevels) * columnsPerLevel
    let room = max(0, columns - minimumTextColumns)
    return min(wanted, room - room % columnsPerLevel)
  }
}
