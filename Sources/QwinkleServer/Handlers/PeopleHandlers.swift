import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Follows, relationships and the search for qwinkers.
enum PeopleHandlers {
  static let routes = [
    Route(.get, "/api/v1/accounts/search", .required, search),
    Route(.get, "/api/v1/accounts/relationships", .required, relationships),
    Route(.post, "/api/v1/accounts/:id/follow", .required, follow),
    Route(.post, "/api/v1/accounts/:id/unfollow", .required, unfollow),
    Route(.post, "/api/v1/accounts/:id/note", .required, note),
    Route(.post, "/api/v1/accounts/:id/remove_from_followers", .required, removeFollower),
    Route(.get, "/api/v1/accounts/:id/followers", .optional) { request, session in
      try list(.followers, request, session)
    },
    Route(.get, "/api/v1/accounts/:id/following", .optional) { request, session in
      try list(.following, request, session)
    },
  ]

  private static let usualCount = 40
  private static let mostCount = 80
  private static let mostNoteCharacters = 2000

  private static func search(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let me = try session.me()
    let part = Portion(request, usual: usualCount, most: mostCount)
    let ids = try session.accounts(
      found: request["q"] ?? "", part, followedBy: request.flag("following") ? me : nil)
    return ServiceResponse(.qwinkers(try session.qwinkers(inOrder: ids)))
  }

  private static func relationships(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    ServiceResponse(.relationships(try session.relationships(to: request.listedIDs(most: mostCount))))
  }

  private static func follow(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let sent = try request.parameters()
    try sent.refuseOthers(than: ["reblogs", "notify"])
    let (me, other) = try meAndOther(request, session)
    guard try session.isPresent(other) else {
      throw Refusal(status: .forbidden, message: "One of you blocks the other, so you can't follow.")
    }
    let before = try session.relationships(to: [other]).first { $0.isFollowing || $0.isRequested }
    let options = FollowOptions(
      showsBoosts: try sent.flag("reblogs") ?? before.map { $0.showsBoosts || $0.isRequested } ?? true,
      notifies: try sent.flag("notify") ?? before?.isNotifying ?? false)
    try session.requestFollow(of: other, by: me, options)
    return try relationship(to: other, session)
  }

  /// Stores the viewer's private note about an account. Only they see it.
  private static func note(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let sent = try request.parameters()
    try sent.refuseOthers(than: ["comment"])
    let note = (try sent.text("comment") ?? "").filter { $0 != "\0" }
    guard note.count <= mostNoteCharacters, note.utf8.count <= 4 * mostNoteCharacters else {
      throw Refusal.invalid("The note is too long: the limit is \(mostNoteCharacters) characters.")
    }
    return try relate(request, session) { other in try session.setNote(note, about: other) }
  }

  /// Does `work` to the account in the path, which is another than the viewer's, and returns the relationship to it.
  static func relate(
    _ request: ServiceRequest, _ session: Session, _ work: (_ other: Int64) throws -> Void
  ) throws -> ServiceResponse {
    let (_, other) = try meAndOther(request, session)
    try work(other)
    return try relationship(to: other, session)
  }

  private static func unfollow(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let (me, other) = try meAndOther(request, session)
    try session.unfollow(other, by: me)
    return try relationship(to: other, session)
  }

  private static func removeFollower(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let (me, other) = try meAndOther(request, session)
    try session.unfollow(me, by: other)
    return try relationship(to: other, session)
  }

  /// Pages by the follows' ids, not the qwinkers': newest follow first.
  private static func list(
    _ side: FollowSide, _ request: ServiceRequest, _ session: Session
  ) throws -> ServiceResponse {
    guard let id = request.id else { throw Refusal.notFound }
    _ = try session.qwinker(id)
    let page = try session.qwinkers(side, of: id, PageRequest(request, usual: usualCount, most: mostCount))
    return ServiceResponse(.qwinkers(page.qwinkers), link: page.link.header(for: request))
  }

  /// The viewer and the account in the path, which must be another one.
  private static func meAndOther(_ request: ServiceRequest, _ session: Session) throws -> (me: Int64, other: Int64) {
    let me = try session.me()
    guard let other = request.id else { throw Refusal.notFound }
    _ = try session.qwinker(other)
    if other == me { throw Refusal(status: .forbidden, message: "You can't do this to yourself.") }
    return (me, other)
  }

  private static func relationship(to other: Int64, _ session: Session) throws -> ServiceResponse {
    guard let relationship = try session.relationships(to: [other]).first else { throw Refusal.notFound }
    return ServiceResponse(.relationship(relationship))
  }
}
