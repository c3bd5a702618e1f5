import HTTPTypes

/// Conversations of direct qwinks.
enum ConversationHandlers {
  static let routes = [
    Route(.get, "/api/v1/conversations", .required) { request, session in
      let page = try session.conversations(PageRequest(request))
      return ServiceResponse(.conversations(page.conversations), link: page.link.header(for: request))
    },
    Route(.post, "/api/v1/conversations/:id/read", .required) { request, session in
      ServiceResponse(.conversation(try session.readConversation(request.id)))
    },
    Route(.delete, "/api/v1/conversations/:id", .required) { request, session in
      try session.deleteConversation(request.id)
      return .done
    },
  ]
}
