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

  @Test func `the first page fills an empty timeline and an older page extends it`() {
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

  @Test func `a newer page that does not reach the known rows leaves a gap to fill`() {
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

  @Test func `a page gives the exact or least number of rows missing at a gap`() {
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

  @Test func `repeated items appear once at their first position`() {
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

  @Test func `known rows are updated and reported as changed`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2", "1"]))
    let change = timeline.mergeNewest(Page(items: [qwink("3"), qwink("2"), qwink("1", likes: 5)]))
    #expect(change == ListChange(inserted: [0..<1], changed: [2]))
    #expect(timeline.rows[2].qwink?.favouritesCount == 5)
  }

  @Test func `rows missing from the range of the newest page are removed`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["5", "4", "3", "2", "1"], older: "a"))
    let change = timeline.mergeNewest(page(["6", "5", "3"], older: "b"))
    #expect(change == ListChange(removed: [1], inserted: [0..<1]))
    #expect(ids(timeline) == ["6", "5", "3", "2", "1"])
    #expect(timeline.older == PageCursor(url: "a"))
    #expect(timeline.index(of: qwink("4").rowID) == nil)
  }

  @Test func `a complete page removes all other rows unless it has malformed items`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2", "1"], older: "a"))
    #expect(timeline.mergeNewest(Page(items: [qwink("2")], damagedCount: 1)).isEmpty)
    #expect(timeline.mergeNewest(page(["2"])) == ListChange(removed: [0, 2]))
    #expect(timeline.older == nil)
    #expect(timeline.mergeNewest(page([])) == ListChange(removed: [0]))
    #expect(timeline.isEmpty)
  }

  @Test func `a page that extends below the rows appends them and replaces the cursor`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["5", "4", "3"], older: "a"))
    let change = timeline.mergeNewest(page(["6", "5", "3", "2"], older: "b"))
    #expect(change == ListChange(removed: [1], inserted: [0..<1, 3..<4]))
    #expect(ids(timeline) == ["6", "5", "3", "2"])
    #expect(timeline.older == PageCursor(url: "b"))
  }

  @Test func `a late row is inserted at the server's position and known rows are not new`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["5", "4", "2", "1"], older: "a"))
    let change = timeline.mergeNewest(page(["6", "5", "4", "3", "2"], older: "b"))
    #expect(change == ListChange(inserted: [0..<1, 3..<4]))
    #expect(ids(timeline) == ["6", "5", "4", "3", "2", "1"])
    let later = timeline.mergeNewest(page(["7", "6", "5"], older: "c"))
    #expect(later == ListChange(inserted: [0..<1]))
    #expect(ids(timeline) == ["7", "6", "5", "4", "3", "2", "1"])
    // A removed row that returns isn't new, because it was in the timeline before.
    _ = timeline.mergeNewest(page(["7", "5", "4"], older: "d"))
    let back = timeline.mergeNewest(page(["7", "6", "5", "4"], older: "d"))
    #expect(back == ListChange(inserted: [1..<2], returned: [1]))
    #expect(back.new.isEmpty)
  }

  @Test func `a page that ends with a late row leaves a gap`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["4", "3", "1"], older: "a"))
    _ = timeline.mergeNewest(page(["4", "3", "2"], older: "g"))
    #expect(ids(timeline) == ["4", "3", "2", "gap", "1"])
    _ = timeline.fillGap(PageCursor(url: "g"), with: page(["1", "0"], older: "b"))
    #expect(ids(timeline) == ["4", "3", "2", "1", "0"])
  }

  @Test func `a page that spans a gap closes it and removes rows that it omits`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2", "1"], older: "a"))
    _ = timeline.mergeNewest(page(["9", "8", "7"], older: "g"))
    #expect(ids(timeline) == ["9", "8", "7", "gap", "3", "2", "1"])
    var spanned = timeline
    _ = spanned.mergeNewest(page(["9", "6", "3"], older: "b"))
    #expect(ids(spanned) == ["9", "6", "3", "2", "1"])
    #expect(spanned.older == PageCursor(url: "a"))
    // A page loaded at the gap doesn't close it by repeating a row above it.
    _ = timeline.fillGap(PageCursor(url: "g"), with: page(["9", "6"], older: "h"))
    #expect(ids(timeline) == ["9", "8", "7", "6", "gap", "3", "2", "1"])
  }

  @Test func `late rows below a gap are inserted by the gap's page`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["5", "3", "1"], older: "a"))
    _ = timeline.mergeNewest(page(["9", "8"], older: "g"))
    _ = timeline.fillGap(PageCursor(url: "g"), with: page(["7", "5", "4", "3"], older: "h"))
    #expect(ids(timeline) == ["9", "8", "7", "5", "4", "3", "1"])
  }

  @Test func `no row is removed at the position of a malformed item`() {
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

  @Test func `an unreadable item explains one missing row, not all rows that a moved row has passed`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["9", "8", "7", "6", "5", "4"], older: "a"))
    var damaged = page(["5", "10"], older: "g")
    damaged.damagedCount = 1
    damaged.damagedPlaces = [0]
    _ = timeline.mergeNewest(damaged)
    #expect(ids(timeline) == ["5", "10", "gap", "9", "8", "7", "6", "4"])
    var single = Timeline()
    _ = single.mergeNewest(page(["9", "8", "7"], older: "a"))
    damaged.items = [qwink("8")]
    _ = single.mergeNewest(damaged)
    #expect(ids(single) == ["9", "8", "7"])
  }

  @Test func `a last page with an unreadable item leaves no gap`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["5", "3"], older: "a"))
    _ = timeline.mergeNewest(page(["8"], older: "g"))
    var damaged = page(["8", "6", "2"])
    damaged.damagedCount = 1
    damaged.damagedPlaces = [2]
    _ = timeline.mergeNewest(damaged)
    #expect(ids(timeline) == ["8", "6", "5", "3", "2"])
    #expect(timeline.older == nil)
  }

  @Test func `a row moved to the top removes no row below it`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["5", "4", "3", "2", "1"], older: "a"))
    let change = timeline.mergeNewest(page(["2", "7", "6"], older: "g"))
    #expect(change.returned == [0])
    #expect(ids(timeline) == ["2", "7", "6", "gap", "5", "4", "3", "1"])
  }

  @Test func `a row moved up from below a gap removes no row that it passed`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2", "1"], older: "a"))
    _ = timeline.mergeNewest(page(["9", "8", "7"], older: "g"))
    var spanned = timeline
    _ = spanned.mergeNewest(page(["9", "8", "7", "6", "1"], older: "h"))
    #expect(ids(spanned) == ["9", "8", "7", "6", "1", "gap", "3", "2"])
    // Neither of two rows, each alone in its piece, proves that the rows above it were removed.
    _ = timeline.mergeNewest(page(["8", "6", "1"], older: "h"))
    #expect(ids(timeline) == ["8", "6", "1", "gap", "9", "7", "gap", "3", "2"])
  }

  @Test func `a gap is filled from below until a page reaches the rows above`() {
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

  @Test func `a page from below never moves the user's newer qwink below older rows`() {
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

  @Test func `a first page returned by mistake does not close a gap`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2", "1"], older: "a"))
    _ = timeline.mergeNewest(page(["9", "8"], older: "g"))
    let change = timeline.fillGapUpwards(PageCursor(url: "g"), with: page(["9", "8"]))
    #expect(change.isEmpty)
    #expect(ids(timeline) == ["9", "8", "gap", "3", "2", "1"])
  }

  @Test func `a page that cannot fill a gap from below still updates known rows`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2", "1"], older: "a"))
    _ = timeline.mergeNewest(page(["9", "8"], older: "g"))
    var newer = page(["9", "8"])
    newer.items[0].favouritesCount = 5
    let change = timeline.fillGapUpwards(PageCursor(url: "g"), with: newer)
    #expect(change == ListChange(changed: [0]) && timeline.items[0].favouritesCount == 5)
    #expect(ids(timeline) == ["9", "8", "gap", "3", "2", "1"])
  }

  @Test func `a page from below that omits known rows above does not close a gap`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2", "1"], older: "a"))
    _ = timeline.mergeNewest(page(["9", "8"], older: "g"))
    let change = timeline.fillGapUpwards(PageCursor(url: "g"), with: page(["9", "5", "3"]))
    #expect(change.isEmpty)
    #expect(ids(timeline) == ["9", "8", "gap", "3", "2", "1"])
  }

  @Test func `an edited qwink with a new id stays in place and is not new`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2", "1"], older: "a"))
    #expect(timeline.replace("2", by: qwink("7")) == ListChange(changed: [1]))
    #expect(ids(timeline) == ["3", "7", "1"])
    #expect(timeline.mergeNewest(page(["3", "7", "1"], older: "a")).isEmpty)
  }

  @Test func `an edited qwink already loaded under its new id appears once`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["7", "3", "2", "1"], older: "a"))
    #expect(timeline.replace("2", by: qwink("7")) == ListChange(removed: [2]))
    #expect(ids(timeline) == ["7", "3", "1"])
  }

  @Test func `an empty page leaves a gap because some servers have rows beyond it`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2", "1"], older: "a"))
    _ = timeline.mergeNewest(page(["9"], older: "g"))
    #expect(timeline.fillGap(PageCursor(url: "g"), with: page([])).isEmpty)
    _ = timeline.fillGap(PageCursor(url: "g"), with: page([], older: "h"))
    #expect(timeline.rows[1] == .gap(PageCursor(url: "h")))
  }

  @Test func `the user's own row is removed once three pages omit it`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2", "1"], older: "a"))
    _ = timeline.insertOwn(qwink("9"))
    for _ in 0..<2 { _ = timeline.mergeNewest(page(["2", "1"], older: "a")) }
    #expect(ids(timeline) == ["9", "2", "1"])
    _ = timeline.mergeNewest(page(["2", "1"], older: "a"))
    #expect(ids(timeline) == ["2", "1"])
  }

  @Test func `a list that the server is still building removes nothing`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "2"], older: "a"))
    var partial = page([])
    partial.isPartial = true
    #expect(timeline.mergeNewest(partial) == ListChange())
    #expect(ids(timeline) == ["3", "2"])
    #expect(timeline.older == PageCursor(url: "a"))
  }

  @Test func `a row returned on top is moved there and rows between stay`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["4", "3", "2", "1"], older: "a"))
    let change = timeline.mergeNewest(page(["1", "4"], older: "b"))
    #expect(change == ListChange(removed: [3], inserted: [0..<1], returned: [0]))
    #expect(ids(timeline) == ["1", "4", "3", "2"])
  }

  @Test func `a page older than the user's own qwink does not remove it`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["1"]))
    _ = timeline.insertOwn(qwink("2"))
    #expect(timeline.mergeNewest(page(["1"])).isEmpty)
    #expect(ids(timeline) == ["2", "1"])
  }

  @Test func `the user's own qwink is inserted on top once`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["1"]))
    #expect(timeline.insertOwn(qwink("2")).inserted == [0..<1])
    #expect(timeline.insertOwn(qwink("2")).isEmpty)
    #expect(timeline.mergeNewest(page(["2", "1"])).isEmpty)
  }

  @Test func `the user's own qwink is not inserted before the first page`() {
    var timeline = Timeline()
    #expect(timeline.insertOwn(qwink("9")).isEmpty)
    _ = timeline.mergeNewest(page(["9", "8"], older: "a"))
    #expect(ids(timeline) == ["9", "8"])
    #expect(timeline.older == PageCursor(url: "a"))
  }

  @Test func `the user's own qwink does not hide a gap`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2", "1"]))
    _ = timeline.insertOwn(qwink("8"))
    let change = timeline.mergeNewest(page(["9", "8", "7"], older: "g"))
    #expect(change == ListChange(inserted: [0..<1, 2..<4]))
    #expect(ids(timeline) == ["9", "8", "7", "gap", "2", "1"])
  }

  @Test func `a deleted qwink is removed`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["3", "1"]))
    #expect(timeline.remove("3") == ListChange(removed: [0]))
    #expect(ids(timeline) == ["1"])
  }

  @Test func `a repeated cursor ends the list`() {
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

  @Test func `an empty page ends the list unless it has a new cursor`() {
    var timeline = Timeline()
    _ = timeline.mergeNewest(page(["2"], older: "a"))
    _ = timeline.appendOlder(page([], older: "b"))
    #expect(timeline.older == PageCursor(url: "b"))
    _ = timeline.appendOlder(page([], older: "a"))
    #expect(timeline.older == nil)
  }
}
