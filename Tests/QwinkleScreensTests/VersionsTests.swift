import FoundationEssentials
import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct VersionsTests {
  private static let call = "GET /api/v1/statuses/7/history"
  nonisolated private static let boat = Qwink.sample(
    id: "7", text: "The boat leaves at ten.", author: .sample("alice", displayName: "Alice"))

  nonisolated private static func version(_ text: String, minutes: Double, warning: String = "") -> QwinkVersion {
    QwinkVersion(
      createdAt: ScriptedTimeline.start.addingTimeInterval(60 * minutes), text: RichText(plain: text),
      contentWarning: warning)
  }

  private func bench(_ versions: [QwinkVersion]) throws -> (Bench, VersionsViewController) {
    let bench = try Bench()
    bench.api.answer(Self.call) { _ in .json(WireEncoder.versions(versions, by: Self.boat.author)) }
    return (bench, VersionsViewController(qwink: Self.boat, account: bench.account))
  }

  @Test func `versions are listed newest first with time and changes`() async throws {
    let (bench, screen) = try bench([
      Self.version("The boat leaves at nine.", minutes: 0), Self.version("The boat leaves at ten.", minutes: 5),
      Self.version("The boat leaves at ten.", minutes: 8, warning: "Boats"),
    ])
    bench.account.timelines.toggleReveal(Self.boat)
    await bench.show(screen)
    let lines = bench.lines
    let found = [
      VersionWords.summary(edits: 2), "1 Jan 2026, 00:08  \(VersionWords.edit(2, of: 2))", "⚠ [+Boats+]",
      "1 Jan 2026, 00:05  \(VersionWords.edit(1, of: 2))", "The boat leaves at [-nine.-][+ten.+]",
      "1 Jan 2026, 00:00  \(VersionWords.original)", "The boat leaves at nine.",
    ]
    let rows = found.map { words in lines.firstIndex { $0.contains(words) } ?? -1 }
    #expect(rows == rows.sorted() && !rows.contains(-1), "\(rows)\n\(bench.text)")
  }

  @Test func `a warning of an older version covers all versions until revealed`() async throws {
    let (bench, screen) = try bench([
      Self.version("The boat leaves at nine.", minutes: 0, warning: "Boats"),
      Self.version("The boat leaves at ten.", minutes: 5),
    ])
    await bench.show(screen)
    #expect(bench.text.contains("⚠ Boats") && !bench.text.contains("The boat"), "\(bench.text)")
    await bench.press("z")
    #expect(bench.text.contains("The boat leaves at nine."), "\(bench.text)")
    await bench.press("z")
    #expect(!bench.text.contains("The boat"), "\(bench.text)")
  }

  @Test func `a missing history and a failed request are both reported`() async throws {
    let (none, noneScreen) = try bench([])
    await none.show(noneScreen)
    #expect(none.text.contains(VersionWords.none))
    let (failed, failedScreen) = try bench([])
    failed.api.fail(Self.call, with: .refused(host: ScriptedAPI.host))
    await failed.show(failedScreen)
    #expect(failed.text.contains(ScriptedTimeline.unreachable))
    failed.api.fail(Self.call, with: nil)
    failed.api.answer(Self.call) { _ in
      .json(WireEncoder.versions([Self.version("Hello", minutes: 0)], by: Self.boat.author))
    }
    await failed.press("R")
    #expect(failed.text.contains(VersionWords.original))
  }
}
