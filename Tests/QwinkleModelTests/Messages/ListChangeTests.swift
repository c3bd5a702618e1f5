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

  @Test func `rows added on top are inserted without moving other rows`() {
    let change = change([3, 2, 1], [5, 4, 3, 2, 1])
    #expect(change.removed.isEmpty)
    #expect(change.inserted == [0..<2])
  }

  @Test func `rows added at the end are inserted there`() {
    let change = change([3, 2], [3, 2, 1, 0])
    #expect(change.removed.isEmpty)
    #expect(change.inserted == [2..<4])
  }

  @Test func `a row moved to the top is removed and inserted`() {
    let change = change([5, 4, 3, 2, 1], [3, 5, 4, 2, 1])
    #expect(change.removed == [2])
    #expect(change.inserted == [0..<1])
  }

  @Test func `missing rows are removed at their old indexes`() {
    let change = change([5, 4, 3, 2, 1], [5, 3, 1])
    #expect(change.removed == [1, 3])
    #expect(change.inserted.isEmpty)
  }

  @Test func `rows added in several places are new but moved rows are not`() {
    let change = change([6, 5, 4, 3, 2, 1], [1, 6, 9, 5, 4, 8, 7, 3, 2])
    #expect(change.removed == [5])
    #expect(change.inserted == [0..<1, 2..<3, 5..<7])
    #expect(change.new == [2, 5, 6])
  }

  @Test func `a changed row is reported at its new index`() {
    let change = ListChange(
      from: [Item(id: 1), Item(id: 2), Item(id: 3)],
      to: [Item(id: 9), Item(id: 1, value: 7), Item(id: 2), Item(id: 3, value: 8)])
    #expect(change.inserted == [0..<1])
    #expect(change.changed == [1, 3])
  }

  @Test func `a reversed change has the reversed indexes in ascending order`() {
    let change = change([6, 5, 4, 3, 2, 1], [1, 6, 9, 5, 4, 8, 7, 3, 2]).reversed(from: 6, to: 9)
    #expect(change.removed == [0])
    #expect(change.inserted == [2..<4, 6..<7, 8..<9])
    #expect(change.new == [2, 3, 6])
  }

  @Test func `equal lists have no change`() {
    #expect(change([2, 1], [2, 1]).isEmpty)
    #expect(change([], []).isEmpty)
  }

  @Test(arguments: [Soak.seed]) func `applying a change turns the old list into the new one`(seed: UInt64) {
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
