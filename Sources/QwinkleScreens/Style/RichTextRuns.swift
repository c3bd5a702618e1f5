import PaneKit
import QwinkleModel
import Terminal

extension RichText {
  /// The text as paragraphs of styled runs, ready to wrap, with an empty one between paragraphs except between list
  /// items.
  var runs: [[TextRun<StyleRole>]] {
    var result: [[TextRun<StyleRole>]] = []
    var previous: Paragraph.Style?
    for paragraph in paragraphs {
      if let previous, !(previous.isItem && paragraph.style.isItem) { result.append([]) }
      previous = paragraph.style
      result.append(paragraph.prefixRuns + paragraph.spanRuns)
    }
    return result
  }
}

extension LinkNote {
  /// The note as it follows a link.
  var run: TextRun<StyleRole> { TextRun(" \(words)", isWarning ? .warning : .dim) }
}

extension RichText.Paragraph {
  /// The spans, with the notes that follow links.
  fileprivate var spanRuns: [TextRun<StyleRole>] {
    let notes = linkNotes
    guard !notes.isEmpty else { return spans.map(\.run) }
    return spans.enumerated().flatMap { index, span in [span.run] + (notes[index].map { [$0.run] } ?? []) }
  }

  fileprivate var prefixRuns: [TextRun<StyleRole>] {
    switch style {
    case .body, .code: []
    case .quote: [TextRun("› ", .dim)]
    case .item(let sign, let depth): [TextRun(String(repeating: "  ", count: depth) + sign + " ", .dim)]
    }
  }
}

extension RichText.Paragraph.Style {
  fileprivate var isItem: Bool {
    if case .item = self { true } else { false }
  }
}

extension RichText.Span {
  fileprivate var run: TextRun<StyleRole> {
    let role: StyleRole =
      switch kind {
      case .link: .link
      case .mention: .mention
      case .tag: .tag
      case .code: .code
      case .text where emphasis.contains(.strong): .strong
      case .text where emphasis.contains(.emphasized): .emphasis
      case .text: .text
      }
    return TextRun(text, role)
  }
}
