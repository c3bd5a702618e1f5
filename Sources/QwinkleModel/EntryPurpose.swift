/// What an entry is for. Each purpose has its own drafts.
public enum EntryPurpose: Hashable, Sendable {
  /// A new qwink.
  case new
  /// A reply, for no more people than the qwink it answers.
  case reply(to: Qwink)
  /// An edit of the user's own qwink.
  case edit(Qwink)
  /// A private message to somebody.
  case message(to: Qwinker)
  /// The next message in a conversation.
  case conversation(Conversation)

  /// Whether it changes an existing qwink.
  public var isEdit: Bool { if case .edit = self { true } else { false } }

  /// A stable string for the purpose, used as a key of drafts.
  public var key: String {
    switch self {
    case .new: "new"
    case .reply(let qwink): Self.replyPrefix + qwink.originalID.rawValue
    case .edit(let qwink): "edit/\(qwink.originalID.rawValue)"
    case .message(let qwinker): "message/\(qwinker.id.rawValue)"
    case .conversation(let conversation): "conversation/\(conversation.id.rawValue)"
    }
  }

  private static let replyPrefix = "reply/"

  /// The qwink that a reply with this ``key`` answers; nil for other purposes.
  public static func qwinkRepliedTo(byKey key: String) -> Qwink.ID? {
    key.hasPrefix(replyPrefix) ? Qwink.ID(String(key.dropFirst(replyPrefix.count))) : nil
  }
}
