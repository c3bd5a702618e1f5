/// What a server adds to a notification of a kind that is about no qwink.
public enum NotificationDetail: Hashable, Sendable {
  /// For moderators: a report of `target` and of some of their qwinks. `category` is the API's word for it.
  case report(target: Qwinker?, category: String, comment: String, qwinks: [Qwink.ID])
  /// Follows that ended because a server or an account was blocked or suspended. `cause` is the API's word for it.
  case severance(cause: String, target: String, followersCount: Int, followingCount: Int)
  /// The moderators did something to the user's account. `action` is the API's word for it; `text` is theirs.
  case warning(action: String, text: String)
  /// A summary of a year is ready.
  case annualReport(year: Int)
}
