import QwinkleModel
import Testing

@Suite struct ConversationListTests {
  private func conversations(_ ids: [String], isUnread: Bool = false) -> [Conversation] {
    ids.map { Conversation(id: .init($0), participants: [], isUnread: isUnread) }
  }

  private func page(_ ids: String..., older: String?, damagedCount: Int = 0) -> Page<Conversation> {
    Page(items: conversations(ids), older: older.map { PageCursor(url: $0) }, damagedCount: damagedCount)
  }

  private func ids(_ list: ConversationList) -> [String] { list.items.map(\.id.rawValue) }

  @Test func `the newest page stands on top, in the server's order`() {
    var list = ConversationList()
    #expect(list.mergeNewest(page("c", "b", "a", older: "x")) == .replaced)
    #expect(list.mergeNewest(page("b", "d", "c", older: "y")) == .onTop(dropped: []))
    #expect(ids(list) == ["b", "d", "c", "a"])
    #expect(list.older == PageCursor(url: "x"))
  }

  @Test func `older pages follow by their cursors, each conversation once`() {
    var list = ConversationList()
    _ = list.mergeNewest(page("d", "c", older: "x"))
    let new = list.appendOlder(page("c", "b", "a", older: nil))
    #expect(new.map(\.id.rawValue) == ["b", "a"])
    #expect(ids(list) == ["d", "c", "b", "a"])
    #expect(list.older == nil)
  }

  @Test func `a cursor that leads back ends the list`() {
    var list = ConversationList()
    _ = list.mergeNewest(page("d", older: "x"))
    _ = list.appendOlder(page("c", older: "x"))
    #expect(list.older == nil)
  }

  @Test func `a page that does not reach what is known replaces it`() {
    var list = ConversationList()
    _ = list.mergeNewest(page("b", "a", older: "x"))
    #expect(list.mergeNewest(page("f", "e", older: "y")) == .replaced)
    #expect(ids(list) == ["f", "e"])
    #expect(list.older == PageCursor(url: "y"))
  }

  @Test func `what is missing between those of a page was deleted elsewhere`() {
    var list = ConversationList()
    _ = list.mergeNewest(page("d", "c", "b", "a", older: "x"))
    #expect(list.mergeNewest(page("d", "b", older: "y")) == .onTop(dropped: ["c"]))
    #expect(ids(list) == ["d", "b", "a"])
  }

  @Test func `what could not be read is not taken for deleted`() {
    var list = ConversationList()
    _ = list.mergeNewest(page("d", "c", "b", "a", older: "x"))
    #expect(list.mergeNewest(page("d", "b", older: "y", damagedCount: 1)) == .onTop(dropped: []))
    #expect(ids(list) == ["d", "b", "c", "a"])
  }

  @Test func `a page without a way on is all there is`() {
    var list = ConversationList()
    _ = list.mergeNewest(page("d", "c", "b", "a", older: "x"))
    #expect(list.mergeNewest(page("c", older: nil)) == .replaced)
    #expect(ids(list) == ["c"])
  }

  @Test func `what goes can come back where it was`() {
    var list = ConversationList()
    _ = list.mergeNewest(page("d", "c", "b", older: nil))
    let gone = list["c"]
    #expect(list.remove("c") == 1)
    if let gone { list.insert(gone, at: 1) }
    #expect(ids(list) == ["d", "c", "b"])
    #expect(list.remove("zz") == nil)
  }
}
