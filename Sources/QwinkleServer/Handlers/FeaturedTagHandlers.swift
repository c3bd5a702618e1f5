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
      ServiceResponse({ WireEncoder.tags($0, base: request.origin.url("/")) }, try transaction.suggestedTags())
    },
    Route(.post, "/api/v1/featured_tags", .required) { request, transaction in
      let sent = try request.parameters().refuseOthers(than: ["name"])
      let name = String((try sent.text("name") ?? "").drop { $0 == "#" })
      guard linkify("#\(name)").tagNames == [name] else { throw Refusal.invalid("name is not a hashtag.") }
      let user = try transaction.qwinker(transaction.me()).userName
      let tag = try transaction.featureTag(name)
      return ServiceResponse { write(tag, of: user, request.origin, to: &$0) }
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
    return ServiceResponse { $0.array(tags) { write($1, of: user, request.origin, to: &$0) } }
  }

  /// <https://docs.joinmastodon.org/entities/FeaturedTag/>
  private static func write(_ tag: FeaturedTag, of userName: String, _ origin: BaseURL, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", String(tag.id))
      writer.field("last_status_at", tag.lastUse.map { String(WireDate.text(Date(milliseconds: $0)).prefix(10)) })
      writer.field("name", tag.name)
      writer.field("statuses_count", String(tag.uses))
      writer.field("url", origin.url("/@\(userName)"))
    }
  }
}
