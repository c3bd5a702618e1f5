public import FoundationEssentials
import GRDB

/// A user as the operator sees them.
public struct ServedUser: Hashable, Sendable {
  public var name: String
  public var posts: Int
  public var createdAt: Date
  /// When they last posted or boosted; nil if they never did.
  public var lastPostedAt: Date?
  /// The number of their valid tokens.
  public var tokens: Int
  public var hasPassword: Bool
  /// Whether they are shown to nobody and can't sign in.
  public var isSuspended: Bool
}

/// A token as the operator sees it. The token itself is stored nowhere.
public struct ServedToken: Hashable, Sendable {
  /// The start of its hash, which names it.
  public var id: String
  /// The app that was signed in with; nil for the token that was printed when the user was added.
  public var app: String?
  public var scopes: String
  public var createdAt: Date
}

/// What the whole service holds.
public struct ServedStats: Hashable, Sendable {
  public var users: Int
  /// Users who posted in the last 30 days.
  public var active: Int
  public var posts: Int
  /// Posts in the last 24 hours.
  public var recent: Int
  public var apps: Int
  public var tokens: Int
  /// The database's size in bytes, with its write-ahead log.
  public var bytes: Int
}

/// What the operator does with users. These calls block.
extension Service {
  private static let dayInMilliseconds: Int64 = 86_400_000

  /// All users, by name.
  public func users() throws(ServiceError) -> [ServedUser] {
    try write { session in
      try session.rows(
        """
        SELECT a.name, a.statuses_count, a.created_at,
          (SELECT max(s.created_at) FROM statuses s WHERE s.account_id = a.id),
          (SELECT count(*) FROM tokens t WHERE t.account_id = a.id),
          EXISTS (SELECT 1 FROM passwords p WHERE p.account_id = a.id),
          EXISTS (SELECT 1 FROM suspensions s WHERE s.account_id = a.id)
        FROM accounts a ORDER BY a.name
        """
      ).map { row in
        let lastPostedAt: Int64? = row[3]
        return ServedUser(
          name: row[0], posts: row[1], createdAt: Date(milliseconds: row[2]),
          lastPostedAt: lastPostedAt.map(Date.init(milliseconds:)), tokens: row[4], hasPassword: row[5],
          isSuspended: row[6])
      }
    }
  }

  /// Deletes a user with all that they posted and did. It can't be undone.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``, or an error of ``open()``.
  public func removeUser(named name: String) throws(ServiceError) {
    try write { session in
      var session = session
      let id = try Self.knownAccount(name, session)
      session.viewer = id
      try session.removeViewer()
    }
  }

  /// Suspends a user, or ends that: they and all they posted are shown to nobody, and their tokens are refused. Nothing
  /// is deleted.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``, or an error of ``open()``.
  public func setSuspension(of name: String, to isSuspended: Bool) throws(ServiceError) {
    try write { session in
      try session.setSuspension(of: try Self.knownAccount(name, session), to: isSuspended)
    }
  }

  /// A user's tokens, newest first.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``, or an error of ``open()``.
  public func tokens(of name: String) throws(ServiceError) -> [ServedToken] {
    try write { session in
      try session.rows(
        """
        SELECT substr(t.hash, 1, 12), p.name, t.scopes, t.created_at FROM tokens t LEFT JOIN apps p ON p.id = t.app_id
        WHERE t.account_id = ? ORDER BY t.created_at DESC, t.hash
        """, [try Self.knownAccount(name, session)]
      ).map { ServedToken(id: $0[0], app: $0[1], scopes: $0[2], createdAt: Date(milliseconds: $0[3])) }
    }
  }

  /// Revokes a user's token whose id starts with `id`, or all of them if it is nil. Returns their number.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``, ``ServiceError/noSuchToken(_:)`` if none or several match, or an error
  ///   of ``open()``.
  @discardableResult
  public func revokeTokens(of name: String, id: String? = nil) throws(ServiceError) -> Int {
    try write { session in
      let account = try Self.knownAccount(name, session)
      guard let id else {
        let count = try session.numbers("SELECT count(*) FROM tokens WHERE account_id = ?", [account]).first
        try session.deleteTokens(of: account)
        return count.map(Int.init) ?? 0
      }
      let hashes = try session.rows("SELECT hash FROM tokens WHERE account_id = ?", [account]).map { $0[0] as String }
        .filter { $0.hasPrefix(id) }
      guard hashes.count == 1, id.utf8.count >= 4 else { throw ServiceError.noSuchToken(id) }
      try session.run("DELETE FROM tokens WHERE hash = ?", [hashes[0]])
      session.tokensWereDeleted()
      return 1
    }
  }

  /// Counts what the service holds.
  public func stats() throws(ServiceError) -> ServedStats {
    let bytes = file.bytes
    return try write { session in
      let now = session.nowInMilliseconds
      func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try session.numbers(sql, arguments).first.map(Int.init) ?? 0
      }
      return ServedStats(
        users: try number("SELECT count(*) FROM accounts"),
        active: try number(
          "SELECT count(DISTINCT account_id) FROM statuses WHERE id >= ?", [(now - 30 * Self.dayInMilliseconds) << 16]),
        posts: try number("SELECT count(*) FROM statuses WHERE boost_of_id IS NULL"),
        recent: try number(
          "SELECT count(*) FROM statuses WHERE boost_of_id IS NULL AND id >= ?",
          [(now - Self.dayInMilliseconds) << 16]),
        apps: try number("SELECT count(*) FROM apps"),
        tokens: try number("SELECT count(*) FROM tokens WHERE account_id IS NOT NULL"), bytes: bytes)
    }
  }
}

extension Session {
  /// Deletes the viewer and all that is theirs, and keeps the counts of others right.
  fileprivate func removeViewer() throws {
    let me = try me()
    for id in try numbers("SELECT id FROM statuses WHERE account_id = ? ORDER BY id DESC", [me]) {
      do {
        _ = try deleteStatus(id)
      } catch is Refusal {
        // A boost of what they may not see any more is in no count.
        try run("DELETE FROM statuses WHERE id = ?", [id])
      }
    }
    for target in try numbers("SELECT target_id FROM follows WHERE account_id = ?", [me]) {
      try unfollow(target, by: me)
    }
    for follower in try numbers("SELECT account_id FROM follows WHERE target_id = ?", [me]) {
      try unfollow(me, by: follower)
    }
    try run(
      """
      UPDATE statuses SET favourites_count = max(0, favourites_count - 1)
      WHERE id IN (SELECT status_id FROM favourites WHERE account_id = ?)
      """, [me])
    try run("DELETE FROM accounts WHERE id = ?", [me])
  }
}
