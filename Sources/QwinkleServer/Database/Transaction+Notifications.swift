import GRDB
import QwinkleModel
import QwinkleWire

/// Kinds of notifications. The raw values are from the API.
enum NotificationKind: String, CaseIterable {
  case mention
  case boost = "reblog"
  case favourite
  case follow
  case followRequest = "follow_request"
  /// An account posted, and the recipient has enabled post notifications for that account.
  case post = "status"
  /// A poll ended that the recipient created or voted in.
  case poll
  /// A qwink that the recipient boosted was edited.
  case edit = "update"
  /// A qwink of the recipient was quoted.
  case quote
  /// A qwink that the recipient quoted was edited. The notification is about the recipient's quote.
  case quotedEdit = "quoted_update"
  /// An operator limited the recipient, deleted their posts or sent them a message.
  case warning = "moderation_warning"
  /// A user reported an account. Only operators receive it.
  case report = "admin.report"

  static let reactions: [NotificationKind] = [.favourite, .boost]
  /// Blocks, mutes and limits don't apply to notifications of these kinds.
  static let ofModeration: [NotificationKind] = [.warning, .report]

  var isOfModeration: Bool { Self.ofModeration.contains(self) }

  /// Whether an account can receive the notification about itself.
  fileprivate var isAboutRecipient: Bool { self == .poll || self == .warning }
}

/// Restricts the notifications to return.
struct NotificationFilter {
  /// Raw values of kinds.
  var kinds = NotificationKind.allCases.map(\.rawValue)
  /// The account that caused the notifications. Nil for all accounts.
  var actor: Int64?
  var shown = Shown.unfiltered

  /// Whether to return notifications that the viewer's policy filtered.
  enum Shown {
    case unfiltered, all, filteredOnly
  }
}

