public import FoundationEssentials

/// A public collection of accounts that its owner recommends. <https://docs.joinmastodon.org/entities/Collection/>
public struct QwinkerCollection: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<QwinkerCollection>

  public var id: ID
  public var name: String
  public var description: RichText
  /// Whether the owner marked the accounts as sensitive. The description is then covered.
  public var isSensitive: Bool
  /// A hashtag that describes the collection, without `#`.
  public var tag: String?
  /// Number of accounts. Some of them may be hidden from the user.
  public var count: Int
  public var url: String?
  public var updatedAt: Date?

  public init(
    id: ID, name: String, description: RichText = RichText(), isSensitive: Bool = false, tag: String? = nil,
    count: Int = 0, url: String? = nil, updatedAt: Date? = nil
  ) {
    self.id = id
    self.name = name
    self.description = description
    self.isSensitive = isSensitive
    self.tag = tag
    self.count = count
    self.url = url
    self.updatedAt = updatedAt
  }
}

/// A list of collections on a server.
public enum CollectionListName: Hashable, Sendable {
  /// The collections that an account made.
  case by(Qwinker.ID)
  /// The collections that feature an account.
  case featuring(Qwinker.ID)
}
