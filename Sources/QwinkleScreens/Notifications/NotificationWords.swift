public import QwinkleModel

/// The words of the notifications, and of what happened.
public enum NotificationWords {
  static let title = "Notifications"
  static let sentMessage = "sent you a message"
  static let needsAccount = "Notifications need an account."
  static let fetching = "Fetching notifications…"
  static let onlyHere = "Notifications are shown by their type in section 4 only."

  static func only(_ types: Set<NotificationType>) -> String { "only \(NotificationType.list(types, "and"))" }

  static func chosen(_ types: Set<NotificationType>) -> String {
    types.isEmpty ? "Showing all notifications" : "Showing \(only(types))"
  }

  static func noneOf(_ types: Set<NotificationType>) -> String { "No \(NotificationType.list(types, "or")) yet." }
  static func dismissed(_ count: Int) -> String { count == 1 ? "Dismissed" : "\(count) notifications dismissed" }

  static let cleared = "Notifications cleared"
  static let clearQuestion = "Remove all your notifications? They can't be brought back."
  static let fetchingOlder = "Fetching older notifications…"
  static let none = "No notifications yet. Replies, favourites, boosts and new followers appear here."

  /// The end of a list of names, for `count` more people: ` and 3 others`.
  static func others(_ count: Int) -> String { count > 0 ? " and \(Counted.words(count, "other"))" : "" }

  /// The verb of a follow request that was answered here.
  static func answered(accepted: Bool) -> String {
    accepted ? "asked to follow you: accepted" : "asked to follow you: refused"
  }

  /// What was done, to stand behind the `count` people who did it.
  public static func verb(of notification: AccountNotification, me: Qwinker.ID?, count: Int = 1) -> String {
    switch notification.kind {
    case .mention:
      if notification.qwink?.visibility == .direct { return sentMessage }
      return me != nil && notification.qwink?.inReplyToAuthor == me ? "replied to you" : verb(of: .mention)
    case .follow: return count > 1 ? "follow you" : verb(of: .follow)
    case .poll: return notification.qwinker.id == me ? "Your poll has ended" : verb(of: .poll)
    default: return verb(of: notification.kind)
    }
  }

  /// What was done, as far as the kind alone says it.
  static func verb(of kind: AccountNotification.Kind) -> String {
    switch kind {
    case .mention: "mentioned you"
    case .boost: "boosted"
    case .favourite: "favourited"
    case .follow: "follows you"
    case .followRequest: "wants to follow you"
    case .poll: "ran a poll that has ended"
    case .qwink: "posted"
    case .edit: "edited"
    case .reaction(let emoji): "reacted with \(emoji)"
    case .quote: "quoted you"
    case .move: "moved to another account"
    case .other(let word): words(of: word)
    }
  }

  /// A kind that this program does not know, by the wire's word: `admin.sign_up` is `admin: sign up`.
  private static func words(of kind: String) -> String {
    let words = kind.map { $0 == "_" ? " " : $0 == "." ? ":" : String($0) }.joined()
    return words.replacing(":", with: ": ")
  }
}

extension NotificationType {
  /// Types in words: `mentions and follows`.
  static func list(_ types: Set<NotificationType>, _ word: String) -> String {
    allCases.filter(types.contains).map(\.rawValue).joined(separator: " \(word) ")
  }
}
