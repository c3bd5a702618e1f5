public import FoundationEssentials

/// A list for which it is kept how far it was read.
public enum ReadList: Hashable, Sendable {
  case timeline(TimelineName)
  case notifications

  /// Stable words for it.
  public var key: String {
    switch self {
    case .timeline(let name): name.key
    case .notifications: "notifications"
    }
  }

  /// The list with that ``key``; nil if there is none.
  public init?(key: String) {
    if key == "notifications" {
      self = .notifications
    } else if let name = TimelineName(word: key), name.hasReadPosition {
      self = .timeline(name)
    } else {
      return nil
    }
  }

  /// The server's marker for it; nil: servers keep none.
  public var place: ReadPosition.Place? {
    switch self {
    case .timeline(.home): .home
    case .notifications: .notifications
    case .timeline: nil
    }
  }
}

extension ReadPosition.Place {
  /// The list that the marker is for.
  public var list: ReadList {
    switch self {
    case .home: .timeline(.home)
    case .notifications: .notifications
    }
  }
}

extension TimelineName {
  /// Whether it is kept how far it was read: where something new comes on top.
  public var hasReadPosition: Bool {
    switch self {
    case .public, .local, .home, .tag, .list: true
    case .qwinker, .part, .trending, .bookmarks, .favourites: false
    }
  }
}

/// The read position in a list: its newest row that was read. Rows below it count as read, except skipped rows.
public struct ReadMark: Hashable, Sendable {
  /// The id of the row.
  public var id: String
  /// Who boosted it into the list, as some servers give a boost the id of its original; nil if nobody did, or unknown.
  public var booster: String?
  /// The row's time in the list; nil if the row isn't known.
  public var createdAt: Date?
  /// When it was read; nil if the server didn't say.
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

  /// The mark at a row that is read at `readAt`.
  public init(_ row: some ReadableElement, readAt: Date?) {
    self.init(id: row.readID, booster: row.readBooster, createdAt: row.listedAt, readAt: readAt)
  }

  /// What the server's marker says.
  public init(_ position: ReadPosition) {
    self.init(id: position.lastReadID, readAt: position.updatedAt)
  }

  /// Whether both are at the same row.
  public func isSameRow(as other: ReadMark) -> Bool {
    id == other.id && (booster == other.booster || booster == nil || other.booster == nil)
  }

  /// Whether it is at a newer row than `other`, by ids and times alone; nil: they don't tell.
  public func isNewer(than other: ReadMark) -> Bool? {
    if isSameRow(as: other) { return false }
    if id != other.id, let isNewer = IdentifierOrder.isNewer(id, than: other.id) { return isNewer }
    guard let createdAt, let otherTime = other.createdAt, createdAt != otherTime else { return nil }
    return createdAt > otherTime
  }
}

/// Ids that tell which is newer. Most don't: they only identify.
public enum IdentifierOrder {
  private static let ulidLength = 26

  /// Whether `id` was given later than `other`; nil: unknown. Ids of digits alone grow (Mastodon), and so do ULIDs
  /// (GoToSocial).
  static func isNewer(_ id: String, than other: String) -> Bool? {
    if isNumber(id), isNumber(other) {
      let (one, two) = (id.drop { $0 == "0" }, other.drop { $0 == "0" })
      return one.utf8.count == two.utf8.count ? one > two : one.utf8.count > two.utf8.count
    }
    return isULID(id) && isULID(other) ? id > other : nil
  }

  private static func isNumber(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private static func isULID(_ id: String) -> Bool {
    id.utf8.count == ulidLength
      && id.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
      }
  }
}

/// An item of a list that is read from top to bottom or upwards.
public protocol ReadableElement: PagedElement {
  /// What a server's marker calls it.
  var readID: String { get }
  /// Who boosted it into the list.
  var readBooster: String? { get }
  /// Its time in the list.
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
  /// The index of the first row that is read by `mark`; see ``Swift/Array/firstRead(by:)``.
  public func firstRead(by mark: ReadMark) -> Int? { rows.firstRead(by: mark) }

  /// Whether `mark` is further up than `other`; nil: unknown.
  public func isMark(_ mark: ReadMark, above other: ReadMark) -> Bool? {
    if mark.isSameRow(as: other) { return false }
    if let index = rows.index(of: mark), let otherIndex = rows.index(of: other) { return index < otherIndex }
    return mark.isNewer(than: other)
  }

  /// `mark` with what its row says, if that is known.
  public func located(_ mark: ReadMark) -> ReadMark {
    guard let item = rows.index(of: mark).flatMap({ rows[$0].item }) else { return mark }
    var located = ReadMark(item, readAt: mark.readAt)
    located.skipped = mark.skipped
    return located
  }
}

extension Array {
  /// The index of the first row that is read by `mark`: its own, or if that is gone, the first below its place.
  /// The number of rows if all are newer; nil: unknown.
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

  /// Where the row of a mark is.
  fileprivate func index<Item: ReadableElement>(of mark: ReadMark) -> Int? where Element == PagedRow<Item> {
    firstIndex { row in
      row.item.map { $0.readID == mark.id && (mark.booster == nil || $0.readBooster == mark.booster) } ?? false
    }
  }
}

extension ReadMark {
  /// Whether `item` came after what is read; nil: unknown. Without the time of the mark's row, what is older than the
  /// moment of reading is read.
  fileprivate func isOlder(than item: some ReadableElement) -> Bool? {
    if let isNewer = ReadMark(item, readAt: nil).isNewer(than: self) { return isNewer }
    return (createdAt ?? readAt).map { item.listedAt > $0 }
  }
}
