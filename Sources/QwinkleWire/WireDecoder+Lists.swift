public import QwinkleModel
import SafeText

/// Decoding of data that the server stores for the user or offers to all users.
extension WireDecoder {
  /// Decodes the user's lists. Unreadable lists are omitted.
  public static func lists(from body: [UInt8]) throws(WireError) -> [PersonalList] { try ListEntity.all(body) }

  /// Decodes a list.
  public static func list(from body: [UInt8]) throws(WireError) -> PersonalList { try ListEntity.single(body) }

  /// Decodes the user's filters in either version of the API. Unreadable filters are omitted.
  public static func filters(from body: [UInt8]) throws(WireError) -> [ContentFilter] { try FilterEntity.all(body) }

  /// Decodes a filter.
  public static func filter(from body: [UInt8]) throws(WireError) -> ContentFilter { try FilterEntity.single(body) }

  /// Decodes the single qwinks of a filter. Unreadable entries are omitted.
  public static func filteredQwinks(from body: [UInt8]) throws(WireError) -> [FilteredQwink] {
    try FilterEntity.NamedStatus.all(body)
  }

  /// Decodes a single qwink of a filter.
  public static func filteredQwink(from body: [UInt8]) throws(WireError) -> FilteredQwink {
    try FilterEntity.NamedStatus.single(body)
  }

  /// Decodes a page of scheduled posts. `link` is the response's Link header.
  public static func scheduledPosts(from body: [UInt8], link: String?) throws(WireError) -> Page<ScheduledPost> {
    try BodyReader(body).page(of: ScheduledEntity.self, link: link)
  }

  /// Decodes a scheduled post.
  public static func scheduledPost(from body: [UInt8]) throws(WireError) -> ScheduledPost {
    try ScheduledEntity.single(body)
  }

  /// Decodes a page of tags. `link` is the response's Link header.
  public static func tags(from body: [UInt8], link: String?) throws(WireError) -> Page<Tag> {
    try BodyReader(body).page(of: TagEntity.self, link: link)
  }

  /// Decodes a tag.
  public static func tag(from body: [UInt8]) throws(WireError) -> Tag { try TagEntity.single(body) }

  /// Decodes announcements. Unreadable announcements are omitted.
  public static func announcements(from body: [UInt8]) throws(WireError) -> [Announcement] {
    try AnnouncementEntity.all(body)
  }

  /// Decodes popular links. Unreadable links are omitted.
  public static func cards(from body: [UInt8]) throws(WireError) -> [Qwink.Card] { try CardEntity.all(body) }

  /// Decodes a page of domains, which are strings. `link` is the response's Link header.
  public static func domains(from body: [UInt8], link: String?) throws(WireError) -> Page<String> {
    try BodyReader(body).page(of: DomainEntity.self, link: link)
  }

  /// Decodes a poll.
  public static func poll(from body: [UInt8]) throws(WireError) -> Poll { try PollEntity.single(body) }

  /// Decodes an attachment.
  public static func attachment(from body: [UInt8]) throws(WireError) -> Attachment {
    try AttachmentEntity.single(body)
  }

  /// Decodes the shortcodes of custom emoji. They have no colons.
  public static func emoji(from body: [UInt8]) throws(WireError) -> [String] { try EmojiEntity.all(body) }
}

/// A domain. Most servers send a string, some an object.
private enum DomainEntity: WireEntity {
  static let canBeString = true

  static func read(from decoder: any Decoder) throws -> String {
    let text = try? decoder.singleValueContainer().decode(String.self)
    let raw = try text ?? decoder.fields().requiredString("domain")
    let domain = SafeText.line(raw).trimmed()
    if domain.isEmpty { throw MissingField(name: "domain") }
    return domain
  }
}

/// <https://docs.joinmastodon.org/entities/CustomEmoji/>
private enum EmojiEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> String {
    let name = fields.line("shortcode")
    if name.isEmpty { throw MissingField(name: "shortcode") }
    return name
  }
}
