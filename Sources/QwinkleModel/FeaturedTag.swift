public import FoundationEssentials

/// A hashtag that an account features on its profile.
public struct FeaturedTag: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<FeaturedTag>

  public var id: ID
  /// Without `#`.
  public var name: String
  /// The number of the account's posts with the hashtag.
  public var qwinksCount: Int
  /// The day of the account's last post with the hashtag, if any.
  public var lastQwinkAt: Date?

  public init(id: ID, name: String, qwinksCount: Int = 0, lastQwinkAt: Date? = nil) {
    self.id = id
    self.name = name
    self.qwinksCount = qwinksCount
    self.lastQwinkAt = lastQwinkAt
  }
}
