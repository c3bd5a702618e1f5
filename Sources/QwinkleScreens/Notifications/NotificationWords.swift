public import QwinkleModel

/// The words of the notifications, and of what happened.
public enum NotificationWords {
  static let title = "Notifications"
  static let needsAccount = "Notifications need an account."
  static let fetching = "Fetching notifications…"
  static let fetchingOlder = "Fetching older notifications…"
  static let none = "No notifications yet. Replies, favourites, boosts and new followers appear here."

  /// The verb of a follow request that was answered here.
  static func answered(accepted: Bool) -> String {
    accepted ? "asked to follow you: accepted" : "asked to follow you: refused"
  }

  /// What was done, to stand behind who did it.
  public static func verb(of notification: AccountNotification, me: Qwinker.ID?) -> String {
    switch notification.kind {
    case .mention:
      if notification.qwink?.visibility == .direct { return "sent you a message" }
      return me != nil && notification.qwink?.inReplyToAuthor == me ? "replied to you" : "mentioned you"
    case .boost: return "boosted"
    case .favourite: return "favourited"
    case .follow: return "follows you"
    case .followRequest: return "wants to follow you"
    case .poll: return notification.qwinker.id == me ? "Your poll has ended" : "ran a poll that has ended"
    case .qwink: return "posted"
    case .edit: return "edited"
    case .other(let word): return words(of: word)
    }
  }

  /// A kind that this program does not know, by the wire's word: `admin.sign_up` is `admin: sign up`.
  private static func words(of kind: String) -> String {
    let words = kind.map { $0 == "_" ? " " : $0 == "." ? ":" : String($0) }.joined()
    return words.replacing(":", with: ": ")
  }
}
