public import FoundationEssentials

/// A notification for the user.
public struct AccountNotification: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<AccountNotification>

  /// The event.
  public enum Kind: Hashable, Sendable {
    /// A qwink mentions the user, in a reply or elsewhere.
    case mention
    /// The user's qwink was boosted.
    case boost
    case favourite
    case follow
    /// A qwinker asks to follow the user.
    case followRequest
    /// A poll that the user made or voted in has ended.
    case poll
    /// A qwinker posted, and the user has post notifications turned on for them.
    case qwink
    /// A qwink that the user boosted was edited.
    case edit
    /// A reaction to the user's qwink: an emoji, or a custom emoji's `:name:` (Pleroma, Akkoma).
    case reaction(String)
    /// The user's qwink was quoted.
    case quote
    /// A qwinker followed by the user has moved to another account.
    case move
    /// An unknown kind, by its name on the wire.
    case other(String)

    /// Whether qwinkers reacted to a qwink of the user.
    public var isReaction: Bool {
      switch self {
      case .boost, .favourite, .reaction: true
      default: false
      }
    }
  }

  public var id: ID
  public var kind: Kind
  public var createdAt: Date
  /// The qwinker that caused the notification.
  public var qwinker: Qwinker
  /// The related qwink, if any.
  public var qwink: Qwink?
  /// Details of a notification that isn't about a qwink, if the server sends them.
  public var detail: NotificationDetail?
  /// The server's key of the notification's group. Nil if the server doesn't group it.
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
