public import QwinkleModel
import SafeText

/// Decoding of data that the server stores for the user or offers to all users.
extension WireDecoder {
  /// Decodes the user's lists. Unreadable lists are omitted.
  public static func lists(from body: [UInt8]) throws(WireError) -> [PersonalList] {
    try BodyReader(body).all(of: ListEntity.self)
  }

  /// Decodes a list.
  public static func list(from body: [UInt8]) throws(WireError) -> PersonalList {
    try BodyReader(body).single(ListEntity.self)
  }

  /// Decodes the user's filters in either version of the API. Unreadable filters are omitted.
  public static func filters(from body: [UInt8]) throws(WireError) -> [ContentFilter] {
    try BodyReader(body).all(of: FilterEntity.self)
  }

  /// Decodes a filter.
  public static func filter(from body: [UInt8]) throws(WireError) -> ContentFilter {
    try BodyReader(body).single(FilterEntity.self)
  }

  /// Decodes the keywords of a filter. Unreadable keywords are omitted.
  public static func filterKeywords(from body: [UInt8]) throws(WireError) -> [ContentFilter.Keyword] {
    try BodyReader(body).all(of: FilterEntity.Keyword.self)
  }

  /// Decodes a page of scheduled posts. `link` is the response's Link header.
  public static func scheduledPosts(from body: [UInt8], link: String?) throws(WireError) -> Page<ScheduledPost> {
    try BodyReader(body).page(of: ScheduledEntity.self, link: link)
  }

  /// Decodes a scheduled post.
  public static func scheduledPost(from body: [UInt8]) throws(WireError) -> ScheduledPost {
    try BodyReader(body).single(ScheduledEntity.self)
  }

  /// Decodes a page of tags. `link` is the response's Link header.
  public static func tags(from body: [UInt8], link: String?) throws(WireError) -> Page<Tag> {
    try BodyReader(body).page(of: TagEntity.self, link: link)
  }

  /// Decodes a tag.
  public static func tag(from body: [UInt8]) throws(WireError) -> Tag { try BodyReader(body).single(TagEntity.self) }

  /// Decodes announcements. Unreadable announcements are omitted.
  public static func announcements(from body: [UInt8]) throws(WireError) -> [Announcement] {
    try BodyReader(body).all(of: AnnouncementEntity.self)
  }

  /// Decodes popular links. Unreadable links are omitted.
  public static func cards(from body: [UInt8]) throws(WireError) -> [Qwink.Card] {
    try BodyReader(body).all(of: CardEntity.self)
  }

  /// Decodes a page of domains, which are strings. `link` is the response's Link header.
  public static func domains(from body: [UInt8], link: String?) throws(WireError) -> Page<String> {
    try BodyReader(body).page(of: DomainEntity.self, link: link)
  }

  /// Decodes a poll.
  public static func poll(from body: [UInt8]) throws(WireError) -> Poll {
    try BodyReader(body).single(PollEntity.self)
  }

  /// Decodes an attachment.
  public static func attachment(from body: [UInt8]) throws(WireError) -> Attachment {
    try BodyReader(body).single(AttachmentEntity.self)
  }

  /// Decodes the shortcodes of custom emoji. They have no colons.
  public static func emoji(from body: [UInt8]) throws(WireError) -> [String] {
    try BodyReader(body).all(of: EmojiEntity.self)
  }
}

/// A domain. Most servers send a string, some an object.
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
