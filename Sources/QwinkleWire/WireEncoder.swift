public import FoundationEssentials
public import QwinkleModel

/// Encodes a client's requests and a server's responses as JSON in UTF-8.
///
/// ``WireDecoder`` decodes the same models, with dates to the millisecond.
public enum WireEncoder {
  /// Encodes an array of statuses.
  public static func qwinks(_ qwinks: [Qwink]) -> [UInt8] { array(qwinks) { StatusEntity.write($1, to: &$0) } }

  /// Encodes an array of a server's rules.
  public static func rules(_ rules: [ServerRule]) -> [UInt8] { JSONWriter.bytes { RuleEntity.write(rules, to: &$0) } }

  /// Encodes a status.
  public static func qwink(_ qwink: Qwink) -> [UInt8] { JSONWriter.bytes { StatusEntity.write(qwink, to: &$0) } }

  /// Encodes a media attachment.
  public static func attachment(_ attachment: Attachment) -> [UInt8] {
    JSONWriter.bytes { AttachmentEntity.write(attachment, to: &$0) }
  }

  /// Encodes an array of media attachments.
  public static func attachments(_ attachments: [Attachment]) -> [UInt8] {
    array(attachments) { AttachmentEntity.write($1, to: &$0) }
  }

  /// Encodes an account. If `ownNote` is given, encodes a CredentialAccount, whose `source` contains `ownNote`: the
  /// note in plain text.
  public static func qwinker(_ qwinker: Qwinker, ownNote: String? = nil) -> [UInt8] {
    let fields = qwinker.fields.map { AccountSource.Field(name: $0.name, value: $0.value.plainText) }
    return self.qwinker(qwinker, source: ownNote.map { AccountSource(note: $0, fields: fields) })
  }

  /// Encodes an account and its `source` (CredentialAccount), if any.
  public static func qwinker(_ qwinker: Qwinker, source: AccountSource?) -> [UInt8] {
    JSONWriter.bytes { AccountEntity.write(qwinker, source: source, to: &$0) }
  }

  /// Encodes a hashtag on the profile at `url`.
  public static func featuredTag(_ tag: FeaturedTag, url: String) -> [UInt8] {
    JSONWriter.bytes { FeaturedTagEntity.write(tag, url: url, to: &$0) }
  }

  /// Encodes the hashtags on the profile at `url`.
  public static func featuredTags(_ tags: [FeaturedTag], url: String) -> [UInt8] {
    JSONWriter.bytes { $0.array(tags) { FeaturedTagEntity.write($1, url: url, to: &$0) } }
  }

  /// Encodes a thread as a context.
  public static func thread(_ thread: QwinkThread) -> [UInt8] {
    JSONWriter.bytes { ContextEntity.write(thread, to: &$0) }
  }

  /// Encodes an instance in the first version of the API.
  public static func serverInfoV1(_ info: ServerInfo) -> [UInt8] {
    JSONWriter.bytes { InstanceV1Entity.write(info, to: &$0) }
  }

  /// Encodes an instance in the second version of the API.
  public static func serverInfoV2(_ info: ServerInfo) -> [UInt8] {
    JSONWriter.bytes { InstanceV2Entity.write(info, to: &$0) }
  }

  /// Encodes an error: `{"error": message}`.
  public static func error(_ message: String) -> [UInt8] { JSONWriter.bytes { ErrorEntity.write(message, to: &$0) } }

  /// Encodes the body of POST statuses. Clients send the idempotency key in a header.
  public static func entry(_ entry: Entry) -> [UInt8] { JSONWriter.bytes { EntryEntity.write(entry, to: &$0) } }

  /// Encodes the body of POST statuses for a post to be published at `date`.
  public static func entry(_ entry: Entry, at date: Date) -> [UInt8] {
    JSONWriter.bytes { EntryEntity.write(entry, at: date, to: &$0) }
  }

  /// Encodes the body of PUT statuses. It has no visibility, because an edit can't change the visibility.
  public static func edit(_ entry: Entry) -> [UInt8] { JSONWriter.bytes { EntryEntity.writeEdit(entry, to: &$0) } }

  /// Encodes the body of PUT interaction_policy.
  public static func quotePolicy(_ policy: QuotePolicy) -> [UInt8] {
    JSONWriter.bytes { $0.object { $0.field("quote_approval_policy", policy.rawValue) } }
  }

