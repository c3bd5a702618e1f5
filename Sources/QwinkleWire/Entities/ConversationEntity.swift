import FoundationEssentials
import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/Conversation/>
struct ConversationEntity: WireEntity {
  /// The participants can be shown without the last message.
  static let dispensableMembers: Set<String> = ["last_status"]

  var id: String
  var unread: Bool
  var accounts: [AccountEntity]
  var lastStatus: RowEntity?

  enum CodingKeys: String, CodingKey {
    case id, unread, accounts
    case lastStatus = "last_status"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.requiredIdentifier(.id)
    unread = container.flag(.unread)
    accounts = container.list(.accounts)
    lastStatus = container.entity(.lastStatus)
  }

  var model: Conversation {
    Conversation(
      id: Conversation.ID(SafeText.line(id)), participants: accounts.map(\.model), isUnread: unread,
      lastQwink: lastStatus?.model)
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
