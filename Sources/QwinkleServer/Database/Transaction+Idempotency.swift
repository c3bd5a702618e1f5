import GRDB

extension Transaction {
  /// Lifetime of an idempotency key, in milliseconds: an hour.
  private static let lifetime: Int64 = 3_600_000

  /// Returns the status that the account posted with this idempotency key in the last hour, if any. Deletes older keys.
  func statusMade(underKey key: String, by account: Int64) throws -> Int64? {
    try run("DELETE FROM idempotency WHERE created_at <= ?", [nowInMilliseconds - Self.lifetime])
    return try numbers(
      "SELECT status_id FROM idempotency WHERE account_id = ? AND key = ?", [account, key]
    ).first
  }

  /// Stores the idempotency key with which a status was posted.
  func remember(_ status: Int64, underKey key: String, of account: Int64) throws {
    try run(
      "INSERT OR REPLACE INTO idempotency (account_id, key, status_id, created_at) VALUES (?, ?, ?, ?)",
      [account, key, status, nowInMilliseconds])
  }
}
