/// A private conversation between a few qwinkers.
public struct Conversation: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<Conversation>

  public var id: ID
  /// All participants except the user. Empty in a conversation of the user with themselves.
  public var participants: [Qwinker]
  public var isUnread: Bool
  /// The latest message. Nil if it was deleted.
  public var lastQwink: Qwink?

  public init(id: ID, participants: [Qwinker], isUnread: Bool = false, lastQwink: Qwink? = nil) {
    self.id = id
    self.participants = participants
    self.isUnread = isUnread
    self.lastQwink = lastQwink
  }
}
