import GRDB
import QwinkleModel

struct Portion {
  var limit: Int
  var offset: Int
}

extension Portion {
  private static let mostOffset = 10_000

  /// Reads `limit` and `offset` from the request and clamps them.
  init(_ request: ServiceRequest, usual: Int = 20, most: Int = 40) {
    let limit = request["limit"].flatMap(Int.init) ?? 0
    self.limit = limit > 0 ? min(limit, most) : usual
    offset = min(max(request["offset"].flatMap(Int.init) ?? 0, 0), Self.mostOffset)
  }
}

extension Transaction {
  private static let mostTags = 400
  private static let mostUses = 1000

  /// The SQL condition that the viewer is allowed to find the status `s` by searching. Unlisted statuses are found only
  /// by their author, the author's followers and mentioned accounts. A signed-out viewer finds only public statuses.
  /// Statuses of an account that isn't indexed are found only by the account itself and mentioned accounts. Followers
  /// of a limited account also find its statuses.
  private var findable: SQL {
    let isIndexed: SQL = """
      (EXISTS (SELECT 1 FROM accounts a WHERE a.id = s.account_id AND a.is_indexable) AND \(unlimited("s.account_id")))
      """
    guard let viewer else { return "\(visible) AND s.visibility = \(VisibilityCode.public) AND \(isIndexed)" }
    return """
      \(visible) AND (s.account_id = \(viewer) OR \(isIndexed)
        OR EXISTS (SELECT 1 FROM mentions m WHERE m.status_id = s.id AND m.account_id = \(viewer)))
      AND (s.visibility <> \(VisibilityCode.unlisted) OR s.account_id = \(viewer)
      OR EXISTS (SELECT 1 FROM mentions m WHERE m.status_id = s.id AND m.account_id = \(viewer))
      OR EXISTS (SELECT 1 FROM follows f WHERE f.account_id = \(viewer) AND f.target_id = s.account_id))
      """
  }

  /// Returns statuses that contain the words of `query`, newest first. If `author` is given, returns only statuses of
  /// this account.
  func statuses(
    found query: String, _ portion: Portion, in range: PageRequest.Range, by author: Int64?
  ) throws -> [Int64] {
    guard let expression = SearchText.expression(for: query) else { return [] }
    let text = "text : (\(expression))"
    let match = author.map { "\(text) AND author : \"\(Schema.authorMark)\($0)\"" } ?? text
    return try numbers(
      literal: """
        SELECT s.id FROM statuses_text CROSS JOIN statuses s ON s.id = statuses_text.rowid
        WHERE statuses_text MATCH \(match)
        AND \(range.holds("statuses_text.rowid"))
        AND (\(author) IS NULL OR s.account_id = \(author)) AND \(findable)
        ORDER BY statuses_text.rowid DESC LIMIT \(portion.limit) OFFSET \(portion.offset)
        """)
  }

  /// Returns accounts that match `query`: each of its words must start a word of the name or display name. The account
  /// with exactly this name is first, followed by accounts that the viewer follows, then the rest. A query can be
  /// written `@name`, with or without this server's name after it. Only an exact name finds a limited account, and a
  /// blocked one, so that the viewer can unblock it. If `follower` is given, returns only accounts that this account
  /// follows.
  func accounts(found query: String, _ portion: Portion, followedBy follower: Int64? = nil) throws -> [Int64] {
    guard let name = localName(in: query), let expression = SearchText.expression(for: name) else { return [] }
    return try numbers(
      literal: """
        SELECT a.id FROM accounts_text CROSS JOIN accounts a ON a.id = accounts_text.rowid
        WHERE accounts_text MATCH \(expression)
        AND (\(follower) IS NULL OR EXISTS
          (SELECT 1 FROM follows f WHERE f.account_id = \(follower) AND f.target_id = a.id))
        AND CASE WHEN a.name = \(name.lowercased()) THEN \(present("a.id")) OR EXISTS
            (SELECT 1 FROM blocks b WHERE b.account_id = \(viewer) AND b.target_id = a.id)
          ELSE \(present("a.id")) AND \(unlimited("a.id")) END
        ORDER BY a.name <> \(name.lowercased()), NOT EXISTS
          (SELECT 1 FROM follows f WHERE f.account_id = \(viewer) AND f.target_id = a.id), a.name
        LIMIT \(portion.limit) OFFSET \(portion.offset)
        """)
  }

  /// Returns tags that start with `query` and occur in public statuses, with the number of public uses in the last
  /// week. An exact match is first, followed by the other tags, most used first. To bound the cost, only the first
  /// `mostTags` tags by name and `mostUses` uses of each are considered.
  func tags(found query: String, _ portion: Portion) throws -> [Tag] {
    let start = TagName.folded(String(query.drop { $0 == "#" || $0 == "\u{FF03}" }))
    guard !start.isEmpty, !start.contains(where: \.isWhitespace) else { return [] }
    let weekAgo = max(0, nowInMilliseconds - 7 * 86_400_000) << 16
    let end = start + "\u{10FFFF}"
    return try rows(
      literal: """
        WITH RECURSIVE names (tag) AS (
          SELECT min(t.tag) FROM status_tags t WHERE t.tag >= \(start) AND t.tag < \(end)
          UNION ALL
          SELECT (SELECT min(t.tag) FROM status_tags t WHERE t.tag > names.tag AND t.tag < \(end))
          FROM names WHERE names.tag IS NOT NULL LIMIT \(Self.mostTags))
        SELECT n.tag,
          (SELECT count(*) FROM (SELECT 1 FROM status_tags t CROSS JOIN statuses s ON s.id = t.status_id
            WHERE t.tag = n.tag AND t.status_id > \(weekAgo) AND s.visibility = \(VisibilityCode.public)
            LIMIT \(Self.mostUses))) AS uses
        FROM names n
        WHERE EXISTS (SELECT 1 FROM status_tags t CROSS JOIN statuses s ON s.id = t.status_id
          WHERE t.tag = n.tag AND s.visibility = \(VisibilityCode.public)
          AND \(present("s.account_id")) AND \(unlimited("s.account_id")))
        ORDER BY n.tag <> \(start), uses DESC, n.tag LIMIT \(portion.limit) OFFSET \(portion.offset)
        """
    ).map { Tag(name: $0[0], usesCount: $0[1]) }
  }

  /// Returns the query without `@` and this server's own name, or nil if it names another server.
  private func localName(in query: String) -> String? {
    let parts = query.drop { $0 == "@" || $0.isWhitespace }.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count <= 2, let name = parts.first else { return nil }
    return parts.count == 1 || parts[1].lowercased() == origin.authority.lowercased() ? String(name) : nil
  }
}
