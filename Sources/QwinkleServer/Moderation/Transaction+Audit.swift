import GRDB
import SafeText

/// An action of operators that the audit log records. The raw values are stored.
public enum AuditAction: String, CaseIterable, Sendable {
  case addUser = "add-user"
  case setPassword = "set-password"
  case setRole = "set-role"
  case revokeTokens = "revoke-tokens"
  /// The account no longer belongs to a Unix user.
  case release
  case suspend, unsuspend, limit, unlimit
  /// A message to a user without further action.
  case warn
  case deletePost = "delete-post"
  case removeUser = "remove-user"
  case resolveReport = "resolve-report"
  case reopenReport = "reopen-report"
  case addRule = "add-rule"
  case editRule = "edit-rule"
  case removeRule = "remove-rule"
  /// The database was replaced with a backup, whose path is the object.
  case restore
}

extension Transaction {
  /// Age at which entries are deleted, in milliseconds: a year.
  static let auditLifetime: Int64 = 366 * 86_400_000
  /// Maximum number of entries of an operator. Only older entries of the same operator are deleted.
  static let mostAuditEntries = 100_000

  /// Adds an entry to the audit log. Call this in the transaction of the action, so that neither is stored without the
  /// other, and only if the action changes something. Never pass passwords or tokens.
  ///
  /// - Parameters:
  ///   - account: The name of the affected account, if any.
  ///   - object: The affected post, report or rule, or the new role.
  func audit(
    _ action: AuditAction, of account: String? = nil, _ object: String? = nil, reason: String = "", by actor: AuditActor
  ) throws {
    try run(
      """
      INSERT INTO audit_log (id, created_at, actor, uid, sudo_uid, sudo_name, action, account, object, reason)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        nextID(), nowInMilliseconds, SafeText.line(actor.name), actor.uid, actor.sudo?.uid,
        actor.sudo.map { SafeText.line($0.name) }, action.rawValue, account, object, reason,
      ])
    try run("DELETE FROM audit_log WHERE id < ?", [max(0, nowInMilliseconds - Self.auditLifetime) << 16])
    try run(
      """
      DELETE FROM audit_log WHERE actor = ?1 AND uid IS ?2 AND sudo_uid IS ?3 AND id <= (SELECT id FROM audit_log
        WHERE actor = ?1 AND uid IS ?2 AND sudo_uid IS ?3 ORDER BY id DESC LIMIT 1 OFFSET ?4)
      """, [SafeText.line(actor.name), actor.uid, actor.sudo?.uid, Self.mostAuditEntries])
  }
}
