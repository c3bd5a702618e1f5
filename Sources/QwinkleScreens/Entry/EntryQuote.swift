import PaneKit
import QwinkleModel
import Terminal

/// The qwink that a reply is to, in a row or two above the reply.
enum EntryQuote {
  private static let sign = "› "

  /// At most `limit` rows of at most `columns`. A content warning stands in place of its text.
  static func rows(of purpose: EntryPurpose, columns: Int, limit: Int) -> [String] {
    guard case .reply(let qwink) = purpose, limit > 0 else { return [] }
    let room = max(1, columns - DisplayWidth.columns(of: sign))
    let words = "\(qwink.author.displayName): \(gist(of: qwink))"
    let lines = TextLayout.wrap([TextRun(words, StyleRole.dim)], columns: room).map { $0.map(\.text).joined() }
    var rows = Array(lines.prefix(limit))
    if lines.count > limit {
      // The last row takes what fits of the rest, and an ellipsis.
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

/// Shows as many rows of the quote as fit.
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
