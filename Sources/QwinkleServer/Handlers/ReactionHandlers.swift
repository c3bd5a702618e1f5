import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Boosts, favourites and bookmarks. The routes add and remove them, return the viewer's favourites and bookmarks, and
/// return the qwinkers who boosted or favourited a qwink.
enum ReactionHandlers {
  static let routes =
    verbs.map { verb, reaction, isOn in
      Route(.post, "/api/v1/statuses/:id/\(verb)", .required) { request, transaction in
        let visibility = reaction == .boost && isOn ? try visibility(in: request) : .public
        let shown = try transaction.react(reaction, to: request.id, isOn: isOn, visibility: visibility)
        return ServiceResponse(WireEncoder.qwink, try transaction.qwink(shown))
      }
    } + [
      Route(.get, "/api/v1/statuses/:id/reblogged_by", .optional) { try qwinkers(who: .boost, $0, $1) },
      Route(.get, "/api/v1/statuses/:id/favourited_by", .optional) { try qwinkers(who: .favourite, $0, $1) },
      Route(.get, "/api/v1/favourites", .required) { try TimelineHandlers.answer(.favourites, $0, $1) },
      Route(.get, "/api/v1/bookmarks", .required) { try TimelineHandlers.answer(.bookmarks, $0, $1) },
    ]

  private static let verbs: [(verb: String, Reaction, isOn: Bool)] = [
    ("reblog", .boost, true), ("unreblog", .boost, false), ("favourite", .favourite, true),
    ("unfavourite", .favourite, false), ("bookmark", .bookmark, true), ("unbookmark", .bookmark, false),
  ]

  private static func visibility(in request: ServiceRequest) throws(ParameterFault) -> Visibility {
    try request.parameters().refuseOthers(than: ["visibility"]).choice("visibility") ?? .public
  }

  private static func qwinkers(
    who reaction: Reaction, _ request: ServiceRequest, _ transaction: Transaction
  ) throws -> ServiceResponse {
    let page = try transaction.qwinkers(who: reaction, request.id, PageRequest(request, usual: 40, most: 80))
    return ServiceResponse(WireEncoder.qwinkers, page.items, link: page.link.header(for: request))
  }
}
