import GRDB
import QwinkleModel

/// Relationships that hide an account from the viewer.
enum HiddenAccounts {
  case blocked, muted
}

extension Transaction {
  /// Blocks an account. Removes the follows between the account and the viewer, in both directions.
  func block(_ target: Int64) throws {
    let me = try me()
    try run(
      "INSERT OR IGNORE INTO blocks (id, account_id, target_id, created_at) VALUES (?, ?, ?, ?)",
      [nextID(), me, target, nowInMilliseconds])
    try unfollow(target, by: me)
    try unfollow(me, by: target)
  }

  /// Removes a block. Doesn't restore the follows that were removed.
  func unblock(_ target: Int64) throws {
    try run("DELETE FROM blocks WHERE account_id = ? AND target_id = ?", [me(), target])
  }

  /// Mutes an account, or changes the existing mute.
  ///
  /// - Parameter seconds: Duration of the mute, or 0 for a mute that doesn't end.
  func mute(_ target: Int64, hidesNotifications: Bool, seconds: Int) throws {
    let end = seconds == 0 ? nil : nowInMilliseconds + Int64(seconds) * 1000
    try run(
      """
      INSERT INTO mutes (id, account_id, target_id, hides_notifications, expires_at, created_at)
      VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (account_id, target_id) DO UPDATE SET
        hides_notifications = excluded.hides_notifications, expires_at = excluded.expires_at
      """, [nextID(), me(), target, hidesNotifications, end, nowInMilliseconds])
  }

  func unmute(_ target: Int64) throws {
    try run("DELETE FROM mutes WHERE account_id = ? AND target_id = ?", [me(), target])
  }

  /// Returns the accounts that the viewer blocks or mutes, newest first. The page's links contain ids of blocks or
  /// mutes, not of accounts.
  func qwinkers(_ hiddenAccounts: HiddenAccounts, _ request: PageRequest) throws -> PageOf<Qwinker> {
    let me = try me()
    let source: SQL =
      switch hiddenAccounts {
      case .blocked: "blocks k WHERE k.account_id = \(me)"
      case .muted:
        "mutes k WHERE k.account_id = \(me) AND (k.expires_at IS NULL OR k.expires_at > \(nowInMilliseconds))"
      }
    return try page(request, "k.id", "k.target_id", from: source).map(qwinkers(inOrder:))
  }
}

// MARK: - Threads

extension Transaction {
  /// Mutes or unmutes the thread of a status for the viewer. A muted thread causes no notifications.
  func setThreadMute(_ id: Int64?, to isMuted: Bool) throws {
    let target = try target(id)
    let thread = try thread(of: target.id)
    if isMuted {
      try run("INSERT OR IGNORE INTO thread_mutes (account_id, thread_id) VALUES (?, ?)", [me(), thread])
    } else {
      try run("DELETE FROM thread_mutes WHERE account_id = ? AND thread_id = ?", [me(), thread])
    }
  }

  /// Returns the id of the first status in the thread of `status`.
  func thread(of status: Int64) throws -> Int64 {
    try numbers("SELECT coalesce(thread_id, id) FROM statuses WHERE id = ?", [status]).first ?? status
  }

  /// Whether an account mutes the thread of a status.
  func mutesThread(of status: Int64, _ account: Int64) throws -> Bool {
    try row(
      "SELECT 1 FROM thread_mutes WHERE account_id = ? AND thread_id = ?", [account, thread(of: status)]) != nil
  }
}
