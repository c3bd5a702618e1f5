import QwinkleModel

/// Normalizes paragraphs for ``RichText``: removes empty paragraphs and trailing line breaks and spaces, and splits a
/// paragraph at its empty lines. From a code paragraph, removes only the line breaks at its start and end.
enum ParagraphTidying {
  /// Normalizes `paragraph`. Returns no paragraph if it is blank, and several if it contains empty lines.
  static func tidied(_ paragraph: RichText.Paragraph) -> [RichText.Paragraph] {
    if paragraph.style == .code { return tidiedCode(paragraph) }
    if isBlank(paragraph) { return [] }
    if isTidy(paragraph) { return [paragraph] }
    var cutter = Cutter(style: paragraph.style)
    for span in paragraph.spans { cutter.append(span) }
    return cutter.finish()
  }

  static func isBlank(_ paragraph: RichText.Paragraph) -> Bool {
    paragraph.spans.allSatisfy { $0.text.allSatisfy(\.isWhitespace) }
  }

  private static func isTidy(_ paragraph: RichText.Paragraph) -> Bool {
    guard let last = paragraph.spans.last?.text.utf8.last, last != 0x20 else { return false }
    return paragraph.spans.allSatisfy { !$0.text.utf8.contains(0x0A) }
  }

  private static func tidiedCode(_ paragraph: RichText.Paragraph) -> [RichText.Paragraph] {
    var spans = paragraph.spans
    while let first = spans.first {
      spans[0].text = String(first.text.drop { $0 == "\n" })
      if !spans[0].text.isEmpty { break }
      spans.removeFirst()
    }
    trimEnd(of: &spans) { $0 == "\n" }
    return spans.isEmpty ? [] : [RichText.Paragraph(spans, style: .code)]
  }

  private static func trimEnd(of spans: inout [RichText.Span], _ isDropped: (Character) -> Bool) {
    while let last = spans.last {
      guard let end = last.text.lastIndex(where: { !isDropped($0) }) else {
        spans.removeLast()
        continue
      }
      spans[spans.count - 1].text = String(last.text[...end])
      return
    }
  }

  /// Splits a paragraph at its empty lines.
  private struct Cutter {
    private var style: RichText.Paragraph.Style
    private var paragraphs: [RichText.Paragraph] = []
    private var spans: [RichText.Span] = []
    /// Pending line breaks; `indent` contains the spaces after them. Both are added only if text follows.
    private var breaks: [RichText.Span] = []
    private var indent: [RichText.Span] = []

    init(style: RichText.Paragraph.Style) {
      self.style = style
    }

    mutating func append(_ span: RichText.Span) {
      var isFirst = true
      for line in span.text.split(separator: "\n", omittingEmptySubsequences: false) {
        if !isFirst {
          // Drop the spaces of a line without text.
          indent = []
          if breaks.count < 2 { breaks.append(RichText.Span("\n", kind: span.kind, emphasis: span.emphasis)) }
        }
        isFirst = false
        if line.isEmpty { continue }
        let piece = RichText.Span(String(line), kind: span.kind, emphasis: span.emphasis)
        if line.allSatisfy({ $0 == " " }) && (spans.isEmpty || !breaks.isEmpty) {
          indent.append(piece)
        } else {
          flush()
          add(piece)
        }
      }
    }

    mutating func finish() -> [RichText.Paragraph] {
      endParagraph()
      return paragraphs
    }

    private mutating func flush() {
      if breaks.count > 1 {
        endParagraph()
      } else if !spans.isEmpty {
        breaks.forEach { add($0) }
      }
      indent.forEach { add($0) }
      breaks = []
      indent = []
    }

    private mutating func add(_ piece: RichText.Span) {
      if let last = spans.last, last.kind == piece.kind, last.emphasis == piece.emphasis {
        spans[spans.count - 1].text += piece.text
      } else {
        spans.append(piece)
      }
    }

    private mutating func endParagraph() {
      trimEnd(of: &spans) { $0 == " " }
      if spans.isEmpty { return }
      paragraphs.append(RichText.Paragraph(spans, style: style))
      spans = []
      if case .item(_, let depth) = style { style = .item(sign: "", depth: depth) }
    }
  }
}
