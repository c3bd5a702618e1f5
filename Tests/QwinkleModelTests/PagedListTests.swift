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

  @Test func `a first page that reaches down to what is known adds what is new`() {
    var list = list([5, 4, 3], older: "a")
    #expect(list.mergeNewest(page([7, 6, 5, 4], older: "b")) == ListChange(inserted: [0..<2]))
    #expect(list.items.map(\.id) == [7, 6, 5, 4, 3])
    #expect(list.older?.url == "a")
  }

  @Test func `what is gone between a page's items goes`() {
    var list = list([5, 4, 3, 2], older: "a")
    #expect(list.mergeNewest(page([6, 5, 3], older: "b")) == ListChange(removed: [1], inserted: [0..<1]))
    #expect(list.items.map(\.id) == [6, 5, 3, 2])
  }

  @Test func `a first page that does not reach what is known begins anew`() {
    var list = list([3, 2, 1], older: "a")
    #expect(list.mergeNewest(page([9, 8], older: "b")) == ListChange(removed: [0, 1, 2], inserted: [0..<2]))
    #expect(list.items.map(\.id) == [9, 8])
    #expect(list.older?.url == "b")
    #expect(list[3] == nil && list.index(of: 8) == 1)
    list.mergeNewest(page([]))
    #expect(list.isEmpty)
    #expect(list.older == nil)
  }

  @Test func `what was known comes back once the pages between have come`() {
    var list = list([3, 2, 1], older: "a")
    list.mergeNewest(page([9, 8], older: "b"))
    list.appendOlder(page([7, 3], older: "c"))
    #expect(list.items.map(\.id) == [9, 8, 7, 3, 2, 1])
    #expect(list.older?.url == "a")
  }

  @Test func `the same page again changes nothing, another state of an item does`() {
    var list = list([2, 1])
    #expect(list.mergeNewest(page([2, 1])).isEmpty)
    #expect(list.mergeNewest(page([2, 1], word: "edited")) == ListChange(changed: [0, 1]))
    #expect(list.items.map(\.word) == ["edited", "edited"])
  }

  @Test func `older pages go to the end, each item once, until one leads nowhere new`() {
    var list = list([5, 4, 4], older: "a")
    #expect(list.appendOlder(page([4, 3, 2], older: "b")) == ListChange(inserted: [2..<4]))
    #expect(list.items.map(\.id) == [5, 4, 3, 2])
    #expect(list.appendOlder(page([3], older: "a")).isEmpty)
    #expect(list.older == nil)
  }

  @Test func `a page that has moved rows brings the server's order`() {
    var list = list([3, 2, 1], older: "a")
    list.mergeNewest(page([2, 4, 3], older: "b"))
    #expect(list.items.map(\.id) == [2, 4, 3, 1])
    #expect(list.older?.url == "a")
  }

  @Test func `a row that the server puts into the middle late stands there`() {
    var list = list([6, 4, 2], older: "a")
    #expect(list.mergeNewest(page([6, 5, 4, 2], older: "b")) == ListChange(inserted: [1..<2]))
    list.appendOlder(page([2, 1], older: "c"))
    #expect(list.items.map(\.id) == [6, 5, 4, 2, 1])
  }

  @Test func `what could not be read stays where it was`() {
    var list = list([4, 3, 2, 1], older: "a")
    var damaged = page([4, 2], older: "b")
    damaged.damagedCount = 1
    #expect(list.mergeNewest(damaged).isEmpty)
    #expect(list.items.map(\.id) == [4, 3, 2, 1])
  }

  @Test func `what is kept elsewhere follows the last row, unless a page says where the list ends`() {
    var list = List(endsAtGap: true)
    list.appendKept([.item(Item(id: 3)), .item(Item(id: 2))], older: nil, hasMore: true)
    list.mergeNewest(page([4, 3], older: "a"))
    #expect(list.items.map(\.id) == [4, 3, 2])
    #expect(list.hasMoreKept && list.older == nil)
    list.appendKept([.item(Item(id: 1))], older: PageCursor(url: "b"), hasMore: false)
    #expect(list.items.map(\.id) == [4, 3, 2, 1])
    #expect(list.older?.url == "b")
    list.mergeNewest(page([4]))
    #expect(list.items.map(\.id) == [4])
    #expect(list.older == nil)
  }

  @Test func `what stands below a gap can be forgotten, with all that is kept`() {
    var list = List(endsAtGap: true)
    list.appendKept([.item(Item(id: 2)), .item(Item(id: 1))], older: nil, hasMore: true)
    list.forgetBelowGap()
    #expect(list.hasMoreKept && list.items.map(\.id) == [2, 1])
    list.mergeNewest(page([9, 8], older: "a"))
    list.forgetBelowGap()
    #expect(!list.hasMoreKept)
    list.appendOlder(page([7, 2], older: "b"))
    #expect(list.items.map(\.id) == [9, 8, 7, 2])
    #expect(list.older?.url == "b")
  }

  @Test func `a row of mine is on top at once, and stays until the server has had time to list it`() {
    var list = list([3, 2, 1], older: "a")
    #expect(list.putOnTop(Item(id: 2)) == ListChange(removed: [1], inserted: [0..<1], returned: [0]))
    #expect(list.putOnTop(Item(id: 4)) == ListChange(inserted: [0..<1], returned: [0]))
    list.mergeNewest(page([2, 3, 1], older: "a"))
    #expect(list.items.map(\.id) == [4, 2, 3, 1])
    for _ in 0..<2 { list.mergeNewest(page([2, 3, 1], older: "a")) }
    #expect(list.items.map(\.id) == [2, 3, 1])
  }

  @Test func `what goes can come back where it was`() {
    var list = list([4, 3, 2])
    #expect(list.remove { $0.id == 3 } == ListChange(removed: [1]))
    #expect(list.insert(Item(id: 3), at: 1) == ListChange(inserted: [1..<2], returned: [1]))
    #expect(list.insert(Item(id: 1), at: 9) == ListChange(inserted: [3..<4]))
    #expect(list.insert(Item(id: 1), at: 0).isEmpty)
    #expect(list.items.map(\.id) == [4, 3, 2, 1])
  }

  @Test func `a modification says which rows are different`() {
    var list = list([2, 1])
    #expect(list.modify { _ in }.isEmpty)
    #expect(list.modify { if $0.id == 1 { $0.word = "new" } } == ListChange(changed: [1]))
    #expect(list.items.last?.word == "new")
  }
}
