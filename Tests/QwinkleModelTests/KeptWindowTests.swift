import QwinkleModel
import Testing

/// A list of which only a part is in memory, and the rest in a store.
@Suite struct KeptWindowTests {
  private struct Item: Identifiable, PagedElement {
    var id: Int
    var word = ""
  }

  private typealias List = PagedRows<Item>

  private func rows(_ ids: ClosedRange<Int>) -> [List.Row] { ids.reversed().map { .item(Item(id: $0)) } }

  private func list(_ ids: ClosedRange<Int>, hasMoreAbove: Bool = true, hasMore: Bool = true) -> List {
    var list = List()
    list.setKept(rows(ids), hasMoreAbove: hasMoreAbove, older: PageCursor(url: "a"), hasMore: hasMore)
    return list
  }

  @Test func `rows of the store are put above and below, and are not new`() {
    var list = list(4...6)
    #expect(list.prependKept(rows(7...8), hasMore: false) == ListChange(inserted: [0..<2], returned: [0, 1]))
    #expect(!list.hasMoreAbove && list.hasMoreKept && list.older == nil)
    list.appendKept(rows(1...3), older: PageCursor(url: "a"), hasMore: false)
    #expect(list.items.map(\.id) == [8, 7, 6, 5, 4, 3, 2, 1])
    #expect(list.older?.url == "a")
  }

  @Test func `trimmed rows come back as rows that were here before`() {
    var list = list(1...8, hasMoreAbove: false, hasMore: false)
    #expect(list.trim(above: 2, below: 3) == ListChange(removed: [0, 1, 5, 6, 7]))
    #expect(list.hasMoreAbove && list.hasMoreKept && list.older == nil)
    #expect(list.items.map(\.id) == [6, 5, 4])
    #expect(list.prependKept(rows(7...8), hasMore: false).new.isEmpty)
    #expect(list.appendKept(rows(1...3), older: nil, hasMore: false).new.isEmpty)
    #expect(list.items.map(\.id) == [8, 7, 6, 5, 4, 3, 2, 1])
  }

  @Test func `a list is never trimmed away`() {
    var list = list(1...3)
    #expect(list.trim(above: 2, below: 1).isEmpty && list.items.count == 3)
  }

  @Test func `below rows of the store, the newest page and my own row only change what is known`() {
    var list = list(4...6)
    let page = Page(items: [Item(id: 9), Item(id: 6, word: "new")], older: PageCursor(url: "b"))
    #expect(list.mergeNewest(page) == ListChange(changed: [0]))
    #expect(list.insertOwn(Item(id: 10)).isEmpty)
    #expect(list.items.map(\.id) == [6, 5, 4] && list.items[0].word == "new")
    #expect(list.hasMoreAbove && list.hasMoreKept)
  }

  @Test func `another part of the store takes the place of what is shown, and known rows keep their state`() {
    var list = list(4...6)
    list.update([Item(id: 5, word: "mine")])
    let revision = list.revision
    let kept = rows(5...5) + [.gap(PageCursor(url: "g"))] + rows(2...3)
    let change = list.setKept(kept, hasMoreAbove: true, older: nil, hasMore: true, areNew: true)
    #expect(change == ListChange(removed: [0, 2], inserted: [1..<4]))
    #expect(change.new == [1, 2, 3])
    #expect(list.items.map(\.word) == ["mine", "", ""])
    #expect(list.revision != revision)
  }

  @Test func `only another set of rows is another revision`() {
    var list = list(4...6)
    let revision = list.revision
    list.update([Item(id: 5, word: "mine")])
    list.remove { $0.id == 99 }
    #expect(list.revision == revision)
    list.remove { $0.id == 5 }
    #expect(list.revision != revision)
  }
}
