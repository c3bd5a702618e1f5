import FoundationEssentials
import QwinkleModel
import SafeText
import TerminalTesting

/// Random models with sanitized text, as the decoder returns them.
struct Sample {
  private var generator: SplitMix
  private static let words = [
    "frost", "Tee & Kuchen", "a < b > c", "\"quoted\"", "grüße", "世界", "👩‍👩‍👧‍👦", "e\u{301}", "  two", "it's", "&amp;", "<b>",
    "5 < 6", "نمی‌خواهم", "C:\\dir", "#", "@", "x;y", "&#27;", "a  b",
  ]

  init(seed: UInt64) {
    generator = SplitMix(seed: seed)
  }

  mutating func bool() -> Bool { Bool.random(using: &generator) }
  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
  mutating func maybe<Value>(_ make: (inout Sample) -> Value) -> Value? { bool() ? make(&self) : nil }
  mutating func several<Value>(_ most: Int, _ make: (inout Sample) -> Value) -> [Value] {
    (0..<number(0...most)).map { _ in make(&self) }
  }

  mutating func word() -> String { Self.words[number(0...(Self.words.count - 1))] }
  mutating func line() -> String {
    (0..<number(1...4)).map { _ in word() }.joined(separator: " ").drop { $0 == " " }.description
  }
  mutating func identifier() -> String { bool() ? String(number(1...1_000_000_000)) : "01M7XWWE2XS82RZHBSF2ETA4R7" }
  mutating func url() -> String { "https://example.org/@a\(number(1...99))?x=\(number(1...9))&y=\"z\"#<t>" }
  mutating func date() -> Date {
    Date(timeIntervalSinceReferenceDate: Double(number(-1_000_000_000_000...2_000_000_000_000)) / 1000)
  }

  mutating func richText() -> RichText {
    RichText((0..<number(0...4)).map { _ in paragraph() })
  }

  mutating func paragraph() -> RichText.Paragraph {
    var spans: [RichText.Span] = []
    let count = number(1...6)
    for index in 0..<count {
      let span = span(isLast: index == count - 1)
      if let last = spans.last, last.kind == span.kind, last.emphasis == span.emphasis { continue }
      spans.append(span)
    }
    while let last = spans.last?.text, last.hasSuffix(" ") { spans[spans.count - 1].text = String(last.dropLast()) }
    return RichText.Paragraph(spans)
  }

  private mutating func span(isLast: Bool) -> RichText.Span {
    let emphasis = RichText.Emphasis(rawValue: bool() ? 0 : UInt8(number(0...7)))
    switch number(0...5) {
    case 0: return RichText.Span("example.org/page…", kind: .link(url: url()), emphasis: emphasis)
    case 1: return RichText.Span("@alice", kind: .mention(url: url()), emphasis: emphasis)
    case 2: return RichText.Span("#Straße_1", kind: .tag(name: "Straße_1"), emphasis: emphasis)
    case 3: return RichText.Span("code(\(word()))", kind: .code, emphasis: emphasis)
    default:
      let lines = (0..<number(1...3)).map { _ in line() + "." }
      return RichText.Span(lines.joined(separator: "\n") + (isLast ? "" : " "), emphasis: emphasis)
    }
  }

  mutating func qwinker() -> Qwinker {
    let name = "user\(number(1...1000))"
    return Qwinker(
      id: Identifier(identifier()), userName: name, handle: bool() ? name : name + "@example.org",
      displayName: bool() ? "" : SafeText.name(line()), note: richText(), url: maybe { $0.url() },
      avatarURL: maybe { $0.url() },
      isBot: bool(), isLocked: bool(), movedTo: maybe { _ in "bob@new.example" }, createdAt: maybe { $0.date() },
      followersCount: number(0...1000), followingCount: number(0...1000), qwinksCount: number(0...1000),
      fields: several(3) { sample in
        Qwinker.Field(name: sample.line(), value: sample.richText(), verifiedAt: sample.maybe { $0.date() })
      })
  }

  mutating func attachment() -> Attachment {
    let kinds: [Attachment.Kind] = [.image, .video, .animation, .audio, .unknown]
    return Attachment(
      id: Identifier(identifier()), kind: kinds[number(0...4)], url: maybe { $0.url() }, previewURL: maybe { $0.url() },
      altText: maybe { $0.line() }, width: maybe { $0.number(1...4000) }, height: maybe { $0.number(1...4000) },
      duration: maybe { .milliseconds($0.number(1...9_999_999)) },
      focus: maybe { FocalPoint(x: Double($0.number(-100...100)) / 100, y: Double($0.number(-100...100)) / 100) }
        .flatMap(\.self))
  }

