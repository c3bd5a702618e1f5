/// Details of a notification that isn't about a qwink.
public enum NotificationDetail: Hashable, Sendable {
  /// For moderators: a report about `target` and some of their qwinks. `category` is the API's value.
  case report(target: Qwinker?, category: String, comment: String, qwinks: [Qwink.ID])
  /// Follows that ended because a server or an account was blocked or suspended. `cause` is the API's value.
  case severance(cause: String, target: String, followersCount: Int, followingCount: Int)
  /// The moderators took action against the user's account. `action` is the API's value; `text` is the moderators'
  /// message.
  case warning(action: String, text: String)
  /// The annual summary for `year` is ready.
  case annualReport(year: Int)
}
