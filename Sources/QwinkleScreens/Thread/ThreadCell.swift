import PaneKit
import Terminal

/// A reply in a thread, moved to the right as deep as it stands in the tree.
@MainActor
final class ThreadCell: ListCell {
  private static let columnsPerLevel = 2
  /// Deeper than this nothing moves any further: text needs room.
  private static let maximumLevels = 6
  private static let minimumTextColumns = 34

  private let cell: QwinkCell
  private let depth: Int

  init(_ data: QwinkCellData, depth: Int, pictures: CellPictures? = nil) {
    cell = QwinkCell(data, pictures: pictures)
    self.depth = depth
  }

  func rows(forColumns columns: Int) -> Int {
    cell.rows(forColumns: columns - indent(columns))
  }

  func words(forColumns columns: Int) -> [String]? {
    guard let words = cell.words(forColumns: columns), let first = words.first, depth > 0 else {
      return cell.words(forColumns: columns)
    }
    return ["\(ThreadWords.reply(depth: depth)): \(first)"] + words.dropFirst()
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
    cell.draw(in: inner, selection: selection)
  }

  private func indent(_ columns: Int) -> Int { Self.indent(columns, depth: depth) }

  /// How far to the right a reply stands in so many columns.
  static func indent(_ columns: Int, depth: Int) -> Int {
    let wanted = min(max(0, depth - 1), maximumLevels) * columnsPerLevel
    let room = max(0, columns - minimumTextColumns)
    return min(wanted, room - room % columnsPerLevel)
  }
}
