import HTTPTypes
import QwinkleWire

/// The viewer's notifications.
enum NotificationHandlers {
  // Fixed paths precede paths with placeholders, because the first matching route wins.
  static let routes = [
    Route(.get, "/api/v1/notifications", .required) { request, transaction in
      let page = try transaction.notifications(filter(in: request), PageRequest(request, usual: 40, most: 80))
      return ServiceResponse(WireEncoder.notifications, page.items, link: page.link.header(for: request))
    },
    Route(.get, "/api/v1/notifications/unread_count", .required) { request, transaction in
      let most = try PageRequest(request, usual: 100, most: 1000).limit
      let count = try transaction.unreadNotificationsCount(filter(in: request), most: most)
      return ServiceResponse { $0.object { $0.field("count", count) } }
    },
    Route(.post, "/api/v1/notifications/clear", .required) { _, transaction in
      try transaction.clearNotifications()
      return .done
    },
    Route(.get, "/api/v1/notifications/:id", .required) { request, transaction in
      ServiceResponse(WireEncoder.notification, try transaction.notification(request.id))
    },
    Route(.post, "/api/v1/notifications/:id/dismiss", .required) { request, transaction in
      try transaction.dismissNotification(request.id)
      return .done
    },
    // Mastodon's route before version 2.6. Some libraries still use it.
    Route(.post, "/api/v1/notifications/dismiss", .required) { request, transaction in
      try transaction.dismissNotification(request.parameters().identifier("id").flatMap { Int64($0) })
      return .done
    },
  ]

  /// Parses the request's filter: the kinds of notifications, the account that caused them, and whether to include
  /// filtered ones.
  static func filter(in request: ServiceRequest) throws -> NotificationFilter {
    let parameters = try request.parameters()
    var filter = NotificationFilter()
    let (kinds, others) = (parameters.list("types"), parameters.list("exclude_types"))
    if !kinds.isEmpty { filter.kinds.removeAll { !kinds.contains($0) } }
    filter.kinds.removeAll(where: others.contains)
    if let account = parameters["account_id"], !account.isEmpty {
      guard let id = Int64(account) else { throw Refusal.invalid("account_id is not a valid ID.") }
      filter.actor = id
    }
    // Like Mastodon, list all notifications of one account, because the client shows them for a request.
    if try filter.actor != nil || parameters.flag("include_filtered") == true { filter.shown = .all }
    return filter
  }
}
