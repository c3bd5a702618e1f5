import GRDB

/// Totals for the whole service. Their JSON has the names in ``CodingKeys``, which don't change.
public struct ServedStats: Hashable, Sendable, Encodable {
  enum CodingKeys: String, CodingKey {
    case users, posts, apps, tokens
    case active = "users_active_30d"
    case activeToday = "users_active_1d"
    case recent = "posts_1d"
    case openReports = "reports_open"
    case bytes = "database_bytes"
    case mediaBytes = "media_bytes"
  }

  public var users: Int
  /// The number of users who posted or boosted in the last 30 days.
  public var active: Int
  /// The number of users who posted or boosted in the last 24 hours.
  public var activeToday: Int
  /// The number of posts, without boosts.
  public var posts: Int
  /// The number of posts in the last 24 hours, without boosts.
  public var recent: Int
  public var apps: Int
  public var tokens: Int
  /// The number of users' reports that no operator has closed.
  public var openReports: Int
  /// The size of the database and its write-ahead log, in bytes.
  public var bytes: Int
  /// The size of all pictures, in bytes.
  public var mediaBytes: Int
}

extension Service {
  private static let dayInMilliseconds: Int64 = 86_400_000

  /// Returns totals for the whole service. Blocks, but not the writes of a running server.
  public func stats() throws(ServiceError) -> ServedStats {
    let bytes = file.bytes
    return try read { transaction in
      let now = transaction.nowInMilliseconds
      let (day, month) = ((now - Self.dayInMilliseconds) << 16, (now - 30 * Self.dayInMilliseconds) << 16)
      func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try transaction.numbers(sql, arguments).first.map(Int.init) ?? 0
      }
      let active = "SELECT count(DISTINCT account_id) FROM statuses WHERE id >= ?"
      return ServedStats(
        users: try number("SELECT count(*) FROM accounts"), active: try number(active, [month]),
        activeToday: try number(active, [day]),
        posts: try number("SELECT count(*) FROM statuses WHERE boost_of_id IS NULL"),
        recent: try number("SELECT count(*) FROM statuses WHERE boost_of_id IS NULL AND id >= ?", [day]),
        apps: try number("SELECT count(*) FROM apps"),
        tokens: try number("SELECT count(*) FROM tokens WHERE account_id IS NOT NULL"),
        openReports: try transaction.openReports(), bytes: bytes, mediaBytes: try transaction.mediaBytes())
    }
  }
}
