public import FoundationEssentials

/// Something that happened to me.
public struct AccountNotification: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<AccountNotification>

  /// What happened. The raw values of the known ones are the wire's.
  public enum Kind: Hashable, Sendable {
    /// Somebody named me, in an answer or otherwise.
    case mention
    /// Somebody boosted what I wrote.
    case boost
    case favourite
    case follow
    /// Somebody asks to follow me.
    case followRequest
    /// A poll that I made or voted in has ended.
    case poll
    /// Somebody whose every qwink I asked for has written.
    case qwink
    /// A qwink that I boosted was edited.
    case edit
    /// What this program does not know, by the wire's word for it.
    case other(String)
  }

  public var id: ID
  public var kind: Kind
  public var createdAt: Date
  /// Who did it.
  public var qwinker: Qwinker
  /// What it was done to, or is.
  public var qwink: Qwink?

  public init(id: ID, kind: Kind, createdAt: Date, qwinker: Qwinker, qwink: Qwink? = nil) {
    self.id = id
    self.kind = kind
    self.createdAt = createdAt
    self.qwinker = qwinker
    self.qwink = qwink
  }
}
