import QwinkleModel
import Testing

/// Lists that end at a gap, such as conversations, notifications and followers.
@Suite struct PagedListTests {
  private struct Item: Identifiable, PagedElement {
    var id: Int
    var word = ""
  }

  private typealias List = PagedRows<Item>

  private func page(_ ids: [Int], older: String? = nil, word: String = "") -> Page<Item> {
    Page(items: ids.map { Item(id: $0, word: word) }, older: older.map { PageCursor(url: $0) })
  }

  private func list(_ ids: [Int], older: String? = nil) -> List {
    var list = List(endsAtGap: true)
    list.mergeNewest(page(ids, older: older))
    return list
  }

  @Test func `a first page that reaches the known rows adds the new rows`() {
    var list = list([5, 4, 3], older: "a")
    #expect(list.mergeNewest(page([7, 6, 5, 4], older: "b")) == ListChange(inserted: [0..<2]))
    #expect(list.items.map(\.id) == [7, 6, 5, 4, 3])
    #expect(list.older?.url == "a")
  }

  @Test func `rows missing between a page's items are removed`() {
    var list = list([5, 4, 3, 2], older: "a")
    #expect(list.mergeNewest(page([6, 5, 3], older: "b")) == ListChange(removed: [1], inserted: [0..<1]))
    #expect(list.items.map(\.id) == [6, 5, 3, 2])
  }

  @Test func `a first page that does not reach the known rows replaces them`() {
    var list = list([3, 2, 1], older: "a")
    #expect(list.mergeNewest(page([9, 8], older: "b")) == ListChange(removed: [0, 1, 2], inserted: [0..<2]))
    #expect(list.items.map(\.id) == [9, 8])
    #expect(list.older?.url == "b")
    #expect(list[3] == nil && list.index(of: 8) == 1)
    list.mergeNewest(page([]))
    #expect(list.isEmpty)
    #expect(list.older == nil)
  }

  @Test func `replaced rows return once older pages reach them`() {
    var list = list([3, 2, 1], older: "a")
    list.mergeNewest(page([9, 8], older: "b"))
    list.appendOlder(page([7, 3], older: "c"))
    #expect(list.items.map(\.id) == [9, 8, 7, 3, 2, 1])
    #expect(list.older?.url == "a")
  }

  @Test func `an equal page changes nothing and a changed item is reported`() {
    var list = list([2, 1])
    #expect(list.mergeNewest(page([2, 1])).isEmpty)
    #expect(list.mergeNewest(page([2, 1], word: "edited")) == ListChange(changed: [0, 1]))
    #expect(list.items.map(\.word) == ["edited", "edited"])
  }

  @Test func `older pages are appended without duplicates until a cursor repeats`() {
    var list = list([5, 4, 4], older: "a")
    #expect(list.appendOlder(page([4, 3, 2], older: "b")) == ListChange(inserted: [2..<4]))
    #expect(list.items.map(\.id) == [5, 4, 3, 2])
    #expect(list.appendOlder(page([3], older: "a")).isEmpty)
    #expect(list.older == nil)
  }

  @Test func `an older page places a late row between repeated rows, even if one more is repeated out of order`() {
    for repeated in [[5, 10, 4, 3, 2], [5, 10, 6, 4, 3, 2], [5, 10, 3, 4, 2], [6, 5, 3, 10, 4, 2]] {
      var list = list([6, 5, 4, 3], older: "a")
      list.appendOlder(page(repeated, older: "b"))
      #expect(list.items.map(\.id) == [6, 5, 10, 4, 3, 2], "\(repeated)")
    }
  }

  @Test func `an older page places a late row between the two repeated rows that are closest on the page`() {
    var list = list([9, 8, 7, 6], older: "a")
    list.appendOlder(page([7, 9, 10, 8, 6], older: "b"))
    #expect(list.items.map(\.id) == [9, 10, 8, 7, 6])
  }

  @Test func `a row that may be the unreadable end of the page above stays if the last page ends with it missing`() {
    var list = List()
    list.mergeNewest(page([3, 2], older: "a"))
    // The newest page ends with an unreadable item, which may be 3.
    var newest = page([9, 8], older: "b")
    newest.damagedCount = 1
    list.mergeNewest(newest)
    list.fillGap(PageCursor(url: "b"), with: page([2]))
    #expect(list.items.map(\.id) == [9, 8, 3, 2])
  }

