import PaneKit
import Terminal

/// A cell with a heading above it. The heading isn't part of the selection.
@MainActor
struct HeadedCell: ListCell {
  private static let headingRows = 2

  let heading: String
  let cell: any ListCell

  func rows(forColumns columns: Int) -> Int { Self.headingRows + cell.rows(forColumns: columns) }

  func words(forColumns columns: Int) -> [String]? {
    cell.words(forColumns: columns).map { ["\(heading):"] + $0 }
  }

  func draw(in canvas: Canvas, selection: ListSelection) {
    canvas.write(heading, row: 0, column: CellLine.avatarColumn, role: .accent, columns: canvas.size.columns - 3)
    let rows = canvas.size.rows - Self.headingRows
    cell.draw(
      in: canvas.part(Rect(row: Self.headingRows, column: 0, rows: rows, columns: canvas.size.columns)),
      selection: selection)
  }
}
