import PaneKit
public import QwinkleModel
import Terminal

/// Texts of the notifications.
public enum NotificationWords {
  static let title = "Notifications"
  static let sentMessage = "sent you a message"
  static let needsAccount = "Notifications need an account."
  static let fetching = "Fetching notifications…"
  static let onlyHere = "Only section 4 can show notifications by type."

  static func only(_ types: Set<NotificationType>) -> String { "only \(NotificationType.list(types, "and"))" }

  static func chosen(_ types: Set<NotificationType>) -> String {
    types.isEmpty ? "Showing all notifications" : "Showing \(only(types))"
  }

  static func noneOf(_ types: Set<NotificationType>) -> String { "No \(NotificationType.list(types, "or")) yet." }
  static func dismissed(_ count: Int) -> String { count == 1 ? "Dismissed" : "\(count) notifications dismissed" }

  static func nothingFrom(_ qwinker: Qwinker) -> String { "No notifications of @\(qwinker.handle)." }

  static let opensNothing = "Nothing to open here"

  static let cleared = "Notifications cleared"
  static let clearQuestion = "Remove all your notifications? It can't be undone."
  static let fetchingOlder = "Fetching older notifications…"
  static let none = "No notifications yet. Replies, favourites, boosts and new followers appear here."

  /// The end of a list of names, for `count` more people: ` and 3 others`.
  static func others(_ count: Int) -> String { count > 0 ? " and \(Counted.words(count, "other"))" : "" }

  /// The verb of a follow request that the user answered here.
  static func answered(accepted: Bool) -> String {
    accepted ? "asked to follow you: accepted" : "asked to follow you: refused"
  }

  /// Returns the verb that follows the names of `count` people, or a whole sentence if ``isAboutUser(_:me:)`` is true.
  public static func verb(of notification: AccountNotification, me: Qwinker.ID?, count: Int = 1) -> String {
    switch notification.kind {
    case .mention:
      if notification.qwink?.visibility == .direct { return sentMessage }
      return me != nil && notification.qwink?.inReplyToAuthor == me ? "replied to you" : verb(of: .mention)
    case .follow: return count > 1 ? "follow you" : verb(of: .follow)
    case .poll: return notification.qwinker.id == me ? "Your poll has ended" : verb(of: .poll)
    case .other(let name):
      if case .fallback(let title, _) = notification.detail { return title }
      return unknown(name, by: notification.qwinker)
    default: return verb(of: notification.kind)
    }
  }

  /// Returns the verb of a kind, without further details.
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
    case .signUp: "signed up on your server"
    case .report: "reported an account"
    case .quotedEdit: "edited a post that you quoted"
    case .severance: "Some of your follows have ended"
    case .warning: "A message from your moderators"
    case .annualReport: "Your year in review is ready"
    case .collectionAdd: "added you to a collection"
    case .collectionEdit: "changed a collection that lists you"
    case .other: "New notification"
    }
  }

  /// The symbol before the names.
  static func sign(of kind: AccountNotification.Kind) -> TextRun<StyleRole> {
    switch kind {
    case .mention, .quote: TextRun("@", .mention)
    case .boost: TextRun("↻", .accent)
    case .favourite, .reaction: TextRun("★", .accent)
    case .follow: TextRun("+", .accent)
    case .followRequest: TextRun("?", .warning)
    case .poll: TextRun("◔", .dim)
    case .qwink: TextRun("»", .accent)
    case .edit, .quotedEdit: TextRun("✎", .dim)
    case .collectionAdd, .collectionEdit: TextRun("≡", .accent)
    case .warning, .report: TextRun("!", .warning)
    case .move: TextRun("»", .dim)
    case .severance, .annualReport, .signUp, .other: TextRun("·", .dim)
    }
  }

  /// Whether ``verb(of:me:count:)`` is a whole sentence, so that no name precedes it: the notification is about the
  /// user, or its kind is unknown. Servers name the user as the account of notifications about the user.
  public static func isAboutUser(_ notification: AccountNotification, me: Qwinker.ID?) -> Bool {
    switch notification.kind {
    case .poll: notification.qwinker.id == me
    case .other: true
    default: notification.kind.isFromServer
    }
  }

  /// Returns the text of a notification that isn't about a qwink: its details, and the comment of a reporter or
  /// moderator, if any. Returns nil if there are no details.
  public static func text(of detail: NotificationDetail?) -> String? {
    switch detail {
    case .report(_, let target, let category, let comment, let qwinks, let rules, let isResolved):
      let count = qwinks.isEmpty ? "" : Counted.words(qwinks.count, "post")
      let broken = rules.isEmpty ? "" : Counted.words(rules.count, "rule")
      let state = isResolved ? "resolved" : ""
      let facts = [target.map { "@\($0.handle)" } ?? "", category, broken, count, state].filter { !$0.isEmpty }
      return joined(facts.joined(separator: " · "), comment, by: ": ")
    case .severance(let cause, let target, let followers, let following):
      let lost = "\(Counted.words(followers, "follower")) and \(Counted.words(following, "followed account")) lost"
      let reason =
        switch cause {
        case "user_domain_block": "You blocked \(target)"
        case "domain_block": "Your server blocked \(target)"
        case "account_suspension": "Your server suspended \(target)"
        default: target
        }
      return joined(reason, lost, by: ": ")
    case .warning(_, let action, let text, let qwinks, let appeal):
      let parts = [sentence(of: action, count: qwinks.count), text, sentence(ofAppeal: appeal)].filter { !$0.isEmpty }
      return parts.isEmpty ? nil : parts.joined(separator: " ")
    case .annualReport(let year): return String(year)
    case .collection(let name, let description): return joined("“\(name)”", description, by: ": ")
    case .fallback(_, let summary): return summary.isEmpty ? nil : summary
    case nil: return nil
    }
  }

  /// Describes the moderators' action against the user's account or `count` of their qwinks, by its name in the API.
  private static func sentence(of action: String, count: Int) -> String {
    let some = count == 0 ? "Some of your posts were" : "\(count) of your posts \(count == 1 ? "was" : "were")"
    return switch action {
    case "disable": "Your account is disabled."
    case "mark_statuses_as_sensitive": "\(some) marked as sensitive."
    case "delete_statuses": "\(some) deleted."
    case "sensitive": "All your media are marked as sensitive."
    case "silence": "Your account is limited."
    case "suspend": "Your account is suspended."
    default: count == 0 ? "" : "It is about \(count) of your posts."
    }
  }

  private static func sentence(ofAppeal state: String) -> String {
    switch state {
    case "pending": "Your appeal is pending."
    case "approved": "Your appeal was approved."
    case "rejected": "Your appeal was rejected."
    default: ""
    }
  }

  /// A sentence for a kind that neither this program nor the server describes. `name` is the kind's name in the API.
  private static func unknown(_ name: String, by qwinker: Qwinker) -> String {
    let sender = qwinker.handle.isEmpty ? "" : " from @\(qwinker.handle)"
    return "New notification\(sender)" + (name.isEmpty ? "" : " (type \(name.prefix(40)))")
  }

  private static func joined(_ first: String, _ second: String, by separator: String) -> String? {
    let parts = [first, second].filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: separator)
  }
}

extension NotificationType {
  /// Lists types in words: `mentions and follows`.
  static func list(_ types: Set<NotificationType>, _ word: String) -> String {
    allCases.filter(types.contains).map(\.rawValue).joined(separator: " \(word) ")
  }
}
