public import FoundationEssentials

/// The filtered notifications of one sender. The user can accept or dismiss them.
public struct NotificationRequest: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<NotificationRequest>

  public var id: ID
  public var qwinker: Qwinker
  public var notificationsCount: Int
  /// The newest qwink among the notifications, if any.
  public var lastQwink: Qwink?
  public var createdAt: Date
  /// The time of the newest notification.
  public var updatedAt: Date

  public init(
    id: ID, qwinker: Qwinker, notificationsCount: Int = 1, lastQwink: Qwink? = nil, createdAt: Date, updatedAt: Date
  ) {
    self.id = id
    self.qwinker = qwinker
    self.notificationsCount = notificationsCount
    self.lastQwink = lastQwink
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension NotificationRequest: PagedElement {}
