/// What an entry is for. Drafts of different purposes don't get into each other's way.
public enum EntryPurpose: Hashable, Sendable {
  /// A new qwink.
  case new
  /// An answer, not private or as the one it answers.
  case reply(to: Qwink)
  /// Another text for a qwink of one's own.
  case edit(Qwink)
  /// A private message to somebody.
  case message(to: Qwinker)
  /// What is said next in a conversation.
  case conversation(Conversation)

  /// Whether something that is there already gets another text.
  public var isEdit: Bool { if case .edit = self { true } else { false } }

  /// Stable words for it, for keys of drafts.
  public var key: String {
    switch self {
    case .new: "new"
    case .reply(let qwink): "reply/\(qwink.originalID.rawValue)"
    case .edit(let qwink): "edit/\(qwink.originalID.rawValue)"
    case .message(let qwinker): "message/\(qwinker.id.rawValue)"
    case .conversation(let conversation): "conversation/\(conversation.id.rawValue)"
    }
  }
}
