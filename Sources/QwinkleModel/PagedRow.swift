/// An item of a paginated list.
public protocol PagedElement: Hashable, Sendable {
  associatedtype RowID: Hashable & Sendable

  /// Identifies the row. Unique within a list.
  var rowID: RowID { get }
}

extension PagedElement where Self: Identifiable, ID: Sendable {
  public var rowID: ID { id }
}

extension AccountNotification: PagedElement {}
extension Conversation: PagedElement {}
extension Qwinker: PagedElement {}
extension ScheduledPost: PagedElement {}
extension PersonalList: PagedElement {}
extension ContentFilter: PagedElement {}
extension Announcement: PagedElement {}

extension Tag: PagedElement, Identifiable {
  public var id: String { name }
}

/// A row of a paginated list.
public enum PagedRow<Element: PagedElement>: Hashable, Sendable {
  case item(Element)
  /// A place where rows may be missing. The page at the cursor begins with these rows.
  case gap(PageCursor)

  public var item: Element? {
    if case .item(let item) = self { item } else { nil }
  }

  /// The gap's cursor; nil for an item.
  public var cursor: PageCursor? {
    if case .gap(let cursor) = self { cursor } else { nil }
  }
}

extension PagedRow: Identifiable {
  public enum ID: Hashable, Sendable {
    case item(Element.RowID)
    case gap(PageCursor)
  }

  public var id: ID {
    switch self {
    case .item(let item): .item(item.rowID)
    case .gap(let cursor): .gap(cursor)
    }
  }
}

/// Normalization and comparison of rows.
extension PagedRows {
  /// Merges adjacent gaps. The first gap's cursor covers everything missing.
  public static func withoutDoubleGaps(_ rows: [Row]) -> [Row] {
    guard rows.contains(where: { $0.cursor != nil }) else { return rows }
    var result: [Row] = []
    for row in rows where row.cursor == nil || result.last?.cursor == nil { result.append(row) }
    return result
  }

  enum Key: Hashable {
    case item(RowID)
    case gap(PageCursor, count: Int)
  }

  static func keys(of rows: [Row], renamed: [RowID: RowID] = [:]) -> [Key] {
    var gaps: [PageCursor: Int] = [:]
    return rows.map { row in
      switch row {
      case .item(let item): return .item(renamed[item.rowID] ?? item.rowID)
      case .gap(let cursor):
        gaps[cursor, default: 0] += 1
        return .gap(cursor, count: gaps[cursor] ?? 0)
      }
    }
  }
}
