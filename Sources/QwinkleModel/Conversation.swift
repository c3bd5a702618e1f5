/// A private exchange between a few qwinkers.
public struct Conversation: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<Conversation>

  public var id: ID
  /// Who takes part besides the reader; empty where somebody writes to themselves.
  public var participants: [Qwinker]
  /// Whether something in it has not been read.
  public var isUnread: Bool
  /// What was said last; nil where it was deleted.
  public var lastQwink: Qwink?

  public init(id: ID, participants: [Qwinker], isUnread: Bool = false, lastQwink: Qwink? = nil) {
    self.id = id
    self.participants = participants
    self.isUnread = isUnread
    self.lastQwink = lastQwink
  }
}
