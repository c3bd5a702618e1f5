/// A notification type that the user can filter by. Raw values are the user-visible names.
public enum NotificationType: String, CaseIterable, Hashable, Sendable {
  case mentions, boosts, favourites, follows, polls, posts

  /// Whether notifications of a kind are of this type.
  public func holds(for kind: AccountNotification.Kind) -> Bool {
    switch kind {
    case .mention, .quote: self == .mentions
    case .boost: self == .boosts
    case .favourite, .reaction: self == .favourites
    case .follow, .followRequest, .move: self == .follows
    case .poll: self == .polls
    case .qwink, .edit: self == .posts
    case .other: false
    }
  }
}
