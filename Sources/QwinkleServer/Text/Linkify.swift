import QwinkleModel

/// Converts plain text to rich text: URLs become links, tags become tags, and names in `mentions` become mentions.
/// Empty lines separate paragraphs.
///
/// - Parameters:
///   - text: Text that has been sanitized by SafeText.
///   - mentions: The profile URLs of mentioned accounts, by lower-case name.
func linkify(_ text: String, mentions: [String: String] = [:]) -> RichText {
  RichText(paragraphs(of: text).map { RichText.Paragraph(spans(of: $0, mentions: mentions)) })
}

/// Returns the distinct local names mentioned in a text, in lower case.
func mentionedNames(in text: String) -> Set<String> {
  var names: Set<String> = []
  for case .mention(let name, nil) in TextTokens.tokens(of: text).map(\.kind) { names.insert(name) }
  return names
}

extension RichText {
  /// The names of the tags in order of appearance, without duplicates that differ only in case.
  var tagNames: [String] {
    var seen: Set<String> = []
    return paragraphs.flatMap(\.spans).compactMap { span in
      if case .tag(let name) = span.kind, seen.insert(TagName.folded(name)).inserted { name } else { nil }
    }
  }
}

/// Runs of lines separated by blank lines.
private func paragraphs(of text: String) -> [String] {
  guard text.utf8.contains(0x0A) else { return isBlank(text) ? [] : [text] }
  var paragraphs: [[Substring]] = [[]]
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    if isBlank(line) { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1].append(line) }
  }
  return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
}

private func spans(of paragraph: String, mentions: [String: String]) -> [RichText.Span] {
  var spans: [RichText.Span] = []
  for token in TextTokens.tokens(of: paragraph) {
    let kind: RichText.Kind =
      switch token.kind {
      case .text: .text
      case .url: .link(url: token.text)
      case .tag(let name): .tag(name: name)
      case .mention(let name, let server):
        if server == nil, let url = mentions[name] { .mention(url: url) } else { .text }
      }
    if kind == .text, spans.last?.kind == .text {
      spans[spans.count - 1].text += token.text
    } else {
      spans.append(RichText.Span(token.text, kind: kind))
    }
  }
  return spans
}

func isBlank(_ text: some StringProtocol) -> Bool {
  text.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
}
