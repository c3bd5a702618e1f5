import QwinkleModel

/// A group of notifications shown as one: reactions of one kind to a qwink within a day, or follows within a day.
enum NotificationGroupKey: Hashable {
  case reactions(NotificationKind, status: Int64, day: Int64)
  case follows(day: Int64)
  /// A single notification with this id.
  case one(Int64)

  /// The kinds grouped by default.
  static let kinds = Set((NotificationKind.reactions + [.follow]).map(\.rawValue))
  static let dayInMilliseconds: Int64 = 86_400_000

  /// Determines the group of a notification. A notification whose kind isn't in `kinds` is a group by itself.
  init(_ id: Int64, kind: String, status: Int64?, createdAt: Int64, grouping kinds: Set<String>) {
    let day = createdAt / Self.dayInMilliseconds
    self =
      switch (NotificationKind(rawValue: kind), status) {
      case _ where !kinds.contains(kind): .one(id)
      case (.follow, _): .follows(day: day)
      case (let kind?, let status?) where NotificationKind.reactions.contains(kind):
        .reactions(kind, status: status, day: day)
      default: .one(id)
      }
  }

  /// Parses a group's key. Returns nil for a malformed key.
  init?(_ key: String) {
    let parts = key.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    let numbers = parts.dropFirst().compactMap { Int64($0) }
    guard numbers.count == parts.count - 1, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
    switch (NotificationKind(rawValue: parts[0]), numbers.count) {
    case (nil, 1) where parts[0] == "ungrouped": self = .one(numbers[0])
    case (.follow, 1): self = .follows(day: numbers[0])
    case (let kind?, 2) where NotificationKind.reactions.contains(kind):
      self = .reactions(kind, status: numbers[0], day: numbers[1])
    default: return nil
    }
  }

  var key: String {
    switch self {
    case .reactions(let kind, let status, let day): "\(kind.rawValue)-\(status)-\(day)"
    case .follows(let day): "\(NotificationKind.follow.rawValue)-\(day)"
    case .one(let id): "ungrouped-\(id)"
    }
  }
}

/// The part of a group that is in one page of notifications.
struct NotificationGroupPart {
  var group: NotificationGroupKey
  /// Ids of the newest and the oldest notification.
  var newest, oldest: Int64
}

/// A part of a group, with the details shown to the viewer.
struct NotificationGroupContent {
  var part: NotificationGroupPart
  /// The group's newest notification in the page.
  var latest: (kind: String, status: Int64?, createdAt: Int64)
  /// The report or warning of a notification of moderation.
  var detail: NotificationDetail?
  /// Number of notifications in the group, including notifications outside the page.
  var count: Int
  /// The accounts that caused the newest notifications, newest first.
  var accounts: [Int64]
}
