public import FoundationEssentials
import GRDB

/// A user, as shown to the operator.
public struct ServedUser: Hashable, Sendable {
  public var name: String
  public var posts: Int
  public var createdAt: Date
  /// The time of the user's last post or boost, if any.
  public var lastPostedAt: Date?
  /// The number of valid tokens.
  public var tokens: Int
  public var hasPassword: Bool
  /// Whether the account is suspended: hidden from everyone and unable to sign in.
  public var isSuspended: Bool
  /// The uid that the account belongs to, or nil if it belongs to no user of this host.
  public var uid: UInt32?
  /// The sizes of the user's pictures.
  public var mediaBytes: Int
  /// The estimated size of the user's posts in the database.
  public var textBytes: Int
  /// Whether the account is limited: hidden from lists of users who don't follow it.
  public var isLimited: Bool
  public var role: OperatorRole
}

/// A token, as shown to the operator. The token itself isn't stored.
public struct ServedToken: Hashable, Sendable {
  /// The first characters of the token's hash, which identify the token.
  public var id: String
  /// The app that the user signed in with. Nil for the token printed when the user was added.
  public var app: String?
  public var scopes: String
  public var createdAt: Date
}

/// User management for the operator. These calls block.
extension Service {
  /// Returns all users, by name.
  public func users() throws(ServiceError) -> [ServedUser] {
    try write { transaction in
      try transaction.rows(
        """
        SELECT a.name, a.statuses_count, a.created_at,
          (SELECT max(s.created_at) FROM statuses s WHERE s.account_id = a.id),
          (SELECT count(*) FROM tokens t WHERE t.account_id = a.id),
          EXISTS (SELECT 1 FROM passwords p WHERE p.account_id = a.id),
          EXISTS (SELECT 1 FROM suspensions s WHERE s.account_id = a.id),
          (SELECT u.uid FROM unix_users u WHERE u.account_id = a.id), u.media_bytes, u.text_bytes,
          EXISTS (SELECT 1 FROM limited_accounts l WHERE l.account_id = a.id), a.id
        FROM accounts a JOIN usage u ON u.account_id = a.id ORDER BY a.name
        """
      ).map { row in
        let lastPostedAt: Int64? = row[3]
        let uid: Int64? = row[7]
        return ServedUser(
          name: row[0], posts: row[1], createdAt: Date(milliseconds: row[2]),
          lastPostedAt: lastPostedAt.map(Date.init(milliseconds:)), tokens: row[4], hasPassword: row[5],
          isSuspended: row[6], uid: uid.flatMap(UInt32.init(exactly:)), mediaBytes: row[8], textBytes: row[9],
          isLimited: row[10], role: try transaction.role(of: row[11]))
      }
    }
  }

  /// Deletes a user with all their posts and other data. This can't be undone.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``, or an error of ``open()``.
  public func removeUser(named name: String, by actor: AuditActor = .ofProcess) throws(ServiceError) {
    try write { transaction in
      let account = try Self.knownAccount(name, transaction)
      try transaction.audit(.removeUser, of: transaction.name(of: account), by: actor)
      try transaction.viewed(by: account).removeViewer()
    }
  }

  /// Returns a user's tokens, newest first.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``, or an error of ``open()``.
  public func tokens(of name: String) throws(ServiceError) -> [ServedToken] {
    try write { transaction in
      try transaction.tokens(of: try Self.knownAccount(name, transaction))
    }
  }

  /// Revokes the user's token whose id starts with `id`, or all of their tokens if `id` is nil. Returns the number of
  /// revoked tokens.
  ///
  /// - Throws: ``ServiceError/noSuchName(_:)``, ``ServiceError/noSuchToken(_:)`` unless `id` has at least four
  ///   characters and matches exactly one token, or an error of ``open()``.
  @discardableResult
  public func revokeTokens(
    of name: String, id: String? = nil, by actor: AuditActor = .ofProcess
  ) throws(ServiceError) -> Int {
    try write { transaction in
      let account = try Self.knownAccount(name, transaction)
      guard let id else {
        let count = try transaction.numbers("SELECT count(*) FROM tokens WHERE account_id = ?", [account]).first
        if try transaction.deleteTokens(of: account) {
          try transaction.audit(.revokeTokens, of: transaction.name(of: account), "all", by: actor)
        }
        return count.map(Int.init) ?? 0
      }
      let hashes = try transaction.rows("SELECT hash FROM tokens WHERE account_id = ?", [account]).map {
        $0[0] as String
      }
      .filter { $0.hasPrefix(id) }
      guard hashes.count == 1, id.utf8.count >= 4 else { throw ServiceError.noSuchToken(id) }
      try transaction.audit(.revokeTokens, of: transaction.name(of: account), id, by: actor)
      try transaction.run("DELETE FROM tokens WHERE hash = ?", [hashes[0]])
      transaction.tokensWereDeleted()
      return 1
    }
  }
}

extension Transaction {
  /// Deletes the viewer with all their data, and updates the counts of other accounts and posts.
  fileprivate func removeViewer() throws {
    let me = try me()
    for id in try numbers("SELECT id FROM statuses WHERE account_id = ? ORDER BY id DESC", [me]) {
      do {
        _ = try deleteStatus(id)
      } catch is Refusal {
        // `deleteStatus` refuses posts that the user can no longer see, such as a boost of a hidden post. Delete them
        // without updating counts.
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
