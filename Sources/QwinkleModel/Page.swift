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
  /// Whether the server said that it does not have all yet, as Mastodon does (206) while it makes a home timeline anew.
  public var isPartial = false
  /// Each item as the server wrote it (JSON, UTF-8), for caches: as many as there are items, or none. An empty one stands for
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

  /// Whether a first page is the whole list: nothing is missing or older. A server that never says what is older is not
  /// believed where there may be more.
  public var isWhole: Bool { isComplete && older == nil && items.count < Self.fewest }

  /// As many items as any server has in a page, where there are more.
  private static var fewest: Int { 20 }
}

/// A place in a list: the target of a Link header, taken as it is. Opaque.
public struct PageCursor: Hashable, Sendable, Codable {
  /// The URL that the server gave, absolute or relative to the server.
  public let url: String

  public init(url: String) {
    self.url = url
  }
}
