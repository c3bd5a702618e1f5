import GRDB
import QwinkleModel
import QwinkleWire

/// The viewer's policy for notifications, and the decision whether a new notification is filtered.
extension Transaction {
  /// Age below which an account is new, in milliseconds: 30 days.
  private static let newAccountAge: Int64 = 30 * 86_400_000
  /// Maximum number of requests and notifications counted in a policy's summary.
  private static let mostCounted = 100
  /// Maximum number of posts above a private mention that are checked for a post of the recipient.
  private static let mostAncestors = 100

  /// Returns the viewer's policy with the number of filtered notifications.
  func notificationPolicy() throws -> NotificationPolicy {
    var policy = NotificationPolicy(treatments: try treatments(of: me()))
    let filter = NotificationFilter(shown: .filteredOnly)
    let senders = try numbers(
      literal: "SELECT DISTINCT n.actor_id FROM notices n WHERE \(mine(filter)) LIMIT \(Self.mostCounted)")
    let notices = try numbers(
      literal: "SELECT n.id FROM notices n WHERE \(mine(filter)) LIMIT \(Self.mostCounted)")
    (policy.requestsCount, policy.notificationsCount) = (senders.count, notices.count)
    return policy
  }

  /// Changes some of the viewer's rules. Existing notifications remain unchanged.
  func setTreatments(_ changes: [NotificationPolicy.Group: NotificationPolicy.Treatment]) throws {
    let rules = try treatments(of: me()).merging(changes) { $1 }.filter { $0.value != .accept }
    let lists = rules.map { [$0.key.rawValue, $0.value.name] }.sorted { $0[0] < $1[0] }
    try run(
      "INSERT OR REPLACE INTO notification_policies (account_id, rules) VALUES (?, ?)", [me(), SmallJSON.text(lists)])
  }

  /// Returns an account's rules. Without a rule, notifications are accepted.
  private func treatments(of account: Int64) throws -> [NotificationPolicy.Group: NotificationPolicy.Treatment] {
    var rules = Dictionary(
      uniqueKeysWithValues: NotificationPolicy.Group.allCases.map { ($0, NotificationPolicy.Treatment.accept) })
    guard let row = try row("SELECT rules FROM notification_policies WHERE account_id = ?", [account]) else {
      return rules
    }
    for list in SmallJSON.lists(row[0]) where list.count == 2 {
      if let group = NotificationPolicy.Group(rawValue: list[0]) { rules[group] = .init(list[1]) }
    }
    return rules
  }

  /// Returns whether an account's policy accepts, filters or drops a notification of an action by `actor`. Follows
  /// override all rules except the rule for accounts that don't follow the user.
  func treatment(
    of kind: NotificationKind, by actor: Int64, to account: Int64, status: Int64?
  ) throws -> NotificationPolicy.Treatment {
    guard kind.isFilterable else { return .accept }
    let rules = try treatments(of: account).filter { $0.value != .accept }
    guard !rules.isEmpty, try !accepts(account, notificationsOf: actor) else { return .accept }
    let isFollowed = try follows(actor, by: account)
    var applying: [NotificationPolicy.Treatment] = []
    for (group, treatment) in rules {
      let applies =
        switch group {
        case .notFollowing: !isFollowed
        case .notFollowers: try !follows(account, by: actor)
        case .newAccounts: try !isFollowed && isNew(actor)
        case .privateMentions:
          try !isFollowed && kind == .mention && isUnaskedPrivate(status, from: actor, to: account)
        case .bots: try !isFollowed && isBot(actor)
        // Only a message in a conversation can be from a limited account that the user doesn't follow.
        case .limitedAccounts: try !isFollowed && isLimited(actor)
        }
      if applies { applying.append(treatment) }
    }
    return applying.contains(.drop) ? .drop : applying.contains(.filter) ? .filter : .accept
  }

  private func accepts(_ account: Int64, notificationsOf actor: Int64) throws -> Bool {
    try row("SELECT 1 FROM notification_permissions WHERE account_id = ? AND actor_id = ?", [account, actor]) != nil
  }

  private func isNew(_ account: Int64) throws -> Bool {
    let row = try row("SELECT created_at FROM accounts WHERE id = ?", [account])
    return row.map { nowInMilliseconds - ($0[0] as Int64) < Self.newAccountAge } ?? false
  }

  private func isBot(_ account: Int64) throws -> Bool {
    try row("SELECT is_bot FROM accounts WHERE id = ?", [account])?[0] ?? false
  }

  /// Returns whether a status is direct and isn't a reply, at any depth, to a direct status of `account` to `actor`.
  private func isUnaskedPrivate(_ status: Int64?, from actor: Int64, to account: Int64) throws -> Bool {
    guard let status else { return false }
    let isDirect: SQL = "SELECT 1 FROM statuses s WHERE s.id = \(status) AND s.visibility = \(VisibilityCode.direct)"
    guard try isTrue("EXISTS (\(isDirect))") else { return false }
    return try !isTrue(
      """
      EXISTS (
        WITH RECURSIVE above (id, depth) AS (
          SELECT in_reply_to_id, 1 FROM statuses WHERE id = \(status)
          UNION ALL
          SELECT s.in_reply_to_id, a.depth + 1 FROM above a JOIN statuses s ON s.id = a.id
          WHERE a.depth < \(Self.mostAncestors))
        SELECT 1 FROM above a JOIN statuses s ON s.id = a.id
        JOIN mentions m ON m.status_id = s.id AND m.account_id = \(actor)
        WHERE s.account_id = \(account) AND s.visibility = \(VisibilityCode.direct))
      """)
  }
}

extension NotificationKind {
  /// Whether policies apply. The user asked for the other kinds, or they are about the user's own actions.
  fileprivate var isFilterable: Bool {
    switch self {
    case .mention, .boost, .favourite, .follow, .followRequest, .quote: true
    case .post, .poll, .edit, .quotedEdit, .warning, .report: false
    }
  }
}
