import HTTPTypes
import QwinkleWire

/// Blocks and mutes of accounts, and mutes of threads.
enum BlockHandlers {
  static let routes = [
    Route(.post, "/api/v1/accounts/:id/block", .required) { request, transaction in
      try PeopleHandlers.relate(request, transaction) { other in try transaction.block(other) }
    },
    Route(.post, "/api/v1/accounts/:id/unblock", .required) { request, transaction in
      try PeopleHandlers.relate(request, transaction) { other in try transaction.unblock(other) }
    },
    Route(.post, "/api/v1/accounts/:id/mute", .required, mute),
    Route(.post, "/api/v1/accounts/:id/unmute", .required) { request, transaction in
      try PeopleHandlers.relate(request, transaction) { other in try transaction.unmute(other) }
    },
    Route(.get, "/api/v1/blocks", .required) { request, transaction in try list(.blocked, request, transaction) },
    Route(.get, "/api/v1/mutes", .required) { request, transaction in try list(.muted, request, transaction) },
    Route(.post, "/api/v1/statuses/:id/mute", .required) { request, transaction in
      try transaction.setThreadMute(request.id, to: true)
      return ServiceResponse(WireEncoder.qwink, try transaction.qwink(request.id))
    },
    Route(.post, "/api/v1/statuses/:id/unmute", .required) { request, transaction in
      try transaction.setThreadMute(request.id, to: false)
      return ServiceResponse(WireEncoder.qwink, try transaction.qwink(request.id))
    },
  ]

  /// The longest temporary mute, in seconds: a hundred years.
  private static let mostSeconds = 3_155_760_000

  private static func mute(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let sent = try request.parameters().refuseOthers(than: ["notifications", "duration"])
    let hides = try sent.flag("notifications") ?? true
    let seconds = try sent.integer("duration", in: 0...mostSeconds) ?? 0
    return try PeopleHandlers.relate(request, transaction) { other in
      try transaction.mute(other, hidesNotifications: hides, seconds: seconds)
    }
  }

  private static func list(
    _ hiddenAccounts: HiddenAccounts, _ request: ServiceRequest, _ transaction: Transaction
  ) throws -> ServiceResponse {
    let page = try transaction.qwinkers(hiddenAccounts, PageRequest(request, usual: 40, most: 80))
    return ServiceResponse(WireEncoder.qwinkers, page.items, link: page.link.header(for: request))
  }
}
