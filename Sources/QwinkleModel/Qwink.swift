public import FoundationEssentials

/// One short update.
public struct Qwink: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<Qwink>

  /// What tells the rows of a timeline apart. Some servers give a boost the id of its original, so
  /// the id alone does not.
  public struct RowID: Hashable, Sendable {
    public let status: ID
    public let booster: Qwinker.ID?

    public init(status: ID, booster: Qwinker.ID?) {
      self.status = status
      self.booster = booster
    }
  }

  /// The id of this row on the server: of the boost where it is one. Cursors and deletes of a boost use it.
  public var id: ID
  /// Who boosted it into this timeline; nil where it stands there by itself.
  public var booster: Qwinker?
  /// When it was boosted.
  public var boostedAt: Date?
  /// The id of what is shown: of the original where this is a boost.
  public var originalID: ID
  public var author: Qwinker
  public var createdAt: Date
  public var editedAt: Date?
  public var text: RichText
  /// What its author warns of before it is opened; empty where there is no warning.
  public var contentWarning: String
  /// Whether pictures should stay hidden until asked for.
  public var isSensitive: Bool
  public var visibility: Visibility
  /// Whether its server gives direct ones and those for followers one name, so that `visibility` is what it is taken
  /// for.
  public var isAudienceUnclear = false
  public var language: String?
  public var url: String?
  public var inReplyTo: ID?
  public var inReplyToAuthor: Qwinker.ID?
  public var attachments: [Attachment]
  public var poll: Poll?
  /// The page that the first link leads to.
  public var card: Card?
  public var mentions: [Mention]
  public var tags: [String]
  public var repliesCount: Int
  public var boostsCount: Int
  public var favouritesCount: Int
  public var isBoosted: Bool
  public var isFavourite: Bool
  public var isBookmarked: Bool
  public var isPinned: Bool
  /// Names of the reader's filters that ask to warn before showing it.
  public var filterTitles: [String]
  /// Whether one of the reader's filters asks not to show it at all.
  public var isFilteredOut: Bool

  /// A name in a qwink.
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

  /// What a link leads to, in a line.
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

  /// This row with the newer state of what it shows, or nil where `newer` is about another qwink. Who boosted it, and
  /// what filters say of it here, stay.
  public func updated(by newer: Qwink) -> Qwink? {
    guard newer.originalID == originalID else { return nil }
    var row = newer
    row.id = id
    row.booster = booster
    row.boostedAt = boostedAt
    row.filterTitles = filterTitles
    row.isFilteredOut = isFilteredOut
    return row
  }

  /// This row where it is about the qwink that was `old`, and is `newer` since it was edited: some servers give it
  /// another id then, others don't. nil where it is about another one.
  public func replaced(_ old: ID, by newer: Qwink) -> Qwink? {
    guard originalID == old else { return nil }
    var here = self
    here.originalID = newer.originalID
    // A boost may have the id of its original.
    if id == old { here.id = newer.originalID }
    return here.updated(by: newer)
  }

  /// What is shown as a row of its own, without who boosted it.
  public var original: Qwink {
    var original = self
    original.id = originalID
    original.booster = nil
    original.boostedAt = nil
    return original
  }

  /// Which row this is.
  public var rowID: RowID { RowID(status: originalID, booster: booster?.id) }

  public init(
    id: ID, originalID: ID? = nil, booster: Qwinker? = nil, boostedAt: Date? = nil, author: Qwinker, createdAt: Date,
    editedAt: Date? = nil, text: RichText, contentWarning: String = "", isSensitive: Bool = false,
    visibility: Visibility = .public, language: String? = nil, url: String? = nil, inReplyTo: ID? = nil,
    inReplyToAuthor: Qwinker.ID? = nil, attachments: [Attachment] = [], poll: Poll? = nil, card: Card? = nil,
    mentions: [Mention] = [], tags: [String] = [], repliesCount: Int = 0, boostsCount: Int = 0,
    favouritesCount: Int = 0, isBoosted: Bool = false, isFavourite: Bool = false, isBookmarked: Bool = false,
    isPinned: Bool = false, filterTitles: [String] = [], isFilteredOut: Bool = false
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
    self.filterTitles = filterTitles
    self.isFilteredOut = isFilteredOut
  }
}

/// Who may see a qwink. The raw values are the wire's.
public enum Visibility: String, Hashable, Sendable, CaseIterable {
  case `public`, unlisted, `private`, direct
}
