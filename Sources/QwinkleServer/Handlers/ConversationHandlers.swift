import HTTPTypes
import QwinkleWire

/// Conversations of direct qwinks.
enum ConversationHandlers {
  static let routes = [
    Route(.get, "/api/v1/conversations", .required) { request, transaction in
      let page = try transaction.conversations(PageRequest(request))
      return ServiceResponse(WireEncoder.conversations, page.items, link: page.link.header(for: request))
    },
    Route(.post, "/api/v1/conversations/:id/read", .required) { request, transaction in
      ServiceResponse(WireEncoder.conversation, try transaction.readConversation(request.id))
    },
    Route(.delete, "/api/v1/conversations/:id", .required) { request, transaction in
      try transaction.deleteConversation(request.id)
      return .done
    },
  ]
}
