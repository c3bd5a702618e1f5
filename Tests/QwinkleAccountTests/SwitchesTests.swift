import QwinkleModel
import QwinkleTesting
import Testing

@testable import QwinkleAccount

@Suite struct SwitchesTests {
  @Test func `the first change is sent, the last wish follows`() {
    var switches = Switches<String>()
    let isFirstSent = switches.want(true, for: "a")
    #expect(isFirstSent && switches.isUnderWay("a") && switches.target(of: "a") == true)
    for wish in [false, true, false] {
      let isSent = switches.want(wish, for: "a")
      #expect(!isSent)
    }
    #expect(switches.targets == ["a": false])
    let next = switches.next(after: "a")
    #expect(next == false && switches.isUnderWay("a"))
    let last = switches.next(after: "a")
    #expect(last == nil && !switches.isUnderWay("a") && switches.targets.isEmpty)
  }

  @Test func `a wish for what was sent sends nothing more`() {
    var switches = Switches<String>()
    _ = switches.want(true, for: "a")
    _ = switches.want(false, for: "a")
    _ = switches.want(true, for: "a")
    let next = switches.next(after: "a")
    #expect(next == nil && !switches.isUnderWay("a"))
  }

  @Test func `keys are independent, and a dropped wish is not sent`() {
    var switches = Switches<String>()
    _ = switches.want(true, for: "a")
    let isOtherSent = switches.want(true, for: "b")
    #expect(isOtherSent)
    _ = switches.want(false, for: "a")
    switches.dropWanted("a")
    #expect(switches.target(of: "a") == true)
    let next = switches.next(after: "a")
    #expect(next == nil && switches.isUnderWay("b"))
  }

  @Test @MainActor func `a page shows the reactions that its server may not have known of`() {
    let switches = ReactionSwitches()
    let old = ReactionKey(id: "1", reaction: .boost)
    let new = ReactionKey(id: "2", reaction: .favourite)
    let underWay = ReactionKey(id: "3", reaction: .bookmark)
    switches.settle(old, isOn: true)
    let count = switches.settledCount
    switches.settle(new, isOn: true)
    _ = switches.want(true, for: underWay)
    let page = switches.applied(to: .sample(ids: ["1", "2", "3", "4"]), since: count)
    #expect(page.items.map { $0.has(.boost) } == [false, false, false, false])
    #expect(page.items.map { $0.has(.favourite) } == [false, true, false, false])
    #expect(page.items.map { $0.has(.bookmark) } == [false, false, true, false])
  }
}
