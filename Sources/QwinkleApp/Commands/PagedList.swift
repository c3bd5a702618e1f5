import FoundationEssentials
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// A list of a server's, newest first, read page by page.
struct PagedList<Item: Sendable> {
  /// The largest page that every server gives.
  private static var pageSize: Int { 40 }
  /// So many pages in a row without a new item end the list: the server would go on for ever.
  private static var maximumIdlePages: Int { 3 }

  /// The first page: up to so many items.
  let first: (Int) -> Request<Page<Item>>
  /// The page that a cursor leads to.
  let page: (PageCursor) -> Request<Page<Item>>
  /// What tells an item from all others of the list.
  let id: (Item) -> AnyHashable
  /// The time to filter by; nil to keep the item.
  var time: (Item) -> Date? = { _ in nil }
  var range = TimeRange()
  /// Whether the newest times come first, so that reading may end before the range.
  var isOrderedByTime = true
  /// Whether an item is shown at all.
  var isShown: (Item) -> Bool = { _ in true }
  /// Returns the items if the server's list is empty, as it may not have the list.
  var whenEmpty: @MainActor () async throws -> [Item] = { [] }

  /// Up to `limit` items.
  @MainActor
  func items(_ limit: Int, from server: AccountConnection) async throws -> [Item] {
    try await entries(limit, from: server).map(\.item)
  }

  /// Up to `limit` items with their JSON.
  @MainActor
  func entries(_ limit: Int, from server: AccountConnection) async throws -> [SentItem<Item>] {
    var entries: [SentItem<Item>] = []
    try await read(limit, from: server) { entries += $0 }
    return entries
  }

  /// Hands up to `limit` items to `body`, those of a page at a time.
  @MainActor
  func read(_ limit: Int, from server: AccountConnection, _ body: ([SentItem<Item>]) -> Void) async throws {
    var left = limit
    var seen: Set<AnyHashable> = []
    var idlePages = 0
    // A filter may leave nothing of a small page.
    let isFiltered = range != TimeRange()
    var request: Request<Page<Item>>? = first(isFiltered ? Self.pageSize : min(limit, Self.pageSize))
    while let asked = request, left > 0 {
      let page = try await server.answer(to: asked)
      let new = page.entries.filter { seen.insert(id($0.item)).inserted }
      let wanted = new.filter { isWanted($0.item) }.prefix(left)
      body(Array(wanted))
      left -= wanted.count
      idlePages = new.isEmpty ? idlePages + 1 : 0
      // Single items may stand too low, such as those that reached the server late.
      let isPast = isOrderedByTime && !new.isEmpty && new.allSatisfy { time($0.item).map(range.isBefore) ?? false }
      request = isPast || idlePages == Self.maximumIdlePages ? nil : page.older.map { self.page($0) }
    }
    if seen.isEmpty { body(try await whenEmpty().filter(isWanted).prefix(limit).map { ($0, []) }) }
  }

  private func isWanted(_ item: Item) -> Bool { isShown(item) && time(item).map(range.contains) ?? true }
}
