import PaneKit
import Terminal

/// Where the words of a message stand: a name and a time, and the text below them. A pure function of the words and the
/// width.
struct ChatCellLayout: Hashable {
  private static let nameColumn = 2
  static let textColumn = 4
  private static let maximumTextColumns = 80

  /// The rules above the message, which are not a part of it: the day, and where new messages begin.
  var headings: [CellLine] = []
  var lines: [CellLine] = []

  /// The pictures below the text, which begin in this of the lines.
  var pictures: [PictureRow.Place] = []
  var pictureRow = 0

  init(_ row: ChatRow, columns: Int, pictures slots: [PictureSlot] = []) {
    let room = Self.textColumns(forColumns: columns)
    let wholeColumns = room + Self.textColumn - Self.nameColumn
    headings = Self.headings(row, columns: wholeColumns)
    if let name = row.name {
      let time = TextRun<StyleRole>("  \(row.time)", .dim)
      let nameColumns = max(1, wholeColumns - DisplayWidth.columns(of: time.text))
      let shown = TextRun(DisplayWidth.truncated(name, to: nameColumns), row.nameRole)
      lines.append(CellLine(column: Self.nameColumn, runs: [shown, time]))
    }
    let isCompact = SizeClass(columns: columns) == .compact
    var text = Self.text(row, columns: room)
    if let delivery = Self.delivery(row, isCompact: isCompact) { Self.append(delivery, to: &text, columns: room) }
    if case .failed(let sentence) = row.delivery {
      text += TextLayout.wrap([TextRun(sentence, StyleRole.error)], columns: room) + Self.help(columns: room)
    }
    lines += text.map { CellLine(column: Self.textColumn, runs: $0) }
    guard row.isRevealed else { return }
    pictures = PictureRow.places(slots, columns: room)
    pictureRow = lines.count
    let rows = pictures.map(\.size.rows).max() ?? 0
    lines += Array(repeating: CellLine(column: Self.textColumn, runs: []), count: rows)
  }

  /// The room for text.
  static func textColumns(forColumns columns: Int) -> Int {
    max(1, min(columns - textColumn - 1, maximumTextColumns))
  }

  private static func headings(_ row: ChatRow, columns: Int) -> [CellLine] {
    var lines: [CellLine] = []
    if let day = row.day { lines.append(rule(TextRun(" \(day) ", .dim), columns: columns)) }
    if row.isFirstNew { lines.append(rule(TextRun(" \(MessagesWords.new) ", .new), isAtEnd: true, columns: columns)) }
    return lines
  }

  /// A rule with a word near its start, or near its end.
  private static func rule(_ word: TextRun<StyleRole>, isAtEnd: Bool = false, columns: Int) -> CellLine {
    func dashes(_ count: Int) -> TextRun<StyleRole> { TextRun(String(repeating: "─", count: max(0, count)), .rule) }
    let long = dashes(columns - 2 - DisplayWidth.columns(of: word.text))
    return CellLine(column: nameColumn, runs: isAtEnd ? [long, word, dashes(2)] : [dashes(2), word, long])
  }

  /// The message, at least one row.
  private static func text(_ row: ChatRow, columns: Int) -> [[TextRun<StyleRole>]] {
    var paragraphs: [[TextRun<StyleRole>]] = []
    if let warning = row.warning {
      paragraphs.append([
        TextRun("⚠ \(warning)  ", .warning), TextRun("z", .key),
        TextRun(row.isRevealed ? " hide" : " show", .dim),
      ])
    }
    if row.isRevealed { paragraphs += row.paragraphs + row.extras }
    let lines = paragraphs.flatMap { TextLayout.wrap($0, columns: columns) }
    return lines.isEmpty ? [[]] : lines
  }

  /// A word for my own message's delivery. A failure has a sentence instead.
  private static func delivery(_ row: ChatRow, isCompact: Bool) -> TextRun<StyleRole>? {
    switch row.delivery {
    case .sending: TextRun(isCompact ? "…" : MessagesWords.sending, .accent)
    case .sent: TextRun(isCompact ? "✓" : MessagesWords.sent, .dim)
    case .failed, nil: nil
    }
  }

  /// Puts `word` behind the last line, or below it where it does not fit.
  private static func append(_ word: TextRun<StyleRole>, to lines: inout [[TextRun<StyleRole>]], columns: Int) {
    let used = lines.last?.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } ?? columns
    if used > 0, used + 2 + DisplayWidth.columns(of: word.text) <= columns {
      lines[lines.count - 1] += [TextRun("  ", .text), word]
    } else {
      lines.append([word])
    }
  }

  private static func help(columns: Int) -> [[TextRun<StyleRole>]] {
    let last = MessagesWords.notSentKeys.count - 1
    let runs = MessagesWords.notSentKeys.enumerated().flatMap { index, help -> [TextRun<StyleRole>] in
      [TextRun(help.key, .key), TextRun(" \(help.word)\(index == last ? "." : ", ")", .dim)]
    }
    return TextLayout.wrap(runs, columns: columns)
  }
}

/// Draws a message of a chat.
@MainActor
final class ChatCell: ListCell {
  private let row: ChatRow
  private let pictures: CellPictures?
  private var made: (columns: Int, layout: ChatCellLayout)?

  init(_ row: ChatRow, pictures: CellPictures? = nil) {
    self.row = row
    self.pictures = pictures
  }

  func rows(forColumns columns: Int) -> Int {
    let layout = layout(columns)
    return layout.headings.count + layout.lines.count
  }

  func words(forColumns columns: Int) -> [String]? { ChatCellWords.lines(row) }

  func draw(in canvas: Canvas, selection: ListSelection) {
    let layout = layout(canvas.size.columns)
    canvas.write(layout.headings, selection: .none)
    let above = layout.headings.count
    let rect = Rect(row: above, column: 0, rows: layout.lines.count, columns: canvas.size.columns)
    // While one writes, no message is meant by any key.
    let part = canvas.part(rect)
    part.write(layout.lines, selection: selection == .active ? .active : .none)
    pictures?.draw(layout.pictures, in: part, row: layout.pictureRow, column: ChatCellLayout.textColumn)
  }

  private func layout(_ columns: Int) -> ChatCellLayout {
    if let made, made.columns == columns { return made.layout }
    let layout = ChatCellLayout(row, columns: columns, pictures: pictures?.slots ?? [])
    made = (columns, layout)
    return layout
  }
}
