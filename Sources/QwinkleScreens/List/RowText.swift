import PaneKit
import QwinkleModel
import Terminal

/// The text of a simple row: a line with an end at the right edge, and paragraphs below it.
struct RowText: Hashable {
  var head: [TextRun<StyleRole>]
  /// Text at the end of the first line.
  var trailing = ""
  /// The paragraphs below the first line.
  var body: [[TextRun<StyleRole>]] = []

  func lines(forColumns columns: Int) -> [CellLine] {
    let column = CellLine.avatarColumn
    let width = max(1, min(columns - column - 1, ContentWidth.text))
    let trailing = trailing.isEmpty ? [] : [TextRun(trailing, StyleRole.dim)]
    return [CellLine(column: column, runs: head, trailing: trailing)]
      + body.flatMap { TextLayout.wrapParagraph($0, columns: width) }.map { CellLine(column: column, runs: $0) }
      + (body.isEmpty ? [] : [.separator])
  }
}

extension RowText {
  init(_ tag: Tag, uses: String?) {
    self.init(head: [TextRun("#\(tag.name)", .tag)], trailing: uses ?? "")
  }
}
