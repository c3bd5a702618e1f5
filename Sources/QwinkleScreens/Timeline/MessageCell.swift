import PaneKit
import Terminal

/// A few centred lines, shown in place of an empty list.
@MainActor
struct MessageCell: ListCell {
  let paragraphs: [[TextRun<StyleRole>]]
  /// Number of blank rows above the text. Nil centres the text vertically.
  var row: Int?

  func rows(forColumns columns: Int) -> Int {
    lines(columns).count + 2 * (row ?? 1)
  }

  func words(forColumns columns: Int) -> [String]? { CellWords.lines(paragraphs) }

  func draw(in canvas: Canvas, selection: ListSelection) {
    let lines = lines(canvas.size.columns)
    let first = row ?? max(0, (canvas.size.rows - lines.count) / 2)
    for (index, line) in lines.enumerated() {
      canvas.write(line, row: first + index, column: max(0, (canvas.size.columns - CellLine.width(line)) / 2))
    }
  }

  private func lines(_ columns: Int) -> [[TextRun<StyleRole>]] {
    paragraphs.compactMap { Keymap.namingNow($0) }
      .flatMap { TextLayout.wrap($0, columns: max(1, min(columns - 4, 64))) }
  }
}
