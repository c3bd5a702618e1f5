/// A list that a server gives by pages, such as notifications or followers, without gaps: it ends where something may
/// be missing, and goes on with what was known when the pages between have come. Order is the server's; an item stands
/// in it once.
public struct PagedList<Item: Identifiable & Hashable & Sendable>: Sendable where Item.ID: Sendable {
  private struct Element: PagedElement {
    var item: Item
    var rowID: Item.ID { item.id }
  }

  private var list = PagedRows<Element>()

  public init() {}

  public var items: [Item] { list.rows.prefix { $0.cursor == nil }.compactMap { $0.item?.item } }

  /// The way to what comes after the last item; nil at the end, or where nothing was fetched yet.
  public var older: PageCursor? { gap ?? list.older }

  public var isEmpty: Bool { items.isEmpty }

  /// Takes in the first page of the list. What it shows between its items and what is known is gone. Returns whether
  /// anything is different.
  @discardableResult
  public mutating func mergeNewest(_ page: Page<Item>) -> Bool {
    !list.mergeNewest(page.map(Element.init)).isEmpty
  }

  /// Takes in the page that ``older`` led to. Returns whether anything is different.
  @discardableResult
  public mutating func appendOlder(_ page: Page<Item>) -> Bool {
    let page = page.map(Element.init)
    return gap.map { !list.fillGap($0, with: page).isEmpty } ?? !list.appendOlder(page).isEmpty
  }

  /// Shows the newer state of items by `change`, which leaves the others as they are. Returns whether anything is
  /// different.
  @discardableResult
  public mutating func update(_ change: (inout Item) -> Void) -> Bool {
    let result = list.update { element in
      var new = element
      change(&new.item)
      return new == element ? nil : new
    }
    return !result.isEmpty
  }

  private var gap: PageCursor? { list.rows.lazy.compactMap(\.cursor).first }
}
