/// What a private message says beside naming those it is for. Servers deliver to whom a text names, so the names have
/// to be sent; those who talk with each other know them.
public enum MessageText {
  /// What `qwink` says, without the names at its beginning that are of `people`. A text that has nothing else stays as
  /// it is.
  public static func shown(_ qwink: Qwink, among people: Set<Qwinker.ID>) -> RichText {
    guard let first = qwink.text.paragraphs.first, first.style == .body else { return qwink.text }
    var spans = first.spans[...]
    var rest = spans
    while let span = rest.first {
      if case .mention(let url) = span.kind {
        guard let id = qwinker(named: span.text, at: url, in: qwink), people.contains(id) else { break }
        rest = rest.dropFirst()
        spans = rest
      } else if span.kind == .text, span.text.allSatisfy(\.isWhitespace) {
        rest = rest.dropFirst()
      } else {
        break
      }
    }
    guard spans.count < first.spans.count else { return qwink.text }
    var shown = qwink.text
    shown.paragraphs[0].spans = withoutLeadingSpace(spans)
    if shown.paragraphs[0].spans.isEmpty { shown.paragraphs.removeFirst() }
    return shown.isEmpty ? qwink.text : shown
  }

  /// Whether `qwink` is what became of `text`, as far as can be told: servers write names and links in their own way,
  /// as links or as plain text, and some make styles of signs such as `*`.
  public static func isSame(_ text: String, as qwink: Qwink) -> Bool {
    let came = qwink.text.paragraphs.map { paragraph in
      paragraph.spans.map { span in
        switch span.kind {
        case .text, .tag, .code: span.text
        // What stands around a link must not become one word.
        case .link, .mention: " "
        }
      }.joined()
    }.joined(separator: "\n")
    return essence(of: text) == essence(of: came)
  }

  /// What is left of a text without names, links, and what a server may change.
  private static func essence(of text: String) -> String {
    TextTokens.tokens(of: text).map { token in
      switch token.kind {
      case .text, .tag: token.text.filter { !$0.isWhitespace && !"*_`~".contains($0) }
      case .url, .mention: ""
      }
    }.joined()
  }

  private static func qwinker(named text: String, at url: String, in qwink: Qwink) -> Qwinker.ID? {
    let name = text.drop { $0 == "@" }.lowercased()
    let mention =
      qwink.mentions.first { $0.url == url && !url.isEmpty }
      ?? qwink.mentions.first { $0.handle.lowercased() == name || $0.userName.lowercased() == name }
    return mention?.id
  }

  private static func withoutLeadingSpace(_ spans: ArraySlice<RichText.Span>) -> [RichText.Span] {
    var spans = Array(spans)
    while let first = spans.first, first.kind == .text {
      let text = String(first.text.drop(while: \.isWhitespace))
      guard text.isEmpty else {
        spans[0].text = text
        break
      }
      spans.removeFirst()
    }
    return spans
  }
}
