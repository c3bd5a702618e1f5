import HTTPTypes

/// Follow requests that the viewer has received. Only locked accounts receive them.
enum FollowRequestHandlers {
  static let routes = [
    Route(.get, "/api/v1/follow_requests", .required) { request, transaction in
      let page = try transaction.requesters(PageRequest(request, usual: 40, most: 80))
      return ServiceResponse(.qwinkers(page.qwinkers), link: page.link.header(for: request))
    },
    Route(.post, "/api/v1/follow_requests/:id/authorize", .required) { request, transaction in
      try PeopleHandlers.relate(request, transaction) { other in try transaction.answerRequest(of: other, accepts: true)
      }
    },
    Route(.post, "/api/v1/follow_requests/:id/reject", .required) { request, transaction in
      try PeopleHandlers.relate(request, transaction) { other in
        try transaction.answerRequest(of: other, accepts: false)
      }
    },
  ]
}
