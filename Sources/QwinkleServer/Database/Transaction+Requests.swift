import GRDB
import QwinkleModel

extension FollowOptions {
  /// The languages as stored: a JSON array of codes, or nil for all languages.
  fileprivate var storedLanguages: String? {
    languages.flatMap { $0.isEmpty ? nil : SmallJSON.text($0) }
  }

  /// Reads the options as stored.
  init(showsBoosts: Bool, notifies: Bool, stored languages: String?) {
    self.init(
      showsBoosts: showsBoosts, notifies: notifies, languages: languages.flatMap { SmallJSON.value($0) } ?? [])
  }
}

extension Transaction {
  /// Follows `target` as the viewer, or adds a follow request if `target` is locked. Changes the options of an existing
  /// follow or request.
  func requestFollow(of target: Int64, _ change: FollowOptions) throws {
    let follower = try me()
    let before = try relationships(to: [target]).first { $0.isFollowing || $0.isRequested }
    let options = (before?.followOptions ?? .usual).merged(with: change)
    if try follows(target, by: follower) || !isLocked(target) {
      return try follow(target, by: follower, options)
    }
    try run(
      """
      INSERT INTO follow_requests (id, account_id, target_id, shows_boosts, notifies, languages, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account_id, target_id) DO UPDATE SET
        shows_boosts = excluded.shows_boosts, notifies = excluded.notifies, languages = excluded.languages
      """,
      [
        nextID(), follower, target, options.showsBoosts, options.notifies, options.storedLanguages, nowInMilliseconds,
      ])
    try notify(target, of: .followRequest, by: follower)
  }

  private func follow(_ target: Int64, by follower: Int64, _ options: FollowOptions) throws {
    try follow(target, by: follower)
    try run(
      "UPDATE follows SET shows_boosts = ?, notifies = ?, languages = ? WHERE account_id = ? AND target_id = ?",
      [options.showsBoosts, options.notifies, options.storedLanguages, follower, target])
  }

  func answerRequest(of follower: Int64, accepts: Bool) throws {
    let me = try me()
    guard
      let row = try row(
        "SELECT shows_boosts, notifies, languages FROM follow_requests WHERE account_id = ? AND target_id = ?",
        [follower, me])
    else { throw Refusal.notFound }
    try endRequest(of: follower, to: me)
    let options = FollowOptions(showsBoosts: row[0], notifies: row[1], stored: row[2])
    if accepts { try follow(me, by: follower, options) }
  }

  /// Accepts all pending follow requests. Called when the viewer unlocks their account.
  func acceptRequests() throws {
    for follower in try numbers("SELECT account_id FROM follow_requests WHERE target_id = ? ORDER BY id", [me()]) {
      try answerRequest(of: follower, accepts: true)
    }
  }

  /// Removes a follow request and its notification, if any.
  func endRequest(of follower: Int64, to target: Int64) throws {
    try run("DELETE FROM follow_requests WHERE account_id = ? AND target_id = ?", [follower, target])
    if db.changesCount > 0 { try withdrawNotification(to: target, of: .followRequest, by: follower) }
  }

  /// Returns the accounts that requested to follow the viewer, newest first. The page's links contain ids of requests,
  /// not of accounts.
  func requesters(_ request: PageRequest) throws -> PageOf<Qwinker> {
    let source: SQL = "follow_requests r WHERE r.target_id = \(try me()) AND \(present("r.account_id"))"
    return try page(request, "r.id", "r.account_id", from: source).map(qwinkers(inOrder:))
  }

  func requestsCount(to account: Int64) throws -> Int {
    try numbers("SELECT count(*) FROM follow_requests WHERE target_id = ?", [account]).first.map(Int.init) ?? 0
  }

  func isLocked(_ account: Int64) throws -> Bool {
    try row("SELECT is_locked FROM accounts WHERE id = ?", [account])?[0] ?? false
  }

  /// Stores the viewer's private note about an account. An empty text deletes the note.
  func setNote(_ note: String, about target: Int64) throws {
    if note.isEmpty {
      try run("DELETE FROM account_notes WHERE account_id = ? AND target_id = ?", [me(), target])
    } else {
      try run(
        "INSERT OR REPLACE INTO account_notes (account_id, target_id, note) VALUES (?, ?, ?)", [me(), target, note])
    }
  }
}
