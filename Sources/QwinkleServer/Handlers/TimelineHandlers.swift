import HTTPTypes

/// Timelines. All qwinkers are local, so remote timelines are empty.
enum TimelineHandlers {
  static let routes = [
    Route(.get, "/api/v1/timelines/public", .optional) { request, session in
      if request.flag("remote") { return ServiceResponse(.qwinks([])) }
      return try answer(request.flag("only_media") ? .everyonesMedia : .everyone, request, session)
    },
    Route(.get, "/api/v1/timelines/home", .required) { request, session in
      try answer(.home, request, session)
    },
  ]

  /// A page of a feed with its Link header.
  static func answer(_ feed: Feed, _ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let page = try session.page(of: feed, PageRequest(request))
    return ServiceResponse(.qwinks(page.qwinks), link: page.link.header(for: request))
  }
}
