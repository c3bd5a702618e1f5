extension RichText {
  /// The text as lines that show its structure without styling: quotes after `›`, list items after their marker,
  /// indented code, and notes after links. An empty line separates paragraphs, but not adjacent list items.
  public var structuredText: String {
    var text = ""
    var previous: Paragraph.Style?
    for paragraph in paragraphs {
      if let previous { text += previous.isItem && paragraph.style.isItem ? "\n" : "\n\n" }
      previous = paragraph.style
      text += paragraph.structuredText
    }
    return text
  }
}

extension RichText.Paragraph {
  fileprivate var structuredText: String {
    let (first, others) = prefixes
    return textWithLinkNotes.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .map { ($0 == 0 ? first : others) + $1 }.joined(separator: "\n")
  }

  /// The prefix of the first line and of all further lines.
  private var prefixes: (first: String, others: String) {
    switch style {
    case .body: return ("", "")
    case .code: return ("    ", "    ")
    case .quote: return ("› ", "› ")
    case .item(let sign, let depth):
      let first = String(repeating: "  ", count: depth) + sign + " "
      return (first, String(repeating: " ", count: first.count))
    }
  }

  private var textWithLinkNotes: String {
    let notes = linkNotes
    return spans.enumerated().map { index, span in
      // A code paragraph is indented and needs no backticks.
      let isCode = span.kind == .code && style != .code && !span.text.contains("`")
      return (isCode ? "`\(span.text)`" : span.text) + (notes[index].map { " \($0.words)" } ?? "")
    }.joined()
  }
}

extension RichText.Paragraph.Style {
  fileprivate var isItem: Bool {
    if case .item = self { true } else { false }
  }
}
