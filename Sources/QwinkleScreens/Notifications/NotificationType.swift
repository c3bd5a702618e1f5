public import QwinkleModel

/// A type of notifications that `:only` shows. Raw values are what it is called there.
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

  /// In words: `mentions and follows`.
  static func list(_ types: Set<NotificationType>, _ word: String) -> String {
    allCases.filter(types.contains).map(\.rawValue).joined(separator: " \(word) ")
  }
}
