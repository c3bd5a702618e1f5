/// A qwink being written.
public struct Entry: Hashable, Sendable {
  public var text: String
  public var visibility: Visibility
  public var contentWarning: String
  public var language: String?
  /// The id of the qwink it replies to.
  public var inReplyTo: String?
  /// Its attachments. An edit removes those that are missing here.
  public var attachmentIDs: [String]
  /// A poll to post with it. An edit leaves a poll as it is only if it has it.
  public var poll: EntryPoll?
  /// Whether pictures stay hidden until the reader opens them. A content warning hides them anyway.
  public var isSensitive: Bool
  /// The same however often the entry is sent: a server that honours it never posts twice.
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
  /// Fields missing from an old draft take their defaults. The visibility must be there: a guess could publish what was
  /// meant to be private.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    text = try container.decode(String.self, forKey: .text)
    visibility = try container.decode(Visibility.self, forKey: .visibility)
    contentWarning = try container.decodeIfPresent(String.self, forKey: .contentWarning) ?? ""
    language = try container.decodeIfPresent(String.self, forKey: .language)
    inReplyTo = try container.decodeIfPresent(String.self, forKey: .inReplyTo)
    attachmentIDs = try container.decodeIfPresent([String].self, forKey: .attachmentIDs) ?? []
    poll = try container.decodeIfPresent(EntryPoll.self, forKey: .poll)
    isSensitive = try container.decodeIfPresent(Bool.self, forKey: .isSensitive) ?? false
    idempotencyKey = try container.decode(String.self, forKey: .idempotencyKey)
  }
}

extension Visibility: Codable {}

extension Visibility {
  /// Whether it lets more people read than `other`.
  public func isWider(than other: Visibility) -> Bool { width > other.width }

  /// Whichever of the two lets fewer people read.
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
