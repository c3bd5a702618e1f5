public import FoundationEssentials
import GRDB
import SafeText

/// An entry of the audit log. Texts have no control characters or line breaks.
public struct AuditEntry: Hashable, Sendable {
  public var id: String
  public var createdAt: Date
  public var actor: AuditActor
  /// The name of an ``AuditAction``. A newer version may have stored others.
  public var action: String
  /// The name of the affected account at that time, if any.
  public var account: String?
  /// The id of the affected post, report or rule, or the new role.
  public var object: String?
  /// The reason, note or rule. May be empty.
  public var reason: String
}

extension Service {
  /// Returns entries of the audit log, newest first. Blocks.
  ///
  /// - Parameters:
  ///   - since: The earliest time of the entries. Nil for all times.
  ///   - user: Limits the entries to those by or about a user: an account, a Unix user, or a user who ran `sudo`.
  public func auditLog(since: Date? = nil, user: String? = nil) throws(ServiceError) -> [AuditEntry] {
    try write { transaction in
      try transaction.rows(
        """
        SELECT id, created_at, actor, uid, sudo_uid, sudo_name, action, account, object, reason FROM audit_log
        WHERE created_at >= ?1 AND (?2 IS NULL OR account = lower(?2) OR actor = ?2 OR sudo_name = ?2) ORDER BY id DESC
        """, [since?.milliseconds ?? 0, user]
      ).map { row in
        let sudoUID: Int? = row[4]
        let sudoName: String? = row[5]
        return AuditEntry(
          id: String(row[0] as Int64), createdAt: Date(milliseconds: row[1]),
          actor: AuditActor(
            name: SafeText.line(row[2]), uid: row[3],
            sudo: sudoUID.map { AuditActor.Sudo(uid: $0, name: SafeText.line(sudoName ?? "")) }),
          action: SafeText.line(row[6]), account: (row[7] as String?).map { SafeText.line($0) },
          object: (row[8] as String?).map { SafeText.line($0) }, reason: SafeText.line(row[9]))
      }
    }
  }
}
