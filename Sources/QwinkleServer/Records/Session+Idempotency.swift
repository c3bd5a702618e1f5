import GRDB

extension Session {
  /// How long a key is kept: an hour, in milliseconds.
  private static let keptFor: Int64 = 3_600_000

  /// The status that was made under a key in the last hour; nil where there is none. Older keys are forgotten.
  func statusMade(underKey key: String, by account: Int64) throws -> Int64? {
    try run("DELETE FROM idempotency WHERE created_at <= ?", [nowInMilliseconds - Self.keptFor])
    return try numbers(
      "SELECT status_id FROM idempotency WHERE account_id = ? AND key = ?", [account, key]
    ).first
  }

  /// Remembers what was made under a key.
  func remember(_ status: Int64, underKey key: String, of account: Int64) throws {
    try run(
      "INSERT OR REPLACE INTO idempotency (account_id, key, status_id, created_at) VALUES (?, ?, ?, ?)",
      [account, key, status, nowInMilliseconds])
  }
}
