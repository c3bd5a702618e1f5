import GRDB
import QwinkleModel
import QwinkleWire

/// A list of an account's followers, or of the accounts it follows.
enum FollowSide {
  case followers, following
}

extension Transaction {
  /// Adds a follow of `target` by `follower`, and notifies `target`. Does nothing if they are the same account, or if
  /// `follower` already follows `target`.
  func follow(_ target: Int64, by follower: Int64) throws {
    guard target != follower, try !follows(target, by: follower) else { return }
    try run(
      "INSERT INTO follows (account_id, target_id, created_at, id) VALUES (?, ?, ?, ?)",
      [follower, target, nowInMilliseconds, try nextID()])
    try countFollow(of: target, by: follower, step: 1)
    try notify(target, of: .follow, by: follower)
  }

  /// Removes the follow of `target` by `follower`, or the follow request, together with the notification. Also removes
  /// `target` from the lists of `follower`. Does nothing if there is neither a follow nor a request.
  func unfollow(_ target: Int64, by follower: Int64) throws {
    try endRequest(of: follower, to: target)
    guard try follows(target, by: follower) else { return }
    try run("DELETE FROM follows WHERE account_id = ? AND target_id = ?", [follower, target])
    try run(
      "DELETE FROM list_members WHERE account_id = ? AND list_id IN (SELECT id FROM lists WHERE account_id = ?)",
      [target, follower])
    try countFollow(of: target, by: follower, step: -1)
    try withdrawNotification(to: target, of: .follow, by: follower)
  }

  /// Returns the viewer's relationships to the existing qwinkers with these ids, without duplicates, in the order of
  /// the ids.
  func relationships(to ids: [Int64]) throws -> [Relationship] {
    let me = try me()
    let rows = try rows(
      """
      SELECT a.id, coalesce(f.shows_boosts, q.shows_boosts, 0), coalesce(f.notifies, q.notifies, 0),
        EXISTS (SELECT 1 FROM follows b WHERE b.account_id = a.id AND b.target_id = ?1),
        q.id IS NOT NULL,
        EXISTS (SELECT 1 FROM follow_requests r WHERE r.account_id = a.id AND r.target_id = ?1),
        EXISTS (SELECT 1 FROM blocks b WHERE b.account_id = ?1 AND b.target_id = a.id),
        EXISTS (SELECT 1 FROM blocks b WHERE b.account_id = a.id AND b.target_id = ?1),
        m.hides_notifications, m.expires_at, n.note, f.account_id IS NOT NULL, coalesce(f.languages, q.languages)
      FROM accounts a
      LEFT JOIN follows f ON f.account_id = ?1 AND f.target_id = a.id
      LEFT JOIN follow_requests q ON q.account_id = ?1 AND q.target_id = a.id
      LEFT JOIN mutes m ON m.account_id = ?1 AND m.target_id = a.id AND (m.expires_at IS NULL OR m.expires_at > ?3)
      LEFT JOIN account_notes n ON n.account_id = ?1 AND n.target_id = a.id
      WHERE a.id IN (SELECT value FROM json_each(?2))
      """, [me, jsonArray(ids), nowInMilliseconds])
    let found = rows.byID
    return ids.uniqued().compactMap { found[$0].map(relationship) }
  }

  private func relationship(_ row: StoredRow) -> Relationship {
    let id: Int64 = row[0]
    let (hidesNotifications, muteEnd): (Bool?, Int64?) = (row[8], row[9])
    var relationship = Relationship(
      id: Qwinker.ID(String(id)), isFollowing: row[11], isRequested: row[4], isFollowedBy: row[3],
      isAskingToFollow: row[5], isMuting: hidesNotifications != nil, isBlocking: row[6])
    relationship.followOptions = FollowOptions(showsBoosts: row[1], notifies: row[2], stored: row[12])
    relationship.isBlockedBy = row[7]
    relationship.mutesNotifications = hidesNotifications ?? false
    relationship.muteEndsAt = muteEnd.map { .init(milliseconds: $0) }
    relationship.note = row[10] ?? ""
    return relationship
  }

  /// Returns whether an account hides its followers and follows from the viewer.
  func hidesFollows(_ account: Int64) throws -> Bool {
    guard account != viewer else { return false }
    return try row("SELECT hides_follows FROM accounts WHERE id = ?", [account])?[0] ?? false
  }

  /// Returns an account's followers or the qwinkers it follows, newest follow first. The page's links contain ids of
  /// follows, not of accounts. The page is empty if the account hides them from the viewer.
  func qwinkers(_ side: FollowSide, of account: Int64, _ request: PageRequest) throws -> PageOf<Qwinker> {
    let (own, other): (SQL, SQL) =
      switch side {
      case .followers: ("f.target_id", "f.account_id")
      case .following: ("f.account_id", "f.target_id")
      }
    let isShown = try !hidesFollows(account)
    return try page(
      request, "f.id", other, from: "follows f WHERE \(own) = \(account) AND \(isShown) AND \(present(other))"
    )
    .map(qwinkers(inOrder:))
  }

  func follows(_ target: Int64, by follower: Int64) throws -> Bool {
    try row("SELECT 1 FROM follows WHERE account_id = ? AND target_id = ?", [follower, target]) != nil
  }

  private func countFollow(of target: Int64, by follower: Int64, step: Int) throws {
    try run("UPDATE accounts SET following_count = max(0, following_count + ?) WHERE id = ?", [step, follower])
    try run("UPDATE accounts SET followers_count = max(0, followers_count + ?) WHERE id = ?", [step, target])
  }
}