extension Transaction {
  /// Notifies an account of an action on a status or on the account. Each edit replaces the notification of the
  /// previous edit.
  ///
  /// Nothing is added in these cases:
  /// - The account itself is the actor, unless the notification is about the account's poll or is a warning.
  /// - The account has already been notified of the action.
  /// - The account has muted the thread.
  /// - The actor is suspended, blocked in either direction, or muted with notifications hidden.
  /// - The actor is limited, the account doesn't follow the actor, and the status isn't part of their conversation.
  /// - The account's policy drops the notification.
  func notify(
    _ account: Int64, of kind: NotificationKind, by actor: Int64, status: Int64? = nil, report: Int64? = nil,
    warning: Int64? = nil
  ) throws {
    guard account != actor || kind.isAboutRecipient else { return }
    guard try kind.isOfModeration || wants(account, toldOf: actor, on: status) else { return }
    if let status, try mutesThread(of: status, account) { return }
    if kind == .edit || kind == .quotedEdit {
      try withdrawNotification(to: account, of: kind, by: actor, status: status)
    }
    let treatment = try treatment(of: kind, by: actor, to: account, status: status)
    if treatment == .drop { return }
    let isFiltered = treatment == .filter
    let id = try nextID()
    try run(
      """
      INSERT OR IGNORE INTO notices
        (id, account_id, kind, actor_id, status_id, created_at, is_filtered, report_id, warning_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, [id, account, kind.rawValue, actor, status, nowInMilliseconds, isFiltered, report, warning])
    guard db.changesCount > 0 else { return }
    // Filtered notifications aren't streamed.
    if isFiltered {
      try addNotificationRequest(from: actor, to: account)
    } else {
      happened(.notified(id, account: account))
    }
  }

  /// Removes the notification that ``notify(_:of:by:status:)`` added, because the action was undone.
  func withdrawNotification(to account: Int64, of kind: NotificationKind, by actor: Int64, status: Int64? = nil) throws
  {
    try run(
      "DELETE FROM notices WHERE account_id = ? AND kind = ? AND actor_id = ? AND coalesce(status_id, 0) = ?",
      [account, kind.rawValue, actor, status ?? 0])
  }

  /// Returns the viewer's notifications, newest first.
  func notifications(_ filter: NotificationFilter, _ request: PageRequest) throws -> PageOf<AccountNotification> {
    try page(request, "n.id", "n.id", from: "notices n WHERE \(mine(filter))").map(notifications(_:))
  }

  /// Returns one of the viewer's notifications. Throws if it doesn't exist, if its actor or qwink is hidden from the
  /// viewer, or if it is a report and the viewer isn't an operator.
  func notification(_ id: Int64?) throws -> AccountNotification {
    guard let id, let notification = try notifications([id]).first else { throw Refusal.notFound }
    return notification
  }

  /// Returns one of the viewer's notifications, or nil if it doesn't exist or the viewer can no longer see its subject.
  func visibleNotification(_ id: Int64) throws -> AccountNotification? {
    let filter = NotificationFilter()
    let found = try keys("SELECT n.id, n.id FROM notices n WHERE \(mine(filter)) AND n.id = \(id)")
    return try notifications(found.map(\.item)).first
  }

  /// Returns the number of notifications after the viewer's read position, at most `most`.
  func unreadNotificationsCount(_ filter: NotificationFilter, most: Int) throws -> Int {
    try Int.fetchOne(
      db.cachedStatement(
        literal: """
          SELECT count(*) FROM (SELECT 1 FROM notices n WHERE \(mine(filter)) AND n.id > coalesce(
            (SELECT last_read_id FROM markers WHERE account_id = \(viewer)
             AND place = \(ReadPosition.Place.notifications.rawValue)), 0)
          LIMIT \(most))
          """)) ?? 0
  }

  /// Removes one of the viewer's notifications.
  func dismissNotification(_ id: Int64?) throws {
    try run("DELETE FROM notices WHERE id = ? AND account_id = ?", [id, me()])
    if db.changesCount == 0 { throw Refusal.notFound }
  }

  /// Removes all of the viewer's notifications, except filtered ones.
  func clearNotifications() throws {
    try run("DELETE FROM notices WHERE account_id = ? AND NOT is_filtered", [me()])
  }

  /// SQL condition that notification `n` is the viewer's, passes the filter, and is about something the viewer can
  /// still see. Reports are shown only while the viewer is an operator. The plus sign keeps SQLite from using the index
  /// by kind. SQLite then uses the index by id, which has the order of the page.
  func mine(_ filter: NotificationFilter) throws -> SQL {
    let isBy: SQL = filter.actor.map { "AND n.actor_id = \($0)" } ?? ""
    let isShown: SQL =
      switch filter.shown {
      case .unfiltered: "AND NOT n.is_filtered"
      case .filteredOnly: "AND n.is_filtered"
      case .all: ""
      }
    let ofModeration = NotificationKind.ofModeration.map(\.rawValue)
    return """
      n.account_id = \(try me())
      AND +n.kind IN (SELECT value FROM json_each(\(SmallJSON.text(filter.kinds))))
      \(isBy)
      \(isShown)
      AND CASE WHEN +n.kind IN (SELECT value FROM json_each(\(SmallJSON.text(ofModeration))))
        THEN \(served("n.actor_id")) AND (+n.kind <> \(NotificationKind.report.rawValue)
          OR EXISTS (SELECT 1 FROM roles WHERE roles.account_id = n.account_id))
        ELSE \(told("n.actor_id", of: "n.status_id")) END
      AND (n.status_id IS NULL OR EXISTS (SELECT 1 FROM statuses s WHERE s.id = n.status_id AND \(visible)))
      """
  }

  /// Returns the viewer's notifications in the order of the ids.
  private func notifications(_ ids: [Int64]) throws -> [AccountNotification] {
    let rows = try rows(
      """
      SELECT id, kind, actor_id, status_id, created_at, report_id, warning_id FROM notices
      WHERE id IN (SELECT value FROM json_each(?)) AND account_id = ?
      """, [jsonArray(ids), me()]
    ).filter { row in
      switch NotificationKind(rawValue: row[1]) {
      case .report: try role(of: me()) != .user
      case let kind: try kind?.isOfModeration == true || isPresent(row[2])
      }
    }
    let actors = try qwinkers(Set(rows.map { $0[2] as Int64 }))
    let qwinks = Dictionary(
      try qwinks(rows.compactMap { $0[3] as Int64? }).map { ($0.id.rawValue, $0) },
      uniquingKeysWith: { first, _ in first })
    var notifications: [Int64: AccountNotification] = [:]
    for row in rows {
      let (id, status): (Int64, Int64?) = (row[0], row[3])
      let qwink = status.flatMap { qwinks[String($0)] }
      guard let kind = NotificationKind(rawValue: row[1]), let actor = actors[row[2]], status == nil || qwink != nil
      else { continue }
      let group = NotificationGroupKey(
        id, kind: kind.rawValue, status: status, createdAt: row[4], grouping: NotificationGroupKey.kinds)
      var notification = AccountNotification(
        id: AccountNotification.ID(String(id)), kind: WireDecoder.kind(ofNotification: kind.rawValue),
        createdAt: .init(milliseconds: row[4]), qwinker: actor, qwink: qwink,
        groupKey: group == .one(id) ? nil : group.key)
      notification.detail = try detail(report: row[5], warning: row[6])
      notifications[id] = notification
    }
    return ids.compactMap { notifications[$0] }
  }
}
