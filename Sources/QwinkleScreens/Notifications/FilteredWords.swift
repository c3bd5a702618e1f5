public import QwinkleModel

/// Texts about filtered notifications and the user's policy for notifications.
public enum FilteredWords {
  static let title = "Filtered notifications"
  static let none = "No filtered notifications."
  static let rules = "which notifications to filter"
  static let policyTitle = "Notification policy"
  static let fetchingPolicy = "Fetching the notification policy…"
  static let policySaved = "Notification policy saved"
  /// Names the action in messages of ``Account/undo()``.
  static let savingPolicy = "Saving the notification policy"

  /// The largest number of requests that servers count.
  private static let mostCounted = 100

  static func title(of qwinker: Qwinker) -> String { "Notifications of @\(qwinker.handle)" }

  /// The row above the notifications: `3 filtered requests`.
  public static func requests(_ count: Int) -> String {
    count >= mostCounted ? "\(mostCounted)+ filtered requests" : Counted.words(count, "filtered request")
  }

  public static func notifications(_ count: Int) -> String { Counted.words(count, "notification") }

  static func dismissQuestion(_ request: NotificationRequest) -> String {
    "Dismiss \(notifications(request.notificationsCount)) of @\(request.qwinker.handle)? They are deleted."
  }

  static func answering(_ request: NotificationRequest, accepts: Bool) -> String {
    "\(accepts ? "Accepting" : "Dismissing") the notifications of @\(request.qwinker.handle)…"
  }

  /// `accepted` is nil if the request no longer existed.
  public static func answered(_ qwinker: Qwinker, accepted: Bool?) -> String {
    switch accepted {
    case true: "Notifications of @\(qwinker.handle) are accepted now"
    case false: "Notifications of @\(qwinker.handle) dismissed"
    case nil: "@\(qwinker.handle) has no filtered notifications any more."
    }
  }

  // MARK: The policy

  /// The label of a rule.
  static func label(of group: NotificationPolicy.Group) -> String {
    switch group {
    case .notFollowing: "Not followed"
    case .notFollowers: "Not followers"
    case .newAccounts: "New accounts"
    case .privateMentions: "Private mentions"
    case .limitedAccounts: "Limited accounts"
    case .bots: "Bots"
    }
  }

  /// The notifications that a rule is about.
  public static func subject(of group: NotificationPolicy.Group) -> String {
    switch group {
    case .notFollowing: "users you don't follow"
    case .notFollowers: "users who don't follow you"
    case .newAccounts: "accounts younger than 30 days"
    case .privateMentions: "private mentions you didn't ask for"
    case .limitedAccounts: "accounts limited by moderators"
    case .bots: "automated accounts"
    }
  }

  /// The choices: `accept, filter or drop`.
  public static var choices: String { NotificationPolicy.Treatment.choices.map(\.name).listed("or") }

  static func help(of group: NotificationPolicy.Group) -> String { "\(choices): \(subject(of: group))" }

  static func noTreatment(_ text: String, of group: NotificationPolicy.Group) -> String {
    "\(label(of: group)) must be \(choices), not “\(text)”."
  }
}
