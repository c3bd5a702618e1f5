import PaneKit
import QwinkleModel
import Terminal

/// The opened qwink in full, in the list of its thread. Its name and text are aligned with the replies.
@MainActor
final class WholeQwinkCell: ListCell {
  private let layout: @MainActor (Int) -> (lines: [CellLine], pictureRow: Int?)
  private let pictures: CellPictures?
  private let saidParagraphs: @MainActor (Int) -> [[TextRun<StyleRole>]]
  private var made: (columns: Int, lines: [CellLine], pictureRow: Int?)?

  /// - Parameters:
  ///   - replies: The number of replies, for linear form.
  ///   - note: The paragraph below the qwink, such as the number of folded replies.
  init(
    _ whole: WholeQwink, replies: TextRun<StyleRole>? = nil, note: TextRun<StyleRole>? = nil,
    pictures: CellPictures? = nil
  ) {
    self.pictures = pictures
    saidParagraphs = { columns in
      var whole = Self.fitted(whole, columns: columns)
      whole.isSpoken = true
      return whole.paragraphs + [note ?? replies].compactMap { $0.map { [$0] } }
    }
    layout = { columns in
      let whole = Self.fitted(whole, columns: columns)
      let nameColumn = QwinkCellLayout.nameColumn
      var author = NameAndHandle(whole.facts.author)
      if let emoji = pictures?.emoji {
        author.name = TextRun(emoji.placing(in: author.name.text), author.name.attribute)
      }
      let column = QwinkCellLayout.textColumn(forColumns: columns)
      // In a narrow pane the text begins below the avatar, which is two rows high.
      var lines =
        column < nameColumn
        ? author.stacked(column: nameColumn, columns: columns, handleTrailing: [whole.time], avatar: whole.avatar)
        : author.lines(column: nameColumn, columns: columns, trailing: [whole.time], avatar: whole.avatar)
      lines += Self.lines(whole.booster.map { [$0] } ?? [], column: column, columns: columns)
      @MainActor func body(_ paragraphs: some Sequence<[TextRun<StyleRole>]>) -> [CellLine] {
        let shown = pictures?.emoji.map { emoji in paragraphs.map { emoji.placing(in: $0) } } ?? Array(paragraphs)
        return Self.lines(shown, column: column, columns: columns)
      }
      let rows = whole.isOpen ? pictures?.rows(textColumns: QwinkCellLayout.textColumns(forColumns: columns)) ?? 0 : 0
      var pictureRow: Int?
      if rows > 0 {
        // The pictures are above the footer, which shows the audience and the counts. The picture of a link preview is
        // above its title.
        let paragraphs = whole.body
        let above = (pictures?.isOfCard == true ? whole.cardIndex : nil) ?? paragraphs.count - 1
        lines += body(paragraphs.prefix(above))
        pictureRow = lines.count
        lines += Array(repeating: CellLine(column: column, runs: []), count: rows) + body(paragraphs.dropFirst(above))
      } else {
        lines += body(whole.body)
      }
      return (lines + Self.lines(note.map { [[$0]] } ?? [], column: column, columns: columns), pictureRow)
    }
  }

  func rows(forColumns columns: Int) -> Int { lines(columns).count }

  func words(forColumns columns: Int) -> [String]? { CellWords.lines(saidParagraphs(columns)) }

  func draw(in canvas: Canvas, selection: ListSelection) {
    let columns = canvas.size.columns
    canvas.write(lines(columns), selection: selection)
    pictures?.drawEmoji(in: canvas, over: lines(columns))
    pictures?.drawAvatar(in: canvas, beside: lines(columns))
    guard let pictures, let row = made?.pictureRow else { return }
    pictures.draw(
      PictureRow.places(pictures.slots, columns: QwinkCellLayout.textColumns(forColumns: columns)), in: canvas,
      row: row,
      column: QwinkCellLayout.textColumn(forColumns: columns))
  }

  /// Returns the qwink with names truncated so that handles fit next to the avatar.
  private static func fitted(_ whole: WholeQwink, columns: Int) -> WholeQwink {
    var whole = whole
    whole.columns = min(
      CellLine.room(column: QwinkCellLayout.nameColumn, columns: columns), ContentWidth.text)
    whole.textColumns = QwinkCellLayout.textColumns(forColumns: columns)
    return whole
  }

  private static func lines(_ paragraphs: [[TextRun<StyleRole>]], column: Int, columns: Int) -> [CellLine] {
    let width = max(1, min(columns - column - 1, ContentWidth.text))
    return paragraphs.flatMap { TextLayout.wrapParagraph($0, columns: width) }.map {
      CellLine(column: column, runs: $0)
    }
  }

  private func lines(_ columns: Int) -> [CellLine] {
    if let made, made.columns == columns { return made.lines }
    let (words, pictureRow) = layout(columns)
    let lines = words + [.separator]
    made = (columns, lines, pictureRow)
    return lines
  }
}
