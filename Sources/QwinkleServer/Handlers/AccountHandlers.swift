import HTTPTypes

/// Qwinkers and their qwinks.
enum AccountHandlers {
  // Fixed paths come before those with placeholders.
  static let routes = [
    Route(.get, "/api/v1/accounts/verify_credentials", .required, verify),
    Route(.get, "/api/v1/accounts/lookup", .optional, lookup),
    Route(.get, "/api/v1/accounts", .optional) { request, session in
      ServiceResponse(.qwinkers(try session.qwinkers(inOrder: request.listedIDs())))
    },
    Route(.get, "/api/v1/accounts/:id", .optional, show),
    Route(.get, "/api/v1/accounts/:id/statuses", .optional, statuses),
  ]

  private static func verify(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let me = try session.me()
    return ServiceResponse(.ownQwinker(try session.qwinker(me), try session.source(ofAccount: me)))
  }

  /// Finds a qwinker by name, with or without `@` and this server's own name.
  private static func lookup(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    guard let handle = request["acct"], !handle.isEmpty else { throw Refusal.invalid("acct is missing.") }
    let parts = handle.drop { $0 == "@" }.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 1 || (parts.count == 2 && parts[1].lowercased() == request.origin.authority.lowercased()),
      let id = try session.accountID(named: parts[0].lowercased())
    else { throw Refusal.notFound }
    return ServiceResponse(.qwinker(try session.qwinker(id)))
  }

  private static func show(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    ServiceResponse(.qwinker(try session.qwinker(try account(request))))
  }

  private static func statuses(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let id = try account(request)
    _ = try session.qwinker(id)
    let excludesDirect = request.flag("exclude_direct")
    if request.flag("pinned") {
      return try TimelineHandlers.answer(.pinned(id, excludingDirect: excludesDirect), request, session)
    }
    let tag = request["tagged"].map(TagName.folded)
    if request.flag("only_media") {
      let feed = Feed.accountsMedia(
        id, excludingReplies: request.flag("exclude_replies"), excludingDirect: excludesDirect, tag: tag)
      return try TimelineHandlers.answer(feed, request, session)
    }
    let feed = Feed.account(
      id, excludingReplies: request.flag("exclude_replies"), excludingBoosts: request.flag("exclude_reblogs"),
      excludingDirect: excludesDirect, tag: tag)
    return try TimelineHandlers.answer(feed, request, session)
  }

  private static func account(_ request: ServiceRequest) throws -> Int64 {
    guard let id = request.id else { throw Refusal.notFound }
    return id
  }
}
