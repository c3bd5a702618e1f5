import HTTPTypes
import QwinkleWire

/// Timelines. All qwinkers are local, so remote timelines are empty.
enum TimelineHandlers {
  static let routes = [
    Route(.get, "/api/v1/timelines/public", .optional) { request, transaction in
      if request.flag("remote") { return ServiceResponse(WireEncoder.qwinks, []) }
      return try answer(request.flag("only_media") ? .everyonesMedia : .everyone, request, transaction)
    },
    Route(.get, "/api/v1/timelines/home", .required) { request, transaction in
      try answer(.home, request, transaction)
    },
  ]

  /// Returns a page of a feed with its Link header.
  static func answer(_ feed: Feed, _ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let page = try transaction.page(of: feed, PageRequest(request))
    return ServiceResponse(WireEncoder.qwinks, page.items, link: page.link.header(for: request))
  }
}