  mutating func card() -> Qwink.Card {
    Qwink.Card(
      url: url(), title: line(), summary: line(), providerName: line(),
      picture: maybe { sample in
        Qwink.Card.Picture(
          url: sample.url(), width: sample.maybe { $0.number(1...4000) }, height: sample.maybe { $0.number(1...4000) },
          blurhash: sample.maybe { _ in "UPN1Ddxup{IT9an~.8RjK-oy%gkE%#W?i^t6" })
      })
  }

  mutating func poll() -> Poll {
    Poll(
      id: Identifier(identifier()),
      options: (0..<3).map { _ in Poll.Option(title: line(), votesCount: maybe { $0.number(0...9) }) },
      expiresAt: maybe { $0.date() }, isExpired: bool(), allowsSeveral: bool(), votesCount: number(0...99),
      hasVoted: bool(), ownVotes: bool() ? [0, 2] : [])
  }

  mutating func qwink() -> Qwink {
    let id = Qwink.ID(identifier())
    let booster = maybe { $0.qwinker() }
    var qwink = Qwink(
      id: id, originalID: booster == nil ? id : Qwink.ID(identifier()), booster: booster,
      boostedAt: booster == nil ? nil : date(), author: qwinker(), createdAt: date(), editedAt: maybe { $0.date() },
      text: richText(), contentWarning: bool() ? "" : line(), isSensitive: bool(),
      visibility: Visibility.allCases[number(0...3)], language: maybe { _ in "de" }, url: maybe { $0.url() },
      inReplyTo: maybe { Identifier($0.identifier()) }, inReplyToAuthor: maybe { Identifier($0.identifier()) },
      attachments: several(4) { $0.attachment() }, poll: maybe { $0.poll() },
      card: maybe { $0.card() },
      mentions: several(3) { sample in
        Qwink.Mention(
          id: Identifier(sample.identifier()), userName: "bob", handle: "bob@example.org",
          url: sample.maybe { $0.url() })
      },
      tags: several(3) { _ in "Straße_1" }, repliesCount: number(0...9), boostsCount: number(0...9),
      favouritesCount: number(0...9), isBoosted: bool(), isFavourite: bool(), isBookmarked: bool(), isPinned: bool())
    qwink.filterMatches = several(2) { $0.filterMatch() }
    qwink.quote = maybe { $0.quote() }
    return qwink
  }

  mutating func filterMatch() -> FilterMatch {
    FilterMatch(
      id: identifier(), title: line(), hides: bool(), contexts: bool() ? [] : ["home", "thread"],
      expiresAt: maybe { $0.date() }, keywords: several(2) { $0.line() }, statuses: several(2) { $0.identifier() })
  }

  mutating func quote() -> Qwink.Quote {
    let state = Qwink.Quote.State.allCases[number(0...(Qwink.Quote.State.allCases.count - 1))]
    guard state == .accepted else { return Qwink.Quote(id: Identifier(identifier()), state: state) }
    var quote = Qwink.Quote(
      id: Identifier(identifier()), author: qwinker(), text: richText(), contentWarning: bool() ? "" : line(),
      url: maybe { $0.url() })
    quote.filterMatches = several(2) { $0.filterMatch() }
    return quote
  }

  mutating func conversation() -> Conversation {
    Conversation(
      id: Identifier(identifier()), participants: several(3) { $0.qwinker() }, isUnread: bool(),
      lastQwink: maybe { $0.qwink() })
  }

  mutating func notification() -> AccountNotification {
    let kinds: [AccountNotification.Kind] = [
      .mention, .boost, .favourite, .follow, .followRequest, .poll, .qwink, .edit, .report,
      .warning, .severance, .collectionAdd, .other("garden_party"),
    ]
    return AccountNotification(
      id: Identifier(identifier()), kind: kinds[number(0...(kinds.count - 1))], createdAt: date(), qwinker: qwinker(),
      qwink: maybe { $0.qwink() }, groupKey: maybe { "favourite-\($0.identifier())" })
  }

  mutating func version() -> QwinkVersion {
    QwinkVersion(
      createdAt: date(), text: richText(), contentWarning: bool() ? "" : line(), isSensitive: bool(),
      attachments: several(2) { $0.attachment() })
  }

  mutating func relationship() -> Relationship {
    Relationship(
      id: Identifier(identifier()), isFollowing: bool(), isRequested: bool(), isFollowedBy: bool(), isMuting: bool(),
      isBlocking: bool())
  }

  mutating func readPosition(_ place: ReadPosition.Place) -> ReadPosition {
    ReadPosition(place: place, lastReadID: identifier(), version: number(0...99), updatedAt: maybe { $0.date() })
  }

  mutating func searchResults() -> SearchResults {
    SearchResults(
      qwinkers: several(3) { $0.qwinker() }, qwinks: several(3) { $0.qwink() },
      tags: several(3) { sample in Tag(name: "Straße_1", usesCount: sample.maybe { $0.number(0...99) }) })
  }
}
