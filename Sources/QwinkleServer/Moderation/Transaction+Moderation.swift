import GRDB
import QwinkleModel
import SafeText

extension Transaction {
  /// Maximum number of stored warnings of an account. Older ones are deleted with their notifications.
  private static let mostWarnings = 100

  /// Returns the name of an account, or an empty string if it doesn't exist.
  func name(of account: Int64) throws -> String {
    try row("SELECT name FROM accounts WHERE id = ?", [account])?[0] ?? ""
  }

  /// Suspends an account or ends its suspension, and logs it. The user isn't notified, because they can't sign in.
  func suspend(_ account: Int64, _ isSuspended: Bool, reason: String, by actor: AuditActor) throws {
    guard try setSuspension(of: account, to: isSuspended) else { return }
    try audit(isSuspended ? .suspend : .unsuspend, of: name(of: account), reason: reason, by: actor)
  }

  /// Lifts the bar of a user of this host whose account no longer exists, and logs it. Returns false if there is an
  /// account with this name, or no barred user.
  func unbar(_ name: String, reason: String, by actor: AuditActor) throws -> Bool {
    guard try accountID(named: name) == nil, try liftBars(named: name) else { return false }
    try audit(.unsuspend, of: name, reason: reason, by: actor)
    return true
  }

  /// Limits an account or ends its limit, and logs it. Notifies the user of a new limit.
  func limit(_ account: Int64, _ isLimited: Bool, reason: String, by actor: AuditActor) throws {
    guard try setLimit(of: account, to: isLimited) else { return }
    try audit(isLimited ? .limit : .unlimit, of: name(of: account), reason: reason, by: actor)
    if isLimited { try warn(account, .limit, reason) }
  }

  /// Sends an account a message of the operators, and logs it.
  func warn(_ account: Int64, reason: String, by actor: AuditActor) throws {
    try audit(.warn, of: name(of: account), reason: reason, by: actor)
    try warn(account, .warn, reason)
  }

  /// Deletes an account's post with its pictures, notifies the author, and logs it. Throws
  /// ``ServiceError/noSuchPost(_:)`` if there is no post with this id. Boosts aren't posts.
  func deletePost(_ id: Int64, reason: String, by actor: AuditActor) throws {
    guard
      let author = try numbers("SELECT account_id FROM statuses WHERE id = ? AND boost_of_id IS NULL", [id]).first
    else { throw ServiceError.noSuchPost(String(id)) }
    try removeStatus(id, deletesMedia: true)
    try audit(.deletePost, of: name(of: author), String(id), reason: reason, by: actor)
    try warn(author, .deletePost, reason, [id])
  }

  private func warn(_ account: Int64, _ action: AuditAction, _ reason: String, _ posts: [Int64] = []) throws {
    let id = try nextID()
    try run(
      "INSERT INTO warnings (id, account_id, action, text, statuses, created_at) VALUES (?, ?, ?, ?, ?, ?)",
      [id, account, Self.warningAction(action), reason, jsonArray(posts), nowInMilliseconds])
    try run(
      """
      DELETE FROM warnings WHERE account_id = ?1
      AND id <= (SELECT id FROM warnings WHERE account_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
      """, [account, Self.mostWarnings])
    try notify(account, of: .warning, by: account, warning: id)
  }

  /// Returns the API's name of the action that a warning reports.
  /// <https://docs.joinmastodon.org/entities/AccountWarning/#action>
  private static func warningAction(_ action: AuditAction) -> String {
    switch action {
    case .limit: "silence"
    case .deletePost: "delete_statuses"
    default: "none"
    }
  }

  /// Returns the details of the notification with this id, or nil if it has none.
  func detail(ofNotification id: Int64) throws -> NotificationDetail? {
    guard let row = try row("SELECT report_id, warning_id FROM notices WHERE id = ?", [id]) else { return nil }
    return try detail(report: row[0], warning: row[1])
  }

  /// Returns the details of a notification about a report or a warning. Returns nil for other notifications.
  func detail(report: Int64?, warning: Int64?) throws -> NotificationDetail? {
    if let report { return try self.report(report).map(detail(of:)) }
    guard let warning,
      let row = try row("SELECT action, text, statuses FROM warnings WHERE id = ?", [warning])
    else { return nil }
    let posts: [Int64] = SmallJSON.value(row[2]) ?? []
    return .warning(
      id: String(warning), action: row[0], text: SafeText.paragraphs(row[1]), qwinks: posts.map { Qwink.ID(String($0)) }
    )
  }

  private func detail(of report: StoredReport) throws -> NotificationDetail {
    let rules = try rules().filter { report.rules.contains($0.text) }
    return .report(
      id: String(report.id), target: try qwinkers([report.target])[report.target], category: report.category,
      comment: report.comment, qwinks: report.posts.map { Qwink.ID(String($0)) }, rules: rules.map(\.id),
      isResolved: report.resolvedAt != nil)
  }
}
