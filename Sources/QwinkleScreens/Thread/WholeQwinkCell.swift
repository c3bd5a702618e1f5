import PaneKit
import Terminal

/// The qwink that was opened, whole, in the list of its thread: name and text in the columns of its replies.
@MainActor
final class WholeQwinkCell: ListCell {
  private let layout: @MainActor (Int) -> [CellLine]
  private let paragraphs: [[TextRun<StyleRole>]]
  private var made: (columns: Int, lines: [CellLine])?

  /// A qwink, and what stands below it at the left.
  init(_ whole: WholeQwink, below: [[TextRun<StyleRole>]] = []) {
    paragraphs = whole.paragraphs + below
    layout = { columns in
      let nameColumn = QwinkCellLayout.nameColumn
      var lines = Self.lines(whole.booster.map { [$0] } ?? [], column: CellLine.avatarColumn, columns: columns)
      var heading = Self.lines([whole.heading], column: nameColumn, columns: columns)
      if !heading.isEmpty { heading[0].avatar = whole.avatar }
      lines += heading
      lines += Self.lines(whole.body, column: QwinkCellLayout.textColumn(forColumns: columns), columns: columns)
      return lines + Self.lines(below, column: CellLine.avatarColumn, columns: columns)
    }
  }

  /// Paragraphs that stand at the left.
  init(_ paragraphs: [[TextRun<StyleRole>]]) {
    self.paragraphs = paragraphs
    layout = { Self.lines(paragraphs, column: CellLine.avatarColumn, columns: $0) }
  }

  func rows(forColumns columns: Int) -> Int { lines(columns).count }

  func words(forColumns columns: Int) -> [String]? { CellWords.lines(paragraphs) }

  func draw(in canvas: Canvas, selection: ListSelection) {
    canvas.write(lines(canvas.size.columns), selection: selection)
  }

  private static func lines(_ paragraphs: [[TextRun<StyleRole>]], column: Int, columns: Int) -> [CellLine] {
    let width = max(1, min(columns - column - 1, QwinkCellLayout.maximumTextColumns))
    return paragraphs.flatMap { TextLayout.wrap($0, columns: width) }.map { CellLine(column: column, runs: $0) }
  }

  private func lines(_ columns: Int) -> [CellLine] {
    if let made, made.columns == columns { return made.lines }
    let lines = layout(columns) + [.separator]
    made = (columns, lines)
    return lines
  }
}
