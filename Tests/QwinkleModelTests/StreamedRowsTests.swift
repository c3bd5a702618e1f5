import Foundation
import QwinkleTesting
import Testing

@testable import QwinkleModel

/// Rows that a stream inserts into a list.
@Suite struct StreamedRowsTests {
  private func list(_ ids: [String], older: String? = nil) -> Timeline {
    var list = Timeline()
    list.mergeNewest(.sample(ids: ids, older: older))
    return list
  }

  private func words(_ list: Timeline) -> [String] { list.rows.map { $0.qwink?.id.rawValue ?? "gap" } }

  private func qwink(_ id: String, at seconds: Double = 0) -> Qwink {
    .sample(id: Qwink.ID(id), at: Date(timeIntervalSince1970: 1_767_225_600 + seconds))
  }

  @Test func `streamed rows are inserted in the order of ids without duplicates`() {
    var list = list(["90", "70", "50"], older: "x")
    #expect(list.insertStreamed(["95", "60", "95", "100", "70"].map { qwink($0) }).unplaced.isEmpty)
    #expect(words(list) == ["100", "95", "90", "70", "60", "50"])
  }

  @Test func `a row below all rows is ignored unless the list ends there`() {
    var open = list(["90", "70"], older: "x")
    open.insertStreamed([qwink("60")])
    #expect(words(open) == ["90", "70"])
    var closed = list(["90", "70"])
    closed.insertStreamed([qwink("60")])
    #expect(words(closed) == ["90", "70", "60"])
  }

  @Test func `a row that belongs in a gap is ignored`() {
    var list = list(["50", "40"], older: "x")
    list.mergeNewest(.sample(ids: ["90", "80"], older: "g"))
    #expect(words(list) == ["90", "80", "gap", "50", "40"])
    list.insertStreamed(["70", "85", "45"].map { qwink($0) })
    #expect(words(list) == ["90", "85", "80", "gap", "50", "45", "40"])
  }

  @Test func `a row without a comparable id is inserted only if it is the newest`() {
    var list = list(["b", "a"])
    let result = list.insertStreamed([qwink("x", at: 60), qwink("y", at: -30)])
    #expect(words(list) == ["x", "b", "a"] && result.unplaced.map(\.id) == ["y"])
  }
}
