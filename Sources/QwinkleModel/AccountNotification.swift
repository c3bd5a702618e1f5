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
    /// A qwink that the user quoted was edited. The notification has the user's qwink.
    case quotedEdit
    /// Some of the user's follows ended because a server or an account was blocked or suspended.
    case severance
    /// The moderators took action against the user's account, or sent a message.
    case warning
    /// The user's annual summary is ready.
    case annualReport
    /// For moderators: a qwinker signed up.
    case signUp
    /// For moderators: a qwinker reported an account.
    case report
    /// A qwinker added the user to a collection.
    case collectionAdd
    /// A collection that lists the user was changed.
    case collectionEdit
    /// An unknown kind, by its name on the wire.
    case other(String)

    /// Whether the notification is by the server, not by a qwinker. Its account is the user's, or missing.
    public var isFromServer: Bool {
      switch self {
      case .severance, .warning, .annualReport: true
      default: false
      }
    }

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
  /// The qwinker that caused the notification. If the server named none, its ID is empty.
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
