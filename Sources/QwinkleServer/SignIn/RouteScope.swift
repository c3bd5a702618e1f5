import HTTPTypes

/// The scope that a token needs for a path: the narrowest scope that Mastodon defines. Paths missing from these tables
/// need the full `read` or `write` scope.
enum RouteScope {
  /// `pattern` is a route's pattern, including placeholders.
  static func needed(for method: HTTPRequest.Method, at pattern: [String]) -> String {
    let kind = method == .get ? "read" : "write"
    guard pattern.count > 2, pattern[0] == "api" else { return kind }
    if pattern[2] == "admin", pattern.count > 3 { return "admin:\(kind):\(pattern[3])" }
    // As on Mastodon, `write:media` also allows clients to fetch their uploads.
    if pattern[2] == "media" { return "write:media" }
    let (place, action) = (pattern[2], pattern[pattern.count - 1])
    if pattern.count > 3 {
      if kind == "read", action == "verify_credentials" { return "profile" }
      let narrower = kind == "read" ? reading["\(place)/\(action)"] : writing["\(place)/\(action)"]
      if let narrower { return "\(kind):\(narrower)" }
    }
    let category = kind == "read" ? reading[place] : writing[place]
    return category.map { "\(kind):\($0)" } ?? kind
  }

  /// Scope names without `read:`, keyed by the path segment after the API version, or by that segment and the last one.
  private static let reading = [
    "accounts": "accounts", "accounts/lists": "lists",
    "accounts/relationships": "follows", "accounts/statuses": "statuses", "blocks": "blocks",
    "bookmarks": "bookmarks", "conversations": "statuses", "favourites": "favourites", "filters": "filters",
    "follow_requests": "follows", "followed_tags": "follows", "lists": "lists", "markers": "statuses",
    "mutes": "mutes", "notifications": "notifications", "polls": "statuses", "preferences": "accounts",
    "scheduled_statuses": "statuses", "search": "search", "statuses": "statuses",
    "statuses/favourited_by": "accounts", "statuses/reblogged_by": "accounts", "streaming": "statuses",
    "streaming/notification": "notifications", "timelines": "statuses",
  ]

  private static let writing = [
    "accounts": "accounts", "accounts/block": "blocks", "accounts/follow": "follows", "accounts/mute": "mutes",
    "accounts/remove_from_followers": "follows", "accounts/unblock": "blocks", "accounts/unfollow": "follows",
    "accounts/unmute": "mutes", "conversations": "conversations", "filters": "filters", "follow_requests": "follows",
    "lists": "lists", "markers": "statuses", "notifications": "notifications", "polls": "statuses",
    "profile": "accounts",
    "reports": "reports", "scheduled_statuses": "statuses", "statuses": "statuses",
    "statuses/bookmark": "bookmarks", "statuses/favourite": "favourites", "statuses/mute": "mutes",
    "statuses/pin": "accounts", "statuses/unbookmark": "bookmarks", "statuses/unfavourite": "favourites",
    "statuses/unmute": "mutes", "statuses/unpin": "accounts", "tags": "follows",
  ]
}
