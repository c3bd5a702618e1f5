import GRDB
import QwinkleModel

/// A list of statuses.
enum Feed {
  /// Public statuses of all accounts, without boosts.
  case everyone
  /// Statuses of ``everyone`` that have pictures.
  case everyonesMedia
  case home
  case list(PersonalList)
  /// An account's pinned qwinks. The page's links contain ids of pins, not of qwinks.
  case pinned(Int64, excludingDirect: Bool = false)
  case tag(String, onlyMedia: Bool = false)
  case tags(TagChoice)
  case account(
    Int64, excludingReplies: Bool = false, excludingBoosts: Bool = false, excludingDirect: Bool = false,
    tag: String? = nil)
  /// An account's qwinks with pictures.
  case accountsMedia(Int64, excludingReplies: Bool = false, excludingDirect: Bool = false, tag: String? = nil)
  /// The viewer's bookmarks. The page's links contain ids of bookmarks, not of qwinks.
  case bookmarks
  /// The viewer's favourites. The page's links contain ids of favourites, not of qwinks.
  case favourites
  /// Statuses that quote this one.
  case quotes(Int64)
}

extension Transaction {
  /// Returns a page of a feed, newest first, with links to the adjacent pages.
  func page(of feed: Feed, _ request: PageRequest) throws -> PageOf<Qwink> {
    let page = try page(request) { range, limit in
      switch feed {
      case .home, .list: try keysOfAuthors(feed, range, limit)
      default: try keys(query(feed, range, limit))
      }
    }
    return try page.map(qwinks)
  }

  /// Like ``keys(_:)``, for a feed of several authors. The first query reads one status of each author. If these
  /// statuses fill a page, nothing beyond the last of them can be in the page, so the second query stops there for
  /// every author.
  private func keysOfAuthors(
    _ feed: Feed, _ range: PageRequest.Range, _ limit: Int
  ) throws -> [ListKey] {
    var range = range
    let firsts = try keys(query(feed, range, limit, each: 1))
    if firsts.count == limit, let last = firsts.last {
      if range.isAscending { range.before = last.item + 1 } else { range.after = last.item - 1 }
    }
    return try keys(query(feed, range, limit))
  }

  /// - Parameter each: Maximum number of statuses of each author, in a feed of several authors.
  private func query(_ feed: Feed, _ range: PageRequest.Range, _ limit: Int, each: Int? = nil) throws -> SQL {
    switch feed {
    case .everyone:
      """
      SELECT s.id, s.id FROM statuses s WHERE s.visibility = \(VisibilityCode.public) AND s.boost_of_id IS NULL
      AND \(range.holds("s.id")) AND \(listed) \(range.first(limit, by: "s.id"))
      """
    case .everyonesMedia:
      """
      SELECT s.id, s.id FROM statuses AS s INDEXED BY statuses_media WHERE s.visibility = \(VisibilityCode.public)
      AND s.media_count > 0 AND \(range.holds("s.id")) AND \(listed) \(range.first(limit, by: "s.id"))
      """
    case .home: try home(range, limit, each: each ?? limit)
    case .list(let list): self.query(list, range, limit, each: each ?? limit)
    case .pinned(let account, let excludingDirect):
      """
      SELECT p.id, s.id FROM pins p CROSS JOIN statuses s ON s.id = p.status_id
      WHERE p.account_id = \(account) AND \(range.holds("p.id")) AND \(visible)
      AND (\(!excludingDirect) OR s.visibility <> \(VisibilityCode.direct)) \(range.first(limit, by: "p.id"))
      """
    case .tag(let tag, let onlyMedia):
      """
      SELECT s.id, s.id FROM status_tags t CROSS JOIN statuses s ON s.id = t.status_id
      WHERE t.tag = \(tag) AND \(range.holds("t.status_id")) AND s.visibility = \(VisibilityCode.public)
      AND (NOT \(onlyMedia) OR s.media_count > 0) AND \(listed) \(range.first(limit, by: "t.status_id"))
      """
    case .tags(let choice): choice.query(range, limit, listed: listed)
    case .account(let account, let excludingReplies, let excludingBoosts, let excludingDirect, let tag):
      """
      SELECT s.id, s.id FROM \(statuses(of: account, with: tag)) AND \(range.holds(Self.id(with: tag))) AND \(visible)
      AND (\(!excludingReplies) OR s.in_reply_to_id IS NULL OR s.in_reply_to_account_id = \(account))
      AND (\(!excludingBoosts) OR s.boost_of_id IS NULL)
      AND (\(!excludingDirect) OR s.visibility <> \(VisibilityCode.direct))
      \(range.first(limit, by: Self.id(with: tag)))
      """
    case .accountsMedia(let account, let excludingReplies, let excludingDirect, let tag):
      """
      SELECT s.id, s.id FROM \(statuses(of: account, with: tag, index: "INDEXED BY statuses_media_account"))
      AND s.media_count > 0 AND \(range.holds(Self.id(with: tag))) AND \(visible)
      AND (\(!excludingDirect) OR s.visibility <> \(VisibilityCode.direct))
      AND (\(!excludingReplies) OR s.in_reply_to_id IS NULL OR s.in_reply_to_account_id = \(account))
      \(range.first(limit, by: Self.id(with: tag)))
      """
    case .quotes(let quoted):
      """
      SELECT s.id, s.id FROM statuses s WHERE s.quoted_id = \(quoted) AND NOT s.quote_is_revoked
      AND \(range.holds("s.id")) AND \(visible) AND \(listed) \(range.first(limit, by: "s.id"))
      """
    case .bookmarks: reacted("bookmarks", range, limit)
    case .favourites: reacted("favourites", range, limit)
    }
  }

