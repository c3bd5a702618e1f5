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

  @Test func `a server that supports the filter returns only pinned qwinks`() {
    #expect(pinned(qwinks("1"), qwinks("3", "2", "1")) == ["1"])
    #expect(pinned(qwinks("3"), qwinks("3", "2")) == ["3"])
    #expect(pinned(qwinks("0"), qwinks("3", "2", "1")) == ["0"])
    #expect(pinned(qwinks("1", pinned: ["1"]), qwinks("1", pinned: ["1"])) == ["1"])
    #expect(pinned([], qwinks("1")) == [])
  }

  /// snac does this.
  @Test func `a server that returns everything has pinned only qwinks marked as pinned`() {
    #expect(pinned(qwinks("3", "2", "1"), qwinks("3", "2", "1")) == [])
    #expect(pinned(qwinks("3", "2", "1", pinned: ["2"]), qwinks("3", "2", "1", pinned: ["2"])) == ["2"])
    let many = (1...30).map { Qwink.sample(id: Qwink.ID("\($0)")) }
    #expect(pinned(many, many + qwinks("31")) == [])
    var boost = Qwink.sample(id: "5")
    boost.booster = .sample("bob")
    #expect(pinned([boost] + qwinks("1"), qwinks("9", "1")) == [])
  }
}
