import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import Testing

/// Comparison of read marks and their positions in a list.
@Suite struct ReadMarkTests {
  private func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  private func qwink(_ id: String, at seconds: Double, boosted booster: String? = nil) -> Qwink {
    var qwink = Qwink.sample(id: Qwink.ID(id), text: id, author: .sample("bob"), at: date(seconds))
    if let booster {
      qwink.booster = .sample(booster)
      qwink.boostedAt = date(seconds)
      qwink.createdAt = date(0)
    }
    return qwink
  }

  private func timeline(_ qwinks: [Qwink]) -> Timeline {
    var timeline = Timeline()
    timeline.mergeNewest(Page(items: qwinks))
    return timeline
  }

  @Test(arguments: [
    ("100", "99", true), ("99", "100", false), ("0100", "99", true), ("7", "7", false),
    ("01KB8ZV2YH3S0R9QWXGZ4J5N6M", "01KB8ZV2YH3S0R9QWXGZ4J5N6A", true), ("00", "0", false),
  ]) func `numeric ids and ULIDs are ordered`(one: String, other: String, isNewer: Bool) {
    #expect(ReadMark(id: one).isNewer(than: ReadMark(id: other)) == isNewer)
  }

  @Test(arguments: [("a1", "a2"), ("", "5"), ("5", "5a"), ("-5", "4"), ("５", "4"), ("01kb", "01KB")])
  func `other ids are ordered only by creation time`(one: String, other: String) {
    #expect(ReadMark(id: one).isNewer(than: ReadMark(id: other)) == nil)
    #expect(ReadMark(id: one, createdAt: date(2)).isNewer(than: ReadMark(id: other, createdAt: date(1))) == true)
    #expect(ReadMark(id: one, createdAt: date(1)).isNewer(than: ReadMark(id: other, createdAt: date(2))) == false)
    #expect(ReadMark(id: one, createdAt: date(2)).isNewer(than: ReadMark(id: other, readAt: date(1))) == nil)
  }

  @Test func `the order of the list takes precedence over ids and times`() {
    let list = timeline([qwink("1", at: 10), qwink("9", at: 90), qwink("5", at: 50)])
    let (one, nine) = (ReadMark(qwink("1", at: 10), readAt: nil), ReadMark(qwink("9", at: 90), readAt: nil))
    #expect(list.isMark(one, above: nine) == true && list.isMark(nine, above: one) == false)
    #expect(list.firstRead(by: nine) == 1)
    #expect(list.isMark(nine, above: nine) == false)
  }

  @Test func `a mark without its row falls between rows`() {
    let list = timeline([qwink("30", at: 30), qwink("20", at: 20), qwink("10", at: 10)])
    #expect(list.firstRead(by: ReadMark(id: "25")) == 1)
    #expect(list.firstRead(by: ReadMark(id: "99")) == 0)
    #expect(list.firstRead(by: ReadMark(id: "5")) == 3)
    #expect(list.firstRead(by: ReadMark(id: "x", createdAt: date(15))) == 2)
    // A server that sends only the time of reading: older rows are read.
    #expect(list.firstRead(by: ReadMark(id: "x", readAt: date(20))) == 1)
    #expect(list.firstRead(by: ReadMark(id: "x")) == nil)
    #expect(timeline([]).firstRead(by: ReadMark(id: "5")) == nil)
  }

  @Test func `a late row below a newer one hides no unread row`() {
    let list = timeline([qwink("40", at: 40), qwink("12", at: 12), qwink("30", at: 30), qwink("10", at: 10)])
    #expect(list.firstRead(by: ReadMark(id: "20")) == 3)
  }

  @Test func `a boost and its original with the same id are different rows`() {
    let list = timeline([qwink("a", at: 30, boosted: "carol"), qwink("b", at: 20), qwink("a", at: 10)])
    #expect(list.firstRead(by: ReadMark(qwink("a", at: 30, boosted: "carol"), readAt: nil)) == 0)
    // A server's marker has no booster, so it matches the newest row with its id.
    #expect(list.firstRead(by: ReadMark(id: "a")) == 0)
    #expect(list.located(ReadMark(id: "b")).createdAt == date(20))
    #expect(list.located(ReadMark(id: "zz")) == ReadMark(id: "zz"))
  }

  @Test func `every list has a key and only home and notifications have a place`() {
    let lists: [ReadList] = [
      .timeline(.home), .timeline(.public), .timeline(.local), .timeline(.tag("x")), .notifications,
    ]
    #expect(lists.compactMap { ReadList(key: $0.key) } == lists)
    for key in ["marks", "favourites", "qwinker/5", "", "#"] { #expect(ReadList(key: key) == nil) }
    #expect(lists.compactMap(\.place) == [.home, .notifications])
    #expect(ReadPosition.Place.allCases.map(\.list) == [.timeline(.home), .notifications])
  }
}
