public import QwinkleModel

/// Reads what a service sent. Pure functions: where they run is up to the caller.
///
/// Every text in the result has gone through SafeText, but for what is kept and edited as its author typed it
/// (``source(from:)``, ``ownProfile(from:)``, ``entry(from:contentType:)``). Fields that are missing or of another type
/// than expected take their default; an item that cannot be read at all costs itself, never the page.
public enum WireDecoder {
  /// A page of statuses. `link` is the answer's Link header.
  ///
  /// - Throws: ``WireError``. A page that was cut off keeps its whole items and counts one damaged.
  public static func qwinks(from body: [UInt8], link: String?) throws(WireError) -> Page<Qwink> {
    try BodyReader(body).page(of: RowEntity.self, link: link)
  }

  /// One status.
  public static func qwink(from body: [UInt8]) throws(WireError) -> Qwink {
    try BodyReader(body).single(RowEntity.self)
  }

  /// A page of accounts. `link` is the answer's Link header.
  public static func qwinkers(from body: [UInt8], link: String?) throws(WireError) -> Page<Qwinker> {
    try BodyReader(body).page(of: AccountEntity.self, link: link)
  }

  /// One account.
  public static func qwinker(from body: [UInt8]) throws(WireError) -> Qwinker {
    try BodyReader(body).single(AccountEntity.self)
  }

  /// A page of conversations. `link` is the answer's Link header.
  public static func conversations(from body: [UInt8], link: String?) throws(WireError) -> Page<Conversation> {
    try BodyReader(body).page(of: ConversationEntity.self, link: link)
  }

  /// One conversation.
  public static func conversation(from body: [UInt8]) throws(WireError) -> Conversation {
    try BodyReader(body).single(ConversationEntity.self)
  }

  /// A page of notifications. `link` is the answer's Link header.
  public static func notifications(from body: [UInt8], link: String?) throws(WireError) -> Page<AccountNotification> {
    try BodyReader(body).page(of: NotificationEntity.self, link: link)
  }

  /// One notification.
  public static func notification(from body: [UInt8]) throws(WireError) -> AccountNotification {
    try BodyReader(body).single(NotificationEntity.self)
  }

  /// The history of a status, oldest first. What cannot be read in it is left out.
  public static func versions(from body: [UInt8]) throws(WireError) -> [QwinkVersion] {
    try BodyReader(body).all(of: VersionEntity.self)
  }

  /// The source of a status, as it came but for NUL: its author goes on writing where they stopped.
  public static func source(from body: [UInt8]) throws(WireError) -> QwinkSource {
    try BodyReader(body).single(SourceEntity.self)
  }

  /// Markers, of the places that are known.
  public static func readPositions(from body: [UInt8]) throws(WireError) -> [ReadPosition] {
    try BodyReader(body).single(MarkersEntity.self)
  }

  /// One relationship.
  public static func relationship(from body: [UInt8]) throws(WireError) -> Relationship {
    try BodyReader(body).single(RelationshipEntity.self)
  }

  /// A list of relationships, or, as some services answer who was asked about one, that one alone.
  public static func relationships(from body: [UInt8]) throws(WireError) -> [Relationship] {
    let reader = try BodyReader(body)
    if reader.isObject { return [try reader.single(RelationshipEntity.self)] }
    return try reader.all(of: RelationshipEntity.self)
  }

  /// What the account of verify_credentials says of itself, as it was typed, but for NUL. Where the service does not
  /// send what was typed, what it shows, as plain text.
  public static func ownProfile(from body: [UInt8]) throws(WireError) -> OwnProfile {
    try BodyReader(body).single(OwnProfileEntity.self)
  }

  /// What a search found, of either version of search. What cannot be read is left out.
  public static func searchResults(from body: [UInt8]) throws(WireError) -> SearchResults {
    try SearchEntity.read(BodyReader(body))
  }

  /// The id of the first object of a list that may be cut off anywhere after that; nil where it does not begin so.
  public static func firstID(of body: [UInt8]) -> String? {
    (try? BodyReader(body))?.firstID
  }

  /// A context. What cannot be read in it is left out.
  public static func thread(from body: [UInt8]) throws(WireError) -> QwinkThread {
    try ContextEntity.read(BodyReader(body))
  }

  /// An instance, of the second or first version.
  public static func serverInfo(from body: [UInt8]) throws(WireError) -> ServerInfo {
    let reader = try BodyReader(body)
    // Some answers of the first version have the second's `domain` too; none of the second has `uri`.
    if try reader.keys().contains("uri") { return try reader.single(InstanceV1Entity.self) }
    return try reader.single(InstanceV2Entity.self)
  }

  /// What an error's body says, one safe line of at most 300 characters; nil where it is no JSON error.
  public static func errorMessage(from body: [UInt8]) -> String? {
    guard let message = try? BodyReader(body).single(ErrorEntity.self), !message.isEmpty else { return nil }
    return message
  }

  /// What a client posts or edits, as JSON or form (urlencoded or in parts, by `contentType`). Text and warning are as
  /// they came, but for NUL. The idempotency key is empty: it is a header.
  public static func entry(from body: [UInt8], contentType: String?) throws(WireError) -> Entry {
    guard !body.isEmpty else { throw .empty }
    let type = contentType?.lowercased() ?? ""
    let entry: Entry?
    if type.hasPrefix("multipart/") {
      let parts = try FormParts(body, contentType: contentType)
      entry = EntryEntity { parts[$0] }.model
    } else if type.contains("json") || (type.isEmpty && body.first == UInt8(ascii: "{")) {
      entry = try BodyReader(body).single(EntryEntity.self)
    } else {
      let fields = FormFields(body)
      entry = EntryEntity { fields[$0] }.model
    }
    guard let entry else { throw .unexpected("a visibility that does not exist") }
    return entry
  }
}

/// Why an answer could not be read.
public enum WireError: Error, Hashable, Sendable {
  /// Nothing at all.
  case empty
  /// Not JSON; HTML where `looksLikeHTML`.
  case notJSON(looksLikeHTML: Bool)
  /// JSON that ends too early.
  case truncated
  /// JSON, but not what was asked for; the text says what it is instead, in a few words.
  case unexpected(String)
}
