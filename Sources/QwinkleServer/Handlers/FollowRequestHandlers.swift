import HTTPTypes
import QwinkleWire

/// Follow requests that the viewer has received. Only locked accounts receive them.
enum FollowRequestHandlers {
  static let routes = [
    Route(.get, "/api/v1/follow_requests", .required) { request, transaction in
      let page = try transaction.requesters(PageRequest(request, usual: 40, most: 80))
      return ServiceResponse(WireEncoder.qwinkers, page.items, link: page.link.header(for: request))
    },
    Route(.post, "/api/v1/follow_requests/:id/authorize", .required) { request, transaction in
      try PeopleHandlers.relate(request, transaction) { try transaction.answerRequest(of: $0, accepts: true) }
    },
    Route(.post, "/api/v1/follow_requests/:id/reject", .required) { request, transaction in
      try PeopleHandlers.relate(request, transaction) { try transaction.answerRequest(of: $0, accepts: false) }
    },
  ]
}
