import Foundation
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleStore

@MainActor
@Suite(.bounded) struct ProfileCacheTests {
  private nonisolated static let profiles =
    [TimelineName.qwinker("7")] + QwinkerPart.allCases.map { TimelineName.part($0, of: "7", by: "bob") }

  @Test(arguments: profiles)
  func `a cached profile lists no direct messages and no author's name has runs of blanks`(
    name: TimelineName
  ) throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("qwinkle-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try TimelineCache(directory: directory, ledger: ActivityLedger())
    var message = Qwink.sample(id: "2")
    message.visibility = .direct
    let post = Qwink.sample(id: "1", author: .sample("bob", displayName: "Bob \u{3164}  @x"))
    for list in [name, .home] {
      cache.replace([TimelineCache.Row(.qwink(message)), TimelineCache.Row(.qwink(post))], of: list, older: nil)
    }
    cache.flush()
    let shown = cache.load(name, limit: 5).rows.compactMap(\.qwink)
    #expect(shown.map(\.id) == ["1"] && shown.first?.author.displayName == "Bob @x")
    #expect(cache.load(.home, limit: 5).rows.count == 2)
    cache.close()
  }
}
