public import FoundationEssentials

/// How the user and another qwinker are related.
public struct Relationship: Hashable, Sendable, Identifiable {
  public var id: Qwinker.ID
  public var isFollowing: Bool
  /// Whether the user's follow request awaits approval.
  public var isRequested: Bool
  public var isFollowedBy: Bool
  /// Whether their follow request awaits the user's answer.
  public var isAskingToFollow: Bool
  public var isMuting: Bool
  public var isBlocking: Bool
  public var isBlockedBy = false
  /// Whether a follow includes their boosts.
  public var showsBoosts = true
  /// Whether the user is notified of each of their posts.
  public var isNotifying = false
  /// Whether a mute includes notifications.
  public var mutesNotifications = false
  /// When a mute ends; nil if it doesn't.
  public var muteEndsAt: Date?
  /// Whether the user has blocked their whole server.
  public var isBlockingDomain = false
  /// The user's private note about them.
  public var note = ""

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

extension Relationship {
  /// Whether a mute is in force at `now`.
  public func mutes(at now: Date) -> Bool { isMuting && muteEndsAt.map { $0 > now } ?? true }
}

extension Qwinker {
  /// The end of the user's mute, which some servers send with the account and others with the relationship. Nil if it
  /// has no end, or has ended before `now`.
  public func muteEnd(_ relationship: Relationship?, at now: Date) -> Date? {
    (relationship?.muteEndsAt ?? muteEndsAt).flatMap { $0 > now ? $0 : nil }
  }
}
