import QwinkleAccount
public import QwinkleModel

/// Notifications shown as one row: several people did the same to one qwink, one after another.
public struct NotificationGroup: Hashable, Identifiable {
  /// At least one, newest first.
  private(set) var notifications: [AccountNotification]
  /// Whether some of them are unread.
  var isUnread = false

  private init(_ notification: AccountNotification) {
    notifications = [notification]
  }

  var newest: AccountNotification { notifications[0] }

  /// The oldest one's: newer ones join on top.
  public var id: AccountNotification.ID { notifications[notifications.count - 1].id }

  /// The people who did it, latest first, without repeats.
  var qwinkers: [Qwinker] {
    var seen: Set<Qwinker.ID> = []
    return notifications.map(\.qwinker).filter { seen.insert($0.id).inserted }
  }

  /// Consecutive favourites or boosts of one qwink form a group. The first `unreadCount` notifications are unread.
  static func groups(of notifications: [AccountNotification], unreadCount: Int) -> [NotificationGroup] {
    var groups: [NotificationGroup] = []
    for (index, notification) in notifications.enumerated() {
      if let last = groups.indices.last, groups[last].takes(notification) {
        groups[last].notifications.append(notification)
      } else {
        groups.append(NotificationGroup(notification))
        groups[groups.count - 1].isUnread = index < unreadCount
      }
    }
    return groups
  }

  private func takes(_ notification: AccountNotification) -> Bool {
    guard [.favourite, .boost].contains(notification.kind), notification.kind == newest.kind,
      let qwink = notification.qwink
    else {
      return false
    }
    return qwink.originalID == newest.qwink?.originalID
  }
}