  /// SQL for the keys (``ListKey``) of the home timeline. Reads each author's newest statuses from an index without
  /// direct statuses, then sorts these, so the query never scans all statuses. No visibility check is needed, because
  /// followers are allowed to see all statuses in the index, including boosts. Also adds public statuses with tags that
  /// the viewer follows.
  private func home(_ range: PageRequest.Range, _ limit: Int, each: Int) throws -> SQL {
    let authors: SQL = """
      SELECT s.id FROM
        (SELECT \(viewer) AS author, 1 AS shows_boosts, NULL AS languages
         UNION SELECT f.target_id, f.shows_boosts, f.languages \(homeFollows)) a
        CROSS JOIN statuses s ON s.id IN
          (SELECT s.id FROM statuses s WHERE s.account_id = a.author AND s.visibility < 3
           AND (a.shows_boosts OR s.boost_of_id IS NULL) AND \(isInFollowedLanguage) AND \(listed)
           AND \(range.holds("s.id")) \(range.first(each, by: "s.id")))
      """
    guard try followsTags else {
      return "SELECT h.id, h.id FROM (\(authors)) h \(range.first(limit, by: "h.id"))"
    }
    return """
      SELECT h.id, h.id FROM (\(authors)
        UNION SELECT s.id FROM tag_follows w CROSS JOIN statuses s ON s.id IN
          (SELECT t.status_id FROM status_tags t CROSS JOIN statuses s ON s.id = t.status_id
           WHERE t.tag = w.tag AND \(range.holds("t.status_id")) AND s.visibility = \(VisibilityCode.public)
           AND \(listed) \(range.first(each, by: "t.status_id")))
        WHERE w.account_id = \(viewer)) h
      \(range.first(limit, by: "h.id"))
      """
  }

  /// SQL condition that status `s` has one of the languages of the follow `a`, or no language. A boost has the language
  /// of the original.
  var isInFollowedLanguage: SQL {
    """
    (a.languages IS NULL OR coalesce(
      coalesce(s.language, (SELECT o.language FROM statuses o WHERE o.id = s.boost_of_id))
        IN (SELECT value FROM json_each(a.languages)), 1))
    """
  }

  /// SQL that completes a query, from `FROM` on. It selects the viewer's follows `f`, except follows of accounts in the
  /// viewer's exclusive lists, which don't appear in the home timeline.
  var homeFollows: SQL {
    """
    FROM follows f WHERE f.account_id = \(viewer)
      AND NOT EXISTS (SELECT 1 FROM list_members m JOIN lists l ON l.id = m.list_id
        WHERE m.account_id = f.target_id AND l.account_id = \(viewer) AND l.is_exclusive)
    """
  }

  /// SQL after `FROM` for an account's statuses `s`, only with `tag` if it isn't nil. Then the tag's index has the
  /// order of the list.
  private func statuses(of account: Int64, with tag: String?, index: SQL = "") -> SQL {
    guard let tag else { return "statuses AS s \(index) WHERE s.account_id = \(account)" }
    return """
      status_tags t CROSS JOIN statuses s ON s.id = t.status_id
      WHERE t.account_id = \(account) AND t.tag = \(tag)
      """
  }

  /// SQL for the column of ids in ``statuses(of:with:index:)``.
  private static func id(with tag: String?) -> SQL { tag == nil ? "s.id" : "t.status_id" }

  private func reacted(_ table: SQL, _ range: PageRequest.Range, _ limit: Int) -> SQL {
    """
    SELECT k.id, s.id FROM \(table) k CROSS JOIN statuses s ON s.id = k.status_id
    WHERE k.account_id = \(viewer) AND \(range.holds("k.id")) AND \(visible) \(range.first(limit, by: "k.id"))
    """
  }
}
