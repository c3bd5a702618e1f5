import Foundation
import QwinkleConfig
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Views of the user's own.
@MainActor
@Suite(.bounded) struct RuleViewTests {
  private let start = Date(timeIntervalSince1970: 1_767_225_600)

  private func qwink(_ number: Int, _ text: String) -> Qwink {
    .sample(id: Qwink.ID("\(number)"), text: text, at: start.addingTimeInterval(Double(number) * 60))
  }

  private func show(_ rule: String, in bench: Bench) async throws -> RuleViewController {
    let view = try OwnView(name: "mine", text: rule)
    let screen = RuleViewController(view, account: bench.account)
    screen.navigator = bench.navigator
    await bench.show(screen)
    return screen
  }

  @Test func `a view lists what is kept and fits, page by page`() async throws {
    let bench = try Bench()
    bench.cache.mergeNewest(
      Page(items: (1...200).reversed().map { qwink($0, $0.isMultiple(of: 2) ? "A train \($0)" : "A ship \($0)") }),
      in: .public)
    await bench.ledger.settle()
    _ = await SearchCache(of: bench.cache).findInAll("train", limit: 1)
    let screen = try await show("'train'", in: bench)
    #expect(bench.text.contains("A train 200") && !bench.text.contains("A ship"), "\(bench.text)")
    #expect(screen.rows.count == 40)
    for _ in 0..<4 { await bench.press("G") }
    #expect(screen.rows.count == 100 && bench.text.contains("A train 2"))
    #expect(bench.text.contains(PlaceholderWords.endOfList))
  }

  @Test func `a view in which nothing is says so, with its rule`() async throws {
    let bench = try Bench()
    _ = try await show("has:poll", in: bench)
    #expect(bench.text.contains(RuleViewWords.nothing) && bench.text.contains("has:poll"))
  }

  @Test func `what is deleted goes, what is edited stays`() async throws {
    let bench = try Bench()
    bench.cache.mergeNewest(Page(items: [qwink(2, "A train 2"), qwink(1, "A train 1")]), in: .public)
    await bench.ledger.settle()
    _ = await SearchCache(of: bench.cache).findInAll("train", limit: 1)
    let screen = try await show("'train'", in: bench)
    screen.timelines(bench.account.timelines, didChange: qwink(2, "A ship now"))
    #expect(screen.rows.map(\.text.plainText) == ["A ship now", "A train 1"])
    screen.timelines(bench.account.timelines, didDelete: "1")
    #expect(screen.rows.map(\.id) == ["2"])
  }

  @Test func `without views the section is not there, and its key says why`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    #expect(!screen.header.contains("7"))
    await screen.press("7")
    #expect(screen.status.contains(RuleViewWords.noViews))
  }
}
