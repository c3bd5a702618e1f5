/// A list that a server gives by pages, such as notices or followers. Order is the server's; an item stands in it once.
/// Unlike a ``Timeline`` it has no gaps: a first page that does not reach down to what is known begins the list anew.
public struct PagedList<Item: Identifiable & Hashable & Sendable>: Sendable {
  public private(set) var items: [Item] = []
  /// The way to what comes after the last item; nil at the end, or where nothing was fetched yet.
  public private(set) var older: PageCursor?
  /// Ways that pages have led.
  private var followed: Set<PageCursor> = []

  public init() {}

  public var isEmpty: Bool { items.isEmpty }

  /// Takes in the first page of the list. What it shows between its items and what is known is gone. Returns whether anything
  /// is different.
  @discardableResult
  public mutating func mergeNewest(_ page: Page<Item>) -> Bool {
    let before = items
    let new = Self.uniqued(page.items)
    let ids = Set(new.map(\.id))
    if let last = items.lastIndex(where: { ids.contains($0.id) }) {
      items = new + items[(last + 1)...].filter { !ids.contains($0.id) }
    } else {
      items = new
      followed = []
      older = wayOn(from: page)
    }
    return items != before
  }

  /// Takes in the page that ``older`` led to. Returns whether anything is different.
  @discardableResult
  public mutating func appendOlder(_ page: Page<Item>) -> Bool {
    let known = Set(items.map(\.id))
    let new = Self.uniqued(page.items).filter { !known.contains($0.id) }
    items += new
    older = wayOn(from: page)
    return !new.isEmpty
  }

  /// Shows the newer state of items by `change`, which leaves the others as they are. Returns whether anything is different.
  @discardableResult
  public mutating func update(_ change: (inout Item) -> Void) -> Bool {
    let before = items
    for index in items.indices { change(&items[index]) }
    return items != before
  }

  /// Where a page leads; nil where it is empty, or leads back to where one has been: that would go on for ever.
  private mutating func wayOn(from page: Page<Item>) -> PageCursor? {
    guard let cursor = page.older, !page.items.isEmpty, followed.insert(cursor).inserted else { return nil }
    return cursor
  }

  private static func uniqued(_ items: [Item]) -> [Item] {
    var seen: Set<Item.ID> = []
    return items.filter { seen.insert($0.id).inserted }
  }
}
