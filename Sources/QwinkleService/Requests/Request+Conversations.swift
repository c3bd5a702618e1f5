import HTTPTypes
public import QwinkleModel
import QwinkleWire

extension Request where Answer == Page<Conversation> {
  /// The newest private conversations.
  public static func conversations(limit: Int) -> Request { page(at: .path("/api/v1/conversations?limit=\(limit)")) }

  /// The page of older private conversations at `cursor`, which the previous page returned.
  public static func conversationsPage(_ cursor: PageCursor) -> Request { page(at: .cursor(cursor)) }

  private static func page(at place: RequestPlace) -> Request {
    page("download of conversations", at: place, decode: WireDecoder.conversations)
  }
}

extension Request where Answer == Conversation {
  /// Marks a conversation as read.
  public static func readConversation(_ id: Conversation.ID) -> Request {
    Request(
      "marking a conversation read", .post, "\(RequestPath.conversation(id))/read", decode: WireDecoder.conversation)
  }
}

extension Request where Answer == Void {
  /// Deletes a conversation, for the user only.
  public static func deleteConversation(_ id: Conversation.ID) -> Request {
    Request("deleting a conversation", .delete, RequestPath.conversation(id))
  }
}
