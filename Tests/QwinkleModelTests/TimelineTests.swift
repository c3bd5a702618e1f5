import FoundationEssentials
import QwinkleModel
import Testing

@Suite struct TimelineTests {
  private func qwink(_ id: String, likes: Int = 0) -> Qwink {
    Qwink(
      id: Qwink.ID(id), author: Qwinker(id: "1", userName: "alice"), createdAt: Date(timeIntervalSince1970: 0),
      text: RichText(plain: id), favouritesCount: likes)
  }

  private func page(_ ids: [String], older: String? = nil) -> Page<Qwink> {
    Page(items: ids.map { qwink($0) }, older: older.map { PageCursor(url: $0) })
  }

  private func ids(_ timeline: Timeline) -> [String] {
    timeline.rows.map { $0.qwink?.id.rawValue ?? "gap" }
  }

  @Test func `the first page fills an empty timeline and leads on`() {
    var timeline = Timeline()
    #expect(timeline.mergeNewest(page(["3", "2"], older: "a")) == Timeline.Change(inserted: 0..<2))
    #expect(timeline.older == PageCursor(url: "a"))
    #expect(timeline.appendOlder(page(["1"])) == Timeline.Change(inserted: 2..<3))
    #expect(ids(timeline) == ["3", "2", "1"])
    #expect(timeline.older == nil)
  }

