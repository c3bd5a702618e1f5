import FoundationEssentials
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// A list on a server, newest first, read page by page.
struct PagedList<Item: Sendable> {
  /// Largest page size that every server supports.
  private static var pageSize: Int { 40 }
  /// Reading stops after this many consecutive pages without a new item, because some servers repeat pages endlessly.
  private static var maximumIdlePages: Int { 3 }

  /// Creates the request for the first page, with at most the given number of items.
  let first: (Int) -> Request<Page<Item>>
  /// Creates the request for the page at a cursor.
  let page: (PageCursor) -> Request<Page<Item>>
  /// Identifies an item within the list.
  let id: (Item) -> AnyHashable
  /// Returns the item's time, which is compared with `range`. Items without a time are always included.
  var time: (Item) -> Date? = { _ in nil }
  var range = TimeRange()
  /// Whether items are sorted by time, newest first. If so, reading stops at the first page that is older than the
  /// range.
  var isOrderedByTime = true
  var isShown: (Item) -> Bool = { _ in true }
  /// Whether reading waits when the server allows no more requests for a while.
  var isPatient = false
  /// The ability that the list needs, if "not found" can also mean that the object doesn't exist.
  var need: AbilityNeed?
  /// Returns the items to use if the server's list is empty. For servers that don't support the list.
  var whenEmpty: @MainActor () async throws -> [Item] = { [] }

  /// Returns up to `limit` items.
  @MainActor
  func items(_ limit: Int, from server: AccountConnection) async throws -> [Item] {
    try await entries(limit, from: server).map(\.item)
  }

  /// Returns up to `limit` items with their JSON.
  @MainActor
  func entries(_ limit: Int, from server: AccountConnection) async throws -> [SentItem<Item>] {
    var entries: [SentItem<Item>] = []
    try await read(limit, from: server) { entries += $0 }
    return entries
  }

  /// Passes up to `limit` items to `body`, one page at a time.
  @MainActor
  func read(_ limit: Int, from server: AccountConnection, _ body: ([SentItem<Item>]) -> Void) async throws {
    var left = limit
    var seen: Set<AnyHashable> = []
    var idlePages = 0
    // With a time range, request full pages: a small page may have no item within the range.
    let isFiltered = range != TimeRange()
    var request: Request<Page<Item>>? = first(isFiltered ? Self.pageSize : min(limit, Self.pageSize))
    while let asked = request, left > 0 {
      let page =
        isPatient ? try await server.patientAnswer(to: asked) : try await server.answer(to: asked, needing: need)
      let new = page.entries.filter { seen.insert(id($0.item)).inserted }
      let wanted = new.filter { isWanted($0.item) }.prefix(left)
      body(Array(wanted))
      left -= wanted.count
      idlePages = new.isEmpty ? idlePages + 1 : 0
      // Stop only if all new items of a page are too old. A single old item may be out of order, for example because it
      // reached the server late.
      let isPast = isOrderedByTime && !new.isEmpty && new.allSatisfy { time($0.item).map(range.isBefore) ?? false }
      request = isPast || idlePages == Self.maximumIdlePages ? nil : page.older.map { self.page($0) }
    }
    if seen.isEmpty { body(try await whenEmpty().filter(isWanted).prefix(limit).map { ($0, []) }) }
  }

  private func isWanted(_ item: Item) -> Bool { isShown(item) && time(item).map(range.contains) ?? true }
}
