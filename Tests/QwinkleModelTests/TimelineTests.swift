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
    #expect(timeline.mergeNewest(page(["3", "2"], older: "a")) == ListChange(inserted: [0..<2]))
    #expect(timeline.older == PageCursor(url: "a"))
    #expect(timeline.appendOlder(page(["1"])) == ListChange(inserted: [2..<3]))
    #expect(ids(timeline) == ["3", "2", "1"])
    #expect(timeline.older == nil)
  }

  @Test func `a newer page that reaches the known rows leaves no gap`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2", "1"]))
    #expect(timeline.mergeNewest(page(["4", "3", "2"], older: "x")) == ListChange(inserted: [0..<2]))
    #expect(ids(timeline) == ["4", "3", "2", "1"])
  }

  @Test func `a newer page that does not reach the known rows leaves a gap, which fills`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2", "1"]))
    #expect(timeline.mergeNewest(page(["9", "8"], older: "g")).inserted == [0..<3])
    #expect(ids(timeline) == ["9", "8", "gap", "2", "1"])
    let cursor = PageCursor(url: "g")
    _ = timeline.fillGap(cursor, with: page(["7", "6"], older: "h"))
    #expect(ids(timeline) == ["9", "8", "7", "6", "gap", "2", "1"])
    let change = timeline.fillGap(PageCursor(url: "h"), with: page(["5", "2"], older: "i"))
    #expect(change == ListChange(removed: [4], inserted: [4..<5]))
    #expect(ids(timeline) == ["9", "8", "7", "6", "5", "2", "1"])
  }

  @Test func `a page tells how many rows are missing at a gap, or how many at least`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2", "1"]))
    _ = timeline.mergeNewest(page(["9", "8"], older: "g"))
    let gap = PageCursor(url: "g")
    #expect(timeline.countMissing(at: gap, in: page(["7", "6"])) == MissingCount(atLeast: 2, isExact: false))
    #expect(timeline.countMissing(at: gap, in: page(["8", "7", "2"])) == MissingCount(atLeast: 1, isExact: true))
    #expect(timeline.countMissing(at: gap, in: page(["2", "1"])) == MissingCount(atLeast: 0, isExact: true))
    #expect(timeline.countMissing(at: gap, in: page([])) == nil)
    #expect(timeline.countMissing(at: PageCursor(url: "other"), in: page(["7"])) == nil)
    var damaged = page(["7", "2"])
    damaged.damagedCount = 1
    #expect(timeline.countMissing(at: gap, in: damaged) == MissingCount(atLeast: 1, isExact: false))
  }

  @Test func `repeated and unordered items stand once, where they first came`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "1", "3", "2"], older: "a"))
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
    #expect(change == ListChange(inserted: [0..<1], changed: [2]))
    #expect(timeline.rows[2].qwink?.favouritesCount == 5)
  }

  @Test func `what the newest page reaches and does not have any more goes, and nothing below it`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["5", "4", "3", "2", "1"], older: "a"))
    let change = timeline.mergeNewest(page(["6", "5", "3"], older: "b"))
    #expect(change == ListChange(removed: [1], inserted: [0..<1]))
    #expect(ids(timeline) == ["6", "5", "3", "2", "1"])
    #expect(timeline.older == PageCursor(url: "a"))
    #expect(timeline.index(of: qwink("4").rowID) == nil)
  }

  @Test func `a page that is the whole list leaves nothing else, and one that is damaged leaves all`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2", "1"], older: "a"))
    #expect(timeline.mergeNewest(Page(items: [qwink("2")], damagedCount: 1)).isEmpty)
    #expect(timeline.mergeNewest(page(["2"])) == ListChange(removed: [0, 2]))
    #expect(timeline.older == nil)
    #expect(timeline.mergeNewest(page([])) == ListChange(removed: [0]))
    #expect(timeline.isEmpty)
  }

  @Test func `what a page has below the rows comes below them, with the way on from there`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["5", "4", "3"], older: "a"))
    let change = timeline.mergeNewest(page(["6", "5", "3", "2"], older: "b"))
    #expect(change == ListChange(removed: [1], inserted: [0..<1, 3..<4]))
    #expect(ids(timeline) == ["6", "5", "3", "2"])
    #expect(timeline.older == PageCursor(url: "b"))
  }

  @Test func `what comes late stands where the server has it, and what was read is not new again`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["5", "4", "2", "1"], older: "a"))
    let change = timeline.mergeNewest(page(["6", "5", "4", "3", "2"], older: "b"))
    #expect(change == ListChange(inserted: [0..<1, 3..<4]))
    #expect(ids(timeline) == ["6", "5", "4", "3", "2", "1"])
    let later = timeline.mergeNewest(page(["7", "6", "5"], older: "c"))
    #expect(later == ListChange(inserted: [0..<1]))
    #expect(ids(timeline) == ["7", "6", "5", "4", "3", "2", "1"])
    // A row that was gone and returns is known, so it isn't new.
    _ = timeline.mergeNewest(page(["7", "5", "4"], older: "d"))
    let back = timeline.mergeNewest(page(["7", "6", "5", "4"], older: "d"))
    #expect(back == ListChange(inserted: [1..<2], returned: [1]))
    #expect(back.new.isEmpty)
  }

  @Test func `a page that ends with what came late is not known to go on with what was known`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["4", "3", "1"], older: "a"))
    _ = timeline.mergeNewest(page(["4", "3", "2"], older: "g"))
    #expect(ids(timeline) == ["4", "3", "2", "gap", "1"])
    _ = timeline.fillGap(PageCursor(url: "g"), with: page(["1", "0"], older: "b"))
    #expect(ids(timeline) == ["4", "3", "2", "1", "0"])
  }

  @Test func `a page that spans a gap closes it, and takes away what it has not between its rows`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2", "1"], older: "a"))
    _ = timeline.mergeNewest(page(["9", "8", "7"], older: "g"))
    #expect(ids(timeline) == ["9", "8", "7", "gap", "3", "2", "1"])
    var spanned = timeline
    _ = spanned.mergeNewest(page(["9", "6", "3"], older: "b"))
    #expect(ids(spanned) == ["9", "6", "3", "2", "1"])
    #expect(spanned.older == PageCursor(url: "a"))
    // The same page from the gap on: rows above the gap say nothing about those below it.
    _ = timeline.fillGap(PageCursor(url: "g"), with: page(["9", "6"], older: "h"))
    #expect(ids(timeline) == ["9", "8", "7", "6", "gap", "3", "2", "1"])
  }

  @Test func `what comes late below a gap comes with the gap's page`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["5", "3", "1"], older: "a"))
    _ = timeline.mergeNewest(page(["9", "8"], older: "g"))
    _ = timeline.fillGap(PageCursor(url: "g"), with: page(["7", "5", "4", "3"], older: "h"))
    #expect(ids(timeline) == ["9", "8", "7", "5", "4", "3", "1"])
  }

  @Test func `what could not be read stays where it was, and takes nothing away`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["5", "4", "3", "2"], older: "a"))
    var damaged = page(["6", "5", "3", "2"], older: "b")
    damaged.damagedCount = 1
    damaged.damagedPlaces = [2]
    _ = timeline.mergeNewest(damaged)
    #expect(ids(timeline) == ["6", "5", "4", "3", "2"])
    damaged.damagedPlaces = [3]
    _ = timeline.mergeNewest(damaged)
    #expect(ids(timeline) == ["6", "5", "3", "2"])
  }

  @Test func `a row that has come to the top takes nothing away below it`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["5", "4", "3", "2", "1"], older: "a"))
    let change = timeline.mergeNewest(page(["2", "7", "6"], older: "g"))
    #expect(change.returned == [0])
    #expect(ids(timeline) == ["2", "7", "6", "gap", "5", "4", "3", "1"])
  }

  @Test func `a gap is filled from below, row by row, until the page meets what is above`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2", "1"], older: "a"))
    _ = timeline.mergeNewest(page(["9", "8"], older: "g"))
    let gap = PageCursor(url: "g")
    #expect(timeline.rowToFillUpwards(gap)?.id == "2")
    let first = timeline.fillGapUpwards(gap, with: page(["5", "4", "3"]))
    #expect(first.new == [3, 4])
    #expect(ids(timeline) == ["9", "8", "gap", "5", "4", "3", "2", "1"])
    _ = timeline.fillGapUpwards(gap, with: page(["8", "7", "6", "5"]))
    #expect(ids(timeline) == ["9", "8", "7", "6", "5", "4", "3", "2", "1"])
  }

  @Test func `a page from below that has the user's own newer post never puts it below older rows`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2", "1"]))
    _ = timeline.mergeNewest(page(["8"], older: "g"))
    _ = timeline.insertOwn(qwink("9"))
    #expect(ids(timeline) == ["9", "8", "gap", "2", "1"])
    // Row 8 was deleted on the server.
    let change = timeline.fillGapUpwards(PageCursor(url: "g"), with: page(["9", "5", "2"]))
    #expect(change.isEmpty && ids(timeline) == ["9", "8", "gap", "2", "1"])
    _ = timeline.fillGap(PageCursor(url: "g"), with: page(["5", "2"], older: "h"))
    #expect(ids(timeline) == ["9", "8", "5", "2", "1"])
  }

  @Test func `a server that gives its first page instead is not believed to close a gap`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2", "1"], older: "a"))
    _ = timeline.mergeNewest(page(["9", "8"], older: "g"))
    let change = timeline.fillGapUpwards(PageCursor(url: "g"), with: page(["9", "8"]))
    #expect(change.isEmpty)
    #expect(ids(timeline) == ["9", "8", "gap", "3", "2", "1"])
  }

  @Test func `a page from below that leaves out what is known above is not believed to close a gap`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2", "1"], older: "a"))
    _ = timeline.mergeNewest(page(["9", "8"], older: "g"))
    let change = timeline.fillGapUpwards(PageCursor(url: "g"), with: page(["9", "5", "3"]))
    #expect(change.isEmpty)
    #expect(ids(timeline) == ["9", "8", "gap", "3", "2", "1"])
  }

  @Test func `a qwink that has another id since it was edited stays where it was, and is not new`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2", "1"], older: "a"))
    #expect(timeline.replace("2", by: qwink("7")) == ListChange(changed: [1]))
    #expect(ids(timeline) == ["3", "7", "1"])
    #expect(timeline.mergeNewest(page(["3", "7", "1"], older: "a")).isEmpty)
  }

  @Test func `an edited qwink that a page has brought under its new id stands there once`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["7", "3", "2", "1"], older: "a"))
    #expect(timeline.replace("2", by: qwink("7")) == ListChange(removed: [2]))
    #expect(ids(timeline) == ["7", "3", "1"])
  }

  @Test func `an empty page at a gap leaves it, as some servers have rows beyond it`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2", "1"], older: "a"))
    _ = timeline.mergeNewest(page(["9"], older: "g"))
    #expect(timeline.fillGap(PageCursor(url: "g"), with: page([])).isEmpty)
    _ = timeline.fillGap(PageCursor(url: "g"), with: page([], older: "h"))
    #expect(timeline.rows[1] == .gap(PageCursor(url: "h")))
  }

  @Test func `a row of mine that page after page leaves out is gone`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2", "1"], older: "a"))
    _ = timeline.insertOwn(qwink("9"))
    for _ in 0..<2 { _ = timeline.mergeNewest(page(["2", "1"], older: "a")) }
    #expect(ids(timeline) == ["9", "2", "1"])
    _ = timeline.mergeNewest(page(["2", "1"], older: "a"))
    #expect(ids(timeline) == ["2", "1"])
  }

  @Test func `a list that the server is still making takes nothing away`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2"], older: "a"))
    var partial = page([])
    partial.isPartial = true
    #expect(timeline.mergeNewest(partial) == ListChange())
    #expect(ids(timeline) == ["3", "2"])
    #expect(timeline.older == PageCursor(url: "a"))
  }

  @Test func `what is marked anew comes to the top, and what stood between stays`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["4", "3", "2", "1"], older: "a"))
    let change = timeline.mergeNewest(page(["1", "4"], older: "b"))
    #expect(change == ListChange(removed: [3], inserted: [0..<1], returned: [0]))
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
    #expect(timeline.insertOwn(qwink("2")).inserted == [0..<1])
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
    #expect(change == ListChange(inserted: [0..<1, 2..<4]))
    #expect(ids(timeline) == ["9", "8", "7", "gap", "2", "1"])
  }

  @Test func `a deleted qwink goes`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "1"]))
    #expect(timeline.remove("3") == ListChange(removed: [0]))
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

  @Test func `an empty page that leads on is not the end, and one that does not is`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2"], older: "a"))
    _ = timeline.appendOlder(page([], older: "b"))
    #expect(timeline.older == PageCursor(url: "b"))
    _ = timeline.appendOlder(page([], older: "a"))
    #expect(timeline.older == nil)
  }
}
