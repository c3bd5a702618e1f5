import HTTPTypes
import QwinkleModel
import QwinkleWire

/// The viewer's policy for notifications, and the requests of the senders of filtered notifications.
enum NotificationRequestHandlers {
  /// Maximum number of requests answered at once.
  private static let most = 100

  // These paths precede the notifications' paths with placeholders, because the first matching route wins.
  static let routes = [
    Route(.get, "/api/v2/notifications/policy", .required) { _, transaction in try policy(transaction) },
    Route(.patch, "/api/v2/notifications/policy", .required) { request, transaction in
      try change(request, transaction)
    },
    Route(.get, "/api/v1/notifications/requests", .required) { request, transaction in
      let page = try transaction.notificationRequests(PageRequest(request, usual: 40, most: 80))
      return ServiceResponse(WireEncoder.notificationRequests, page.items, link: page.link.header(for: request))
    },
    // Accepted notifications are in the list when the answer is sent.
    Route(.get, "/api/v1/notifications/requests/merged", .required) { _, _ in
      ServiceResponse { $0.object { $0.field("merged", true) } }
    },
    Route(.post, "/api/v1/notifications/requests/accept", .required) { request, transaction in
      try transaction.acceptNotificationRequests(ids(in: request))
      return .done
    },
    Route(.post, "/api/v1/notifications/requests/dismiss", .required) { request, transaction in
      try transaction.dismissNotificationRequests(ids(in: request))
      return .done
    },
    Route(.get, "/api/v1/notifications/requests/:id", .required) { request, transaction in
      ServiceResponse(WireEncoder.notificationRequest, try transaction.notificationRequest(request.id))
    },
    Route(.post, "/api/v1/notifications/requests/:id/accept", .required) { request, transaction in
      try transaction.acceptNotificationRequests([transaction.existing(request.id)])
      return .done
    },
    Route(.post, "/api/v1/notifications/requests/:id/dismiss", .required) { request, transaction in
      try transaction.dismissNotificationRequests([transaction.existing(request.id)])
      return .done
    },
  ]

  private static func policy(_ transaction: Transaction) throws -> ServiceResponse {
    ServiceResponse(WireEncoder.notificationPolicy, try transaction.notificationPolicy())
  }

  private static func change(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let names = NotificationPolicy.Group.allCases.map { ($0, WireEncoder.word(of: $0)) }
    let sent = try request.parameters().refuseOthers(than: Set(names.map(\.1)))
    var changes: [NotificationPolicy.Group: NotificationPolicy.Treatment] = [:]
    for (group, name) in names {
      guard sent.has(name), let word = try sent.text(name) else { continue }
      let treatment = NotificationPolicy.Treatment(word)
      guard NotificationPolicy.Treatment.choices.contains(treatment) else {
        throw sent.fault(name, "must be accept, filter or drop")
      }
      changes[group] = treatment
    }
    if !changes.isEmpty { try transaction.setTreatments(changes) }
    return try policy(transaction)
  }

  private static func ids(in request: ServiceRequest) throws -> [Int64] {
    let sent = try request.parameters()
    let words = sent.list("id")
    let ids = words.compactMap { Int64($0) }
    guard !ids.isEmpty, ids.count == words.count, ids.count <= most else {
      throw sent.fault("id", "must be a list of 1 to \(most) requests")
    }
    return ids
  }
}

extension Transaction {
  fileprivate func existing(_ id: Int64?) throws -> Int64 {
    guard let id else { throw Refusal.notFound }
    return id
  }
}
