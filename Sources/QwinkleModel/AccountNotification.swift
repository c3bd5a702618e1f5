public import FoundationEssentials

/// Something that happened to the user.
public struct AccountNotification: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<AccountNotification>

  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// Somebody mentioned the user, in a reply or elsewhere.
    case mention
    /// Somebody boosted the user's qwink.
    case boost
    case favourite
    case follow
    /// Somebody wants to follow the user.
    case followRequest
    /// A poll that the user made or voted in has ended.
    case poll
    /// A qwinker about whose posts the user wants to know has posted.
    case qwink
    /// A qwink that the user boosted was edited.
    case edit
    /// Somebody reacted to the user's qwink with an emoji, or with a custom one by its `:name:` (Pleroma, Akkoma).
    case reaction(String)
    /// Somebody quoted the user's qwink.
    case quote
    /// Somebody whom the user follows has moved to another account.
    case move
    /// A kind this program doesn't know, by its name on the wire.
    case other(String)
  }

  public var id: ID
  public var kind: Kind
  public var createdAt: Date
  /// Who did it.
  public var qwinker: Qwinker
  /// The qwink it is about, if any.
  public var qwink: Qwink?
  /// The facts of a kind that is about no qwink, if the server sends them.
  public var detail: NotificationDetail?
  /// What the server calls the group that it puts this in; nil: it groups nothing, or not this.
  public var groupKey: String?

  public init(
    id: ID, kind: Kind, createdAt: Date, qwinker: Qwinker, qwink: Qwink? = nil, groupKey: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.createdAt = createdAt
    self.qwinker = qwinker
    self.qwink = qwink
    self.groupKey = groupKey
  }
}
