import PaneKit
import Terminal

/// Layout of a message. A name and a time are in columns before the text, or above it in a narrow pane. Depends only on
/// the row, the width, and whether the chat has avatars.
struct ChatCellLayout: Hashable {
  private static let startColumn = CellLine.avatarColumn
  private static let nameGap = "  "
  private static let textGap = "   "

  /// Lines above the message that aren't part of it: the day, and the start of new messages.
  var headings: [CellLine] = []
  var lines: [CellLine] = []

  let textColumn: Int
  /// The pictures below the text. `pictureRow` is the index of their first line.
  var pictures: [PictureRow.Place] = []
  var pictureRow = 0

  /// - Parameter hasPicture: Whether a picture covers the initials of the row's avatar.
  init(
    _ row: ChatRow, columns: Int, hasAvatars: Bool = false, hasPicture: Bool = false, pictures slots: [PictureSlot] = []
  ) {
    let isNarrow = SizeClass(columns: columns) == .compact
    let room = Self.textColumns(of: row, columns: columns, hasAvatars: hasAvatars)
    let textColumn = Self.textColumn(of: row, columns: columns, hasAvatars: hasAvatars)
    self.textColumn = textColumn
    headings = Self.headings(row, columns: columns - Self.startColumn - 1)
    lines = Self.text(row, columns: room).map { CellLine(column: textColumn, runs: $0) }
    if let delivery = Self.delivery(row, isCompact: isNarrow), let last = lines.popLast() {
      lines += last.before([delivery], columns: columns)
    }
    if case .failed(let sentence) = row.delivery {
      let help = TextLayout.wrap([TextRun(sentence, StyleRole.error)], columns: room) + Self.help(columns: room)
      lines += help.map { CellLine(column: textColumn, runs: $0) }
    }
    addName(of: row, columns: columns, hasAvatars: hasAvatars && !isNarrow)
    if row.isRevealed {
      pictures = PictureRow.places(slots, columns: room)
      pictureRow = lines.count
      addLines(pictures.map(\.size.rows).max() ?? 0)
    }
    if hasPicture, lines.first?.avatar != nil { addLines(CellPictures.avatarSize.rows - lines.count) }
  }

  /// Adds lines below the text for pictures.
  private mutating func addLines(_ count: Int) {
    lines += Array(repeating: CellLine(column: textColumn, runs: []), count: max(0, count))
  }

  /// Adds the name and the time before the text, or above it if they don't fit into their columns.
  private mutating func addName(of row: ChatRow, columns: Int, hasAvatars: Bool) {
    guard let name = row.name else { return }
    let isNarrow = SizeClass(columns: columns) == .compact
    let column = hasAvatars ? QwinkCellLayout.nameColumn : Self.startColumn
    let time = TextRun<StyleRole>(Self.nameGap + row.time, .dim)
    let besideTime = CellLine.room(column: column, columns: columns) - DisplayWidth.columns(of: time.text)
    let nameColumns = isNarrow ? max(1, besideTime) : row.nameColumns
    let shown = [TextRun(NameAndHandle.cut(shortName: name, columns: nameColumns), row.nameRole)]
    let avatar = hasAvatars ? row.avatar : nil
    if !isNarrow, CellLine.width(shown) <= nameColumns {
      lines[0].column = column
      lines[0].runs = shown.padded(to: nameColumns) + [time, TextRun(Self.textGap, .text)] + lines[0].runs
      lines[0].avatar = avatar
      return
    }
    // A handle isn't truncated, so it can be too long for the time next to it.
    let isLong = CellLine.width(shown) > besideTime
    var heads = [CellLine(column: column, runs: isLong ? shown : shown + [time], avatar: avatar)]
    if isLong { heads.append(CellLine(column: column, runs: [TextRun(row.time, .dim)])) }
    lines = heads + lines
  }

  private static func textColumn(of row: ChatRow, columns: Int, hasAvatars: Bool) -> Int {
    guard SizeClass(columns: columns) != .compact else { return startColumn + 2 }
    let start = hasAvatars ? QwinkCellLayout.nameColumn : startColumn
    return start + row.nameColumns + nameGap.count + DisplayWidth.columns(of: row.time) + textGap.count
  }

  /// Number of columns available for text.
  static func textColumns(of row: ChatRow, columns: Int, hasAvatars: Bool) -> Int {
    max(1, min(columns - textColumn(of: row, columns: columns, hasAvatars: hasAvatars) - 1, ContentWidth.text))
  }

  private static func headings(_ row: ChatRow, columns: Int) -> [CellLine] {
    var lines: [CellLine] = []
    if let day = row.day { lines.append(centred(TextRun(day, .dim), columns: columns)) }
    if row.isFirstNew {
      lines.append(centred(TextRun(" \(MessagesWords.new) ", .new), between: "─", columns: columns))
    }
    return lines
  }

  /// A line with a word in its middle.
  private static func centred(_ word: TextRun<StyleRole>, between filling: String = " ", columns: Int) -> CellLine {
    func fill(_ count: Int) -> TextRun<StyleRole> { TextRun(String(repeating: filling, count: max(0, count)), .rule) }
    let rest = columns - DisplayWidth.columns(of: word.text)
    let runs = [fill(rest / 2), word] + (filling == " " ? [] : [fill(rest - rest / 2)])
    return CellLine(column: startColumn, runs: runs)
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
  private let hasAvatars: Bool
  private let pictures: CellPictures?
  private var made: (columns: Int, layout: ChatCellLayout)?

  init(_ row: ChatRow, hasAvatars: Bool = false, pictures: CellPictures? = nil) {
    self.row = row
    self.hasAvatars = hasAvatars
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
    let layout = ChatCellLayout(
      row, columns: columns, hasAvatars: hasAvatars, hasPicture: pictures?.avatar != nil,
      pictures: pictures?.slots ?? [])
    made = (columns, layout)
    return layout
  }
}
