import FoundationEssentials
import QwinkleAccount
public import QwinkleModel
import Timekeeping

/// Notifications shown as one row: all reactions to the same qwink on one day, all new followers of one day, or a
/// single notification.
public struct NotificationGroup: Hashable, Identifiable {
  /// Attributes shared by the group's notifications. They stay the same when older or newer notifications join.
  public enum ID: Hashable, Sendable {
    case single(AccountNotification.ID)
    /// `isLate`: see ``NotificationGroup/groups(of:unread:lateCount:zone:)``.
    case reactions(to: Qwink.ID, day: Int, isLate: Bool)
    case follows(day: Int, isLate: Bool)
  }

  public let id: ID
  /// At least one, newest first.
  private(set) var notifications: [AccountNotification]
  /// Whether the newest notification is unread.
  var isUnread = false

  /// Creates a group of one notification, which doesn't look unread.
  init(_ notification: AccountNotification) {
    self.init(id: .single(notification.id), notifications: [notification])
  }

  private init(id: ID, notifications: [AccountNotification], isUnread: Bool = false) {
    self.id = id
    self.notifications = notifications
    self.isUnread = isUnread
  }

  var newest: AccountNotification { notifications[0] }
  var oldest: AccountNotification { notifications[notifications.count - 1] }

  /// Returns the group with another form of its newest notification's qwink, such as a translation.
  func showing(_ form: (Qwink) -> Qwink) -> NotificationGroup {
    guard let qwink = newest.qwink else { return self }
    var group = self
    group.notifications[0].qwink = form(qwink)
    return group
  }

  /// The people in the group, latest first, without duplicates.
  var qwinkers: [Qwinker] { Self.qwinkers(in: notifications) }

  /// The actions, latest first, each with its people, latest first and without duplicates.
  var acts: [(kind: AccountNotification.Kind, qwinkers: [Qwinker])] {
    var kinds: [AccountNotification.Kind] = []
    for notification in notifications where !kinds.contains(notification.kind) { kinds.append(notification.kind) }
    return kinds.map { kind in (kind, Self.qwinkers(in: notifications.filter { $0.kind == kind })) }
  }

  /// Groups `notifications`, which are newest first. A group has the position of its newest notification. The first
  /// `lateCount` notifications arrived while the reader was scrolled down. They can join the first group below them,
  /// but no later group, because that group would then move up, away from the reader. Otherwise they form groups among
  /// themselves.
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
    case (let kind, let qwink?) where kind.isReaction:
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
