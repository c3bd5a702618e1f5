import GRDB

// Accounts hidden from the viewer: suspended accounts, and accounts that block the viewer or that the viewer blocks.
// Muted accounts are hidden from timelines only.

extension Transaction {
  /// The SQL condition that an account is not hidden from the viewer.
  func present(_ account: SQL) -> SQL {
    let isServed: SQL = "NOT EXISTS (SELECT 1 FROM suspensions gone WHERE gone.account_id = \(account))"
    guard let viewer else { return isServed }
    return """
      (\(isServed)
      AND NOT EXISTS (SELECT 1 FROM blocks own WHERE own.account_id = \(viewer) AND own.target_id = \(account))
      AND NOT EXISTS
        (SELECT 1 FROM blocks theirs WHERE theirs.account_id = \(account) AND theirs.target_id = \(viewer)))
      """
  }

  /// The SQL condition that the viewer's timelines show the status `s`: its author is neither hidden nor muted. If `s`
  /// is a boost, the original's author must not be hidden or muted either.
  var listed: SQL {
    """
    (\(heard("s.account_id")) AND (s.boost_of_id IS NULL
    OR EXISTS (SELECT 1 FROM statuses boosted WHERE boosted.id = s.boost_of_id AND \(heard("boosted.account_id")))))
    """
  }

  /// The SQL condition that an account is neither hidden from the viewer nor muted by them.
  func heard(_ account: SQL) -> SQL { present(account, withoutMute: "1") }

  /// The SQL condition that the viewer wants notifications about an account's actions.
  func told(_ account: SQL) -> SQL { present(account, withoutMute: "mute.hides_notifications") }

  private func present(_ account: SQL, withoutMute condition: SQL) -> SQL {
    guard let viewer else { return present(account) }
    return """
      (\(present(account)) AND NOT EXISTS (SELECT 1 FROM mutes mute WHERE mute.account_id = \(viewer)
        AND mute.target_id = \(account) AND \(condition)
        AND (mute.expires_at IS NULL OR mute.expires_at > \(nowInMilliseconds))))
      """
  }

  /// Returns whether `account` wants notifications about the actions of `actor`.
  func wants(_ account: Int64, toldOf actor: Int64) throws -> Bool {
    try isTrue(viewed(by: account).told("\(actor)"))
  }

  /// Returns whether an account is not hidden from the viewer.
  func isPresent(_ account: Int64) throws -> Bool { try isTrue(present("\(account)")) }

  func isTrue(_ condition: SQL) throws -> Bool {
    try Bool.fetchOne(db.cachedStatement(literal: "SELECT \(condition)")) ?? false
  }

  func isSuspended(_ account: Int64) throws -> Bool {
    try row("SELECT 1 FROM suspensions WHERE account_id = ?", [account]) != nil
  }

  func setSuspension(of account: Int64, to isSuspended: Bool) throws {
    if isSuspended {
      try run(
        "INSERT OR IGNORE INTO suspensions (account_id, created_at) VALUES (?, ?)", [account, nowInMilliseconds])
      tokensWereDeleted()
    } else {
      try run("DELETE FROM suspensions WHERE account_id = ?", [account])
    }
  }
}
