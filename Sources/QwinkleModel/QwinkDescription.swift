public import FoundationEssentials

/// The texts and facts of a qwink that a screen or a command shows. Covered and withheld parts are already removed.
/// Screens and commands share this type, so that neither omits a fact that the other shows.
public struct QwinkDescription: Hashable, Sendable {
  /// A part of the content. A cover hides all parts.
  public enum Part: Hashable, Sendable {
    case text(RichText)
    /// The source of the text, which is a translation.
    case translation(Translation)
    case quote(Qwink.Quote, QuoteDisclosure)
    /// `isSensitive`: whether this attachment is hidden until the reader reveals it. False if a content warning already
    /// hides it.
    case attachment(Attachment, isSensitive: Bool)
    case poll(PollState)
    case card(Qwink.Card)
    /// The targets of the text's links, without duplicates.
    case links([String])
  }

  /// The state of a poll at one point in time.
  public struct PollState: Hashable, Sendable {
    public let poll: Poll
    public let isClosed: Bool
    /// Whether results are shown by default. Before voting, they would sway the user.
    public let showsResults: Bool

    public init(_ poll: Poll, at now: Date) {
      self.poll = poll
      isClosed = poll.isClosed(at: now)
      showsResults = poll.showsResults(at: now)
    }
  }

  /// The audience of a qwink.
  public enum Audience: Hashable, Sendable, CaseIterable {
    case everybody, unlisted, followers, mentioned
    /// Direct or followers-only: the server doesn't distinguish them.
    case unclear
  }

  /// The number of replies, quotes or reactions to a qwink.
  public struct Count: Hashable, Sendable {
    public enum Kind: Hashable, Sendable, CaseIterable {
      case replies, boosts, quotes, favourites

      /// The kinds that rows of lists show. Each of them has a fixed column there.
      public static let listed: [Kind] = [.replies, .boosts, .favourites]
    }

    public let kind: Kind
    public let value: Int
    /// Whether the user has reacted this way, even if the server hasn't counted it yet. False for replies and quotes.
    public let isMine: Bool
  }

  /// The user's marks on a qwink.
  public enum Mark: Hashable, Sendable, CaseIterable { case bookmarked, pinned, threadMuted }

  public let booster: Qwinker?
  public let author: Qwinker
  public let createdAt: Date
  public let editedAt: Date?
  public let audience: Audience
  /// Omits a count of 0 unless the user has reacted and the server hasn't counted it yet.
  public let counts: [Count]
  public let marks: [Mark]
  /// The notice that replaces ``parts`` until the reader reveals them. Nil if they aren't hidden.
  public let cover: Disclosure.Cover?
  /// The author's content warning, if any.
  public let warning: String?
  /// The text, which is also among the ``parts``.
  public let text: RichText
  /// In reading order.
  public let parts: [Part]

  /// - Parameters:
  ///   - quote: Whether the quoted qwink is shown; nil if `qwink` quotes nothing.
  ///   - translation: The translation that replaced the texts of `qwink`, if any.
  ///   - now: The time for poll states.
  public init(
    of qwink: Qwink, cover: Disclosure.Cover?, quote: QuoteDisclosure?, translation: Translation? = nil, at now: Date
  ) {
    booster = qwink.booster
    author = qwink.author
    createdAt = qwink.createdAt
    editedAt = qwink.editedAt
    audience = qwink.audience
    counts = qwink.allCounts
    marks = qwink.marks
    self.cover = cover
    warning = qwink.contentWarning.isEmpty ? nil : qwink.contentWarning
    text = qwink.text
    parts = Self.parts(of: qwink, translation, quote, at: now)
  }

  private static func parts(
    of qwink: Qwink, _ translation: Translation?, _ disclosure: QuoteDisclosure?, at now: Date
  ) -> [Part] {
    var parts: [Part] = [.text(qwink.text)]
    if let translation { parts.append(.translation(translation)) }
    if let quote = qwink.quote, let disclosure { parts.append(.quote(quote, disclosure)) }
    let isSensitive = qwink.isSensitive && qwink.contentWarning.isEmpty
    parts += qwink.attachments.map { .attachment($0, isSensitive: isSensitive) }
    if let poll = qwink.poll { parts.append(.poll(PollState(poll, at: now))) }
    if let card = qwink.shownCard { parts.append(.card(card)) }
    let links = qwink.text.links
    if !links.isEmpty { parts.append(.links(links)) }
    return parts
  }
}

extension Qwink {
  /// The link preview, unless it has no title.
  public var shownCard: Card? { card.flatMap { $0.title.isEmpty ? nil : $0 } }

  /// The audience, as far as the server reports it.
  public var audience: QwinkDescription.Audience {
    if isAudienceUnclear { return .unclear }
    return switch visibility {
    case .public: .everybody
    case .unlisted: .unlisted
    case .private: .followers
    case .direct: .mentioned
    }
  }

  /// The counts that rows of lists show. Omits a count of 0 unless the user has reacted and the server hasn't counted
  /// it yet.
  public var counts: [QwinkDescription.Count] {
    [
      QwinkDescription.Count(kind: .replies, value: repliesCount, isMine: false),
      QwinkDescription.Count(kind: .boosts, value: boostsCount, isMine: isBoosted),
      QwinkDescription.Count(kind: .favourites, value: favouritesCount, isMine: isFavourite),
    ].filter { $0.value > 0 || $0.isMine }
  }

  /// All counts. Omits the same zeros as ``counts``.
  var allCounts: [QwinkDescription.Count] {
    guard quotesCount > 0 else { return counts }
    let quotes = QwinkDescription.Count(kind: .quotes, value: quotesCount, isMine: false)
    return (counts + [quotes]).sorted { $0.kind.position < $1.kind.position }
  }

  public var marks: [QwinkDescription.Mark] {
    let marks: [(QwinkDescription.Mark, Bool)] = [
      (.bookmarked, isBookmarked), (.pinned, isPinned), (.threadMuted, isThreadMuted),
    ]
    return marks.filter(\.1).map(\.0)
  }
}

extension QwinkDescription.Count.Kind {
  fileprivate var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
