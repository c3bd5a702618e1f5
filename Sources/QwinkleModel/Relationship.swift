/// How the reader stands to somebody.
public struct Relationship: Hashable, Sendable, Identifiable {
  public var id: Qwinker.ID
  public var isFollowing: Bool
  /// Whether a follow waits to be approved.
  public var isRequested: Bool
  public var isFollowedBy: Bool
  /// Whether they ask to follow the reader, and wait for the answer.
  public var isAskingToFollow: Bool
  public var isMuting: Bool
  public var isBlocking: Bool

  public init(
    id: Qwinker.ID, isFollowing: Bool = false, isRequested: Bool = false, isFollowedBy: Bool = false,
    isAskingToFollow: Bool = false, isMuting: Bool = false, isBlocking: Bool = false
  ) {
    self.id = id
    self.isFollowing = isFollowing
    self.isRequested = isRequested
    self.isFollowedBy = isFollowedBy
    self.isAskingToFollow = isAskingToFollow
    self.isMuting = isMuting
    self.isBlocking = isBlocking
  }
}
