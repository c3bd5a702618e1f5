import PaneKit
import Terminal

/// Where the words of a message stand. A pure function of the words and the width.
struct ChatCellLayout: Hashable {
  private static let firstColumn = 2
  private static let maximumNameColumns = 14
  private static let maximumTextColumns = 100
  /// `18:02`, and the space before it.
  private static let timeColumns = 7
  /// `not sent`, and the space behind it.
  private static let deliveryColumns = 10

  /// What stands above the message and is not a part of it: the day, and that what follows is new.
  var headings: [CellLine] = []
  var lines: [CellLine] = []

  /// `nameColumns` is how wide the widest name of the chat is.
  init(_ row: ChatRow, columns: Int, nameColumns: Int) {
    let isCompact = SizeClass(columns: columns) == .compact
    let nameColumns = min(nameColumns, Self.maximumNameColumns)
    let column = isCompact ? Self.firstColumn : Self.firstColumn + nameColumns + 2
    let trailingColumns = Self.timeColumns + (row.isMine ? (isCompact ? 2 : Self.deliveryColumns) : 0)
    let room = max(1, min(columns - column - 1 - trailingColumns, Self.maximumTextColumns))
    headings = Self.headings(row, columns: columns)

    var text = Self.text(row, columns: room).map { CellLine(column: column, runs: $0) }
    text[0].trailing = Self.trailing(row, isCompact: isCompact)
    if let name = row.name {
      let shown = TextRun<StyleRole>(DisplayWidth.truncated(name, to: isCompact ? room : nameColumns), .name)
      if isCompact {
        lines.append(CellLine(column: Self.firstColumn, runs: [shown]))
      } else {
        let gap = column - Self.firstColumn - DisplayWidth.columns(of: shown.text)
        let space = TextRun(String(repeating: " ", count: gap), StyleRole.text)
        text[0] = CellLine(column: Self.firstColumn, runs: [shown, space] + text[0].runs, trailing: text[0].trailing)
      }
    }
    lines += text
    if case .failed(let sentence) = row.delivery {
      let room = max(1, min(columns - column - 1, Self.maximumTextColumns))
      for runs in TextLayout.wrap([TextRun(sentence, StyleRole.error)], columns: room) + Self.help(columns: room) {
        lines.append(CellLine(column: column, runs: runs))
      }
    }
  }

  private static func headings(_ row: ChatRow, columns: Int) -> [CellLine] {
    var lines: [CellLine] = []
    if let day = row.day {
      lines.append(CellLine(column: max(0, (columns - DisplayWidth.columns(of: day)) / 2), runs: [TextRun(day, .dim)]))
    }
    if row.isFirstNew {
      let dots = max(0, columns - 6)
      lines.append(
        CellLine(
          column: 0,
          runs: [
            TextRun(String(repeating: "·", count: dots / 2), .rule), TextRun(" new ", .new),
            TextRun(String(repeating: "·", count: dots - dots / 2), .rule),
          ]))
    }
    return lines
  }

  /// What is said, at least one row.
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

  private static func trailing(_ row: ChatRow, isCompact: Bool) -> [TextRun<StyleRole>] {
    let time = TextRun<StyleRole>(row.time, .dim)
    switch row.delivery {
    case nil: return [time]
    case .sending: return [TextRun(isCompact ? "… " : "\(MessagesWords.sending)  ", .accent), time]
    case .sent: return [TextRun(isCompact ? "✓ " : "\(MessagesWords.sent)  ", .dim), time]
    case .failed: return [TextRun(isCompact ? "✗ " : "\(MessagesWords.notSent)  ", .error), time]
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
  private let nameColumns: Int
  private var made: (columns: Int, layout: ChatCellLayout)?

  init(_ row: ChatRow, nameColumns: Int) {
    self.row = row
    self.nameColumns = nameColumns
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
    canvas.part(rect).write(layout.lines, selection: selection == .active ? .active : .none)
  }

  private func layout(_ columns: Int) -> ChatCellLayout {
    if let made, made.columns == columns { return made.layout }
    let layout = ChatCellLayout(row, columns: columns, nameColumns: nameColumns)
    made = (columns, layout)
    return layout
  }
}
