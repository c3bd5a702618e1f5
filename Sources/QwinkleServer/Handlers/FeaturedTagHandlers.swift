import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Tags featured on profiles.
enum FeaturedTagHandlers {
  static let routes = [
    Route(.get, "/api/v1/featured_tags", .required) { request, transaction in
      try answer(transaction.me(), request, transaction)
    },
    Route(.get, "/api/v1/featured_tags/suggestions", .required) { request, transaction in
      ServiceResponse(.json(WireEncoder.tags(try transaction.suggestedTags(), base: request.origin.url("/"))))
    },
    Route(.post, "/api/v1/featured_tags", .required) { request, transaction in
      let sent = try request.parameters()
      try sent.refuseOthers(than: ["name"])
      let name = String((try sent.text("name") ?? "").drop { $0 == "#" })
      guard linkify("#\(name)").tagNames == [name] else { throw Refusal.invalid("name is not a hashtag.") }
      let user = try transaction.qwinker(transaction.me()).userName
      return ServiceResponse(
        .json(SmallJSON.bytes(FeaturedTagEntity(try transaction.featureTag(name), of: user, request.origin))))
    },
    Route(.delete, "/api/v1/featured_tags/:id", .required) { request, transaction in
      try transaction.unfeatureTag(request.id)
      return .done
    },
    Route(.get, "/api/v1/accounts/:id/featured_tags", .optional) { request, transaction in
      guard let id = request.id else { throw Refusal.notFound }
      return try answer(id, request, transaction)
    },
  ]

  private static func answer(
    _ account: Int64, _ request: ServiceRequest, _ transaction: Transaction
  ) throws -> ServiceResponse {
    let user = try transaction.qwinker(account).userName
    let tags = try transaction.isPresent(account) ? transaction.featuredTags(of: account) : []
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
