public import FoundationEssentials
public import QwinkleModel

/// Encodes what is sent, on both ends: a client's requests and a service's answers. JSON in UTF-8.
///
/// ``WireDecoder`` reads the same models back, with dates to the millisecond.
public enum WireEncoder {
  /// An array of statuses.
  public static func qwinks(_ qwinks: [Qwink]) -> [UInt8] {
    JSONWriter.bytes { $0.array(qwinks) { StatusEntity.write($1, to: &$0) } }
  }

  /// An array of a server's rules.
  public static func rules(_ rules: [ServerRule]) -> [UInt8] { JSONWriter.bytes { RuleEntity.write(rules, to: &$0) } }

  /// One status.
  public static func qwink(_ qwink: Qwink) -> [UInt8] {
    JSONWriter.bytes { StatusEntity.write(qwink, to: &$0) }
  }

  /// One media attachment.
  public static func attachment(_ attachment: Attachment) -> [UInt8] {
    JSONWriter.bytes { AttachmentEntity.write(attachment, to: &$0) }
  }

  /// An array of media attachments.
  public static func attachments(_ attachments: [Attachment]) -> [UInt8] {
    JSONWriter.bytes { $0.array(attachments) { AttachmentEntity.write($1, to: &$0) } }
  }

  /// One account; with a `source` (CredentialAccount) if `ownNote` gives the note in plain text.
  public static func qwinker(_ qwinker: Qwinker, ownNote: String? = nil) -> [UInt8] {
    let fields = qwinker.fields.map { AccountSource.Field(name: $0.name, value: $0.value.plainText) }
    return self.qwinker(qwinker, source: ownNote.map { AccountSource(note: $0, fields: fields) })
  }

  /// One account, with a `source` (CredentialAccount) if there is one.
  public static func qwinker(_ qwinker: Qwinker, source: AccountSource?) -> [UInt8] {
    JSONWriter.bytes { AccountEntity.write(qwinker, source: source, to: &$0) }
  }

  /// The context of `qwink`, which is included as `status` if given.
  public static func thread(_ thread: QwinkThread, of qwink: Qwink? = nil) -> [UInt8] {
    JSONWriter.bytes { ContextEntity.write(thread, of: qwink, to: &$0) }
  }

  /// An instance, in the first version.
  public static func serverInfoV1(_ info: ServerInfo) -> [UInt8] {
    JSONWriter.bytes { InstanceV1Entity.write(info, to: &$0) }
  }

  /// An instance, in the second version.
  public static func serverInfoV2(_ info: ServerInfo) -> [UInt8] {
    JSONWriter.bytes { InstanceV2Entity.write(info, to: &$0) }
  }

  /// An error's body: `{"error": message}`.
  public static func error(_ message: String) -> [UInt8] {
    JSONWriter.bytes { ErrorEntity.write(message, to: &$0) }
  }

  /// The body of POST statuses, as JSON. The idempotency key goes into a header.
  public static func entry(_ entry: Entry) -> [UInt8] {
    JSONWriter.bytes { EntryEntity.write(entry, to: &$0) }
  }

  /// The body of POST statuses for a post to be published at `date`.
  public static func entry(_ entry: Entry, at date: Date) -> [UInt8] {
    JSONWriter.bytes { EntryEntity.write(entry, at: date, to: &$0) }
  }

  /// The body of PUT statuses, as JSON. It has no visibility, which an edit can't change.
  public static func edit(_ entry: Entry) -> [UInt8] {
    JSONWriter.bytes { EntryEntity.writeEdit(entry, to: &$0) }
  }

  /// An array of accounts.
  public static func qwinkers(_ qwinkers: [Qwinker]) -> [UInt8] {
    JSONWriter.bytes { $0.array(qwinkers) { AccountEntity.write($1, to: &$0) } }
  }

  /// An array of conversations.
  public static func conversations(_ conversations: [Conversation]) -> [UInt8] {
    JSONWriter.bytes { $0.array(conversations) { ConversationEntity.write($1, to: &$0) } }
  }

  /// One conversation.
  public static func conversation(_ conversation: Conversation) -> [UInt8] {
    JSONWriter.bytes { ConversationEntity.write(conversation, to: &$0) }
  }

  /// An array of notifications.
  public static func notifications(_ notifications: [AccountNotification]) -> [UInt8] {
    JSONWriter.bytes { $0.array(notifications) { NotificationEntity.write($1, to: &$0) } }
  }

  /// One notification.
  public static func notification(_ notification: AccountNotification) -> [UInt8] {
    JSONWriter.bytes { NotificationEntity.write(notification, to: &$0) }
  }

  /// A history: an array of status edits, oldest first.
  public static func versions(_ versions: [QwinkVersion], by author: Qwinker) -> [UInt8] {
    JSONWriter.bytes { $0.array(versions) { VersionEntity.write($1, by: author, to: &$0) } }
  }

  /// The source of a status.
  public static func source(_ source: QwinkSource) -> [UInt8] {
    JSONWriter.bytes { SourceEntity.write(source, to: &$0) }
  }

  /// Markers, by place.
  public static func readPositions(_ positions: [ReadPosition]) -> [UInt8] {
    JSONWriter.bytes { MarkersEntity.write(positions, to: &$0) }
  }

  /// One relationship.
  public static func relationship(_ relationship: Relationship) -> [UInt8] {
    JSONWriter.bytes { RelationshipEntity.write(relationship, to: &$0) }
  }

  /// An array of relationships.
  public static func relationships(_ relationships: [Relationship]) -> [UInt8] {
    JSONWriter.bytes { $0.array(relationships) { RelationshipEntity.write($1, to: &$0) } }
  }

  /// The results of a search, in the second version. The model has no URLs of tags: they are made for the site of
  /// `base`, any URL on it, or else of the first account or status found.
  public static func searchResults(_ results: SearchResults, base: String? = nil) -> [UInt8] {
    JSONWriter.bytes { SearchEntity.write(results, base: base, to: &$0) }
  }

  /// One tag with its use by day. `base` is any URL of its site.
  public static func tag(_ name: String, _ days: [Tag.Day], base: String, isFollowed: Bool = false) -> [UInt8] {
    JSONWriter.bytes { TagEntity.write(name, days, base: base, isFollowed: isFollowed, to: &$0) }
  }

  /// An array of tags without their use. `base` is any URL of their site.
  public static func tags(_ names: [String], base: String, areFollowed: Bool = false) -> [UInt8] {
    JSONWriter.bytes { writer in
      writer.array(names) { TagEntity.write($1, [], base: base, isFollowed: areFollowed, to: &$0) }
    }
  }

  /// One poll.
  public static func poll(_ poll: Poll) -> [UInt8] {
    JSONWriter.bytes { PollEntity.write(poll, to: &$0) }
  }

  /// A new token and what it allows. `createdAt` is in seconds since 1970.
  public static func token(_ token: String, scope: String, createdAt: Int) -> [UInt8] {
    JSONWriter.bytes { TokenEntity.write(token, scope: scope, createdAt: createdAt, to: &$0) }
  }

  /// The body of POST markers.
  public static func newReadPositions(_ positions: [ReadPosition]) -> [UInt8] {
    JSONWriter.bytes { MarkersEntity.writeNew(positions, to: &$0) }
  }

  /// The body of PATCH update_credentials.
  public static func ownProfile(_ profile: OwnProfile) -> [UInt8] {
    JSONWriter.bytes { OwnProfileEntity.write(profile, to: &$0) }
  }
}
