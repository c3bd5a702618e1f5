/// Something that not every server can do. Its description says some of it; the rest is found by trying.
public enum Ability: String, Hashable, Sendable, CaseIterable {
  case lists, filters, followedTags, scheduledPosts, announcements, trends, serverBlocks, serverEmoji, uploads, reports
  case polls, bookmarks, pins, threadMutes, mutes, blocks, notes, edits, editHistory, deletion, followRequests
  case pictureRemoval, dismissals, clearing, blockedList, mutedList, blockedServerList, followerRemoval

  /// What a server that can't has none of.
  public var words: String {
    switch self {
    case .lists: "lists"
    case .filters: "filters"
    case .followedTags: "followed hashtags"
    case .scheduledPosts: "scheduled qwinks"
    case .announcements: "announcements"
    case .trends: "trends"
    case .serverBlocks: "blocks of whole servers"
    case .serverEmoji: "emoji of its own"
    case .uploads: "uploads"
    case .reports: "reports"
    case .polls: "polls"
    case .bookmarks: "bookmarks"
    case .pins: "pinned qwinks"
    case .threadMutes: "way to mute threads"
    case .mutes: "way to mute people"
    case .blocks: "way to block people"
    case .notes: "private notes"
    case .edits: "way to edit qwinks"
    case .editHistory: "edit history"
    case .deletion: "way to delete qwinks"
    case .followRequests: "follow requests"
    case .pictureRemoval: "way to remove a picture of your profile"
    case .dismissals: "way to dismiss a single notification"
    case .clearing: "way to clear notifications"
    case .blockedList: "list of the people you block"
    case .mutedList: "list of the people you mute"
    case .blockedServerList: "list of the servers you block"
    case .followerRemoval: "way to remove followers"
    }
  }
}

/// What a server can do, as far as it was seen. No version tells that: servers of one name differ.
public struct Abilities: Hashable, Sendable {
  private var seen: [Ability: Bool] = [:]

  public init() {}

  /// Whether the server can; nil if it wasn't tried.
  public subscript(ability: Ability) -> Bool? { seen[ability] }

  /// What the server was seen to lack.
  public var missing: Set<Ability> { Set(seen.filter { !$0.value }.keys) }

  /// Notes whether the server can.
  public mutating func note(_ ability: Ability, _ can: Bool) { seen[ability] = can }
}
