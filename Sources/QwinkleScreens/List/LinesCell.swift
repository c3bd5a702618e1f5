import PaneKit
import Terminal

/// A cell made of lines, laid out once for each width.
@MainActor
final class LinesCell: ListCell {
  private let layout: @MainActor (Int) -> [CellLine]
  /// Gives the lines that are said, where they are others.
  var saidLayout: (@MainActor (Int) -> [CellLine])?
  /// Has the avatar that stands where the lines have its letters, or in the first of them at another column.
  var pictures: CellPictures?
  var avatar: (letters: TextRun<StyleRole>, column: Int)?
  private var made: (columns: Int, lines: [CellLine])?

  /// A cell whose lines `layout` gives for a number of columns.
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
    if let pictures, let avatar {
      canvas.write([avatar.letters], row: 0, column: avatar.column)
      pictures.drawAvatar(in: canvas, row: 0, column: avatar.column)
    } else {
      pictures?.drawAvatar(in: canvas, beside: lines)
    }
  }

  private func lines(_ columns: Int) -> [CellLine] {
    if let made, made.columns == columns { return made.lines }
    let lines = layout(columns)
    made = (columns, lines)
    return lines
  }
}
