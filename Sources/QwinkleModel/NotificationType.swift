/// A notification type that the user can filter by. Raw values are the user-visible names.
public enum NotificationType: String, CaseIterable, Hashable, Sendable {
  case mentions, boosts, favourites, follows, polls, posts, collections
  /// Notifications by the server, and those for moderators.
  case server

  /// Whether notifications of a kind are of this type.
  public func holds(for kind: AccountNotification.Kind) -> Bool {
    switch kind {
    case .mention, .quote: self == .mentions
    case .boost: self == .boosts
    case .favourite, .reaction: self == .favourites
    case .follow, .followRequest, .move: self == .follows
    case .poll: self == .polls
    case .qwink, .edit, .quotedEdit: self == .posts
    case .severance, .warning, .annualReport, .signUp, .report: self == .server
    case .collectionAdd, .collectionEdit: self == .collections
    case .other: false
    }
  }
}
