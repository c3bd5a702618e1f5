import GRDB

// Accounts hidden from the viewer: suspended accounts, and accounts that block the viewer or that the viewer blocks.
// Muted accounts are hidden from timelines only. Limited accounts are hidden from viewers who don't follow them, except
// where the viewer asks for the account, a thread or a post.

extension Transaction {
  /// The SQL condition that an account is not hidden from the viewer.
  func present(_ account: SQL) -> SQL {
    guard let viewer else { return served(account) }
    return """
      (\(served(account))
      AND NOT EXISTS (SELECT 1 FROM blocks own WHERE own.account_id = \(viewer) AND own.target_id = \(account))
      AND NOT EXISTS
        (SELECT 1 FROM blocks theirs WHERE theirs.account_id = \(account) AND theirs.target_id = \(viewer)))
      """
  }

  /// The SQL condition that an account isn't suspended.
  func served(_ account: SQL) -> SQL {
    "NOT EXISTS (SELECT 1 FROM suspensions gone WHERE gone.account_id = \(account))"
  }

  /// The SQL condition that an account isn't limited for the viewer: operators didn't limit it, or the viewer follows
  /// it, or it is the viewer.
  func unlimited(_ account: SQL) -> SQL {
    let isUnlimited: SQL = "NOT EXISTS (SELECT 1 FROM limited_accounts few WHERE few.account_id = \(account))"
    guard let viewer else { return isUnlimited }
    return """
      (\(isUnlimited) OR \(account) = \(viewer)
      OR EXISTS (SELECT 1 FROM follows ask WHERE ask.account_id = \(viewer) AND ask.target_id = \(account)))
      """
  }

  /// The SQL condition that an account that isn't limited for the viewer has posted in a conversation. A limited
  /// account can continue such conversations, but not start others with accounts that don't follow it.
  func isOpen(conversation: SQL) -> SQL {
    """
    EXISTS (SELECT 1 FROM statuses said WHERE said.conversation_id = \(conversation)
      AND \(unlimited("said.account_id")))
    """
  }

  /// The SQL condition that the viewer's timelines show the status `s`: its author is neither hidden nor muted nor
  /// limited. If `s` is a boost, the original's author must not be hidden or muted either. A limited author may be
  /// boosted, because the viewer chose the booster.
  var listed: SQL {
    """
    (\(heard("s.account_id")) AND \(unlimited("s.account_id")) AND (s.boost_of_id IS NULL
    OR EXISTS (SELECT 1 FROM statuses boosted WHERE boosted.id = s.boost_of_id AND \(heard("boosted.account_id")))))
    """
  }

  /// The SQL condition that an account is neither hidden from the viewer nor muted by them.
  func heard(_ account: SQL) -> SQL { present(account, withoutMute: "1") }

  /// The SQL condition that the viewer wants notifications about an account's action on a status. `status` may be NULL.
  func told(_ account: SQL, of status: SQL) -> SQL {
    """
    (\(present(account, withoutMute: "mute.hides_notifications")) AND (\(unlimited(account)) OR EXISTS
      (SELECT 1 FROM statuses part WHERE part.id = \(status) AND \(isOpen(conversation: "part.conversation_id")))))
    """
  }

  private func present(_ account: SQL, withoutMute condition: SQL) -> SQL {
    guard let viewer else { return present(account) }
    return """
      (\(present(account)) AND NOT EXISTS (SELECT 1 FROM mutes mute WHERE mute.account_id = \(viewer)
        AND mute.target_id = \(account) AND \(condition)
        AND (mute.expires_at IS NULL OR mute.expires_at > \(nowInMilliseconds))))
      """
  }

  /// Returns whether `account` wants notifications about the action of `actor` on a status, if any.
  func wants(_ account: Int64, toldOf actor: Int64, on status: Int64?) throws -> Bool {
    try isTrue(viewed(by: account).told("\(actor)", of: "\(status)"))
  }

  /// Returns whether an account is not hidden from the viewer.
  func isPresent(_ account: Int64) throws -> Bool { try isTrue(present("\(account)")) }

  func isTrue(_ condition: SQL) throws -> Bool {
    try Bool.fetchOne(db.cachedStatement(literal: "SELECT \(condition)")) ?? false
  }

  func isSuspended(_ account: Int64) throws -> Bool {
    try row("SELECT 1 FROM suspensions WHERE account_id = ?", [account]) != nil
  }

  /// Suspends an account and bars its user of this host, or ends both. Returns whether this changes anything.
  @discardableResult
  func setSuspension(of account: Int64, to isSuspended: Bool) throws -> Bool {
    let wasSuspended = try self.isSuspended(account)
    if isSuspended {
      if wasSuspended { return false }
      try barUnixUser(of: account)
      try run("INSERT INTO suspensions (account_id, created_at) VALUES (?, ?)", [account, nowInMilliseconds])
      tokensWereDeleted()
      return true
    }
    try run("DELETE FROM suspensions WHERE account_id = ?", [account])
    // Another user, whose former account had the name, stays barred.
    if wasSuspended, try liftBar(of: account) { return true }
    return try liftBars(named: name(of: account)) || wasSuspended
  }

  func isLimited(_ account: Int64) throws -> Bool {
    try row("SELECT 1 FROM limited_accounts WHERE account_id = ?", [account]) != nil
  }

  /// Limits an account or ends its limit. Returns whether this changes anything.
  func setLimit(of account: Int64, to isLimited: Bool) throws -> Bool {
    if isLimited {
      try run(
        "INSERT OR IGNORE INTO limited_accounts (account_id, created_at) VALUES (?, ?)", [account, nowInMilliseconds])
    } else {
      try run("DELETE FROM limited_accounts WHERE account_id = ?", [account])
    }
    return db.changesCount > 0
  }
}
