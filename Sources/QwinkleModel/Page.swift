/// One page of a list, in the server's order, with cursors to the adjacent pages.
public struct Page<Item: Sendable>: Sendable {
  /// The items in the server's order, usually newest first.
  public var items: [Item]
  /// The cursor of the next, older page; nil at the end.
  public var older: PageCursor?
  /// The cursor of newer items; nil if the server sent none.
  public var newer: PageCursor?
  /// Number of unreadable items that were omitted.
  public var damagedCount: Int
  /// Indices of `items` that an unreadable item directly precedes. Contains `items.count` if an unreadable item is at
  /// the end. Nil if the positions are unknown.
  public var damagedPlaces: Set<Int>?
  /// Whether the server is still building the list. Mastodon reports this with status 206 for home timelines.
  public var isPartial = false
  /// Each item's JSON (UTF-8) as the server sent it, for caches. Either empty or one element per item. The element is
  /// empty for an item that has changed since.
  public var sources: [[UInt8]]
  /// Indices of `items` that have changed since the server sent their JSON.
  public var changed: Set<Int> = []

  public init(
    items: [Item], older: PageCursor? = nil, newer: PageCursor? = nil, damagedCount: Int = 0, sources: [[UInt8]] = []
  ) {
    self.items = items
    self.sources = sources
    self.older = older
    self.newer = newer
    self.damagedCount = damagedCount
  }

  /// Whether nothing is missing between the first and the last item.
  public var isComplete: Bool { damagedCount == 0 && !isPartial }

  /// The fewest items that any server returns on a page that isn't the last, even a server that caps or ignores the
  /// requested limit.
  public static var fewestInFull: Int { 20 }

  /// Whether an unreadable item may directly precede the item at this index.
  func isDamaged(before index: Int) -> Bool {
    if isPartial { return true }
    return damagedPlaces?.contains(index) ?? (damagedCount > 0)
  }

  /// Whether an unreadable item may follow the last item.
  var hasDamagedEnd: Bool { isDamaged(before: items.count) }

  /// Returns the page with each item transformed, without sources.
  public func map<Other: Sendable>(_ transform: (Item) -> Other) -> Page<Other> {
    var page = Page<Other>(items: items.map(transform), older: older, newer: newer, damagedCount: damagedCount)
    page.damagedPlaces = damagedPlaces
    page.isPartial = isPartial
    return page
  }

  /// Returns the page without the items for which `isKept` returns false.
  public func filtered(_ isKept: (Item) -> Bool) -> Page {
    var page = self
    let hasSources = sources.count == items.count
    page.sources = []
    page.items = []
    page.changed = []
    if damagedPlaces != nil { page.damagedPlaces = [] }
    for (index, item) in items.enumerated() {
      if damagedPlaces?.contains(index) == true { page.damagedPlaces?.insert(page.items.count) }
      guard isKept(item) else { continue }
      if changed.contains(index) { page.changed.insert(page.items.count) }
      page.items.append(item)
      if hasSources { page.sources.append(sources[index]) }
    }
    if damagedPlaces?.contains(items.count) == true { page.damagedPlaces?.insert(page.items.count) }
    return page
  }
}

/// A position in a list: the target of a Link header, verbatim. Opaque.
public struct PageCursor: Hashable, Sendable, Codable {
  /// The URL that the server gave, absolute or relative to the server.
  public let url: String

  public init(url: String) {
    self.url = url
  }
}
