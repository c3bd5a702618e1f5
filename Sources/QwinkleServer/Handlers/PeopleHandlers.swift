import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Follows, relationships and the account search.
enum PeopleHandlers {
  static let routes = [
    Route(.get, "/api/v1/accounts/search", .required, search),
    Route(.get, "/api/v1/accounts/relationships", .required, relationships),
    Route(.post, "/api/v1/accounts/:id/follow", .required, follow),
    Route(.post, "/api/v1/accounts/:id/unfollow", .required) { request, transaction in
      try relate(request, transaction) { other in try transaction.unfollow(other, by: transaction.me()) }
    },
    Route(.post, "/api/v1/accounts/:id/note", .required, note),
    Route(.post, "/api/v1/accounts/:id/remove_from_followers", .required) { request, transaction in
      try relate(request, transaction) { other in try transaction.unfollow(transaction.me(), by: other) }
    },
    Route(.get, "/api/v1/accounts/:id/followers", .optional) { request, transaction in
      try list(.followers, request, transaction)
    },
    Route(.get, "/api/v1/accounts/:id/following", .optional) { request, transaction in
      try list(.following, request, transaction)
    },
  ]

  private static let usualCount = 40
  private static let mostCount = 80
  private static let mostNoteCharacters = 2000

  private static func search(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let me = try transaction.me()
    let part = Portion(request, usual: usualCount, most: mostCount)
    let ids = try transaction.accounts(
      found: request["q"] ?? "", part, followedBy: request.flag("following") ? me : nil)
    return ServiceResponse(WireEncoder.qwinkers, try transaction.qwinkers(inOrder: ids))
  }

  private static func relationships(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    ServiceResponse(WireEncoder.relationships, try transaction.relationships(to: request.listedIDs(most: mostCount)))
  }

  private static func follow(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let sent = try request.parameters().refuseOthers(than: ["reblogs", "notify", "languages"])
    let (_, other) = try meAndOther(request, transaction)
    guard try transaction.isPresent(other) else {
      throw Refusal(status: .forbidden, message: "One of you blocks the other, so you can't follow.")
    }
    let languages = try sent.texts("languages").map { codes in
      guard let languages = FollowOptions.languages(in: codes.joined(separator: ",")) else {
        throw Refusal.invalid("languages must be codes such as en or pt-BR.")
      }
      return languages
    }
    let options = FollowOptions(
      showsBoosts: try sent.flag("reblogs"), notifies: try sent.flag("notify"), languages: languages)
    try transaction.requestFollow(of: other, options)
    return try relationship(to: other, transaction)
  }

  /// Stores the viewer's private note about an account. No one else can see it.
  private static func note(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let sent = try request.parameters().refuseOthers(than: ["comment"])
    let note = (try sent.text("comment") ?? "").filter { $0 != "\0" }
    guard note.count <= mostNoteCharacters, note.utf8.count <= 4 * mostNoteCharacters else {
      throw Refusal.invalid("The note is too long: the limit is \(mostNoteCharacters) characters.")
    }
    return try relate(request, transaction) { other in try transaction.setNote(note, about: other) }
  }

  /// Performs `work` on the account in the path and returns the viewer's new relationship to it. Throws if the account
  /// is the viewer's own.
  static func relate(
    _ request: ServiceRequest, _ transaction: Transaction, _ work: (_ other: Int64) throws -> Void
  ) throws -> ServiceResponse {
    let (_, other) = try meAndOther(request, transaction)
    try work(other)
    return try relationship(to: other, transaction)
  }

  /// Returns a page of followers or followed accounts, newest follow first. The page's links contain ids of follows,
  /// because the ids of accounts have a different order.
  private static func list(
    _ side: FollowSide, _ request: ServiceRequest, _ transaction: Transaction
  ) throws -> ServiceResponse {
    let id = try request.requiredID()
    _ = try transaction.qwinker(id)
    let page = try transaction.qwinkers(side, of: id, PageRequest(request, usual: usualCount, most: mostCount))
    return ServiceResponse(WireEncoder.qwinkers, page.items, link: page.link.header(for: request))
  }

  /// Returns the viewer and the account in the path. Throws if they are the same.
  private static func meAndOther(_ request: ServiceRequest, _ transaction: Transaction) throws -> (
    me: Int64, other: Int64
  ) {
    let me = try transaction.me()
    let other = try request.requiredID()
    _ = try transaction.qwinker(other)
    if other == me { throw Refusal(status: .forbidden, message: "You can't do this to yourself.") }
    return (me, other)
  }

  private static func relationship(to other: Int64, _ transaction: Transaction) throws -> ServiceResponse {
    guard let relationship = try transaction.relationships(to: [other]).first else { throw Refusal.notFound }
    return ServiceResponse(WireEncoder.relationship, relationship)
  }
}
