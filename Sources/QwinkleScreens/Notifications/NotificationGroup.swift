import FoundationEssentials
import QwinkleAccount
public import QwinkleModel
import Timekeeping

/// Notifications shown as one row: people who boosted or favourited one qwink, or began to follow, on one day.
public struct NotificationGroup: Hashable, Identifiable {
  /// What its notifications have in common. It stays the same whatever joins the group, from above or below.
  public enum ID: Hashable, Sendable {
    case single(AccountNotification.ID)
    /// `isLate`: see ``NotificationGroup/groups(of:unread:lateCount:zone:)``.
    case reactions(to: Qwink.ID, day: Int, isLate: Bool)
    case follows(day: Int, isLate: Bool)
  }

  public let id: ID
  /// At least one, newest first.
  private(set) var notifications: [AccountNotification]
  /// Whether some of them are unread.
  var isUnread = false

  var newest: AccountNotification { notifications[0] }
  var oldest: AccountNotification { notifications[notifications.count - 1] }

  /// The people in it, latest first, without repeats.
  var qwinkers: [Qwinker] { Self.qwinkers(in: notifications) }

  /// What was done, latest first, and the people who did it, latest first, without repeats.
  var acts: [(kind: AccountNotification.Kind, qwinkers: [Qwinker])] {
    var kinds: [AccountNotification.Kind] = []
    for notification in notifications where !kinds.contains(notification.kind) { kinds.append(notification.kind) }
    return kinds.map { kind in (kind, Self.qwinkers(in: notifications.filter { $0.kind == kind })) }
  }

  /// The groups of `notifications`, which are newest first. A group is at the place of its newest one. The first
  /// `lateCount` join none of the rows that the others make, except the first: a row might move away under the reader.
  static func groups(
    of notifications: [AccountNotification], unread: Set<AccountNotification.ID> = [], lateCount: Int = 0,
    zone: ClockZone
  ) -> [NotificationGroup] {
    var groups: [NotificationGroup] = []
    var places: [ID: Int] = [:]
    let first = notifications.dropFirst(lateCount).first.map { id(of: $0, isLate: false, zone: zone) }
    for (index, notification) in notifications.enumerated() {
      var id = id(of: notification, isLate: false, zone: zone)
      if index < lateCount, id != first { id = Self.id(of: notification, isLate: true, zone: zone) }
      if let place = places[id] {
        groups[place].notifications.append(notification)
      } else {
        places[id] = groups.count
        groups.append(
          NotificationGroup(id: id, notifications: [notification], isUnread: unread.contains(notification.id)))
      }
    }
    return groups
  }

  private static func id(of notification: AccountNotification, isLate: Bool, zone: ClockZone) -> ID {
    let time = zone.localTime(of: notification.createdAt)
    let day = (time.year * 12 + time.month) * 31 + time.day
    switch (notification.kind, notification.qwink) {
    case (.favourite, let qwink?), (.boost, let qwink?), (.reaction, let qwink?):
      return .reactions(to: qwink.originalID, day: day, isLate: isLate)
    case (.follow, _): return .follows(day: day, isLate: isLate)
    default: return .single(notification.id)
    }
  }

  private static func qwinkers(in notifications: [AccountNotification]) -> [Qwinker] {
    var seen: Set<Qwinker.ID> = []
    return notifications.map(\.qwinker).filter { seen.insert($0.id).inserted }
  }
}
