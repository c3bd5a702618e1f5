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
      ServiceResponse({ WireEncoder.tags($0, base: request.origin.url("/")) }, try transaction.suggestedTags())
    },
    Route(.post, "/api/v1/featured_tags", .required) { request, transaction in
      let sent = try request.parameters().refuseOthers(than: ["name"])
      let name = String((try sent.text("name") ?? "").drop { $0 == "#" })
      guard linkify("#\(name)").tagNames == [name] else { throw Refusal.invalid("name is not a hashtag.") }
      let user = try transaction.qwinker(transaction.me()).userName
      let tag = try transaction.featureTag(name)
      return ServiceResponse(.json { WireEncoder.featuredTag(tag, url: url(ofName: user, request)) })
    },
    Route(.delete, "/api/v1/featured_tags/:id", .required) { request, transaction in
      try transaction.unfeatureTag(request.id)
      return .done
    },
    Route(.get, "/api/v1/accounts/:id/featured_tags", .optional) { request, transaction in
      try answer(request.requiredID(), request, transaction)
    },
  ]

  private static func answer(
    _ account: Int64, _ request: ServiceRequest, _ transaction: Transaction
  ) throws -> ServiceResponse {
    let user = try transaction.qwinker(account).userName
    let tags = try transaction.isPresent(account) ? transaction.featuredTags(of: account) : []
    return ServiceResponse(.json { WireEncoder.featuredTags(tags, url: url(ofName: user, request)) })
  }

  private static func url(ofName name: String, _ request: ServiceRequest) -> String {
    request.origin.url("/@\(name)")
  }
}
