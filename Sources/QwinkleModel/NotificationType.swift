/// A type of notifications that one can choose. Raw values are what people call it.
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
