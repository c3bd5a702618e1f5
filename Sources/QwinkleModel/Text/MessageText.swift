/// Texts of private messages without the names of their recipients. Servers deliver a message to the accounts that its
/// text mentions, so the names must be sent, but readers of the conversation don't need to see them.
public enum MessageText {
  /// Returns the text of `qwink` without leading mentions of `people`, or the full text if nothing else would remain.
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

  /// Whether `qwink` seems to be the result of posting `text`. Servers may shorten or reformat mentions and links, and
  /// some convert characters such as `*` into styles, so these aren't compared.
  public static func isSame(_ text: String, as qwink: Qwink) -> Bool {
    let came = qwink.text.paragraphs.map { paragraph in
      paragraph.spans.map { span in
        switch span.kind {
        case .text, .tag, .code: span.text
        // A space separates the words around a link.
        case .link, .mention: " "
        }
      }.joined()
    }.joined(separator: "\n")
    return essence(of: text) == essence(of: came)
  }

  /// Whether `stored` has the words of `text` in the same order. Compares only letters, and only outside mentions,
  /// links and hashtags, because servers rewrite names, links and markup, and some insert words. Returns true for a
  /// text that is longer than any server accepts.
  public static func contains(_ text: String, in stored: String) -> Bool {
    guard text.utf8.count <= EntryRules.mostBytes else { return true }
    var rest = stored.filter(\.isLetter)[...]
    for token in TextTokens.tokens(of: text) {
      guard token.kind == .text else { continue }
      let letters = token.text.filter(\.isLetter)
      guard !letters.isEmpty else { continue }
      guard let range = rest.firstRange(of: letters) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }

  /// Returns the text without names, links and the characters that servers may change.
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
