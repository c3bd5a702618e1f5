import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal

/// Formats the qwink being replied to or quoted, which is shown above the text: in full, or in one row.
enum EntryQuote {
  private static let sign = "› "

  /// Returns `alice · 7m   The text`, wrapped at `columns`. If a content warning or a filter hides the text, shows the
  /// text of that warning or filter instead.
  static func lines(of data: QwinkCellData, columns: Int) -> [[TextRun<StyleRole>]] {
    let head: [TextRun<StyleRole>] = [
      TextRun(data.shortName, data.nameRole), TextRun(" · \(data.time)", .dim), TextRun("   ", .dim),
    ]
    var paragraphs = body(of: data)
    paragraphs[0] = head + paragraphs[0]
    return paragraphs.flatMap { TextLayout.wrapParagraph($0, columns: columns) }
  }

  static func row(of data: QwinkCellData, columns: Int) -> [TextRun<StyleRole>] {
    let gist = body(of: data).map { $0.map(\.text).joined() }.filter { !$0.isEmpty }.joined(separator: " ")
    let words = DisplayWidth.truncated("\(sign)\(data.shortName): \(gist)", to: columns)
    return [TextRun(words, .dim)]
  }

  private static func body(of data: QwinkCellData) -> [[TextRun<StyleRole>]] {
    // The user's own filter is styled differently from the author's content warning.
    let cover = data.warning.map { words in
      data.isFiltered ? TextRun(words, StyleRole.dim) : TextRun("\(EntryWords.warningLabel)  \(words)", .warning)
    }
    let warning = cover.map { [[$0]] } ?? []
    guard data.isRevealed else { return warning }
    let body = warning + data.paragraphs + data.summaries
    return body.isEmpty ? [[]] : body
  }
}

/// Shows as much of the qwink being replied to or quoted as fits. The rest can be scrolled to. In an edit, shows the
/// quote in one line.
@MainActor
final class EntryQuoteView: View {
  private let data: QwinkCellData?
  /// The quote of the qwink being edited.
  private let line: [TextRun<StyleRole>]?
  private var firstRow = 0

  /// Whether the quote is shown in one row.
  var isShort = false {
    didSet { if isShort != oldValue { invalidateIntrinsicSize() } }
  }

  init(of purpose: EntryPurpose, account: Account) {
    switch purpose {
    case .reply(let qwink), .quote(let qwink):
      data = account.cellData(of: qwink, in: nil)
      line = nil
    case .edit(let qwink):
      data = nil
      line = account.quoteDisclosure(of: qwink, in: nil).map { QwinkCellData.line(of: qwink.quote, $0) }
    case .new, .message, .conversation: (data, line) = (nil, nil)
    }
    super.init()
  }

  private func lines(_ columns: Int) -> [[TextRun<StyleRole>]] {
    guard columns > 0 else { return [] }
    if let line { return TextLayout.cut([line], columns: columns, rows: 1, form: textForm) }
    guard let data else { return [] }
    return isShort
      ? [EntryQuote.row(of: data, columns: columns)] : EntryQuote.lines(of: data, columns: columns)
  }

  override func intrinsicSize(in room: Size) -> Size {
    Size(rows: min(room.rows, lines(room.columns).count), columns: room.columns)
  }

  /// Scrolls by `pages`. Does nothing if the whole quote is visible.
  func scroll(pages: Int) {
    let last = max(0, lines(frame.size.columns).count - frame.size.rows)
    let row = min(max(0, firstRow + pages * max(1, frame.size.rows - 1)), last)
    guard row != firstRow else { return }
    firstRow = row
    setNeedsDisplay()
  }

  override func scrollWheel(with event: MouseEvent) -> Bool {
    scroll(pages: event.kind == .wheelUp ? -1 : 1)
    return true
  }

  override func draw(in canvas: Canvas) {
    let lines = lines(canvas.size.columns)
    let rows = canvas.size.rows
    let first = min(firstRow, max(0, lines.count - rows))
    let rest = Array(lines[first...])
    let key = TextRun(" \(EntryWords.scrollKey.namingKeys)", StyleRole.key)
    var shown = TextLayout.cut(
      rest, columns: canvas.size.columns - DisplayWidth.columns(of: key.text), rows: rows, form: textForm)
    if rest.count > rows, !shown.isEmpty { shown[shown.count - 1].append(key) }
    for (row, line) in shown.enumerated() { canvas.write(line, row: row, column: 0) }
  }
}
