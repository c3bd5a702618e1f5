/// One page of a list, in the server's order, with cursors to the pages around it.
public struct Page<Item: Sendable>: Sendable {
  /// The items, newest first.
  public var items: [Item]
  /// Leads to older items; nil at the end.
  public var older: PageCursor?
  /// Leads to newer items.
  public var newer: PageCursor?
  /// How many unreadable items are left out.
  public var damagedCount: Int
  /// Where they stood: before these indices of `items`, its count for the end; nil if unknown.
  public var damagedPlaces: Set<Int>?
  /// Whether the server is still building the list, as Mastodon says with status 206 for home timelines.
  public var isPartial = false
  /// Each item's JSON (UTF-8) as the server sent it, for caches: one for each item, or none at all. Empty for an item
  /// that has changed since.
  public var sources: [[UInt8]]

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

  /// A page with a next one has at least this many items on any server, even one that clamps or ignores a limit.
  public static var fewestInFull: Int { 20 }

  /// Whether an unreadable item may have stood right before the item at this index.
  func isDamaged(before index: Int) -> Bool {
    if isPartial { return true }
    return damagedPlaces?.contains(index) ?? (damagedCount > 0)
  }

  /// Whether an unreadable item may have stood after the last one.
  var hasDamagedEnd: Bool { isDamaged(before: items.count) }

  /// The page with each item transformed, without sources.
  public func map<Other: Sendable>(_ transform: (Item) -> Other) -> Page<Other> {
    var page = Page<Other>(items: items.map(transform), older: older, newer: newer, damagedCount: damagedCount)
    page.damagedPlaces = damagedPlaces
    page.isPartial = isPartial
    return page
  }

  /// The page without the items that `isKept` is false for.
  public func filtered(_ isKept: (Item) -> Bool) -> Page {
    var page = self
    let hasSources = sources.count == items.count
    page.sources = []
    page.items = []
    if damagedPlaces != nil { page.damagedPlaces = [] }
    for (index, item) in items.enumerated() {
      if damagedPlaces?.contains(index) == true { page.damagedPlaces?.insert(page.items.count) }
      guard isKept(item) else { continue }
      page.items.append(item)
      if hasSources { page.sources.append(sources[index]) }
    }
    if damagedPlaces?.contains(items.count) == true { page.damagedPlaces?.insert(page.items.count) }
    return page
  }
}

/// A place in a list: the target of a Link header, verbatim. Opaque.
public struct PageCursor: Hashable, Sendable, Codable {
  /// The URL that the server gave, absolute or relative to the server.
  public let url: String

  public init(url: String) {
    self.url = url
  }
}
