import GRDB

extension Session {
  /// How long a key is kept, in milliseconds: an hour.
  private static let keptFor: Int64 = 3_600_000

  /// The status made under a key in the last hour; nil if there is none. Deletes older keys.
  func statusMade(underKey key: String, by account: Int64) throws -> Int64? {
    try run("DELETE FROM idempotency WHERE created_at <= ?", [nowInMilliseconds - Self.keptFor])
    return try numbers(
      "SELECT status_id FROM idempotency WHERE account_id = ? AND key = ?", [account, key]
    ).first
  }

  /// Remembers the status made under a key.
  func remember(_ status: Int64, underKey key: String, of account: Int64) throws {
    try run(
      "INSERT OR REPLACE INTO idempotency (account_id, key, status_id, created_at) VALUES (?, ?, ?, ?)",
      [account, key, status, nowInMilliseconds])
  }
}
