/// A piece of a list as a server gave it, with the ways on. Order is the server's.
public struct Page<Item: Sendable>: Sendable {
  /// The items, newest first.
  public var items: [Item]
  /// The way to older items; nil at the end.
  public var older: PageCursor?
  /// The way to newer items.
  public var newer: PageCursor?
  /// How many items could not be read and are missing.
  public var damagedCount: Int
  /// Before which items they stood, as indices of `items`, its count for those at the end; nil where that is not known.
  public var damagedPlaces: Set<Int>?
  /// Whether the server said that it does not have all yet, as Mastodon does (206) while it makes a home timeline anew.
  public var isPartial = false
  /// Each item as the server wrote it (JSON, UTF-8), for caches: as many as there are items, or none. Empty for an item
  /// that was changed here. An empty one stands for
  /// an item that has changed since.
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

  /// Whether everything between the first item and the last is there.
  public var isComplete: Bool { damagedCount == 0 && !isPartial }

  /// Whether a first page is the whole list: nothing is missing or older.
  public var isWhole: Bool { isComplete && older == nil }

  /// As many items as any server has in a page where there are more; those that clamp or ignore a limit too.
  public static var fewestInFull: Int { 20 }

  /// Whether something that could not be read may have stood right before the item with this index.
  func isDamaged(before index: Int) -> Bool {
    if isPartial { return true }
    return damagedPlaces?.contains(index) ?? (damagedCount > 0)
  }

  /// Whether something that could not be read may have stood after the last item.
  var hasDamagedEnd: Bool { isDamaged(before: items.count) }

  /// The page with each item as `transform` makes it, without sources.
  public func map<Other: Sendable>(_ transform: (Item) -> Other) -> Page<Other> {
    var page = Page<Other>(items: items.map(transform), older: older, newer: newer, damagedCount: damagedCount)
    page.damagedPlaces = damagedPlaces
    page.isPartial = isPartial
    return page
  }

  /// The page without the items that `isKept` is false for, without sources.
  func filtered(_ isKept: (Item) -> Bool) -> Page {
    var page = self
    page.sources = []
    page.items = []
    if damagedPlaces != nil { page.damagedPlaces = [] }
    for (index, item) in items.enumerated() {
      if damagedPlaces?.contains(index) == true { page.damagedPlaces?.insert(page.items.count) }
      if isKept(item) { page.items.append(item) }
    }
    if damagedPlaces?.contains(items.count) == true { page.damagedPlaces?.insert(page.items.count) }
    return page
  }
}

/// A place in a list: the target of a Link header, taken as it is. Opaque.
public struct PageCursor: Hashable, Sendable, Codable {
  /// The URL that the server gave, absolute or relative to the server.
  public let url: String

  public init(url: String) {
    self.url = url
  }
}
