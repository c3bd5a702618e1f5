import GRDB
import QwinkleModel

/// The viewer's requests: the senders of filtered notifications.
extension Transaction {
  /// Adds a request for a filtered notification, unless its sender already has one.
  func addNotificationRequest(from actor: Int64, to account: Int64) throws {
    try run(
      """
      INSERT OR IGNORE INTO notification_requests (id, account_id, actor_id, created_at) VALUES (?, ?, ?, ?)
      """, [nextID(), account, actor, nowInMilliseconds])
  }

  /// Returns the viewer's requests, newest first. Requests without a notification that the viewer can see are left out.
  func notificationRequests(_ request: PageRequest) throws -> PageOf<NotificationRequest> {
    let filter = NotificationFilter(shown: .filteredOnly)
    let source: SQL = """
      notification_requests r WHERE r.account_id = \(try me())
      AND EXISTS (SELECT 1 FROM notices n WHERE n.actor_id = r.actor_id AND \(try mine(filter)))
      """
    return try page(request, "r.id", "r.id", from: source).map { try $0.compactMap(request(_:)) }
  }

  /// Returns one of the viewer's requests. Throws if it has no notification that the viewer can see.
  func notificationRequest(_ id: Int64?) throws -> NotificationRequest {
    guard let id, let request = try request(id) else { throw Refusal.notFound }
    return request
  }

  /// Moves the notifications of requests into the viewer's list, and accepts all later notifications of their senders.
  func acceptNotificationRequests(_ ids: [Int64]) throws {
    for actor in try takeRequests(ids) {
      try run(
        "INSERT OR IGNORE INTO notification_permissions (account_id, actor_id) VALUES (?, ?)", [me(), actor])
      try run(
        "UPDATE notices SET is_filtered = 0 WHERE account_id = ? AND actor_id = ? AND is_filtered", [me(), actor])
    }
  }

  /// Removes requests and their notifications.
  func dismissNotificationRequests(_ ids: [Int64]) throws {
    for actor in try takeRequests(ids) {
      try run("DELETE FROM notices WHERE account_id = ? AND actor_id = ? AND is_filtered", [me(), actor])
    }
  }

  /// Removes the viewer's requests and returns their senders. Throws if one of them doesn't exist.
  private func takeRequests(_ ids: [Int64]) throws -> [Int64] {
    try ids.map { id in
      let request = try notificationRequest(id)
      guard let actor = Int64(request.qwinker.id.rawValue) else { throw Refusal.notFound }
      try run("DELETE FROM notification_requests WHERE id = ? AND account_id = ?", [id, me()])
      return actor
    }
  }

  private func request(_ id: Int64) throws -> NotificationRequest? {
    guard
      let row = try row(
        "SELECT actor_id, created_at FROM notification_requests WHERE id = ? AND account_id = ?", [id, me()]),
      let actor = try qwinkers([row[0]])[row[0]]
    else { return nil }
    let filter = NotificationFilter(actor: row[0], shown: .filteredOnly)
    let notices = try rows(
      literal: "SELECT n.status_id, n.created_at FROM notices n WHERE \(mine(filter)) ORDER BY n.id DESC LIMIT 100")
    guard let newest = notices.first else { return nil }
    let status = notices.lazy.compactMap { $0[0] as Int64? }.first
    return NotificationRequest(
      id: NotificationRequest.ID(String(id)), qwinker: actor, notificationsCount: notices.count,
      lastQwink: try status.flatMap { try qwinks([$0]).first }, createdAt: .init(milliseconds: row[1]),
      updatedAt: .init(milliseconds: newest[1]))
  }
}
