import PaneKit
import Terminal

/// The qwink that was opened, whole, in the list of its thread.
@MainActor
final class WholeQwinkCell: ListCell {
  private static let textColumn = 2
  /// Longer lines than this are hard to read.
  private static let maximumTextColumns = 100

  private let paragraphs: [[TextRun<StyleRole>]]
  private var wrapped: (columns: Int, lines: [[TextRun<StyleRole>]])?

  init(_ paragraphs: [[TextRun<StyleRole>]]) {
    self.paragraphs = paragraphs
  }

  func rows(forColumns columns: Int) -> Int {
    lines(columns).count + 1
  }

  func words(forColumns columns: Int) -> [String]? { CellWords.lines(paragraphs) }

  func draw(in canvas: Canvas, selection: ListSelection) {
    let lines = lines(canvas.size.columns)
    for row in canvas.visibleRows where lines.indices.contains(row) {
      canvas.write(lines[row], row: row, column: Self.textColumn)
      if selection != .none {
        canvas.write("▌", row: row, column: 0, role: selection == .active ? .selection : .dim)
      }
    }
  }

  private func lines(_ columns: Int) -> [[TextRun<StyleRole>]] {
    if let wrapped, wrapped.columns == columns { return wrapped.lines }
    let width = max(1, min(columns - Self.textColumn - 1, Self.maximumTextColumns))
    let lines = paragraphs.flatMap { TextLayout.wrap($0, columns: width) }
    wrapped = (columns, lines)
    return lines
  }
}
