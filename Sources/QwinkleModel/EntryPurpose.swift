/// The purpose of an entry. Each purpose has separate drafts.
public enum EntryPurpose: Hashable, Sendable {
  /// A new qwink.
  case new
  /// A reply. Its audience is never wider than the parent's.
  case reply(to: Qwink)
  /// A new qwink that quotes another one.
  case quote(of: Qwink)
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
    case .new: Kind.new.key
    case .reply(let qwink): Kind.reply(to: qwink.originalID).key
    case .quote(let qwink): Kind.quote(of: qwink.originalID).key
    case .edit(let qwink): Kind.edit(qwink.originalID).key
    case .message(let qwinker): Kind.message(to: qwinker.id).key
    case .conversation(let conversation): Kind.conversation(conversation.id).key
    }
  }
}

extension EntryPurpose {
  /// A purpose parsed from a ``key``. It has only the id of its qwink, qwinker or conversation, which may no longer
  /// exist.
  public enum Kind: Hashable, Sendable {
    case new
    case reply(to: Qwink.ID)
    case quote(of: Qwink.ID)
    case edit(Qwink.ID)
    case message(to: Qwinker.ID)
    case conversation(Conversation.ID)

    /// Parses a ``EntryPurpose/key``. Returns nil if it's invalid.
    public init?(key: String) {
      let parts = key.split(separator: "/", maxSplits: 1).map(String.init)
      switch (parts.first, parts.count > 1 ? parts[1] : nil) {
      case ("new", nil): self = .new
      case ("reply", let id?): self = .reply(to: Qwink.ID(id))
      case ("quote", let id?): self = .quote(of: Qwink.ID(id))
      case ("edit", let id?): self = .edit(Qwink.ID(id))
      case ("message", let id?): self = .message(to: Qwinker.ID(id))
      case ("conversation", let id?): self = .conversation(Conversation.ID(id))
      default: return nil
      }
    }

    /// The ``EntryPurpose/key``.
    var key: String {
      switch self {
      case .new: "new"
      case .reply(let id): "reply/\(id)"
      case .quote(let id): "quote/\(id)"
      case .edit(let id): "edit/\(id)"
      case .message(let id): "message/\(id)"
      case .conversation(let id): "conversation/\(id)"
      }
    }
  }
}
