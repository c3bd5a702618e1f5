import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

/// Size limit of the offline cache.
@MainActor
@Suite(.bounded) struct CacheLimitTests {
  private let numbers = Array((1...1000).reversed())

  /// Returns the cached ids, as loaded by the next start.
  private func kept(in folder: TemporaryFolder) throws -> [String] {
    let cache = try TimelineCache(directory: folder.path, ledger: ActivityLedger())
    defer { cache.close() }
    return cache.load(.public, limit: 2000).rows.compactMap { $0.qwink?.id.rawValue }
  }

  @Test func `the cache is pruned below the loaded rows while the reader scrolls`() async throws {
    let folder = TemporaryFolder()
    try Screen.keep(numbers, olderThan: 1, in: folder)
    let screen = try await Screen.settled(ScriptedTimeline(numbers), in: folder)
    screen.account.timelines.cacheLimits = CacheLimits(size: 1)
    for _ in 0..<8 { await screen.press("PgDn") }
    let bottom = screen.account.timelines.timeline(.public).rows.count
    #expect(try kept(in: folder).count == 1000)
    screen.advance(by: .seconds(61))
    await screen.settle()
    #expect(try kept(in: folder).count == bottom)
    // The list continues with rows from the server.
    for _ in 0..<4 { await screen.press("G") }
    #expect(screen.account.timelines.timeline(.public).rows.count > bottom)
    #expect(!screen.text.contains(TimelineWords.notLoaded), "\(screen.text)")
  }

  @Test func `:set cache changes the limit and saves it`() async throws {
    let folder = TemporaryFolder()
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]), in: folder)
    #expect(screen.account.timelines.cacheLimits.size == 64 << 20)
    screen.type(":set cache 256")
    await screen.press("Enter")
    let setting = try #require(ScreenSetting("cache 256"))
    #expect(screen.status.contains(PromptWords.applied(setting.key, setting.value)))
    #expect(screen.account.timelines.cacheLimits.size == 256 << 20)
    let next = try await Screen.settled(ScriptedTimeline([2, 1]), in: folder)
    #expect(next.account.timelines.cacheLimits.size == 256 << 20)
  }
}
