/// A feature that some servers lack. The server's description lists some features. Qwinkle detects the others by trying
/// them.
public enum Ability: String, Hashable, Sendable, CaseIterable {
  case lists, filters, announcements, trends, uploads, reports, polls, bookmarks
  case followedTags = "following hashtags"
  case scheduledPosts = "scheduled posts"
  case serverBlocks = "blocking whole servers"
  case serverEmoji = "custom emoji"
  case pins = "pinned posts"
  case threadMutes = "muting threads"
  case mutes = "muting users"
  case blocks = "blocking users"
  case notes = "private notes"
  case edits = "editing posts"
  case editHistory = "edit history"
  case deletion = "deleting posts"
  case followRequests = "follow requests"
  case pictureRemoval = "removing profile pictures"
  case dismissals = "dismissing single notifications"
  case clearing = "clearing notifications"
  case blockedList = "listing blocked users"
  case mutedList = "listing muted users"
  case blockedServerList = "listing blocked servers"
  case followerRemoval = "removing followers"
  case translation = "translating posts"
  case collections
  case filteredNotifications = "filtering notifications"
  case quotes
  case featuredTags = "featured hashtags"

  /// The feature's name, for a sentence such as “The server does not support lists.”
  public var words: String { rawValue }
}

/// The abilities observed on a server. They can't be derived from the server's version, because servers with the same
/// software differ.
public struct Abilities: Hashable, Sendable {
  private var seen: [Ability: Bool] = [:]

  public init() {}

  /// Whether the server has the ability. Nil if that isn't known yet.
  public subscript(ability: Ability) -> Bool? { seen[ability] }

  /// The abilities that the server lacks, as far as observed.
  public var missing: Set<Ability> { Set(seen.filter { !$0.value }.keys) }

  /// Records whether the server has an ability.
  public mutating func note(_ ability: Ability, _ can: Bool) { seen[ability] = can }
}
