import HTTPTypes
import QwinkleWire

/// Blocks and mutes, of people and of threads.
enum BlockHandlers {
  static let routes = [
    Route(.post, "/api/v1/accounts/:id/block", .required) { request, session in
      try PeopleHandlers.relate(request, session) { other in try session.block(other) }
    },
    Route(.post, "/api/v1/accounts/:id/unblock", .required) { request, session in
      try PeopleHandlers.relate(request, session) { other in try session.unblock(other) }
    },
    Route(.post, "/api/v1/accounts/:id/mute", .required, mute),
    Route(.post, "/api/v1/accounts/:id/unmute", .required) { request, session in
      try PeopleHandlers.relate(request, session) { other in try session.unmute(other) }
    },
    Route(.get, "/api/v1/blocks", .required) { request, session in try list(.blocked, request, session) },
    Route(.get, "/api/v1/mutes", .required) { request, session in try list(.muted, request, session) },
    Route(.post, "/api/v1/statuses/:id/mute", .required) { request, session in
      try session.setThreadMute(request.id, to: true)
      return ServiceResponse(.qwink(try session.qwink(request.id)))
    },
    Route(.post, "/api/v1/statuses/:id/unmute", .required) { request, session in
      try session.setThreadMute(request.id, to: false)
      return ServiceResponse(.qwink(try session.qwink(request.id)))
    },
  ]

  /// A century: more would overflow nothing, but means "for ever".
  private static let mostSeconds = 3_155_760_000

  private static func mute(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let sent = try request.parameters()
    try sent.refuseOthers(than: ["notifications", "duration"])
    let hides = try sent.flag("notifications") ?? true
    let seconds = try sent.integer("duration", in: 0...mostSeconds) ?? 0
    return try PeopleHandlers.relate(request, session) { other in
      try session.mute(other, hidesNotifications: hides, seconds: seconds)
    }
  }

  private static func list(
    _ keptAway: KeptAway, _ request: ServiceRequest, _ session: Session
  ) throws -> ServiceResponse {
    let page = try session.qwinkers(keptAway, PageRequest(request, usual: 40, most: 80))
    return ServiceResponse(.qwinkers(page.qwinkers), link: page.link.header(for: request))
  }
}
