public import QwinkleModel

/// Decodes what a service sent. Pure functions: the caller decides where they run.
///
/// Every text in the result has gone through SafeText, except what is kept and edited as its author typed it
/// (``source(from:)``, ``ownProfile(from:)``, ``entry(from:contentType:)``). Fields that are missing or of an
/// unexpected type take their default; an item that can't be read costs itself, never the page.
public enum WireDecoder {
  /// A page of statuses. `link` is the answer's Link header.
  ///
  /// - Throws: ``WireError``. A page that was cut off keeps its complete items and counts one as damaged.
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

  /// The edit history of a status, oldest first. Unreadable versions are left out.
  public static func versions(from body: [UInt8]) throws(WireError) -> [QwinkVersion] {
    try BodyReader(body).all(of: VersionEntity.self)
  }

  /// One of the user's statuses, with the fields that an entry can't carry.
  public static func written(from body: [UInt8]) throws(WireError) -> WrittenQwink {
    try BodyReader(body).single(WrittenEntity.self)
  }

  /// The source of a status, verbatim but for NUL, so that its author can go on editing it.
  public static func source(from body: [UInt8]) throws(WireError) -> QwinkSource {
    try BodyReader(body).single(SourceEntity.self)
  }

  /// Markers of the known places.
  public static func readPositions(from body: [UInt8]) throws(WireError) -> [ReadPosition] {
    try BodyReader(body).single(MarkersEntity.self)
  }

  /// One relationship.
  public static func relationship(from body: [UInt8]) throws(WireError) -> Relationship {
    try BodyReader(body).single(RelationshipEntity.self)
  }

  /// A list of relationships, or a single one outside a list, which some services send when asked about one account.
  public static func relationships(from body: [UInt8]) throws(WireError) -> [Relationship] {
    let reader = try BodyReader(body)
    if reader.isObject { return [try reader.single(RelationshipEntity.self)] }
    return try reader.all(of: RelationshipEntity.self)
  }

  /// The profile in the answer of verify_credentials as it was typed, but for NUL. If the service doesn't send that,
  /// the shown text, as plain text.
  public static func ownProfile(from body: [UInt8]) throws(WireError) -> OwnProfile {
    try BodyReader(body).single(OwnProfileEntity.self)
  }

  /// The results of a search, in either version. Unreadable items are left out.
  public static func searchResults(from body: [UInt8]) throws(WireError) -> SearchResults {
    try SearchEntity.read(BodyReader(body))
  }

  /// The id of the first object of a list, which may be cut off anywhere after that id; nil if there is none.
  public static func firstID(of body: [UInt8]) -> String? {
    (try? BodyReader(body))?.firstID
  }

  /// A context. Unreadable statuses are left out.
  public static func thread(from body: [UInt8]) throws(WireError) -> QwinkThread {
    try ContextEntity.read(BodyReader(body))
  }

  /// An instance, in the second or first version.
  public static func serverInfo(from body: [UInt8]) throws(WireError) -> ServerInfo {
    let reader = try BodyReader(body)
    // Some answers in the first version have the second's `domain` too; none in the second has `uri`.
    if try reader.keys().contains("uri") { return try reader.single(InstanceV1Entity.self) }
    return try reader.single(InstanceV2Entity.self)
  }

  /// The message of an error's body, one safe line of at most 300 characters; nil if it is no JSON error.
  public static func errorMessage(from body: [UInt8]) -> String? {
    guard let message = try? BodyReader(body).single(ErrorEntity.self), !message.isEmpty else { return nil }
    return message
  }

  /// What a client posts or edits (see ``RequestParameters/entry(usually:)``).
  public static func entry(from body: [UInt8], contentType: String?) throws(WireError) -> Entry {
    guard !body.isEmpty else { throw .empty }
    do throws(ParameterFault) {
      return try RequestParameters(body: body, contentType: contentType).entry()
    } catch {
      throw .unexpected(error.sentence)
    }
  }
}

/// Why an answer could not be read.
public enum WireError: Error, Hashable, Sendable {
  /// The body is empty.
  case empty
  /// Not JSON; HTML if `looksLikeHTML`.
  case notJSON(looksLikeHTML: Bool)
  /// JSON that ends too early.
  case truncated
  /// JSON, but not what was asked for; the text says in a few words what it is instead.
  case unexpected(String)
}
