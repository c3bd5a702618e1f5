public import FoundationEssentials

/// The relationship between the user and another account.
public struct Relationship: Hashable, Sendable, Identifiable {
  public var id: Qwinker.ID
  public var isFollowing: Bool
  /// Whether the user's follow request is pending.
  public var isRequested: Bool
  public var isFollowedBy: Bool
  /// Whether the account's request to follow the user is pending.
  public var isAskingToFollow: Bool
  public var isMuting: Bool
  public var isBlocking: Bool
  public var isBlockedBy = false
  /// Whether the account's boosts appear in the home timeline.
  public var showsBoosts = true
  /// Whether the user is notified of each of the account's posts.
  public var isNotifying = false
  /// Codes of the languages to which the home timeline limits the account's posts. Empty for all languages.
  public var languages: [String] = []
  /// Whether the mute includes notifications.
  public var mutesNotifications = false
  /// When the mute ends; nil if it has no end or the server doesn't report it.
  public var muteEndsAt: Date?
  /// Whether the user has blocked the account's server.
  public var isBlockingDomain = false
  /// The user's private note about the account.
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
  /// Returns the end of the user's mute, which some servers send with the account and others with the relationship.
  /// Returns nil if the mute has no end or isn't in force at `now`.
  public func muteEnd(_ relationship: Relationship?, at now: Date) -> Date? {
    (relationship?.muteEndsAt ?? muteEndsAt).flatMap { $0 > now ? $0 : nil }
  }
}
