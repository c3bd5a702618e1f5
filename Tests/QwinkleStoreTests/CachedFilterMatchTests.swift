import Foundation
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleStore

/// Filter matches that are changed in the cache.
@MainActor
@Suite(.bounded) struct CachedFilterMatchTests {
  nonisolated private static let filter = ContentFilter(
    id: "9", title: "#garden", hides: true, keywords: [.init(text: "#garden")], statuses: ["1"])

  private let ledger = ActivityLedger()

  private func withCache(_ body: (TimelineCache) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "qwinkle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let cache = try TimelineCache(directory: path, ledger: ledger)
    let texts = ["1": "The kiosk", "2": "The #garden", "3": "The #gardens"]
    var items = texts.sorted { $0.key < $1.key }.map { Qwink.sample(id: Qwink.ID($0.key), text: $0.value) }
    var boost = items[0]
    boost.id = "7"
    boost.originalID = "1"
    boost.booster = .sample("zoe")
    boost.boostedAt = boost.createdAt
    items.append(boost)
    cache.merge(Page(items: items), at: .newest, in: .home)
    try await body(cache)
    cache.close()
  }

  private func matching(in cache: TimelineCache) -> Set<String> {
    cache.flush()
    let rows = cache.load(.home, limit: 9).rows.compactMap(\.qwink)
    #expect(rows.count == 4)
    return Set(rows.filter { !$0.filterMatches.isEmpty }.map(\.id.rawValue))
  }

  nonisolated private static let add: @Sendable (inout Qwink) -> Void = { qwink in
    if let match = filter.match(of: qwink) { qwink.filterMatches = [match] }
  }

  @Test func `matches are saved for a post and its boosts, without a loss of reactions`() async throws {
    try await withCache { cache in
      cache.saveReactions(of: Qwink.sample(id: "1").setting(.favourite, to: true))
      cache.changeFilterMatches(of: ["1", "2"], by: Self.add)
      #expect(matching(in: cache) == ["1", "7", "2"])
      #expect(cache.load(.home, limit: 9).rows.compactMap(\.qwink).filter(\.isFavourite).map(\.id).count == 2)
      cache.changeFilterMatches(of: ["1"]) { $0.filterMatches = [] }
      #expect(matching(in: cache) == ["2"])
    }
  }

  @Test func `posts with a keyword are found by the search index`() async throws {
    try await withCache { cache in
      await ledger.settle()
      _ = await SearchCache(of: cache).findInAll("garden", limit: 1)
      cache.changeFilterMatches(ofQwinksWith: ["#garden"], by: Self.add)
      #expect(matching(in: cache) == ["2"])
      cache.changeFilterMatches(ofQwinksWith: ["#garden"]) { $0.filterMatches = [] }
      #expect(matching(in: cache).isEmpty)
    }
  }
}
