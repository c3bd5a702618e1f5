import HTTPTypes
import QwinkleWire

/// Qwinkers (accounts) and their qwinks (posts).
enum AccountHandlers {
  // Fixed paths precede paths with placeholders, because the first matching route wins.
  static let routes = [
    Route(.get, "/api/v1/accounts/verify_credentials", .required) { try ProfileHandlers.own($1.me(), $1) },
    Route(.get, "/api/v1/accounts/lookup", .optional, lookup),
    Route(.get, "/api/v1/accounts", .optional) { request, transaction in
      ServiceResponse(WireEncoder.qwinkers, try transaction.qwinkers(inOrder: request.listedIDs()))
    },
    Route(.get, "/api/v1/accounts/:id", .optional) { request, transaction in
      ServiceResponse({ WireEncoder.qwinker($0) }, try transaction.qwinker(request.requiredID()))
    },
    Route(.get, "/api/v1/accounts/:id/statuses", .optional, statuses),
  ]

  /// Finds a qwinker by name, with an optional `@` and an optional server name, which must be this server's.
  private static func lookup(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    guard let handle = request["acct"], !handle.isEmpty else { throw Refusal.invalid("acct is missing.") }
    let parts = handle.drop { $0 == "@" }.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 1 || (parts.count == 2 && parts[1].lowercased() == request.origin.authority.lowercased()),
      let id = try transaction.accountID(named: parts[0].lowercased())
    else { throw Refusal.notFound }
    return ServiceResponse({ WireEncoder.qwinker($0) }, try transaction.qwinker(id))
  }

  private static func statuses(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let id = try request.requiredID()
    _ = try transaction.qwinker(id)
    let excludesDirect = request.flag("exclude_direct")
    if request.flag("pinned") {
      return try TimelineHandlers.answer(.pinned(id, excludingDirect: excludesDirect), request, transaction)
    }
    let tag = request["tagged"].map(TagName.folded)
    if request.flag("only_media") {
      let feed = Feed.accountsMedia(
        id, excludingReplies: request.flag("exclude_replies"), excludingDirect: excludesDirect, tag: tag)
      return try TimelineHandlers.answer(feed, request, transaction)
    }
    let feed = Feed.account(
      id, excludingReplies: request.flag("exclude_replies"), excludingBoosts: request.flag("exclude_reblogs"),
      excludingDirect: excludesDirect, tag: tag)
    return try TimelineHandlers.answer(feed, request, transaction)
  }
}