  @Test func `a newer page that reaches the known rows leaves no gap`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2", "1"]))
    #expect(timeline.mergeNewest(page(["4", "3", "2"], older: "x")) == Timeline.Change(inserted: 0..<2))
    #expect(ids(timeline) == ["4", "3", "2", "1"])
  }

  @Test func `a newer page that does not reach the known rows leaves a gap, which fills`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2", "1"]))
    #expect(timeline.mergeNewest(page(["9", "8"], older: "g")).inserted == 0..<3)
    #expect(ids(timeline) == ["9", "8", "gap", "2", "1"])
    let cursor = PageCursor(url: "g")
    _ = timeline.fillGap(cursor, with: page(["7", "6"], older: "h"))
    #expect(ids(timeline) == ["9", "8", "7", "6", "gap", "2", "1"])
    let change = timeline.fillGap(PageCursor(url: "h"), with: page(["5", "2"], older: "i"))
    #expect(change == Timeline.Change(removed: [4], inserted: 4..<5))
    #expect(ids(timeline) == ["9", "8", "7", "6", "5", "2", "1"])
  }

  @Test func `repeated and unordered items stand once, where they first came`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "1", "3", "2"]))
    #expect(ids(timeline) == ["3", "1", "2"])
    _ = timeline.appendOlder(page(["2", "0"]))
    #expect(ids(timeline) == ["3", "1", "2", "0"])
  }

  @Test func `a boost and its original with the same id are two rows`() {
    var timeline = Timeline()
    var boost = qwink("1")
    boost.booster = Qwinker(id: "2", userName: "bob")
    _ = timeline.mergeNewest(Page(items: [boost, qwink("1")]))
    #expect(timeline.rows.count == 2)
  }

  @Test func `known rows take their newer state and say where`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2", "1"]))
    let change = timeline.mergeNewest(Page(items: [qwink("3"), qwink("2"), qwink("1", likes: 5)]))
    #expect(change == Timeline.Change(inserted: 0..<1, changed: [2]))
    #expect(timeline.rows[2].qwink?.favouritesCount == 5)
  }

  @Test func `what the newest page reaches and does not have any more goes, and nothing below it`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["5", "4", "3", "2", "1"], older: "a"))
    let change = timeline.mergeNewest(page(["6", "5", "3"], older: "b"))
    #expect(change == Timeline.Change(removed: [1], inserted: 0..<1))
    #expect(ids(timeline) == ["6", "5", "3", "2", "1"])
    #expect(timeline.older == PageCursor(url: "a"))
    #expect(timeline.index(of: qwink("4").rowID) == nil)
  }

  @Test func `a page that is the whole list leaves nothing else, and one that is damaged leaves all`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2", "1"], older: "a"))
    #expect(timeline.mergeNewest(Page(items: [qwink("2")], damagedCount: 1)).isEmpty)
    #expect(timeline.mergeNewest(page(["2"])) == Timeline.Change(removed: [0, 2]))
    #expect(timeline.older == nil)
    #expect(timeline.mergeNewest(page([])) == Timeline.Change(removed: [0]))
    #expect(timeline.isEmpty)
  }

  @Test func `what a page has below the rows comes with the way on, and not on top`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["5", "4", "3"], older: "a"))
    let change = timeline.mergeNewest(page(["6", "5", "3", "2"], older: "b"))
    #expect(change == Timeline.Change(removed: [1], inserted: 0..<1))
    #expect(ids(timeline) == ["6", "5", "3"])
    #expect(timeline.older == PageCursor(url: "a"))
    _ = timeline.appendOlder(page(["2", "1"]))
    #expect(ids(timeline) == ["6", "5", "3", "2", "1"])
  }

  @Test func `a list that the server is still making takes nothing away`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2"], older: "a"))
    var partial = page([])
    partial.isPartial = true
    #expect(timeline.mergeNewest(partial) == Timeline.Change())
    #expect(ids(timeline) == ["3", "2"])
    #expect(timeline.older == PageCursor(url: "a"))
  }

  @Test func `a long page that says nothing of what is older is not taken for the whole list`() {
    var timeline = Timeline()
    let numbers = (1...30).reversed().map(String.init)
    _ = timeline.mergeNewest(page(numbers))
    _ = timeline.mergeNewest(page(["32", "31"] + numbers.prefix(18)))
    #expect(ids(timeline) == ["32", "31"] + numbers)
  }

  @Test func `what is marked anew comes to the top, and what stood between stays`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["4", "3", "2", "1"], older: "a"))
    #expect(timeline.mergeNewest(page(["1", "4"], older: "b")) == Timeline.Change(removed: [3], inserted: 0..<1))
    #expect(ids(timeline) == ["1", "4", "3", "2"])
  }

  @Test func `a page that was sent before I wrote does not take away what I wrote`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["1"]))
    _ = timeline.insertOwn(qwink("2"))
    #expect(timeline.mergeNewest(page(["1"])).isEmpty)
    #expect(ids(timeline) == ["2", "1"])
  }

  @Test func `one's own qwink goes on top once`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["1"]))
    #expect(timeline.insertOwn(qwink("2")).inserted == 0..<1)
    #expect(timeline.insertOwn(qwink("2")).isEmpty)
    #expect(timeline.mergeNewest(page(["2", "1"])).isEmpty)
  }

  @Test func `one's own qwink does not stand for a timeline that has not come`() {
    var timeline = Timeline()
    #expect(timeline.insertOwn(qwink("9")).isEmpty)
    _ = timeline.mergeNewest(page(["9", "8"], older: "a"))
    #expect(ids(timeline) == ["9", "8"])
    #expect(timeline.older == PageCursor(url: "a"))
  }

  @Test func `one's own qwink does not hide a gap, and takes the place that the server gives it`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2", "1"]))
    _ = timeline.insertOwn(qwink("8"))
    let change = timeline.mergeNewest(page(["9", "8", "7"], older: "g"))
    #expect(change == Timeline.Change(removed: [0], inserted: 0..<4))
    #expect(ids(timeline) == ["9", "8", "7", "gap", "2", "1"])
  }

  @Test func `what filters hide is not shown, and a deleted qwink goes`() {
    var timeline = Timeline()
    var hidden = qwink("2")
    hidden.isFilteredOut = true
    _ = timeline.mergeNewest(Page(items: [qwink("3"), hidden, qwink("1")]))
    #expect(ids(timeline) == ["3", "1"])
    #expect(timeline.remove("3") == Timeline.Change(removed: [0]))
    #expect(ids(timeline) == ["1"])
  }

  @Test func `a server whose cursor never moves on does not lead in circles`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2"], older: "a"))
    _ = timeline.appendOlder(page(["1"], older: "a"))
    #expect(timeline.older == nil)
    timeline = Timeline()
    _ = timeline.mergeNewest(page(["3"], older: "a"))
    _ = timeline.appendOlder(page(["2"], older: "b"))
    _ = timeline.appendOlder(page(["1"], older: "a"))
    #expect(timeline.older == nil)
  }

  @Test func `an empty page is the end, even where it leads on`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2"], older: "a"))
    _ = timeline.appendOlder(page([], older: "b"))
    #expect(timeline.older == nil)
  }

  @Test func `a page whose rows are all filtered out leaves a gap all the same`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["1"]))
    var hidden = qwink("9")
    hidden.isFilteredOut = true
    _ = timeline.mergeNewest(Page(items: [hidden], older: PageCursor(url: "g")))
    #expect(ids(timeline) == ["gap", "1"])
  }
}
