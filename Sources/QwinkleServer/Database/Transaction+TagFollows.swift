import GRDB
import HTTPTypes
import QwinkleModel

extension Transaction {
  private static let mostFollowed = 100

  /// Follows a tag for the viewer, whose home timeline then includes public posts with the tag. Unfollows the tag if
  /// `isOn` is false.
  func setFollow(ofTag name: String, to isOn: Bool) throws {
    let me = try me()
    let tag = TagName.folded(name)
    guard isOn else { return try run("DELETE FROM tag_follows WHERE account_id = ? AND tag = ?", [me, tag]) }
    let count = try numbers("SELECT count(*) FROM tag_follows WHERE account_id = ?", [me]).first ?? 0
    guard count < Self.mostFollowed else { throw Refusal.invalid("You follow \(count) tags already. Unfollow one.") }
    try run(
      "INSERT OR IGNORE INTO tag_follows (id, account_id, tag, name) VALUES (?, ?, ?, ?)", [nextID(), me, tag, name])
  }

  /// Returns whether the viewer follows a tag. The tag must be folded with ``TagName/folded(_:)``.
  func followsTag(_ tag: String) throws -> Bool {
    try row("SELECT 1 FROM tag_follows WHERE account_id = ? AND tag = ?", [viewer, tag]) != nil
  }

  var followsTags: Bool {
    get throws { try row("SELECT 1 FROM tag_follows WHERE account_id = ? LIMIT 1", [viewer]) != nil }
  }

  /// Returns the tags that the viewer follows, the last followed first. The page's links contain the ids of the
  /// follows.
  func followedTags(_ request: PageRequest) throws -> PageOf<String> {
    try page(request, "t.id", "t.id", from: "tag_follows t WHERE t.account_id = \(me())").map { ids in
      try ids.compactMap { try row("SELECT name FROM tag_follows WHERE id = ?", [$0])?[0] as String? }
    }
  }
}

// MARK: - Featured tags

extension Transaction {
  /// Returns an account's featured tags, sorted by name, with the number of the account's public posts that use each
  /// tag.
  func featuredTags(of account: Int64) throws -> [FeaturedTag] {
    try rows(
      """
      SELECT f.id, f.name, f.uses,
        (SELECT s.created_at FROM statuses s WHERE s.id =
          (SELECT max(t.status_id) FROM status_tags t WHERE t.account_id = f.account_id AND t.tag = f.tag AND t.is_public))
      FROM featured_tags f WHERE f.account_id = ? ORDER BY f.name
      """, [account]
    ).map { row in
      let lastUse: Int64? = row[3]
      return FeaturedTag(
        id: FeaturedTag.ID(String(row[0] as Int64)), name: row[1], qwinksCount: row[2],
        lastQwinkAt: lastUse.map { .init(milliseconds: $0) })
    }
  }

  /// Features a tag on the viewer's profile. A tag that is already featured is returned unchanged.
  func featureTag(_ name: String) throws -> FeaturedTag {
    let me = try me()
    let tag = TagName.folded(name)
    let own = try featuredTags(of: me)
    if let known = own.first(where: { TagName.folded($0.name) == tag }) { return known }
    guard own.count < InstanceHandlers.limits.profile.featuredTags else {
      throw Refusal.invalid("You feature \(own.count) tags already. Remove one.")
    }
    let id = try nextID()
    try run("INSERT INTO featured_tags (id, account_id, tag, name) VALUES (?, ?, ?, ?)", [id, me, tag, name])
    guard let made = try featuredTags(of: me).first(where: { $0.id.rawValue == String(id) }) else {
      throw Refusal.notFound
    }
    return made
  }

  func unfeatureTag(_ id: Int64?) throws {
    try run("DELETE FROM featured_tags WHERE id = ? AND account_id = ?", [id, me()])
    if db.changesCount == 0 { throw Refusal.notFound }
  }

  /// Returns at most ten tags: the tags that the viewer used most in their latest 200 posts.
  func suggestedTags() throws -> [String] {
    try rows(
      """
      SELECT t.tag, count(*) FROM (SELECT id FROM statuses WHERE account_id = ? ORDER BY id DESC LIMIT 200) s
      JOIN status_tags t ON t.status_id = s.id GROUP BY t.tag ORDER BY count(*) DESC, t.tag LIMIT 10
      """, [me()]
    ).map { $0[0] }
  }
}
