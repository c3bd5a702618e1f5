public import QwinkleModel

extension WireEncoder {
  /// What the API calls a kind of notifications.
  public static func word(of kind: AccountNotification.Kind) -> String { NotificationEntity.word(of: kind) }

  /// What the API calls the kinds of a type of notifications.
  public static func words(of type: NotificationType) -> [String] {
    let kinds: [AccountNotification.Kind] =
      switch type {
      case .mentions: [.mention, .quote]
      case .boosts: [.boost]
      case .favourites: [.favourite, .reaction("")]
      case .follows: [.follow, .followRequest, .move]
      case .polls: [.poll]
      case .posts: [.qwink, .edit]
      }
    return kinds.map { word(of: $0) }
  }
}
