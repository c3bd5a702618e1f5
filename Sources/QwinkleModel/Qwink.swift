public import FoundationEssentials

/// A short post.
public struct Qwink: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<Qwink>

  /// Identifies a row of a timeline. Some servers give a boost the id of its original, so the id alone is not enough.
  public struct RowID: Hashable, Sendable {
    public let status: ID
    public let booster: Qwinker.ID?

    public init(status: ID, booster: Qwinker.ID?) {
      self.status = status
      self.booster = booster
    }
  }

  /// The server's id of this row: the boost's, if it is one. Cursors and the deletion of a boost use it.
  public var id: ID
  /// Who boosted it into this timeline; nil if nobody did.
  public var booster: Qwinker?
  /// When it was boosted.
  public var boostedAt: Date?
  /// The id of the qwink shown: the original's, if this is a boost.
  public var originalID: ID
  public var author: Qwinker
  public var createdAt: Date
  public var editedAt: Date?
  public var text: RichText
  /// The content warning; empty if there is none.
  public var contentWarning: String
  /// Whether pictures stay hidden until the reader opens them.
  public var isSensitive: Bool
  public var visibility: Visibility
  /// Whether its server reports direct and followers-only qwinks alike, so that `visibility` is a guess.
  public var isAudienceUnclear = false
  /// Whether the user wants no notifications from its thread.
  public var isThreadMuted = false
  /// The user's filters that match. ``Disclosure`` computes their effect in a place.
  public var filterMatches: [FilterMatch] = []
  public var language: String?
  public var url: String?
  public var inReplyTo: ID?
  public var inReplyToAuthor: Qwinker.ID?
  public var attachments: [Attachment]
  public var poll: Poll?
  /// A preview of the first link.
  public var card: Card?
  /// The qwink that it quotes.
  public var quote: Quote?
  public var mentions: [Mention]
  public var tags: [String]
  public var repliesCount: Int
  public var boostsCount: Int
  public var favouritesCount: Int
  public var isBoosted: Bool
  public var isFavourite: Bool
  public var isBookmarked: Bool
  public var isPinned: Bool

  /// A mention of a qwinker.
  public struct Mention: Hashable, Sendable {
    public var id: Qwinker.ID
    public var userName: String
    public var handle: String
    public var url: String?

    public init(id: Qwinker.ID, userName: String, handle: String, url: String? = nil) {
      self.id = id
      self.userName = userName
      self.handle = handle
      self.url = url
    }
  }

  /// A qwink that another one quotes.
  public struct Quote: Hashable, Sendable {
    /// Whether the quote may be shown. Raw values as on the wire.
    /// <https://docs.joinmastodon.org/entities/Quote/#state>
    public enum State: String, Hashable, Sendable, CaseIterable {
      case accepted, pending, rejected, revoked, deleted, unauthorized
      case blockedAccount = "blocked_account"
      case blockedDomain = "blocked_domain"
      case mutedAccount = "muted_account"
      /// A state that this version doesn't know, or no reason.
      case other = ""
    }

    /// The quoted qwink's id; nil if the server doesn't show it.
    public var id: ID?
    /// Its author; nil if the server doesn't show it.
    public var author: Qwinker?
    public var text: RichText
    /// Its content warning; empty if there is none.
    public var contentWarning: String
    public var url: String?
    /// The user's filters that match the quoted qwink.
    public var filterMatches: [FilterMatch] = []
    /// Anything but `accepted` withholds the quoted qwink, even if the server sent it.
    public var state: State

    public init(
      id: ID?, author: Qwinker? = nil, text: RichText = RichText(), contentWarning: String = "", url: String? = nil,
      state: State = .accepted
    ) {
      self.id = id
      self.author = author
      self.text = text
      self.contentWarning = contentWarning
      self.url = url
      self.state = state
    }
  }

  /// A short preview of a linked page.
  public struct Card: Hashable, Sendable {
    public var url: String
    public var title: String
    public var summary: String
    public var providerName: String

    public init(url: String, title: String, summary: String = "", providerName: String = "") {
      self.url = url
      self.title = title
      self.summary = summary
      self.providerName = providerName
    }
  }

  /// This row with the newer state of its qwink; nil if `newer` is another qwink. The booster stays. The
  /// matched filters of the row and of the quoted qwink stay too: the answer to an action may omit them.
  public func updated(by newer: Qwink) -> Qwink? {
    guard newer.originalID == originalID else { return nil }
    var row = newer
    row.id = id
    row.booster = booster
    row.boostedAt = boostedAt
    row.filterMatches.add(filterMatches)
    if let quote, let id = quote.id, row.quote?.id == id { row.quote?.filterMatches.add(quote.filterMatches) }
    return row
  }

  /// This row with `newer` instead of the qwink `old`, which was edited and may have got a new id. Nil if it shows
  /// another qwink.
  public func replaced(_ old: ID, by newer: Qwink) -> Qwink? {
    guard originalID == old else { return nil }
    var here = self
    here.originalID = newer.originalID
    // A boost may have the id of its original.
    if id == old { here.id = newer.originalID }
    return here.updated(by: newer)
  }

  /// This row without the deleted qwink that it quotes; nil if it doesn't quote that one.
  public func withholdingQuote(of deleted: ID) -> Qwink? {
    guard quote?.id == deleted, quote?.state != .deleted else { return nil }
    var row = self
    row.quote = Quote(id: deleted, state: .deleted)
    return row
  }

  /// Whether pictures stay covered without the content warning. Servers mark every qwink with a warning as sensitive.
  public var isCovered: Bool { isSensitive && (contentWarning.isEmpty || !attachments.isEmpty) }

  /// The qwink as a row of its own, without its booster.
  public var original: Qwink {
    var original = self
    original.id = originalID
    original.booster = nil
    original.boostedAt = nil
    return original
  }

  /// Identifies this row.
  public var rowID: RowID { RowID(status: originalID, booster: booster?.id) }

  public init(
    id: ID, originalID: ID? = nil, booster: Qwinker? = nil, boostedAt: Date? = nil, author: Qwinker, createdAt: Date,
    editedAt: Date? = nil, text: RichText, contentWarning: String = "", isSensitive: Bool = false,
    visibility: Visibility = .public, language: String? = nil, url: String? = nil, inReplyTo: ID? = nil,
    inReplyToAuthor: Qwinker.ID? = nil, attachments: [Attachment] = [], poll: Poll? = nil, card: Card? = nil,
    mentions: [Mention] = [], tags: [String] = [], repliesCount: Int = 0, boostsCount: Int = 0,
    favouritesCount: Int = 0, isBoosted: Bool = false, isFavourite: Bool = false, isBookmarked: Bool = false,
    isPinned: Bool = false
  ) {
    self.id = id
    self.originalID = originalID ?? id
    self.booster = booster
    self.boostedAt = boostedAt
    self.author = author
    self.createdAt = createdAt
    self.editedAt = editedAt
    self.text = text
    self.contentWarning = contentWarning
    self.isSensitive = isSensitive
    self.visibility = visibility
    self.language = language
    self.url = url
    self.inReplyTo = inReplyTo
    self.inReplyToAuthor = inReplyToAuthor
    self.attachments = attachments
    self.poll = poll
    self.card = card
    self.mentions = mentions
    self.tags = tags
    self.repliesCount = repliesCount
    self.boostsCount = boostsCount
    self.favouritesCount = favouritesCount
    self.isBoosted = isBoosted
    self.isFavourite = isFavourite
    self.isBookmarked = isBookmarked
    self.isPinned = isPinned
  }
}

/// Who may see a qwink. Raw values as on the wire.
public enum Visibility: String, Hashable, Sendable, CaseIterable {
  case `public`, unlisted, `private`, direct
}
