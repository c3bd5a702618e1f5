public import FoundationEssentials
import SafeText

/// A list whose read position is saved.
public enum ReadList: Hashable, Sendable {
  case timeline(TimelineName)
  case notifications

  /// A stable identifier, for storage.
  public var key: String {
    switch self {
    case .timeline(let name): name.key
    case .notifications: "notifications"
    }
  }

  /// Creates the list with this ``key``. Returns nil if the key is unknown.
  public init?(key: String) {
    if key == "notifications" {
      self = .notifications
    } else if let name = TimelineName(word: key), name.hasReadPosition {
      self = .timeline(name)
    } else {
      return nil
    }
  }

  /// The server's marker for the list; nil if servers don't support one.
  public var place: ReadPosition.Place? {
    switch self {
    case .timeline(.home): .home
    case .notifications: .notifications
    case .timeline: nil
    }
  }
}

extension ReadPosition.Place {
  /// The list of the marker.
  public var list: ReadList {
    switch self {
    case .home: .timeline(.home)
    case .notifications: .notifications
    }
  }
}

extension TimelineName {
  /// Whether the read position is saved. True for timelines that collect new qwinks of many accounts.
  public var hasReadPosition: Bool {
    switch self {
    case .public, .local, .home, .tag, .list: true
    case .qwinker, .part, .trending, .bookmarks, .favourites, .quotes: false
    }
  }
}

/// The read position in a list: its newest read row. Rows below count as read, except skipped rows.
public struct ReadMark: Hashable, Sendable {
  /// The id of the row.
  public var id: String
  /// The account that boosted the row into the list, if known. Distinguishes a boost from its original, because some
  /// servers give both the same id.
  public var booster: String?
  /// The row's time in the list, if known.
  public var createdAt: Date?
  /// When the row was read; nil if the server didn't report it.
  public var readAt: Date?
  /// The unread rows below it, newest first.
  public var skipped: [SkippedRow]

  public init(
    id: String, booster: String? = nil, createdAt: Date? = nil, readAt: Date? = nil, skipped: [SkippedRow] = []
  ) {
    self.id = id
    self.booster = booster
    self.createdAt = createdAt
    self.readAt = readAt
    self.skipped = skipped
  }

  /// Creates the mark at a row.
  public init(_ row: some ReadableElement, readAt: Date?) {
    self.init(id: row.readID, booster: row.readBooster, createdAt: row.listedAt, readAt: readAt)
  }

  /// Creates a mark from a server's marker.
  public init(_ position: ReadPosition) {
    self.init(id: position.lastReadID, readAt: position.updatedAt)
  }

  /// Whether both marks are at the same row.
  public func isSameRow(as other: ReadMark) -> Bool {
    id == other.id && (booster == other.booster || booster == nil || other.booster == nil)
  }

  /// Whether the mark is at a newer row than `other`, judging by ids and times alone. Nil if these are inconclusive.
  public func isNewer(than other: ReadMark) -> Bool? {
    if isSameRow(as: other) { return false }
    if id != other.id, let isNewer = IdentifierOrder.isNewer(id, than: other.id) { return isNewer }
    guard let createdAt, let otherTime = other.createdAt, createdAt != otherTime else { return nil }
    return createdAt > otherTime
  }
}

/// Ordering of ids by age. Most kinds of ids can't be ordered.
public enum IdentifierOrder {
  private static let ulidLength = 26

  /// Whether `id` was assigned later than `other`; nil if unknown. Decimal ids (Mastodon) and ULIDs (GoToSocial)
  /// ascend.
  public static func isNewer(_ id: String, than other: String) -> Bool? {
    if isNumber(id), isNumber(other) {
      let (one, two) = (id.drop { $0 == "0" }, other.drop { $0 == "0" })
      return one.utf8.count == two.utf8.count ? one > two : one.utf8.count > two.utf8.count
    }
    return isULID(id) && isULID(other) ? id > other : nil
  }

  private static func isNumber(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.allSatisfy(\.isDigit)
  }

  private static func isULID(_ id: String) -> Bool {
    id.utf8.count == ulidLength && id.utf8.allSatisfy { $0.isDigit || 0x41...0x5A ~= $0 }
  }
}

/// An item of a list with a read position.
public protocol ReadableElement: PagedElement {
  /// The id in a server's marker.
  var readID: String { get }
  /// The id of the account that boosted it into the list, if any.
  var readBooster: String? { get }
  /// The time that orders it in the list.
  var listedAt: Date { get }
}

extension Qwink: ReadableElement {
  public var readID: String { id.rawValue }
  public var readBooster: String? { booster?.id.rawValue }
  public var listedAt: Date { boostedAt ?? createdAt }
}

extension AccountNotification: ReadableElement {
  public var readID: String { id.rawValue }
  public var readBooster: String? { nil }
  public var listedAt: Date { createdAt }
}

extension PagedRows where Element: ReadableElement {
  /// Returns the index of the first row that `mark` marks as read; see ``Swift/Array/firstRead(by:)``.
  public func firstRead(by mark: ReadMark) -> Int? { rows.firstRead(by: mark) }

  /// Whether `mark` is above `other`; nil if unknown.
  public func isMark(_ mark: ReadMark, above other: ReadMark) -> Bool? {
    if mark.isSameRow(as: other) { return false }
    if let index = rows.index(of: mark), let otherIndex = rows.index(of: other) { return index < otherIndex }
    return mark.isNewer(than: other)
  }

  /// Returns `mark` with the id, booster and time of its row, or unchanged if the row isn't loaded.
  public func located(_ mark: ReadMark) -> ReadMark {
    guard let item = rows.index(of: mark).flatMap({ rows[$0].item }) else { return mark }
    var located = ReadMark(item, readAt: mark.readAt)
    located.skipped = mark.skipped
    return located
  }
}

extension Array {
  /// Returns the index of the first row that `mark` marks as read: the mark's own row, or the first row below its
  /// position if its row was removed. Returns the number of rows if all rows are newer, and nil if the position is
  /// unknown.
  public func firstRead<Item: ReadableElement>(by mark: ReadMark) -> Int? where Element == PagedRow<Item> {
    if let index = index(of: mark) { return index }
    var lastNewer: Int?
    var isComparable = false
    for (index, row) in enumerated() {
      guard let item = row.item, let isNewer = mark.isOlder(than: item) else { continue }
      isComparable = true
      if isNewer { lastNewer = index }
    }
    return isComparable ? lastNewer.map { $0 + 1 } ?? 0 : nil
  }

  /// Whether the mark's own row is among the rows.
  public func hasRow<Item: ReadableElement>(of mark: ReadMark) -> Bool where Element == PagedRow<Item> {
    index(of: mark) != nil
  }

  fileprivate func index<Item: ReadableElement>(of mark: ReadMark) -> Int? where Element == PagedRow<Item> {
    firstIndex { row in
      row.item.map { $0.readID == mark.id && (mark.booster == nil || $0.readBooster == mark.booster) } ?? false
    }
  }
}

extension ReadMark {
  /// Whether `item` is newer than the mark; nil if unknown. If the time of the mark's row is unknown, items older than
  /// ``readAt`` count as read.
  fileprivate func isOlder(than item: some ReadableElement) -> Bool? {
    if let isNewer = ReadMark(item, readAt: nil).isNewer(than: self) { return isNewer }
    return (createdAt ?? readAt).map { item.listedAt > $0 }
  }
}
