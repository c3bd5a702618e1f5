import GRDB
import QwinkleModel

/// Which statuses a list holds.
enum Feed {
  case everyone
  case home
  case tag(String)
  case account(Int64, excludingReplies: Bool, tag: String?)
}

extension Session {
  /// A page of a list, newest first, with the ways on.
  func page(of feed: Feed, _ request: PageRequest) throws -> (qwinks: [Qwink], link: PageLinks) {
    var ids = try ids(of: feed, request.range, limit: request.limit + 1)
    var hasOlder = ids.count > request.limit
    ids = Array(ids.prefix(request.limit))
    if request.range.isAscending { ids.reverse() }
    guard let newest = ids.first, let oldest = ids.last else { return ([], PageLinks()) }
    if request.range.after != nil {
      hasOlder = try !self.ids(of: feed, PageRequest.Range(before: oldest), limit: 1).isEmpty
    }
    return (try qwinks(ids), PageLinks(newest: newest, oldest: hasOlder ? oldest : nil))
  }

  private func ids(of feed: Feed, _ range: PageRequest.Range, limit: Int) throws -> [Int64] {
    let order: SQL = range.isAscending ? "ASC" : "DESC"
    let before = range.before ?? .max
    let after = range.after ?? 0
    let query: SQL =
      switch feed {
      case .everyone:
        """
        SELECT s.id FROM statuses s WHERE s.visibility = \(VisibilityCode.public)
        AND s.id < \(before) AND s.id > \(after) ORDER BY s.id \(order) LIMIT \(limit)
        """
      case .home:
        // The newest of each author by the index of what is not direct, then the newest of these: never a walk over
        // everything.
        """
        SELECT s.id FROM
          (SELECT \(viewer) AS author UNION SELECT target_id FROM follows WHERE account_id = \(viewer)) a
          CROSS JOIN statuses s ON s.id IN
            (SELECT s.id FROM statuses s WHERE s.account_id = a.author AND s.visibility < 3
             AND s.id < \(before) AND s.id > \(after) ORDER BY s.id \(order) LIMIT \(limit))
        ORDER BY s.id \(order) LIMIT \(limit)
        """
      case .tag(let tag):
        """
        SELECT s.id FROM status_tags t CROSS JOIN statuses s ON s.id = t.status_id
        WHERE t.tag = \(tag) AND t.status_id < \(before) AND t.status_id > \(after)
        AND s.visibility = \(VisibilityCode.public) ORDER BY t.status_id \(order) LIMIT \(limit)
        """
      case .account(let account, let excludingReplies, let tag):
        """
        SELECT s.id FROM statuses s WHERE s.account_id = \(account) AND s.id < \(before) AND s.id > \(after)
        AND \(visible)
        AND (\(!excludingReplies) OR s.in_reply_to_id IS NULL OR s.in_reply_to_account_id = \(account))
        AND (\(tag) IS NULL OR EXISTS (SELECT 1 FROM status_tags t WHERE t.tag = \(tag) AND t.status_id = s.id))
        ORDER BY s.id \(order) LIMIT \(limit)
        """
      }
    return try Int64.fetchAll(db.cachedStatement(literal: query))
  }
}
