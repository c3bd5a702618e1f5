import QwinkleAccount
import QwinkleModel

/// Notices that are shown as one row: what several people did to the same qwink, one after another.
struct NotificationGroup: Hashable, Identifiable {
  /// At least one, newest first.
  private(set) var notifications: [AccountNotification]
  /// Whether something of it has come since notifications were last read.
  var isUnread = false

  private init(_ notification: AccountNotification) {
    notifications = [notification]
  }

  var newest: AccountNotification { notifications[0] }

  /// The notification that it began with: others join it on top.
  var id: AccountNotification.ID { notifications[notifications.count - 1].id }

  /// Who did it, the latest first, each once.
  var qwinkers: [Qwinker] {
    var seen: Set<Qwinker.ID> = []
    return notifications.map(\.qwinker).filter { seen.insert($0.id).inserted }
  }

  /// Favourites and boosts of one qwink that follow each other are one group. The first `unreadCount` have not been
  /// read.
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
