import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

/// Filters that the client applies, because another server sent the qwink.
@Suite(.bounded) struct FilterMatcherTests {
  @Test(
    arguments: [
      ("Rain", true, "rain again", true), ("rain", true, "RAIN!", true), ("rain", true, "raining", false),
      ("rain", false, "raining", true), ("rain", false, "drain", true), ("rain", true, "dråin", false),
      ("#rain", true, "x#rain", true), ("rain", true, "rän rain", true), ("", true, "rain", false),
      ("rain", true, "brain rain", true), ("long rain", true, "rain", false),
    ] as [(String, Bool, String, Bool)])
  func `a keyword matches in any case and can require a whole word`(
    keyword: String, isWhole: Bool, text: String, matches: Bool
  ) {
    let found = FilteredText([text]).found([ContentFilter.Keyword(text: keyword, isWhole: isWhole)])
    #expect(found == (matches ? [keyword] : []))
  }

  enum Part: CaseIterable {
    case text, warning, poll, description, quote, quotedWarning
    /// The filter lists the id of the qwink, or of the quoted qwink, by its address.
    case address, quotedAddress
  }

  private static let secret = "sesame"

  private func qwink(with part: Part) -> Qwink {
    var qwink = Qwink.sample(id: "9", text: part == .text ? Self.secret : "Words")
    qwink.url = "https://social.example/9"
    qwink.contentWarning = part == .warning ? Self.secret : ""
    if part == .poll { qwink.poll = Poll(id: "1", options: [Poll.Option(title: Self.secret)]) }
    if part == .description { qwink.attachments = [Attachment(id: "1", kind: .image, altText: Self.secret)] }
    qwink.quote = Qwink.Quote(
      id: nil, author: .sample("ben"), text: RichText(plain: part == .quote ? Self.secret : "More"),
      contentWarning: part == .quotedWarning ? Self.secret : "", url: "https://social.example/8")
    // Matches of the other server's own filters must be dropped.
    let foreign = FilterMatch(id: "f", title: "Foreign", hides: true, contexts: [])
    qwink.filterMatches = [foreign]
    qwink.quote?.filterMatches = [foreign]
    return qwink
  }

  @Test(arguments: Part.allCases)
  func `only the user's filters match in each part of a qwink and its quote`(part: Part) {
    let filter = ContentFilter(
      id: "3", title: "Secrets", contexts: [.thread], hides: true, keywords: [.init(text: Self.secret)],
      statuses: ["109"])
    let ids: [String: Qwink.ID] =
      switch part {
      case .address: ["https://social.example/9": "109"]
      case .quotedAddress: ["https://social.example/8": "109"]
      default: [:]
      }
    let isNamed = part == .address || part == .quotedAddress
    let match = FilterMatch(
      id: "3", title: "Secrets", hides: true, contexts: ["thread"], keywords: isNamed ? [] : [Self.secret],
      statuses: isNamed ? ["109"] : [])
    let matched = FilterMatcher([filter], ids: ids).matching(qwink(with: part))
    let isInQuote = [.quote, .quotedWarning, .quotedAddress].contains(part)
    #expect(matched.filterMatches == (isInQuote ? [] : [match]))
    #expect(matched.quote?.filterMatches == (isInQuote ? [match] : []))
  }
}
