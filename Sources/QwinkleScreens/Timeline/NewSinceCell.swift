import PaneKit
import Terminal

/// A cell with a line next to it, which separates new rows from read ones. The line isn't part of the selection.
@MainActor
struct NewSinceCell: ListCell {
  let cell: any ListCell
  /// The text in the line.
  let words: String
  /// The text in place of the line in linear output, which is read aloud.
  let said: String
  /// Whether the line is above the cell, because new rows are below the read ones.
  var isAbove = false
  var density = Density.comfortable

  private var lineRows: Int { density.hasBlankRows ? 2 : 1 }

  func rows(forColumns columns: Int) -> Int { cell.rows(forColumns: columns) + lineRows }

  func words(forColumns columns: Int) -> [String]? {
    cell.words(forColumns: columns).map { isAbove ? [said] + $0 : $0 + [said] }
  }

  func draw(in canvas: Canvas, selection: ListSelection) {
    let columns = canvas.size.columns
    let rows = canvas.size.rows - lineRows
    let start = isAbove ? lineRows : 0
    cell.draw(in: canvas.part(Rect(row: start, column: 0, rows: rows, columns: columns)), selection: selection)
    let text = DisplayWidth.truncated(" \(words) ", to: max(1, columns - 4))
    let row = isAbove ? 0 : rows
    canvas.write(String(repeating: "─", count: columns), row: row, column: 0, role: .rule)
    canvas.write(text, row: row, column: max(0, (columns - DisplayWidth.columns(of: text)) / 2), role: .new)
  }
}
