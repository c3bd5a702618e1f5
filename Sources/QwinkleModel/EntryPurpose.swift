/// The purpose of an entry. Each purpose has separate drafts.
public enum EntryPurpose: Hashable, Sendable {
  /// A new qwink.
  case new
  /// A reply. Its audience is never wider than the parent's.
  case reply(to: Qwink)
  /// An edit of one of the user's qwinks.
  case edit(Qwink)
  /// A private message to a qwinker.
  case message(to: Qwinker)
  /// The next message in a conversation.
  case conversation(Conversation)

  /// Whether the entry changes an existing qwink.
  public var isEdit: Bool { if case .edit = self { true } else { false } }

  /// A stable identifier of the purpose, used as the key of its drafts.
  public var key: String {
    switch self {
    case .new: "new"
    case .reply(let qwink): Self.key(ofReplyTo: qwink.originalID)
    case .edit(let qwink): Self.key(ofEditOf: qwink.originalID)
    case .message(let qwinker): "message/\(qwinker.id.rawValue)"
    case .conversation(let conversation): Self.key(ofConversation: conversation.id)
    }
  }

  private static let replyPrefix = "reply/"
  private static let editPrefix = "edit/"
  private static let conversationPrefix = "conversation/"

  /// Returns the id of the qwink edited by an entry with this ``key``, or nil if the key has another purpose.
  public static func qwinkEdited(byKey key: String) -> Qwink.ID? {
    key.hasPrefix(editPrefix) ? Qwink.ID(String(key.dropFirst(editPrefix.count))) : nil
  }

  /// Returns the ``key`` of messages in a conversation.
  public static func key(ofConversation id: Conversation.ID) -> String { conversationPrefix + id.rawValue }

  /// Returns the id of the conversation of a message with this ``key``, or nil if the key has another purpose.
  public static func conversationWrittenIn(byKey key: String) -> Conversation.ID? {
    key.hasPrefix(conversationPrefix) ? Conversation.ID(String(key.dropFirst(conversationPrefix.count))) : nil
  }

  /// Returns the ``key`` of edits of a qwink.
  public static func key(ofEditOf id: Qwink.ID) -> String { editPrefix + id.rawValue }

  /// Returns the ``key`` of replies to a qwink.
  public static func key(ofReplyTo id: Qwink.ID) -> String { replyPrefix + id.rawValue }

  /// Returns the id of the parent of a reply with this ``key``, or nil if the key has another purpose.
  public static func qwinkRepliedTo(byKey key: String) -> Qwink.ID? {
    key.hasPrefix(replyPrefix) ? Qwink.ID(String(key.dropFirst(replyPrefix.count))) : nil
  }
}

extension EntryPurpose {
  /// A purpose parsed from a ``key``. It has only the id of its qwink, qwinker or conversation, which may no longer
  /// exist.
  public enum Kind: Hashable, Sendable {
    case new
    case reply(to: Qwink.ID)
    case edit(Qwink.ID)
    case message(to: Qwinker.ID)
    case conversation(Conversation.ID)

    /// Parses a ``EntryPurpose/key``. Returns nil if it's invalid.
    public init?(key: String) {
      let parts = key.split(separator: "/", maxSplits: 1).map(String.init)
      switch (parts.first, parts.count > 1 ? parts[1] : nil) {
      case ("new", nil): self = .new
      case ("reply", let id?): self = .reply(to: Qwink.ID(id))
      case ("edit", let id?): self = .edit(Qwink.ID(id))
      case ("message", let id?): self = .message(to: Qwinker.ID(id))
      case ("conversation", let id?): self = .conversation(Conversation.ID(id))
      default: return nil
      }
    }
  }
}
