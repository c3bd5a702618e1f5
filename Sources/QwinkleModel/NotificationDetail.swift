/// Details of a notification that isn't about a qwink.
public enum NotificationDetail: Hashable, Sendable {
  /// For moderators: a report about `target` and some of their qwinks. `category` is the API's value. `rules` are the
  /// rules that it cites. `isResolved` is whether a moderator has closed it. `id` is empty if the server sends none.
  case report(
    id: String = "", target: Qwinker?, category: String, comment: String, qwinks: [Qwink.ID],
    rules: [ServerRule.ID] = [], isResolved: Bool = false)
  /// Follows that ended because a server or an account was blocked or suspended. `cause` is the API's value.
  case severance(cause: String, target: String, followersCount: Int, followingCount: Int)
  /// The moderators took action against the user's account. `action` is the API's value; `text` is the moderators'
  /// message. `qwinks` are the affected qwinks. `appeal` is the API's value for the state of the user's appeal. It is
  /// empty without an appeal. `id` is empty if the server sends none.
  case warning(id: String = "", action: String, text: String, qwinks: [Qwink.ID] = [], appeal: String = "")
  /// The annual summary for `year` is ready.
  case annualReport(year: Int)
  /// A collection of accounts that lists the user.
  case collection(name: String, description: String)
  /// The server's own words for a notification of a kind that this program may not know.
  case fallback(title: String, summary: String)

  public var isFallback: Bool { if case .fallback = self { true } else { false } }
}
