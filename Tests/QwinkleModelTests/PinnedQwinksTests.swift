import QwinkleModel
import QwinkleTesting
import Testing

@Suite struct PinnedQwinksTests {
  private func qwinks(_ ids: String..., pinned: Set<String> = []) -> [Qwink] {
    ids.map { id in
      var qwink = Qwink.sample(id: Qwink.ID(id))
      qwink.isPinned = pinned.contains(id)
      return qwink
    }
  }

  private func pinned(_ answer: [Qwink], _ newest: [Qwink]) -> [String] {
    PinnedQwinks.pinned(in: answer, newest: newest).map(\.id.rawValue)
  }

  @Test func `a server that knows the question answers with what is pinned`() {
    #expect(pinned(qwinks("1"), qwinks("3", "2", "1")) == ["1"])
    #expect(pinned(qwinks("3"), qwinks("3", "2")) == ["3"])
    #expect(pinned(qwinks("0"), qwinks("3", "2", "1")) == ["0"])
    #expect(pinned(qwinks("1", pinned: ["1"]), qwinks("1", pinned: ["1"])) == ["1"])
    #expect(pinned([], qwinks("1")) == [])
  }

  /// As snac does.
  @Test func `where a server answers with everything only what says that it is pinned is`() {
    #expect(pinned(qwinks("3", "2", "1"), qwinks("3", "2", "1")) == [])
    #expect(pinned(qwinks("3", "2", "1", pinned: ["2"]), qwinks("3", "2", "1", pinned: ["2"])) == ["2"])
    let many = (1...30).map { Qwink.sample(id: Qwink.ID("\($0)")) }
    #expect(pinned(many, many + qwinks("31")) == [])
    var boost = Qwink.sample(id: "5")
    boost.booster = .sample("bob")
    #expect(pinned([boost] + qwinks("1"), qwinks("9", "1")) == [])
  }
}
