public import QwinkleModel

/// Reads what a service sent. Pure functions: where they run is up to the caller.
///
/// Every text in the result has gone through SafeText. Fields that are missing or of another type than expected take
/// their default; an item that cannot be read at all costs itself, never the page.
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
    throw .empty
  }

  /// One conversation.
  public static func conversation(from body: [UInt8]) throws(WireError) -> Conversation {
    throw .empty
  }

  /// A page of notifications. `link` is the answer's Link header.
  public static func notices(from body: [UInt8], link: String?) throws(WireError) -> Page<Notice> {
    throw .empty
  }

  /// The history of a status, oldest first.
  public static func versions(from body: [UInt8]) throws(WireError) -> [QwinkVersion] {
    throw .empty
  }

  /// The source of a status.
  public static func source(from body: [UInt8]) throws(WireError) -> QwinkSource {
    throw .empty
  }

  /// Markers, of the places that are known.
  public static func readPositions(from body: [UInt8]) throws(WireError) -> [ReadPosition] {
    throw .empty
  }

  /// One relationship.
  public static func relationship(from body: [UInt8]) throws(WireError) -> Relationship {
    throw .empty
  }

  /// A list of relationships.
  public static func relationships(from body: [UInt8]) throws(WireError) -> [Relationship] {
    throw .empty
  }

  /// What the account of verify_credentials says of itself, as it was typed.
  public static func ownProfile(from body: [UInt8]) throws(WireError) -> OwnProfile {
    throw .empty
  }

  /// What a search found, of the second version of search.
  public static func searchResults(from body: [UInt8]) throws(WireError) -> SearchResults {
    throw .empty
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

  /// What a client posts, as JSON or form (urlencoded, by `contentType`). The idempotency key is empty: it is a header.
  public static func entry(from body: [UInt8], contentType: String?) throws(WireError) -> Entry {
    let type = contentType?.lowercased() ?? ""
    let entry: Entry?
    if type.contains("multipart/") {
      throw .unexpected("a form in parts")
    } else if type.contains("json") || (type.isEmpty && body.first == UInt8(ascii: "{")) {
      entry = try BodyReader(body).single(EntryEntity.self)
    } else if body.isEmpty {
      throw .empty
    } else {
      entry = EntryEntity(form: body).model
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
