import GRDB
import QwinkleModel

extension Transaction {
  private static let dayInMilliseconds: Int64 = 86_400_000

  /// Returns the public usage statistics: accounts, their posts, and accounts that posted today or on the 30 days
  /// before.
  func publicStats() throws -> ServerInfo.Stats {
    let row = try row(
      "SELECT sum(accounts), sum(posts), sum(iif(day >= ?, accounts, 0)) FROM account_days",
      [nowInMilliseconds / Self.dayInMilliseconds - 30])
    return ServerInfo.Stats(users: row?[0] ?? 0, posts: row?[1] ?? 0, active: row?[2] ?? 0)
  }

  /// Returns the total size of all pictures, in bytes.
  func mediaBytes() throws -> Int {
    try numbers("SELECT value FROM counters WHERE name = 'media_bytes'").first.map(Int.init) ?? 0
  }

  /// Returns the number of users' reports that no operator has resolved.
  func openReports() throws -> Int {
    try numbers("SELECT count(*) FROM reports WHERE resolved_at IS NULL").first.map(Int.init) ?? 0
  }
}
