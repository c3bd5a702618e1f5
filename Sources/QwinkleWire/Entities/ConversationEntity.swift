import FoundationEssentials
import QwinkleModel

/// <https://docs.joinmastodon.org/entities/Conversation/>
struct ConversationEntity: WireEntity {
  /// The last message. If it is malformed, the conversation is shown without it.
  static let dispensableMembers: Set<String> = ["last_status"]

  let model: Conversation

  enum CodingKeys: String, CodingKey {
    case id, unread, accounts
    case lastStatus = "last_status"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    model = Conversation(
      id: try container.requiredID(.id), participants: container.models(.accounts, of: AccountEntity.self),
      isUnread: container.flag(.unread), lastQwink: container.model(.lastStatus, of: RowEntity.self))
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
