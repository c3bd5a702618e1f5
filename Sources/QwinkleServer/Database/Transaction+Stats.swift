import GRDB
import QwinkleModel

extension Transaction {
  private static let monthInMilliseconds: Int64 = 30 * 86_400_000

  /// Returns the public usage statistics. The cost grows with the number of accounts, not posts.
  func publicStats() throws -> ServerInfo.Stats {
    let row = try row(
      """
      SELECT count(*), coalesce(sum(statuses_count), 0), coalesce(sum(last_status_at > ?), 0) FROM accounts
      WHERE id NOT IN (SELECT account_id FROM suspensions)
      """, [nowInMilliseconds - Self.monthInMilliseconds])
    return ServerInfo.Stats(users: row?[0] ?? 0, posts: row?[1] ?? 0, active: row?[2] ?? 0)
  }
}
