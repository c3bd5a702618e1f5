import PaneKit
import Terminal

/// A cell made of lines, with a cached layout for the current width.
@MainActor
final class LinesCell: ListCell {
  private let layout: @MainActor (Int) -> [CellLine]
  /// Returns the lines for linear form, the output for screen readers. Nil if they are the same as the drawn lines.
  var saidLayout: (@MainActor (Int) -> [CellLine])?
  /// Draws the avatar's picture over the letters in the cell's lines.
  var pictures: CellPictures?
  private var made: (columns: Int, lines: [CellLine])?

  /// Creates a cell. `layout` returns its lines for a number of columns.
  init(_ layout: @escaping @MainActor (Int) -> [CellLine]) {
    self.layout = layout
  }

  func rows(forColumns columns: Int) -> Int { lines(columns).count }

  func words(forColumns columns: Int) -> [String]? {
    CellWords.lines(saidLayout?(columns) ?? lines(columns))
  }

  func draw(in canvas: Canvas, selection: ListSelection) {
    let lines = lines(canvas.size.columns)
    canvas.write(lines, selection: selection)
    pictures?.drawAvatar(in: canvas, beside: lines)
  }

  private func lines(_ columns: Int) -> [CellLine] {
    if let made, made.columns == columns { return made.lines }
    let lines = layout(columns)
    made = (columns, lines)
    return lines
  }
}
