public import QwinkleModel
import SafeText

/// What the user keeps on the server, and what the server has for everybody.
extension WireDecoder {
  /// The user's lists. Unreadable ones are left out.
  public static func lists(from body: [UInt8]) throws(WireError) -> [PersonalList] {
    try BodyReader(body).all(of: ListEntity.self)
  }

  /// One list.
  public static func list(from body: [UInt8]) throws(WireError) -> PersonalList {
    try BodyReader(body).single(ListEntity.self)
  }

  /// The user's filters, in either version. Unreadable ones are left out.
  public static func filters(from body: [UInt8]) throws(WireError) -> [ContentFilter] {
    try BodyReader(body).all(of: FilterEntity.self)
  }

  /// One filter.
  public static func filter(from body: [UInt8]) throws(WireError) -> ContentFilter {
    try BodyReader(body).single(FilterEntity.self)
  }

  /// The keywords of a filter. Unreadable ones are left out.
  public static func filterKeywords(from body: [UInt8]) throws(WireError) -> [ContentFilter.Keyword] {
    try BodyReader(body).all(of: FilterEntity.Keyword.self)
  }

  /// A page of scheduled posts. `link` is the answer's Link header.
  public static func scheduledPosts(from body: [UInt8], link: String?) throws(WireError) -> Page<ScheduledPost> {
    try BodyReader(body).page(of: ScheduledEntity.self, link: link)
  }

  /// One scheduled post.
  public static func scheduledPost(from body: [UInt8]) throws(WireError) -> ScheduledPost {
    try BodyReader(body).single(ScheduledEntity.self)
  }

  /// A page of tags. `link` is the answer's Link header.
  public static func tags(from body: [UInt8], link: String?) throws(WireError) -> Page<Tag> {
    try BodyReader(body).page(of: TagEntity.self, link: link)
  }

  /// One tag.
  public static func tag(from body: [UInt8]) throws(WireError) -> Tag { try BodyReader(body).single(TagEntity.self) }

  /// Announcements. Unreadable ones are left out.
  public static func announcements(from body: [UInt8]) throws(WireError) -> [Announcement] {
    try BodyReader(body).all(of: AnnouncementEntity.self)
  }

  /// Links that many share. Unreadable ones are left out.
  public static func cards(from body: [UInt8]) throws(WireError) -> [Qwink.Card] {
    try BodyReader(body).all(of: CardEntity.self)
  }

  /// A page of domains, which are strings. `link` is the answer's Link header.
  public static func domains(from body: [UInt8], link: String?) throws(WireError) -> Page<String> {
    try BodyReader(body).page(of: DomainEntity.self, link: link)
  }

  /// One poll.
  public static func poll(from body: [UInt8]) throws(WireError) -> Poll {
    try BodyReader(body).single(PollEntity.self)
  }

  /// One attachment.
  public static func attachment(from body: [UInt8]) throws(WireError) -> Attachment {
    try BodyReader(body).single(AttachmentEntity.self)
  }

  /// Custom emoji: their shortcodes, without colons.
  public static func emoji(from body: [UInt8]) throws(WireError) -> [String] {
    try BodyReader(body).all(of: EmojiEntity.self)
  }
}

/// A domain, which is a string by itself; some servers wrap it.
private struct DomainEntity: WireEntity {
  static let canBeString = true

  let model: String

  enum CodingKeys: String, CodingKey {
    case domain
  }

  init(from decoder: any Decoder) throws {
    let text = try? decoder.singleValueContainer().decode(String.self)
    let raw = try text ?? decoder.container(keyedBy: CodingKeys.self).requiredString(.domain)
    model = SafeText.line(raw).trimmed()
    if model.isEmpty { throw MissingField(name: "domain") }
  }
}

/// <https://docs.joinmastodon.org/entities/CustomEmoji/>
private struct EmojiEntity: WireEntity {
  let model: String

  enum CodingKeys: String, CodingKey {
    case shortcode
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    model = try container.required(container.line(.shortcode), .shortcode)
    if model.isEmpty { throw MissingField(name: "shortcode") }
  }
}
