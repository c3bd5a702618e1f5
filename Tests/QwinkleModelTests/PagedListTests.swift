import QwinkleModel
import Testing

@Suite struct PagedListTests {
  private struct Item: Identifiable, Hashable, Sendable {
    var id: Int
    var word = ""
  }

  private func page(_ ids: [Int], older: String? = nil, word: String = "") -> Page<Item> {
    Page(items: ids.map { Item(id: $0, word: word) }, older: older.map { PageCursor(url: $0) })
  }

  private func list(_ ids: [Int], older: String? = nil) -> PagedList<Item> {
    var list = PagedList<Item>()
    list.mergeNewest(page(ids, older: older))
    return list
  }

  @Test func `a first page that reaches down to what is known adds what is new`() {
    var list = list([5, 4, 3], older: "a")
    let isOther = list.mergeNewest(page([7, 6, 5, 4], older: "b"))
    #expect(isOther)
    #expect(list.items.map(\.id) == [7, 6, 5, 4, 3])
    #expect(list.older?.url == "a")
  }

  @Test func `what is gone between a page's items goes`() {
    var list = list([5, 4, 3, 2], older: "a")
    let isOther = list.mergeNewest(page([6, 5, 3], older: "b"))
    #expect(isOther)
    #expect(list.items.map(\.id) == [6, 5, 3, 2])
  }

  @Test func `a first page that does not reach what is known begins anew`() {
    var list = list([3, 2, 1], older: "a")
    list.mergeNewest(page([9, 8], older: "b"))
    #expect(list.items.map(\.id) == [9, 8])
    #expect(list.older?.url == "b")
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
    let isOther = list.mergeNewest(page([2, 1]))
    #expect(!isOther)
    let isOtherThen = list.mergeNewest(page([2, 1], word: "edited"))
    #expect(isOtherThen)
    #expect(list.items.map(\.word) == ["edited", "edited"])
  }

  @Test func `older pages go to the end, each item once, until one leads nowhere new`() {
    var list = list([5, 4, 4], older: "a")
    let isOther = list.appendOlder(page([4, 3, 2], older: "b"))
    #expect(isOther)
    #expect(list.items.map(\.id) == [5, 4, 3, 2])
    let isOtherThen = list.appendOlder(page([3], older: "a"))
    #expect(!isOtherThen)
    #expect(list.older == nil)
  }

  @Test func `an update says whether anything is different`() {
    var list = list([2, 1])
    let isOther = list.update { _ in }
    #expect(!isOther)
    let isOtherThen = list.update { if $0.id == 1 { $0.word = "new" } }
    #expect(isOtherThen)
    #expect(list.items.last?.word == "new")
  }
}
