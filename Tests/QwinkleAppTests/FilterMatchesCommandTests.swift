import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// `qwinkle filter-matches`, which reads the cache.
@MainActor
@Suite(.bounded) struct FilterMatchesCommandTests {
  nonisolated private static let filters = [
    ContentFilter(id: "9", title: "Weather", hides: true, keywords: [.init(text: "rain")]),
    ContentFilter(id: "8", title: "Storms", hides: true, keywords: [.init(text: "storm")]),
    ContentFilter(id: "7", title: "Winds", keywords: [.init(text: "wind")]),
  ]

  /// Caches posts as the screen would, before the user added the filters “Storms” and “Winds” and muted Ben. The newest
  /// post is the first.
  private func cache(_ posts: [(author: String, text: String)], in home: String) throws {
    let cache = try TimelineCache(
      directory: "\(home)/.cache/qwinkle/replayed@writing.example", ledger: ActivityLedger())
    let items = posts.enumerated().map { index, post in
      var qwink = Qwink.sample(
        id: Qwink.ID("\(900 - index)"), text: post.text, author: .sample(post.author),
        at: Date(timeIntervalSince1970: 1_767_225_600 - Double(index) * 60))
      qwink.filterMatches = [FilterMatch(id: "9", title: "Weather", hides: true, contexts: ["home"])]
      return qwink
    }
    cache.merge(Page(items: items), at: .newest, in: .public)
    cache.close()
  }

  private func harness() -> CommandHarness {
    let transport = ScriptedTransport { request in
      switch String((request.head.path ?? "").prefix { $0 != "?" }) {
      case "/api/v2/instance":
        .json(WireEncoder.serverInfoV2(ServerInfo(title: "Any", domain: "writing.example", version: "4.3.0")))
      case "/api/v1/accounts/verify_credentials": .json(WireEncoder.qwinker(.sample("mara"), ownNote: ""))
      case "/api/v2/filters": .json(WireEncoder.filters(Self.filters))
      case "/api/v1/mutes": .json(WireEncoder.qwinkers([.sample("ben")]))
      default: .json(Array("[]".utf8))
      }
    }
    return CommandHarness(transport: { transport })
  }

  @Test func `mutes and filters that are newer than the cached posts apply`() async throws {
    let harness = harness()
    try cache(
      [("ben", "rain, muted"), ("anna", "rain and storm"), ("anna", "wind and rain"), ("anna", "rain, shown")],
      in: harness.home)
    let found = try await harness.run(["filter-matches", "Weather"])
    #expect(found.status == 0 && found.output.contains("rain, shown"), "\(found)")
    #expect(!found.output.contains("muted") && !found.output.contains("storm"), "\(found.output)")
    #expect(found.output.contains("Filtered: Winds") && !found.output.contains("wind and"), "\(found.output)")
  }

  @Test func `hidden posts don't count towards the limit`() async throws {
    let harness = harness()
    let hidden = (1...90).map { (author: "ben", text: "rain, hidden \($0)") }
    try cache(hidden + (1...3).map { (author: "anna", text: "rain, shown \($0)") }, in: harness.home)
    let found = try await harness.run(["filter-matches", "Weather", "--limit", "2"])
    #expect(found.output.contains("shown 1") && found.output.contains("shown 2"), "\(found)")
    #expect(!found.output.contains("shown 3") && !found.output.contains("hidden"), "\(found.output)")
  }
}
