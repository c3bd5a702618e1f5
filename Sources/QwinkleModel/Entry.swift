/// A qwink being written.
public struct Entry: Hashable, Sendable {
  public var text: String
  public var visibility: Visibility
  public var contentWarning: String
  public var language: String?
  /// The id of the parent qwink.
  public var inReplyTo: String?
  /// The id of the quoted qwink. An edit can't change the quote.
  public var quotedID: String?
  /// The users who may quote the qwink. Nil for the account's default.
  public var quotePolicy: QuotePolicy?
  /// Ids of the attachments. An edit removes attachments that aren't listed.
  public var attachmentIDs: [String]
  /// A poll to post with the entry. An edit must include the existing poll to leave it unchanged.
  public var poll: EntryPoll?
  /// Whether media are hidden until the reader reveals them. A content warning always hides them.
  public var isSensitive: Bool
  /// A key that is sent with every attempt to post this entry. A server that supports such keys posts the entry only
  /// once.
  public var idempotencyKey: String

  public init(
    text: String, visibility: Visibility = .public, contentWarning: String = "", language: String? = nil,
    inReplyTo: Qwink.ID? = nil, attachmentIDs: [String] = [], poll: EntryPoll? = nil, isSensitive: Bool = false,
    idempotencyKey: String
  ) {
    self.text = text
    self.visibility = visibility
    self.contentWarning = contentWarning
    self.language = language
    self.inReplyTo = inReplyTo?.rawValue
    self.attachmentIDs = attachmentIDs
    self.poll = poll
    self.isSensitive = isSensitive
    self.idempotencyKey = idempotencyKey
  }
}

extension Entry: Codable {
  /// Decodes an entry. Fields that an old draft may lack get their defaults. The text, the visibility and the
  /// idempotency key are required. A guessed visibility could make a private text public.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    text = try container.decode(String.self, forKey: .text)
    visibility = try container.decode(Visibility.self, forKey: .visibility)
    contentWarning = try container.decodeIfPresent(String.self, forKey: .contentWarning) ?? ""
    language = try container.decodeIfPresent(String.self, forKey: .language)
    inReplyTo = try container.decodeIfPresent(String.self, forKey: .inReplyTo)
    quotedID = try container.decodeIfPresent(String.self, forKey: .quotedID)
    quotePolicy = try? container.decodeIfPresent(QuotePolicy.self, forKey: .quotePolicy)
    attachmentIDs = try container.decodeIfPresent([String].self, forKey: .attachmentIDs) ?? []
    poll = try container.decodeIfPresent(EntryPoll.self, forKey: .poll)
    isSensitive = try container.decodeIfPresent(Bool.self, forKey: .isSensitive) ?? false
    idempotencyKey = try container.decode(String.self, forKey: .idempotencyKey)
  }
}

extension Visibility: Codable {}

extension Visibility {
  /// Whether this visibility has a larger audience than `other`.
  public func isWider(than other: Visibility) -> Bool { width > other.width }

  /// Returns the visibility with the smaller audience: this one or `other`.
  public func narrower(_ other: Visibility) -> Visibility { isWider(than: other) ? other : self }

  private var width: Int {
    switch self {
    case .public: 3
    case .unlisted: 2
    case .private: 1
    case .direct: 0
    }
  }
}
