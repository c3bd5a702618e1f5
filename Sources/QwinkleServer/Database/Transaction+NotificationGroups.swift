import GRDB
import HTTPTypes
import QwinkleModel

extension Transaction {
  /// Number of notifications read at once.
  private static let step = 200
  /// Maximum number of reads for a page.
  private static let mostSteps = 20
  /// Maximum number of accounts returned for a group.
  private static let mostAccounts = 8

  /// Returns the groups of the viewer's notifications in a page, newest first. A page covers all notifications between
  /// its newest and its oldest. A group that also has older notifications therefore appears again in a later page.
  func notificationGroups(
    _ filter: NotificationFilter, grouping kinds: Set<String>, _ request: PageRequest
  ) throws -> PageOf<NotificationGroupPart> {
    var places: [NotificationGroupKey: Int] = [:]
    var groups: [NotificationGroupPart] = []
    var rest = request.range
    var hasMore = true
    steps: for _ in 0..<Self.mostSteps {
      let rows = try rows(
        literal: """
          SELECT n.id, n.kind, n.status_id, n.created_at FROM notices n
          WHERE \(mine(filter)) AND typeof(n.created_at) = 'integer' AND \(rest.holds("n.id"))
          \(rest.first(Self.step, by: "n.id"))
          """)
      for row in rows {
        let id: Int64 = row[0]
        let group = NotificationGroupKey(id, kind: row[1], status: row[2], createdAt: row[3], grouping: kinds)
        if let place = places[group] {
          groups[place].newest = max(groups[place].newest, id)
          groups[place].oldest = min(groups[place].oldest, id)
        } else if groups.count < request.limit {
          places[group] = groups.count
          groups.append(NotificationGroupPart(group: group, newest: id, oldest: id))
        } else {
          break steps
        }
        if rest.isAscending { rest.after = id } else { rest.before = id }
      }
      if rows.count < Self.step {
        hasMore = false
        break
      }
    }
    groups.sort { $0.newest > $1.newest }
    guard let newest = groups.first?.newest, let oldest = groups.map(\.oldest).min() else { return PageOf() }
    if request.range.after != nil {
      let older = PageRequest.Range(before: oldest)
      hasMore = try !keys(
        "SELECT n.id, n.id FROM notices n WHERE \(mine(filter)) AND \(older.holds("n.id")) LIMIT 1"
      ).isEmpty
    }
    return PageOf(items: groups, link: PageLinks(newest: newest, oldest: hasMore ? oldest : nil))
  }

  /// Returns the group with this key. Throws if it has no notifications.
  func notificationGroup(_ key: String?) throws -> NotificationGroupPart {
    guard let group = key.flatMap(NotificationGroupKey.init),
      let row = try row(
        literal: "SELECT max(n.id), min(n.id) FROM notices n WHERE \(mine(.init())) AND \(isIn(group))"),
      let newest: Int64 = row[0], let oldest: Int64 = row[1]
    else { throw Refusal.notFound }
    return NotificationGroupPart(group: group, newest: newest, oldest: oldest)
  }

  /// Returns a part of a group with the group's details.
  func told(_ part: NotificationGroupPart) throws -> NotificationGroupContent {
    let count = try Int.fetchOne(
      db.cachedStatement(literal: "SELECT count(*) FROM notices n WHERE \(mine(.init())) AND \(isIn(part.group))"))
    let accounts = try numbers(
      literal: """
        SELECT n.actor_id FROM notices n WHERE \(mine(.init())) AND \(isIn(part.group))
        ORDER BY n.id DESC LIMIT \(Self.mostAccounts)
        """)
    guard
      let row = try row(
        "SELECT kind, status_id, created_at FROM notices WHERE id = ? AND account_id = ?", [part.newest, me()])
    else { throw Refusal.notFound }
    return NotificationGroupContent(
      part: part, latest: (row[0], row[1], row[2]), detail: try detail(ofNotification: part.newest),
      count: count ?? 0, accounts: accounts)
  }

  /// Returns the accounts that caused a group's notifications, newest first. The page's links contain ids of
  /// notifications, not of accounts.
  func qwinkers(in group: NotificationGroupKey, _ request: PageRequest) throws -> PageOf<Qwinker> {
    try page(request, "n.id", "n.actor_id", from: "notices n WHERE \(mine(.init())) AND \(isIn(group))")
      .map(qwinkers(inOrder:))
  }

  /// Removes a group's notifications.
  func dismissNotificationGroup(_ key: String?) throws {
    let group = try notificationGroup(key).group
    try db.execute(
      literal: "DELETE FROM notices WHERE id IN (SELECT n.id FROM notices n WHERE \(mine(.init())) AND \(isIn(group)))")
  }

  /// Returns the number of groups with notifications after the viewer's read position, at most `most`.
  func unreadNotificationGroupCount(_ filter: NotificationFilter, grouping kinds: Set<String>, most: Int) throws -> Int
  {
    let read = try readPositions([.notifications]).first.flatMap { Int64($0.lastReadID) }
    var request = PageRequest(limit: most)
    request.range.after = read ?? 0
    return try notificationGroups(filter, grouping: kinds, request).items.count
  }

  /// SQL condition that notification `n` is in a group.
  private func isIn(_ group: NotificationGroupKey) -> SQL {
    let day = SQL(sql: "n.\(Schema.notificationDay)")
    return switch group {
    case .one(let id): "n.id = \(id)"
    case .reactions(let kind, let status, let number):
      "n.kind = \(kind.rawValue) AND n.status_id = \(status) AND \(day) = \(number)"
    case .follows(let number):
      "n.kind = \(NotificationKind.follow.rawValue) AND n.status_id IS NULL AND \(day) = \(number)"
    }
  }
}
