import PaneKit
import Terminal

/// Layout of a message: a name and a time, next to the avatar if it fits, and the text below them. Depends only on the
/// row, the width and the density.
struct ChatCellLayout: Hashable {
  private static let startColumn = CellLine.avatarColumn

  /// Rules above the message that aren't part of it: the day, and the start of new messages.
  var headings: [CellLine] = []
  var lines: [CellLine] = []

  let textColumn: Int
  /// The pictures below the text. `pictureRow` is the index of their first line.
  var pictures: [PictureRow.Place] = []
  var pictureRow = 0

  init(_ row: ChatRow, columns: Int, density: Density = .comfortable, pictures slots: [PictureSlot] = []) {
    let hasAvatars = Self.hasAvatars(columns: columns, density: density)
    let room = Self.textColumns(forColumns: columns, density: density)
    let textColumn = Self.textColumn(hasAvatars: hasAvatars)
    self.textColumn = textColumn
    headings = Self.headings(row, columns: columns - Self.startColumn - 1)
    if let name = row.name {
      let column = hasAvatars ? QwinkCellLayout.nameColumn : Self.startColumn
      let time = TextRun<StyleRole>("  \(row.time)", .dim)
      let nameColumns = max(1, room + textColumn - column - DisplayWidth.columns(of: time.text))
      let shown = TextRun(NameAndHandle.cut(shortName: name, columns: nameColumns), row.nameRole)
      let isLong = CellLine.width([shown]) > nameColumns
      lines.append(
        CellLine(column: column, runs: isLong ? [shown] : [shown, time], avatar: hasAvatars ? row.avatar : nil))
      if isLong { lines.append(CellLine(column: column, runs: [TextRun(row.time, .dim)])) }
    }
    let isCompact = SizeClass(columns: columns) == .compact
    var text = Self.text(row, columns: room)
    if let delivery = Self.delivery(row, isCompact: isCompact) { Self.append(delivery, to: &text, columns: room) }
    if case .failed(let sentence) = row.delivery {
      text += TextLayout.wrap([TextRun(sentence, StyleRole.error)], columns: room) + Self.help(columns: room)
    }
    lines += text.map { CellLine(column: textColumn, runs: $0) }
    guard row.isRevealed else { return }
    pictures = PictureRow.places(slots, columns: room)
    pictureRow = lines.count
    let rows = pictures.map(\.size.rows).max() ?? 0
    lines += Array(repeating: CellLine(column: textColumn, runs: []), count: rows)
  }

  /// Whether avatars are shown next to names, as in timelines. Narrow windows have no room for them.
  static func hasAvatars(columns: Int, density: Density) -> Bool {
    density == .comfortable && SizeClass(columns: columns) != .compact
  }

  private static func textColumn(hasAvatars: Bool) -> Int {
    hasAvatars ? QwinkCellLayout.nameColumn : startColumn + 2
  }

  /// Number of columns available for text.
  static func textColumns(forColumns columns: Int, density: Density) -> Int {
    let column = textColumn(hasAvatars: hasAvatars(columns: columns, density: density))
    return max(1, min(columns - column - 1, ContentWidth.text))
  }

  private static func headings(_ row: ChatRow, columns: Int) -> [CellLine] {
    var lines: [CellLine] = []
    if let day = row.day { lines.append(rule(TextRun(" \(day) ", .dim), columns: columns)) }
    if row.isFirstNew { lines.append(rule(TextRun(" \(MessagesWords.new) ", .new), isAtEnd: true, columns: columns)) }
    return lines
  }

  /// A rule with a word near its start or its end.
  private static func rule(_ word: TextRun<StyleRole>, isAtEnd: Bool = false, columns: Int) -> CellLine {
    func dashes(_ count: Int) -> TextRun<StyleRole> { TextRun(String(repeating: "─", count: max(0, count)), .rule) }
    let long = dashes(columns - 2 - DisplayWidth.columns(of: word.text))
    return CellLine(column: startColumn, runs: isAtEnd ? [long, word, dashes(2)] : [dashes(2), word, long])
  }

  /// Lines of the message, at least one.
  private static func text(_ row: ChatRow, columns: Int) -> [[TextRun<StyleRole>]] {
    var paragraphs: [[TextRun<StyleRole>]] = []
    if let warning = row.warning {
      paragraphs.append([TextRun("⚠ \(warning)  ", .warning)] + WarningWords.hint(isRevealed: row.isRevealed))
    }
    if row.isRevealed { paragraphs += row.paragraphs + row.extras }
    let lines = paragraphs.flatMap { TextLayout.wrapParagraph($0, columns: columns) }
    return lines.isEmpty ? [[]] : lines
  }

  /// The delivery state of the user's message. A failure has a sentence instead.
  private static func delivery(_ row: ChatRow, isCompact: Bool) -> TextRun<StyleRole>? {
    switch row.delivery {
    case .sending: TextRun(isCompact ? "…" : MessagesWords.sending, .accent)
    case .held(let seconds, let isWriting):
      TextRun(MessagesWords.sending(in: seconds, isWriting: isWriting, isShort: isCompact).namingKeys, .new)
    case .sent: TextRun(isCompact ? "✓" : MessagesWords.sent, .dim)
    case .failed, nil: nil
    }
  }

  /// Appends `word` to the last line, or adds a line if it doesn't fit.
  private static func append(_ word: TextRun<StyleRole>, to lines: inout [[TextRun<StyleRole>]], columns: Int) {
    let used = lines.last.map(CellLine.width) ?? columns
    if used > 0, used + 2 + DisplayWidth.columns(of: word.text) <= columns {
      lines[lines.count - 1] += [TextRun("  ", .text), word]
    } else {
      lines.append([word])
    }
  }

  private static func help(columns: Int) -> [[TextRun<StyleRole>]] {
    let last = MessagesWords.notSentKeys.count - 1
    let runs = MessagesWords.notSentKeys.enumerated().flatMap { index, help -> [TextRun<StyleRole>] in
      [TextRun(help.key.namingKeys, .key), TextRun(" \(help.word)\(index == last ? "." : ", ")", .dim)]
    }
    return TextLayout.wrap(runs, columns: columns)
  }
}

/// Draws a message of a chat.
@MainActor
final class ChatCell: ListCell {
  private let row: ChatRow
  private let density: Density
  private let pictures: CellPictures?
  private var made: (columns: Int, layout: ChatCellLayout)?

  init(_ row: ChatRow, density: Density = .comfortable, pictures: CellPictures? = nil) {
    self.row = row
    self.density = density
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
    // While the user writes, keys don't act on the selected message, so it isn't highlighted.
    let part = canvas.part(rect)
    part.write(layout.lines, selection: selection == .active ? .active : .none)
    pictures?.drawAvatar(in: part, beside: layout.lines)
    pictures?.draw(layout.pictures, in: part, row: layout.pictureRow, column: layout.textColumn)
  }

  private func layout(_ columns: Int) -> ChatCellLayout {
    if let made, made.columns == columns { return made.layout }
    let layout = ChatCellLayout(row, columns: columns, density: density, pictures: pictures?.slots ?? [])
    made = (columns, layout)
    return layout
  }
}
