import QwinkleModel

/// <https://docs.joinmastodon.org/entities/Conversation/>
enum ConversationEntity: WireEntity {
  /// The last message. If it is malformed, the conversation is shown without it.
  static let dispensableMembers: Set<String> = ["last_status"]

  static func read(_ fields: WireFields) throws -> Conversation {
    Conversation(
      id: try fields.requiredID("id"), participants: fields.models("accounts", of: AccountEntity.self),
      isUnread: fields.flag("unread"), lastQwink: fields.model("last_status", of: RowEntity.self))
  }

  static func write(_ conversation: Conversation, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", conversation.id.rawValue)
      writer.field("unread", conversation.isUnread)
      writer.field("accounts", conversation.participants) { AccountEntity.write($1, to: &$0) }
      writer.key("last_status")
      if let qwink = conversation.lastQwink { StatusEntity.write(qwink, to: &writer) } else { writer.null() }
    }
  }
}
