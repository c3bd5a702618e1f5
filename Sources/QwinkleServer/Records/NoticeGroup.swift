/// What notifications have in common that are told as one: reactions to one qwink, or follows, of one day.
enum NoticeGroup: Hashable {
  case reactions(NotificationKind, status: Int64, day: Int64)
  case follows(day: Int64)
  /// One notification, by its id.
  case one(Int64)

  /// The kinds that are grouped where the client doesn't say.
  static let kinds: Set<String> = Set([NotificationKind.favourite, .boost, .follow].map(\.rawValue))
  static let dayInMilliseconds: Int64 = 86_400_000

  /// The group of a notification, where these kinds are grouped.
  init(_ id: Int64, kind: String, status: Int64?, createdAt: Int64, grouping kinds: Set<String>) {
    let day = createdAt / Self.dayInMilliseconds
    self =
      switch (NotificationKind(rawValue: kind), status) {
      case _ where !kinds.contains(kind): .one(id)
      case (.follow, _): .follows(day: day)
      case (.favourite, let status?): .reactions(.favourite, status: status, day: day)
      case (.boost, let status?): .reactions(.boost, status: status, day: day)
      default: .one(id)
      }
  }

  /// The group with this key; nil if there can be none.
  init?(_ key: String) {
    let parts = key.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    let numbers = parts.dropFirst().compactMap { Int64($0) }
    guard numbers.count == parts.count - 1, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
    switch (parts[0], numbers.count) {
    case ("ungrouped", 1): self = .one(numbers[0])
    case (NotificationKind.follow.rawValue, 1): self = .follows(day: numbers[0])
    case (NotificationKind.favourite.rawValue, 2):
      self = .reactions(.favourite, status: numbers[0], day: numbers[1])
    case (NotificationKind.boost.rawValue, 2): self = .reactions(.boost, status: numbers[0], day: numbers[1])
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

/// A group's notifications in a page.
struct NoticeGroupPart {
  var group: NoticeGroup
  /// The ids of the newest and the oldest of them.
  var newest, oldest: Int64
}

/// A group as it is told.
struct ToldNoticeGroup {
  var part: NoticeGroupPart
  /// Its newest notification in the page.
  var latest: (kind: String, status: Int64?, createdAt: Int64)
  /// How many notifications it has, those outside the page too.
  var count: Int
  /// Who caused the newest of them, newest first.
  var accounts: [Int64]
}
