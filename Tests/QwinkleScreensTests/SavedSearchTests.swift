import Foundation
import PaneKit
import QwinkleConfig
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct SavedSearchTests {
  private let start = Date(timeIntervalSince1970: 1_767_225_600)

  private func qwink(_ number: Int, _ text: String) -> Qwink {
    .sample(id: Qwink.ID("\(number)"), text: text, at: start.addingTimeInterval(Double(number) * 60))
  }

  private func show(_ rule: String, in bench: Bench) async throws -> SavedSearchViewController {
    let view = try OwnView(name: "mine", text: rule)
    let screen = SavedSearchViewController(view, account: bench.account)
    screen.navigator = bench.navigator
    await bench.show(screen)
    return screen
  }

  @Test func `a saved search lists cached matches page by page`() async throws {
    let bench = try Bench()
    bench.cache.merge(
      Page(items: (1...200).reversed().map { qwink($0, $0.isMultiple(of: 2) ? "A train \($0)" : "A ship \($0)") }),
      at: .newest, in: .public)
    await bench.ledger.settle()
    _ = await SearchCache(of: bench.cache).findInAll("train", limit: 1)
    let screen = try await show("'train'", in: bench)
    #expect(bench.text.contains("A train 200") && !bench.text.contains("A ship"), "\(bench.text)")
    #expect(screen.rows.count == 40)
    for _ in 0..<4 { await bench.press("G") }
    #expect(screen.rows.count == 100 && bench.text.contains("A train 2"))
    #expect(bench.text.contains(PlaceholderWords.endOfList))
  }

  /// Returns a bench whose cache has matches, of which a filter hides all but the oldest five.
  private func filtered() async throws -> Bench {
    let bench = try Bench()
    let qwinks = (1...300).reversed().map { number in
      var qwink = qwink(number, "A train \(number)")
      if number > 5 { qwink.filterMatches = [FilterMatch(id: "1", title: "Trains", hides: true, contexts: ["home"])] }
      return qwink
    }
    bench.cache.merge(Page(items: qwinks), at: .newest, in: .public)
    await bench.ledger.settle()
    _ = await SearchCache(of: bench.cache).findInAll("train", limit: 1)
    return bench
  }

  @Test func `a saved search whose first matches are all hidden shows the others`() async throws {
    let bench = try await filtered()
    let screen = try await show("'train'", in: bench)
    #expect(screen.rows.map(\.id) == ["5", "4", "3", "2", "1"], "\(bench.text)")
  }

  @Test func `a search that stopped when the reader left continues on return`() async throws {
    let bench = try await filtered()
    let screen = SavedSearchViewController(try OwnView(name: "mine", text: "'train'"), account: bench.account)
    screen.navigator = bench.navigator
    bench.application.window.rootViewController = screen
    try await bench.wait(for: "the second page") { screen.state.isLoadingMore }
    bench.application.window.rootViewController = ViewController()
    await bench.settle()
    try #require(screen.rows.isEmpty && !screen.state.isLoadingMore)
    await bench.show(screen)
    #expect(screen.rows.map(\.id) == ["5", "4", "3", "2", "1"], "\(bench.text)")
  }

  @Test func `an empty saved search shows a message and its rule`() async throws {
    let bench = try Bench()
    _ = try await show("has:poll", in: bench)
    #expect(bench.text.contains(SavedSearchWords.nothing) && bench.text.contains("has:poll"))
  }

  @Test func `a deleted qwink disappears and an edited one stays`() async throws {
    let bench = try Bench()
    bench.cache.merge(Page(items: [qwink(2, "A train 2"), qwink(1, "A train 1")]), at: .newest, in: .public)
    await bench.ledger.settle()
    _ = await SearchCache(of: bench.cache).findInAll("train", limit: 1)
    let screen = try await show("'train'", in: bench)
    screen.timelines(bench.account.timelines, didChange: qwink(2, "A ship now"))
    #expect(screen.rows.map(\.text.plainText) == ["A ship now", "A train 1"])
    screen.timelines(bench.account.timelines, didDelete: "1")
    #expect(screen.rows.map(\.id) == ["2"])
  }

  @Test func `the section is hidden without saved searches and its key shows why`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    #expect(!screen.header.contains("7"))
    await screen.press("7")
    #expect(screen.status.contains(SavedSearchWords.noViews))
  }
}
