import FoundationEssentials
import QwinkleModel
import QwinkleScreens
import Testing
import Timekeeping

/// A fact about a model value, with its text on the screen and in a command's output.
struct ShownFact {
  var name: String
  var screen: String
  var command: String

  /// - Parameter command: nil if the command's text equals the screen's.
  init(_ name: String, _ screen: String, command: String? = nil) {
    self.name = name
    self.screen = screen
    self.command = command ?? screen
  }

  /// `text` without white space and quotation marks, which line breaks add and remove.
  static func squashed(_ text: String) -> [UInt8] {
    let scalars: String.UnicodeScalarView = text.unicodeScalars.filter {
      !$0.properties.isWhitespace && $0 != "›"
    }
    return Array(String(scalars).utf8)
  }

  /// Whether `text` contains `words`, ignoring line breaks.
  static func isShown(_ words: String, in text: String) -> Bool {
    let words = squashed(words)
    return words.isEmpty || squashed(text).firstRange(of: words) != nil
  }

  /// The lines of the spans of `text`. Symbols, notes and backticks may separate them on the screen.
  static func pieces(of text: RichText) -> [String] {
    text.paragraphs.flatMap(\.spans).flatMap { pieces(of: $0) }
  }

  private static func pieces(of span: RichText.Span) -> [String] {
    span.text.split(separator: "\n").map { String($0) }.filter { !squashed($0).isEmpty }
  }

  /// The first word of `text` that isn't a mention, cut to fit a row of a list.
  static func beginning(of text: RichText) -> String? {
    let spans = text.paragraphs.flatMap(\.spans).filter { span in
      if case .mention = span.kind { false } else { true }
    }
    let words = spans.flatMap { pieces(of: $0) }.first?.split(whereSeparator: \.isWhitespace)
    return words?.first.map { String($0.prefix(16)) }
  }
}

extension [ShownFact] {
  /// Records an issue for each fact that is missing from one of the two texts.
  func expect(on screen: String, and command: String, sourceLocation: SourceLocation = #_sourceLocation) {
    for fact in self {
      #expect(
        ShownFact.isShown(fact.screen, in: screen), "The screen lacks the \(fact.name) “\(fact.screen)”:\n\(screen)",
        sourceLocation: sourceLocation)
      #expect(
        ShownFact.isShown(fact.command, in: command),
        "The command lacks the \(fact.name) “\(fact.command)”:\n\(command)", sourceLocation: sourceLocation)
    }
  }
}

// MARK: - Facts of a qwink

extension Qwink {
  /// Facts that are shown even if the content is covered.
  var headFacts: [ShownFact] {
    let facts = [ShownFact("author", "\(author.displayName)  @\(author.handle)")]
    return facts + (booster.map { [ShownFact("booster", "↻ boosted by \($0.shortName)")] } ?? [])
  }

  /// Facts about the content, which a warning or a filter may cover.
  func contentFacts(at now: Date) -> [ShownFact] {
    var facts = contentWarning.isEmpty ? [] : [ShownFact("warning", "⚠ \(contentWarning)")]
    facts += ShownFact.pieces(of: text).map { ShownFact("text", $0) }
    facts += text.links.map { ShownFact("link", $0) }
    if let quote { facts += quote.facts(at: now) }
    facts += attachments.map { attachment in
      let altText = attachment.altText ?? ""
      let description = ShownFact.squashed(altText).isEmpty ? "no description" : altText
      let name = QwinkWords.name(of: attachment, isSensitive: isSensitive && contentWarning.isEmpty)
      return ShownFact("attachment", "▣ \(name): \(description)")
    }
    if let poll { facts += poll.facts(at: now) }
    if let card, !card.title.isEmpty {
      facts += [ShownFact("card", "↗ \(card.title)"), ShownFact("summary of the card", card.summary)]
    }
    return facts
  }

