import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Tags that people show on their profiles.
enum FeaturedTagHandlers {
  static let routes = [
    Route(.get, "/api/v1/featured_tags", .required) { request, session in
      try answer(session.me(), request, session)
    },
    Route(.get, "/api/v1/featured_tags/suggestions", .required) { request, session in
      ServiceResponse(.json(WireEncoder.tags(try session.suggestedTags(), base: request.origin.url("/"))))
    },
    Route(.post, "/api/v1/featured_tags", .required) { request, session in
      let sent = try request.parameters()
      try sent.refuseOthers(than: ["name"])
      let name = String((try sent.text("name") ?? "").drop { $0 == "#" })
      guard linkify("#\(name)").tagNames == [name] else { throw Refusal.invalid("name is not a hashtag.") }
      let user = try session.qwinker(session.me()).userName
      return ServiceResponse(
        .json(SmallJSON.bytes(FeaturedTagEntity(try session.featureTag(name), of: user, request.origin))))
    },
    Route(.delete, "/api/v1/featured_tags/:id", .required) { request, session in
      try session.unfeatureTag(request.id)
      return .done
    },
    Route(.get, "/api/v1/accounts/:id/featured_tags", .optional) { request, session in
      guard let id = request.id else { throw Refusal.notFound }
      return try answer(id, request, session)
    },
  ]

  private static func answer(
    _ account: Int64, _ request: ServiceRequest, _ session: Session
  ) throws -> ServiceResponse {
    let user = try session.qwinker(account).userName
    let tags = try session.isPresent(account) ? session.featuredTags(of: account) : []
    return ServiceResponse(.json(SmallJSON.bytes(tags.map { FeaturedTagEntity($0, of: user, request.origin) })))
  }
}

/// <https://docs.joinmastodon.org/entities/FeaturedTag/>
private struct FeaturedTagEntity: Encodable {
  var id: String
  var name: String
  var url: String
  var uses: String
  @OrNull var lastUse: String?

  enum CodingKeys: String, CodingKey {
    case id, name, url
    case uses = "statuses_count"
    case lastUse = "last_status_at"
  }

  init(_ tag: FeaturedTag, of userName: String, _ origin: Origin) {
    id = String(tag.id)
    name = tag.name
    url = origin.url("/@\(userName)")
    uses = String(tag.uses)
    lastUse = tag.lastUse.map { String(WireDate.text(Date(milliseconds: $0)).prefix(10)) }
  }
}