  @Test func `a page with moved rows applies the server's order`() {
    var list = list([3, 2, 1], older: "a")
    list.mergeNewest(page([2, 4, 3], older: "b"))
    #expect(list.items.map(\.id) == [2, 4, 3, 1])
    #expect(list.older?.url == "a")
  }

  @Test func `a late row in the middle of a page is inserted there`() {
    var list = list([6, 4, 2], older: "a")
    #expect(list.mergeNewest(page([6, 5, 4, 2], older: "b")) == ListChange(inserted: [1..<2]))
    list.appendOlder(page([2, 1], older: "c"))
    #expect(list.items.map(\.id) == [6, 5, 4, 2, 1])
  }

  @Test func `no row is removed if a page has malformed items`() {
    var list = list([4, 3, 2, 1], older: "a")
    var damaged = page([4, 2], older: "b")
    damaged.damagedCount = 1
    #expect(list.mergeNewest(damaged).isEmpty)
    #expect(list.items.map(\.id) == [4, 3, 2, 1])
  }

  @Test func `a last page with a malformed item ends the list`() {
    var list = list([4, 3], older: "a")
    var damaged = page([4, 2, 1])
    damaged.damagedCount = 1
    damaged.damagedPlaces = [1]
    list.mergeNewest(damaged)
    #expect(list.items.map(\.id) == [4, 3, 2, 1], "3 can be the malformed item")
    #expect(list.older == nil, "cursor a would load rows above 1 again")
  }

  @Test func `cached rows follow the last row unless a page reaches the end of the list`() {
    var list = List(endsAtGap: true)
    list.appendCached([.item(Item(id: 3)), .item(Item(id: 2))], older: nil, hasMore: true)
    list.mergeNewest(page([4, 3], older: "a"))
    #expect(list.items.map(\.id) == [4, 3, 2])
    #expect(list.hasMoreCached && list.older == nil)
    list.appendCached([.item(Item(id: 1))], older: PageCursor(url: "b"), hasMore: false)
    #expect(list.items.map(\.id) == [4, 3, 2, 1])
    #expect(list.older?.url == "b")
    list.mergeNewest(page([4]))
    #expect(list.items.map(\.id) == [4])
    #expect(list.older == nil)
  }

  @Test func `rows below a gap can be forgotten together with cached rows`() {
    var list = List(endsAtGap: true)
    list.appendCached([.item(Item(id: 2)), .item(Item(id: 1))], older: nil, hasMore: true)
    list.forgetBelowGap()
    #expect(list.hasMoreCached && list.items.map(\.id) == [2, 1])
    list.mergeNewest(page([9, 8], older: "a"))
    list.forgetBelowGap()
    #expect(!list.hasMoreCached)
    list.appendOlder(page([7, 2], older: "b"))
    #expect(list.items.map(\.id) == [9, 8, 7, 2])
    #expect(list.older?.url == "b")
  }

  @Test func `a row put on top stays until several pages omit it`() {
    var list = list([3, 2, 1], older: "a")
    #expect(list.putOnTop(Item(id: 2)) == ListChange(removed: [1], inserted: [0..<1], returned: [0]))
    #expect(list.putOnTop(Item(id: 4)) == ListChange(inserted: [0..<1], returned: [0]))
    list.mergeNewest(page([2, 3, 1], older: "a"))
    #expect(list.items.map(\.id) == [4, 2, 3, 1])
    for _ in 0..<2 { list.mergeNewest(page([2, 3, 1], older: "a")) }
    #expect(list.items.map(\.id) == [2, 3, 1])
  }

  @Test func `a removed row can be inserted at its old index`() {
    var list = list([4, 3, 2])
    #expect(list.remove { $0.id == 3 } == ListChange(removed: [1]))
    #expect(list.insert(Item(id: 3), at: 1) == ListChange(inserted: [1..<2], returned: [1]))
    #expect(list.insert(Item(id: 1), at: 9) == ListChange(inserted: [3..<4]))
    #expect(list.insert(Item(id: 1), at: 0).isEmpty)
    #expect(list.items.map(\.id) == [4, 3, 2, 1])
  }

  @Test func `a modification reports the changed rows`() {
    var list = list([2, 1])
    #expect(list.modify { _ in }.isEmpty)
    #expect(list.modify { if $0.id == 1 { $0.word = "new" } } == ListChange(changed: [1]))
    #expect(list.items.last?.word == "new")
  }
}
