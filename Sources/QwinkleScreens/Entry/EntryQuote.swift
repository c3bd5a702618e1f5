import PaneKit
import QwinkleModel
import Terminal

/// What is answered, in a row or two above the answer.
enum EntryQuote {
  private static let sign = "› "

  /// The rows, at most `limit`, each of at most `columns`. What its author warns of stays behind the warning.
  static func rows(of purpose: EntryPurpose, columns: Int, limit: Int) -> [String] {
    guard case .reply(let qwink) = purpose, limit > 0 else { return [] }
    let room = max(1, columns - DisplayWidth.columns(of: sign))
    let words = "\(qwink.author.displayName): \(gist(of: qwink))"
    let lines = TextLayout.wrap([TextRun(words, StyleRole.dim)], columns: room).map { $0.map(\.text).joined() }
    var rows = Array(lines.prefix(limit))
    if lines.count > limit {
      // The last row takes as much as fits of all that follows, and says that there is more.
      rows[limit - 1] = DisplayWidth.truncated(lines[(limit - 1)...].joined(separator: " "), to: room)
    }
    return rows.enumerated().map { index, row in
      (index == 0 ? sign : String(repeating: " ", count: sign.count)) + row
    }
  }

  private static func gist(of qwink: Qwink) -> String {
    if !qwink.contentWarning.isEmpty { return "⚠ \(qwink.contentWarning)" }
    let text = qwink.text.plainText.split(whereSeparator: \.isNewline).joined(separator: " ")
    return text.isEmpty ? AttachmentWords.summary(of: qwink.attachments) : text
  }
}

/// The rows of a quote that there is room for.
@MainActor
final class EntryQuoteView: View {
  private let purpose: EntryPurpose

  init(of purpose: EntryPurpose) {
    self.purpose = purpose
    super.init()
  }

  override func intrinsicSize(in room: Size) -> Size {
    Size(rows: EntryQuote.rows(of: purpose, columns: room.columns, limit: room.rows).count, columns: room.columns)
  }

  override func draw(in canvas: Canvas) {
    for (row, line) in EntryQuote.rows(of: purpose, columns: canvas.size.columns, limit: canvas.size.rows).enumerated()
    {
      canvas.write(line, row: row, column: 0, role: .dim)
    }
  }
}
