/// A private conversation between a few qwinkers.
public struct Conversation: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<Conversation>

  public var id: ID
  /// Everybody in it but the user; empty in a conversation with oneself.
  public var participants: [Qwinker]
  /// Whether it has unread messages.
  public var isUnread: Bool
  /// The latest message; nil if it was deleted.
  public var lastQwink: Qwink?

  public init(id: ID, participants: [Qwinker], isUnread: Bool = false, lastQwink: Qwink? = nil) {
    self.id = id
    self.participants = participants
    self.isUnread = isUnread
    self.lastQwink = lastQwink
  }
}
