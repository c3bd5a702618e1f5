import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleAccount

@Suite(.bounded) struct ReactionSwitchesTests {
  @Test @MainActor func `a page includes reactions that are pending or newer than its request`() {
    let switches = ReactionSwitches()
    let old = ReactionKey(id: "1", reaction: .boost)
    let new = ReactionKey(id: "2", reaction: .favourite)
    let inProgress = ReactionKey(id: "3", reaction: .bookmark)
    switches.settle(old, isOn: true)
    let count = switches.settledCount
    switches.settle(new, isOn: true)
    switches.wanted = { [inProgress: true] }
    let page = switches.applied(to: .sample(ids: ["1", "2", "3", "4"]), since: count)
    #expect(page.items.map { $0.has(.boost) } == [false, false, false, false])
    #expect(page.items.map { $0.has(.favourite) } == [false, true, false, false])
    #expect(page.items.map { $0.has(.bookmark) } == [false, false, true, false])
  }
}
