import HTTPTypes

/// Requests to follow the viewer, whose account is locked.
enum FollowRequestHandlers {
  static let routes = [
    Route(.get, "/api/v1/follow_requests", .required) { request, session in
      let page = try session.requesters(PageRequest(request, usual: 40, most: 80))
      return ServiceResponse(.qwinkers(page.qwinkers), link: page.link.header(for: request))
    },
    Route(.post, "/api/v1/follow_requests/:id/authorize", .required) { request, session in
      try PeopleHandlers.relate(request, session) { other in try session.answerRequest(of: other, accepts: true) }
    },
    Route(.post, "/api/v1/follow_requests/:id/reject", .required) { request, session in
      try PeopleHandlers.relate(request, session) { other in try session.answerRequest(of: other, accepts: false) }
    },
  ]
}
