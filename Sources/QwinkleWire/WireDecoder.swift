public import QwinkleModel

/// Decodes a server's responses. Pure functions: the caller chooses the thread.
///
/// All text in the results is sanitized by SafeText, except text that is returned as the user typed it, for editing
/// (``source(from:)``, ``ownProfile(from:)``). Fields that are missing or of an unexpected type get default values. A
/// malformed item doesn't affect the rest of its page.
public enum WireDecoder {
  /// Decodes a page of statuses. `link` is the response's Link header.
  ///
  /// - Throws: ``WireError``. A truncated page throws only if it has no complete item. Otherwise the result has the
  ///   readable items, and the truncation adds one to its `damagedCount`.
  public static func qwinks(from body: [UInt8], link: String?) throws(WireError) -> Page<Qwink> {
    try BodyReader(body).page(of: RowEntity.self, link: link)
  }

  /// Decodes a status.
  public static func qwink(from body: [UInt8]) throws(WireError) -> Qwink { try RowEntity.single(body) }

  /// Decodes a page of accounts. `link` is the response's Link header.
  public static func qwinkers(from body: [UInt8], link: String?) throws(WireError) -> Page<Qwinker> {
    try BodyReader(body).page(of: AccountEntity.self, link: link)
  }

  /// Decodes an account.
  public static func qwinker(from body: [UInt8]) throws(WireError) -> Qwinker { try AccountEntity.single(body) }

  /// Decodes a page of collections. `link` is the response's Link header.
  public static func collections(from body: [UInt8], link: String?) throws(WireError) -> Page<QwinkerCollection> {
    try BodyReader(body).page(of: CollectionEntity.self, named: "collections", link: link)
  }

  /// Decodes the accounts of a collection, in the collection's order. Ignores the Link header, because servers send all
  /// accounts at once.
  public static func collectionMembers(from body: [UInt8], link: String?) throws(WireError) -> Page<Qwinker> {
    try CollectionMembersEntity.read(BodyReader(body))
  }

  /// Decodes a page of conversations. `link` is the response's Link header.
  public static func conversations(from body: [UInt8], link: String?) throws(WireError) -> Page<Conversation> {
    try BodyReader(body).page(of: ConversationEntity.self, link: link)
  }

  /// Decodes a conversation.
  public static func conversation(from body: [UInt8]) throws(WireError) -> Conversation {
    try ConversationEntity.single(body)
  }

  /// Decodes a page of notifications. `link` is the response's Link header.
  public static func notifications(from body: [UInt8], link: String?) throws(WireError) -> Page<AccountNotification> {
    try BodyReader(body).page(of: NotificationEntity.self, link: link)
  }

  /// Decodes a notification.
  public static func notification(from body: [UInt8]) throws(WireError) -> AccountNotification {
    try NotificationEntity.single(body)
  }

  /// Returns the kind of notification with this name in the API.
  public static func kind(ofNotification name: String) -> AccountNotification.Kind { NotificationEntity.kind(name) }

  /// Decodes the edit history of a status, oldest version first. Unreadable versions are omitted.
  public static func versions(from body: [UInt8]) throws(WireError) -> [QwinkVersion] { try VersionEntity.all(body) }

  /// Decodes one of the user's statuses, and lists the API names of the fields that would be lost if it were posted
  /// again.
  public static func written(from body: [UInt8]) throws(WireError) -> WrittenQwink { try WrittenEntity.single(body) }

  /// Decodes the source of a status so that its author can edit it. Its text is unchanged, except that NULs are
  /// removed.
  public static func source(from body: [UInt8]) throws(WireError) -> QwinkSource { try SourceEntity.single(body) }

  /// Decodes the state of an asynchronous refresh.
  public static func asyncRefresh(from body: [UInt8]) throws(WireError) -> AsyncRefresh {
    try AsyncRefreshEntity.single(body)
  }

  /// Decodes a translation of a status.
  public static func translation(from body: [UInt8]) throws(WireError) -> Translation {
    try TranslationEntity.single(body)
  }

  /// Decodes the read positions (markers) of all known lists.
  public static func readPositions(from body: [UInt8]) throws(WireError) -> [ReadPosition] {
    try MarkersEntity.single(body)
  }

  /// Decodes a relationship.
  public static func relationship(from body: [UInt8]) throws(WireError) -> Relationship {
    try RelationshipEntity.single(body)
  }

  /// Decodes a list of relationships, or a single relationship outside a list, which some servers send for a request
  /// about one account.
  public static func relationships(from body: [UInt8]) throws(WireError) -> [Relationship] {
    let reader = try BodyReader(body)
    if reader.isObject { return [try reader.single(RelationshipEntity.self)] }
    return try reader.all(of: RelationshipEntity.self)
  }

  /// Decodes the user's own profile from a response to verify_credentials. The text is as the user typed it, with NULs
  /// removed. If the server doesn't send the note as typed, the result contains the displayed note in plain text.
  public static func ownProfile(from body: [UInt8]) throws(WireError) -> OwnProfile {
    try OwnProfileEntity.single(body)
  }

  /// Decodes hashtags on a profile. Unreadable items are omitted.
  public static func featuredTags(from body: [UInt8]) throws(WireError) -> [FeaturedTag] {
    try BodyReader(body).all(of: FeaturedTagEntity.self)
  }

  public static func featuredTag(from body: [UInt8]) throws(WireError) -> FeaturedTag {
    try FeaturedTagEntity.single(body)
  }

  /// Decodes the tokens that a server has issued to the user's clients. Unreadable items are omitted.
  public static func clientTokens(from body: [UInt8]) throws(WireError) -> [ClientToken] {
    try BodyReader(body).all(of: ClientTokenEntity.self)
  }

  /// Decodes the results of a search in either version of the API. Unreadable items are omitted.
  public static func searchResults(from body: [UInt8]) throws(WireError) -> SearchResults {
    try SearchEntity.read(BodyReader(body))
  }

  /// Returns the ID of a list's first object, if any. The list may be incomplete after that ID.
  public static func firstID(of body: [UInt8]) -> String? { (try? BodyReader(body))?.firstID }

  /// Decodes a context. Unreadable statuses are omitted.
  public static func thread(from body: [UInt8]) throws(WireError) -> QwinkThread {
    try ContextEntity.read(BodyReader(body))
  }

  /// Decodes an instance in the first or second version of the API.
  public static func serverInfo(from body: [UInt8]) throws(WireError) -> ServerInfo {
    let reader = try BodyReader(body)
    // Some first-version responses also have the second version's `domain`. No second-version response has `uri`.
    if try reader.keys().contains("uri") { return try reader.single(InstanceV1Entity.self) }
    return try reader.single(InstanceV2Entity.self)
  }

  /// Returns the message in an error's body as one sanitized line of at most 300 characters, or nil if the body is not
  /// a JSON error.
  public static func errorMessage(from body: [UInt8]) -> String? {
    guard let message = try? ErrorEntity.single(body), !message.isEmpty else { return nil }
    return message
  }
}

/// The reason why a response can't be decoded.
public enum WireError: Error, Hashable, Sendable {
  /// The body is empty.
  case empty
  /// The body is not JSON. If `looksLikeHTML`, it is HTML.
  case notJSON(looksLikeHTML: Bool)
  /// The JSON is incomplete.
  case truncated
  /// The JSON is not of the requested kind. The text briefly describes the received JSON.
  case unexpected(String)
}
