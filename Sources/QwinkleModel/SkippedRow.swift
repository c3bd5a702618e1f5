public import FoundationEssentials

/// An unread row that the reader skipped: it is below the ``ReadMark`` of its list. Uses the same ids as the cache: a
/// boost is identified by its original's id and its booster's id.
public struct SkippedRow: Hashable, Sendable {
  public let id: String
  public let booster: String?
  /// The row's time in the list, used for sorting.
  public let createdAt: Date?

  public init(id: String, booster: String? = nil, createdAt: Date? = nil) {
    self.id = id
    self.booster = booster
    self.createdAt = createdAt
  }

  public init(_ qwink: Qwink) {
    let row = qwink.rowID
    self.init(id: row.status.rawValue, booster: row.booster?.rawValue, createdAt: qwink.listedAt)
  }

  public init(_ notification: AccountNotification) {
    self.init(id: notification.id.rawValue, createdAt: notification.listedAt)
  }

  /// The id of the timeline row.
  public var rowID: Qwink.RowID { Qwink.RowID(status: Qwink.ID(id), booster: booster.map { Qwinker.ID($0) }) }

  public static func == (one: SkippedRow, other: SkippedRow) -> Bool {
    one.id == other.id && one.booster == other.booster
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(booster)
  }
}

extension ReadMark {
  /// Maximum number of skipped rows per list. Older rows count as read.
  public static let mostSkipped = 1000

  /// Adds rows to ``skipped`` and sorts all skipped rows by time, newest first.
  public mutating func skip(_ rows: some Sequence<SkippedRow>) {
    let known = Set(skipped)
    let new = rows.filter { !known.contains($0) }
    guard !new.isEmpty else { return }
    skipped = SkippedRow.newest(new + skipped)
  }
}

extension SkippedRow {
  /// Returns the newest rows up to the limit, sorted by time.
  public static func newest(_ rows: [SkippedRow]) -> [SkippedRow] {
    let sorted = rows.sorted { ($0.createdAt ?? .distantPast) > ($1.createdAt ?? .distantPast) }
    return Array(sorted.prefix(ReadMark.mostSkipped))
  }
}
