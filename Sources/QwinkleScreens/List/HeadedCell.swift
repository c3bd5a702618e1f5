import PaneKit
import Terminal

/// A cell with a heading above it. The heading isn't part of the selection.
@MainActor
struct HeadedCell: ListCell {
  let heading: String
  let cell: any ListCell
  /// Whether no blank row separates the heading from the cell.
  var isDense = false

  private var headingRows: Int { isDense ? 1 : 2 }

  func rows(forColumns columns: Int) -> Int { headingRows + cell.rows(forColumns: columns) }

  func words(forColumns columns: Int) -> [String]? {
    cell.words(forColumns: columns).map { ["\(heading):"] + $0 }
  }

  func draw(in canvas: Canvas, selection: ListSelection) {
    canvas.write(heading, row: 0, column: CellLine.avatarColumn, role: .accent, columns: canvas.size.columns - 3)
    let rows = canvas.size.rows - headingRows
    cell.draw(
      in: canvas.part(Rect(row: headingRows, column: 0, rows: rows, columns: canvas.size.columns)),
      selection: selection)
  }
}
