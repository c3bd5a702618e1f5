import QwinkleModel
import Testing

/// A list that is partly in memory and otherwise in the cache.
@Suite struct CachedWindowTests {
  private struct Item: Identifiable, PagedElement {
    var id: Int
    var word = ""
  }

  private typealias List = PagedRows<Item>

  private func rows(_ ids: ClosedRange<Int>) -> [List.Row] { ids.reversed().map { .item(Item(id: $0)) } }

  private func list(_ ids: ClosedRange<Int>, hasMoreAbove: Bool = true, hasMore: Bool = true) -> List {
    var list = List()
    list.setCached(rows(ids), hasMoreAbove: hasMoreAbove, older: PageCursor(url: "a"), hasMore: hasMore)
    return list
  }

  @Test func `cached rows are added above and below without being new`() {
    var list = list(4...6)
    #expect(list.prependCached(rows(7...8), hasMore: false) == ListChange(inserted: [0..<2], returned: [0, 1]))
    #expect(!list.hasMoreAbove && list.hasMoreCached && list.older == nil)
    list.appendCached(rows(1...3), older: PageCursor(url: "a"), hasMore: false)
    #expect(list.items.map(\.id) == [8, 7, 6, 5, 4, 3, 2, 1])
    #expect(list.older?.url == "a")
  }

  @Test func `trimmed rows are not new when they are loaded again`() {
    var list = list(1...8, hasMoreAbove: false, hasMore: false)
    #expect(list.trim(above: 2, below: 3) == ListChange(removed: [0, 1, 5, 6, 7]))
    #expect(list.hasMoreAbove && list.hasMoreCached && list.older == nil)
    #expect(list.items.map(\.id) == [6, 5, 4])
    #expect(list.prependCached(rows(7...8), hasMore: false).new.isEmpty)
    #expect(list.appendCached(rows(1...3), older: nil, hasMore: false).new.isEmpty)
    #expect(list.items.map(\.id) == [8, 7, 6, 5, 4, 3, 2, 1])
  }

  @Test func `trimming never empties a list`() {
    var list = list(1...3)
    #expect(list.trim(above: 2, below: 1).isEmpty && list.items.count == 3)
  }

  @Test func `the user's own row is not inserted while more cached rows are above`() {
    var list = list(4...6)
    #expect(list.insertOwn(Item(id: 10)).isEmpty)
    #expect(list.items.map(\.id) == [6, 5, 4])
    #expect(list.hasMoreAbove && list.hasMoreCached)
  }

  @Test func `another part of the cache replaces the rows and preserves known items`() {
    var list = list(4...6)
    list.update([Item(id: 5, word: "mine")])
    let revision = list.revision
    let kept = rows(5...5) + [.gap(PageCursor(url: "g"))] + rows(2...3)
    let change = list.setCached(kept, hasMoreAbove: true, older: nil, hasMore: true, former: [])
    #expect(change == ListChange(removed: [0, 2], inserted: [1..<4]))
    #expect(change.new == [1, 2, 3])
    #expect(list.items.map(\.word) == ["mine", "", ""])
    #expect(list.revision != revision)
  }

  @Test func `the revision changes only if the set of rows changes`() {
    var list = list(4...6)
    let revision = list.revision
    list.update([Item(id: 5, word: "mine")])
    list.remove { $0.id == 99 }
    #expect(list.revision == revision)
    list.remove { $0.id == 5 }
    #expect(list.revision != revision)
  }
}
