import QwinkleModel
import TerminalTesting
import Testing

@Suite struct ListChangeTests {
  private struct Item: Identifiable, Equatable {
    var id: Int
    var value = 0
  }

  private func change(_ old: [Int], _ new: [Int]) -> ListChange {
    ListChange(from: old.map { Item(id: $0) }, to: new.map { Item(id: $0) })
  }

  @Test func `what came on top is inserted there, and nothing else moves`() {
    let change = change([3, 2, 1], [5, 4, 3, 2, 1])
    #expect(change.removed.isEmpty)
    #expect(change.inserted == [0..<2])
  }

  @Test func `what came at the end is inserted there`() {
    let change = change([3, 2], [3, 2, 1, 0])
    #expect(change.removed.isEmpty)
    #expect(change.inserted == [2..<4])
  }

  @Test func `what moved to the top went and came`() {
    let change = change([5, 4, 3, 2, 1], [3, 5, 4, 2, 1])
    #expect(change.removed == [2])
    #expect(change.inserted == [0..<1])
  }

  @Test func `what went is removed where it was`() {
    let change = change([5, 4, 3, 2, 1], [5, 3, 1])
    #expect(change.removed == [1, 3])
    #expect(change.inserted.isEmpty)
  }

  @Test func `what came in several places is inserted in each, and what moved is not new`() {
    let change = change([6, 5, 4, 3, 2, 1], [1, 6, 9, 5, 4, 8, 7, 3, 2])
    #expect(change.removed == [5])
    #expect(change.inserted == [0..<1, 2..<3, 5..<7])
    #expect(change.new == [2, 5, 6])
  }

  @Test func `what stayed and looks different is told by its new place`() {
    let change = ListChange(
      from: [Item(id: 1), Item(id: 2), Item(id: 3)],
      to: [Item(id: 9), Item(id: 1, value: 7), Item(id: 2), Item(id: 3, value: 8)])
    #expect(change.inserted == [0..<1])
    #expect(change.changed == [1, 3])
  }

  @Test func `the same list is no change`() {
    #expect(change([2, 1], [2, 1]).isEmpty)
    #expect(change([], []).isEmpty)
  }

  @Test(arguments: [Soak.seed]) func `any list becomes any other by its change`(seed: UInt64) {
    var numbers = SplitMix(seed: seed)
    for _ in 0..<2000 {
      let old = Array((0..<12).shuffled(using: &numbers).prefix(Int.random(in: 0...10, using: &numbers)))
      let new = Array((0..<12).shuffled(using: &numbers).prefix(Int.random(in: 0...10, using: &numbers)))
      let change = change(old, new)
      var list = old
      for index in change.removed.sorted(by: >) { list.remove(at: index) }
      for range in change.inserted { list.insert(contentsOf: new[range], at: range.lowerBound) }
      #expect(list == new, "from \(old) to \(new)")
    }
  }
}