  /// Encodes an array of accounts.
  public static func qwinkers(_ qwinkers: [Qwinker]) -> [UInt8] { array(qwinkers) { AccountEntity.write($1, to: &$0) } }

  /// Encodes an array of conversations.
  public static func conversations(_ conversations: [Conversation]) -> [UInt8] {
    array(conversations) { ConversationEntity.write($1, to: &$0) }
  }

  /// Encodes a conversation.
  public static func conversation(_ conversation: Conversation) -> [UInt8] {
    JSONWriter.bytes { ConversationEntity.write(conversation, to: &$0) }
  }

  /// Encodes an array of notifications.
  public static func notifications(_ notifications: [AccountNotification]) -> [UInt8] {
    array(notifications) { NotificationEntity.write($1, to: &$0) }
  }

  /// Encodes a notification.
  public static func notification(_ notification: AccountNotification) -> [UInt8] {
    JSONWriter.bytes { NotificationEntity.write(notification, to: &$0) }
  }

  /// Encodes a history as an array of status edits, oldest first.
  public static func versions(_ versions: [QwinkVersion], by author: Qwinker) -> [UInt8] {
    array(versions) { VersionEntity.write($1, by: author, to: &$0) }
  }

  /// Encodes a translation of a status.
  public static func translation(_ translation: Translation) -> [UInt8] {
    JSONWriter.bytes { TranslationEntity.write(translation, to: &$0) }
  }

  /// Encodes the source of a status.
  public static func source(_ source: QwinkSource) -> [UInt8] {
    JSONWriter.bytes { SourceEntity.write(source, to: &$0) }
  }

  /// Encodes read positions (markers), keyed by list.
  public static func readPositions(_ positions: [ReadPosition]) -> [UInt8] {
    JSONWriter.bytes { MarkersEntity.write(positions, to: &$0) }
  }

  /// Encodes a relationship.
  public static func relationship(_ relationship: Relationship) -> [UInt8] {
    JSONWriter.bytes { RelationshipEntity.write(relationship, to: &$0) }
  }

  /// Encodes an array of relationships.
  public static func relationships(_ relationships: [Relationship]) -> [UInt8] {
    array(relationships) { RelationshipEntity.write($1, to: &$0) }
  }

  /// Encodes search results in the second version of the API. The model doesn't contain the tags' URLs, so they are
  /// generated for the site of `base`, which can be any URL of that site. If `base` is nil, the site of the first
  /// account or status is used.
  public static func searchResults(_ results: SearchResults, base: String? = nil) -> [UInt8] {
    JSONWriter.bytes { SearchEntity.write(results, base: base, to: &$0) }
  }

  /// Encodes a tag with its use by day. `base` is any URL of the tag's site.
  public static func tag(_ name: String, _ days: [Tag.Day], base: String, isFollowed: Bool = false) -> [UInt8] {
    JSONWriter.bytes { TagEntity.write(name, days, base: base, isFollowed: isFollowed, to: &$0) }
  }

  /// Encodes an array of tags without their use. `base` is any URL of the tags' site.
  public static func tags(_ names: [String], base: String, areFollowed: Bool = false) -> [UInt8] {
    array(names) { TagEntity.write($1, [], base: base, isFollowed: areFollowed, to: &$0) }
  }

  /// Encodes a poll.
  public static func poll(_ poll: Poll) -> [UInt8] { JSONWriter.bytes { PollEntity.write(poll, to: &$0) } }

  /// Encodes a new token with its scope. `createdAt` is in seconds since 1970.
  public static func token(_ token: String, scope: String, createdAt: Int) -> [UInt8] {
    JSONWriter.bytes { TokenEntity.write(token, scope: scope, createdAt: createdAt, to: &$0) }
  }

  /// Encodes the body of POST markers.
  public static func newReadPositions(_ positions: [ReadPosition]) -> [UInt8] {
    JSONWriter.bytes { MarkersEntity.writeNew(positions, to: &$0) }
  }

  /// Encodes the body of PATCH update_credentials.
  public static func ownProfile(_ profile: OwnProfile, changing old: OwnProfile? = nil) -> [UInt8] {
    JSONWriter.bytes { OwnProfileEntity.write(profile, changing: old, to: &$0) }
  }

  static func array<Item>(_ items: [Item], _ write: (inout JSONWriter, Item) -> Void) -> [UInt8] {
    JSONWriter.bytes { $0.array(items, write) }
  }
}
