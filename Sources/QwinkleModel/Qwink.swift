public import FoundationEssentials

/// A short post.
public struct Qwink: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<Qwink>

  /// Identifies a row of a timeline. Some servers give a boost the id of its original, so the id alone isn't unique.
  public struct RowID: Hashable, Sendable {
    public let status: ID
    public let booster: Qwinker.ID?

    public init(status: ID, booster: Qwinker.ID?) {
      self.status = status
      self.booster = booster
    }
  }

  /// The server's id of this row: the boost's id if it is a boost. Used for cursors and to delete a boost.
  public var id: ID
  /// The account that boosted it into this timeline, if any.
  public var booster: Qwinker?
  public var boostedAt: Date?
  /// The id of the visible qwink: the original's id if this is a boost.
  public var originalID: ID
  public var author: Qwinker
  public var createdAt: Date
  public var editedAt: Date?
  public var text: RichText
  /// Empty if there is no content warning.
  public var contentWarning: String
  /// Whether attachments stay hidden until the reader reveals them.
  public var isSensitive: Bool
  public var visibility: Visibility
  /// Whether the server doesn't distinguish direct and followers-only qwinks, so that `visibility` is a guess.
  public var isAudienceUnclear = false
  /// Whether the user muted notifications from its thread.
  public var isThreadMuted = false
  /// The user's matching filters. ``Disclosure`` computes their effect in a context.
  public var filterMatches: [FilterMatch] = []
  public var language: String?
  public var url: String?
  public var inReplyTo: ID?
  public var inReplyToAuthor: Qwinker.ID?
  public var attachments: [Attachment]
  public var poll: Poll?
  /// A preview of the first link.
  public var card: Card?
  public var quote: Quote?
  /// The rules for quotes of this qwink. Nil if the server doesn't send them.
  public var quoteApproval: QuoteApproval?
  /// Number of accepted quotes of this qwink.
  public var quotesCount = 0
  public var mentions: [Mention]
  /// The pictures of the `:name:`s in the text.
  public var emoji: [CustomEmoji] = []
  public var tags: [String]
  public var repliesCount: Int
  public var boostsCount: Int
  public var favouritesCount: Int
  public var isBoosted: Bool
  public var isFavourite: Bool
  public var isBookmarked: Bool
  public var isPinned: Bool

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

  /// A quoted qwink.
  public struct Quote: Hashable, Sendable {
    /// Whether the quoted qwink can be shown, or the reason why not. Raw values are the names on the wire.
    /// <https://docs.joinmastodon.org/entities/Quote/#state>
    public enum State: String, Hashable, Sendable, CaseIterable {
      case accepted, pending, rejected, revoked, deleted, unauthorized
      case blockedAccount = "blocked_account"
      case blockedDomain = "blocked_domain"
      case mutedAccount = "muted_account"
      /// Unknown to this version, or not specified.
      case other = ""
    }

    /// The quoted qwink's id; nil if the server withholds it.
    public var id: ID?
    /// The quoted qwink's author; nil if the server withholds it.
    public var author: Qwinker?
    public var text: RichText
    /// The quoted qwink's content warning. Empty if it has none.
    public var contentWarning: String
    public var url: String?
    /// The user's filters that match the quoted qwink.
    public var filterMatches: [FilterMatch] = []
    /// The whole quoted qwink, if this program sends the quote to a client. Nil in quotes from servers.
    public var whole: QuotedQwink?
    /// Every state except `accepted` hides the quoted qwink, even if the server sent it.
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

  /// A preview of a linked page.
  public struct Card: Hashable, Sendable {
    public var url: String
    public var title: String
    public var summary: String
    public var providerName: String
    /// A picture from the page, if the server sends one.
    public var picture: Picture?

    /// A picture from a linked page.
    public struct Picture: Hashable, Sendable {
      public var url: String
      /// Size in pixels, if known.
      public var width: Int?
      public var height: Int?
      /// A BlurHash, a placeholder until the picture is loaded, if the server sends it.
      public var blurhash: String?

      public init(url: String, width: Int? = nil, height: Int? = nil, blurhash: String? = nil) {
        self.url = url
        self.width = width
        self.height = height
        self.blurhash = blurhash
      }
    }

    public init(url: String, title: String, summary: String = "", providerName: String = "", picture: Picture? = nil) {
      self.url = url
      self.title = title
      self.summary = summary
      self.providerName = providerName
      self.picture = picture
    }
  }

  /// Returns this row with the newer state of its qwink, or nil if `newer` is another qwink. Retains the booster. Also
  /// retains the filter matches of the row and of the quoted qwink, because responses to actions may omit them.
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

  /// Returns this row with `newer` in place of the qwink `old`, whose id may have changed because of an edit. Returns
  /// nil if the row shows another qwink.
  public func replaced(_ old: ID, by newer: Qwink) -> Qwink? {
    guard originalID == old else { return nil }
    var here = self
    here.originalID = newer.originalID
    // A boost can have the same id as its original.
    if id == old { here.id = newer.originalID }
    return here.updated(by: newer)
  }

  /// Returns this row without the deleted qwink that it quotes, or nil if it doesn't quote that qwink or already
  /// withholds it as deleted.
  public func withholdingQuote(of deleted: ID) -> Qwink? {
    guard quote?.id == deleted, quote?.state != .deleted else { return nil }
    var row = self
    row.quote = Quote(id: deleted, state: .deleted)
    return row
  }

  /// Whether the author seems to have marked the qwink as sensitive, for an edit or a redraft. Ignores ``isSensitive``
  /// if the qwink has a warning and no attachments, because servers mark every qwink with a warning as sensitive.
  public var isCovered: Bool { isSensitive && (contentWarning.isEmpty || !attachments.isEmpty) }

  /// The original qwink as a separate row, without the booster.
  public var original: Qwink {
    var original = self
    original.id = originalID
    original.booster = nil
    original.boostedAt = nil
    return original
  }

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

/// The audience of a qwink. Raw values as on the wire.
public enum Visibility: String, Hashable, Sendable, CaseIterable {
  case `public`, unlisted, `private`, direct
}

/// A quoted qwink behind a reference, because a value can't contain a value of the same type.
public final class QuotedQwink: Hashable, Sendable {
  public let qwink: Qwink

  public init(_ qwink: Qwink) { self.qwink = qwink }

  public static func == (one: QuotedQwink, other: QuotedQwink) -> Bool { one.qwink == other.qwink }

  public func hash(into hasher: inout Hasher) { hasher.combine(qwink.id) }
}