  /// Audience, counts and states, as commands write them.
  var stateWords: Set<String> {
    let audience =
      switch visibility {
      case .public: "public"
      case .unlisted: "unlisted"
      case .private: "followers"
      case .direct: "direct"
      }
    var words: Set<String> = [isAudienceUnclear ? "direct or followers" : audience]
    let marks = [
      ("edited", editedAt != nil), ("bookmarked", isBookmarked), ("pinned", isPinned), ("thread muted", isThreadMuted),
    ]
    for (word, isSet) in marks where isSet { words.insert(word) }
    let counts = [
      ("reply", "replies", repliesCount, false), ("boost", "boosts", boostsCount, isBoosted),
      ("quote", "quotes", quotesCount, false), ("favourite", "favourites", favouritesCount, isFavourite),
    ]
    for (one, several, count, isMine) in counts where count > 0 || isMine {
      words.insert(ShownFact.words(count, one, several, isMine: isMine))
    }
    return words
  }
}

extension ShownFact {
  /// `3 boosts including yours`, or `your boost` if the server counts none yet.
  static func words(_ count: Int, _ one: String, _ several: String, isMine: Bool) -> String {
    guard count > 0 else { return "your \(one)" }
    return Counted.words(count, one, several) + (isMine ? " including yours" : "")
  }
}

extension Qwink.Quote {
  fileprivate func facts(at now: Date) -> [ShownFact] {
    switch QuoteDisclosure(of: self, in: .thread, at: now) {
    case .withheld(let state): [ShownFact("withheld quote", "❝ \(QuoteWords.withheld(state))")]
    // On the screen, a covered quote opens only in the thread of the quoted qwink.
    case .covered(let cover, let author):
      [Self.fact(of: author), ShownFact("cover of the quote", "⚠ \(cover.words)")]
    case .shown(let author):
      [Self.fact(of: author)] + ShownFact.pieces(of: text).map { ShownFact("quote", $0) }
    }
  }

  private static func fact(of author: Qwinker) -> ShownFact {
    ShownFact("quoted author", "❝ \(author.displayName)  @\(author.handle)", command: "❝ @\(author.handle):")
  }
}

extension Poll {
  fileprivate func facts(at now: Date) -> [ShownFact] {
    let isOver = isExpired || expiresAt.map { $0 <= now } ?? false
    let hasResults = isOver || hasVoted
    let choices = options.enumerated().map { index, option in
      let sign = ownVotes.contains(index) ? "◉" : "○"
      let votes = hasResults ? option.votesCount.map { "  \($0)" } ?? "" : ""
      // Pressing this number votes for the option.
      let number = hasResults ? "" : "\(index + 1) "
      return ShownFact("option", "\(sign) \(number)\(option.title)", command: "\(sign) \(option.title)\(votes)")
    }
    let results = options.compactMap(\.votesCount).filter { _ in hasResults }.map {
      ShownFact("votes", Counted.grouped($0), command: "\($0)")
    }
    let end = expiresAt.map { " until \(RelativeTime.full($0, in: .gmt))" } ?? ""
    let state = isOver ? "closed" : "open\(end)"
    return choices + results + [ShownFact("state of the poll", "\(Counted.words(votesCount, "vote")), \(state)")]
  }
}

// MARK: - Facts of a qwinker

extension Qwinker {
  var profileFacts: [ShownFact] {
    // The screen truncates long names.
    var facts = [
      ShownFact("name", String(displayName.prefix(12)), command: displayName), ShownFact("handle", "@\(handle)"),
    ]
    let signs = [
      ("bot", isBot), ("approves followers", isLocked), ("suspended", isSuspended), ("limited", isLimited),
    ]
    facts += signs.filter(\.1).map { ShownFact("state", $0.0) }
    if let movedTo { facts.append(ShownFact("new account", "Moved to @\(movedTo)")) }
    facts += ShownFact.pieces(of: note).map { ShownFact("note", $0) }
    for field in fields {
      facts.append(ShownFact("name of a field", field.name))
      facts += ShownFact.pieces(of: field.value).map { ShownFact("value of a field", $0) }
      if field.verifiedAt != nil { facts.append(ShownFact("verification", "✓")) }
    }
    facts += [
      ShownFact("qwinks", Counted.words(qwinksCount, "post")),
      ShownFact("following", "\(Counted.grouped(followingCount)) following"),
      ShownFact("followers", Counted.words(followersCount, "follower")),
    ]
    if let url, let address = WebAddress(url) { facts.append(ShownFact("address", address.words, command: url)) }
    if let createdAt {
      facts.append(ShownFact("time of joining", "joined \(RelativeTime.monthAndYear(createdAt, in: .gmt))"))
    }
    return facts
  }
}
