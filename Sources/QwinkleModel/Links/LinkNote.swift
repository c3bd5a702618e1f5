/// A note after a link whose visible text can mislead the reader: it names a host other than the link's, or only part
/// of the link's host, or it spells the host with non-ASCII letters.
public struct LinkNote: Hashable, Sendable {
  private static let mostCharacters = 80

  /// The link's host: in brackets if the visible text names another host or only a part, such as `[evil.example]`,
  /// otherwise in ASCII, such as `(xn--bcher-kva.example)`. For an address without a web host, the beginning of the
  /// address in brackets.
  public let words: String
  /// Whether the visible text names a host other than the link's.
  public let isWarning: Bool

  /// Creates the note for a link to `url` with the visible text `text`. Returns nil if no note is needed: the text
  /// names the link's host in ASCII or names no host at all, is the address itself, or names only the recipients of a
  /// `mailto:` link.
  public init?(text: String, url: String) {
    guard let address = WebAddress(url) else {
      // A link shown verbatim needs no note.
      guard text != url, NamedHost.first(in: text) != nil, !MailAddresses(url).isNamed(by: text) else { return nil }
      words = "[\(url.prefix(Self.mostCharacters))\(url.count > Self.mostCharacters ? "…" : "")]"
      isWarning = true
      return
    }
    switch address.naming(by: text) {
    case .nothing: return nil
    case .host where NamedHost.all(in: text).allSatisfy(\.isASCII): return nil
    case .host: words = "(\(address.hostName.ascii))"
    case .partOfHost, .anotherHost: words = "[\(address.hostName.words)]"
    }
    isWarning = address.isMisnamed(by: text)
  }
}

extension RichText.Paragraph {
  /// The ranges of spans that are one link. Emphasis may split a link into several spans.
  public var linkRanges: [Range<Int>] {
    var ranges: [Range<Int>] = []
    for (index, span) in spans.enumerated() {
      guard case .link = span.kind else { continue }
      if let last = ranges.last, last.upperBound == index, spans[last.lowerBound].kind == span.kind {
        ranges[ranges.count - 1] = last.lowerBound..<(index + 1)
      } else {
        ranges.append(index..<(index + 1))
      }
    }
    return ranges
  }

  /// The notes on the paragraph's links, keyed by the index of each link's last span.
  public var linkNotes: [Int: LinkNote] {
    var notes: [Int: LinkNote] = [:]
    for range in linkRanges {
      guard case .link(let url) = spans[range.lowerBound].kind else { continue }
      let text = spans[range].map(\.text).joined()
      notes[range.upperBound - 1] =
        LinkNote(text: text, url: url) ?? noteOnWord(around: range, text: text, url: url)
    }
    return notes
  }

  /// Returns a note if the link is part of a word that reads as a different host, for example the text `bank.exam`
  /// followed by a link with the text `ple`.
  private func noteOnWord(around link: Range<Int>, text: String, url: String) -> LinkNote? {
    guard let address = WebAddress(url), address.naming(by: text) == .nothing, !text.isEmpty else { return nil }
    let word = Self.lastWord(of: spans[..<link.lowerBound]) + text + Self.firstWord(of: spans[link.upperBound...])
    return word == text || !address.isMisnamed(by: word) ? nil : LinkNote(text: word, url: url)
  }

  /// Longer words can't be hosts and would be slow to scan for every link.
  private static let mostBytesOfWord = 512

  /// Returns the text after the last white space in `spans`.
  private static func lastWord(of spans: ArraySlice<RichText.Span>) -> String {
    var word = ""
    for span in spans.reversed() {
      guard word.utf8.count <= mostBytesOfWord else { break }
      guard let space = span.text.lastIndex(where: \.isWhitespace) else {
        word = span.text + word
        continue
      }
      return span.text[span.text.index(after: space)...] + word
    }
    return word
  }

  /// Returns the text before the first white space in `spans`.
  private static func firstWord(of spans: ArraySlice<RichText.Span>) -> String {
    var word = ""
    for span in spans {
      guard word.utf8.count <= mostBytesOfWord else { break }
      let part = span.text.prefix { !$0.isWhitespace }
      word += part
      if part.endIndex < span.text.endIndex { break }
    }
    return word
  }
}
