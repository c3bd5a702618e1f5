import Foundation
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleStore

/// Rules applied to cached qwinks, without a network.
@MainActor
@Suite(.bounded) struct RuleSearchTests {
  private let ledger = ActivityLedger()
  private let clock = VirtualClock()
  private let start = Date(timeIntervalSince1970: 1_767_225_600)

  private func withCache(_ body: (TimelineCache) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "qwinkle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let cache = try TimelineCache(directory: path, ledger: ledger, clock: clock)
    try await body(cache)
    cache.close()
  }

  private func qwink(_ number: Int, _ text: String) -> Qwink {
    .sample(id: Qwink.ID("\(number)"), text: text, at: start.addingTimeInterval(Double(number) * 60))
  }

  private func page(
    _ rule: String, from place: Int? = nil, limit: Int = 40, isSoon: Bool = false, in cache: TimelineCache
  )
    async throws -> RulePage
  {
    let rule = try ViewRule(rule)
    await ledger.settle()
    var search: CacheQuery?
    defer { withExtendedLifetime(search) {} }
    return try await callbackValue(of: "the page of “\(rule)”") { done in
      search = SearchCache(of: cache).find(rule, from: place, limit: limit, isSoon: isSoon) { done($0) }
    }
  }

  private func expect(_ rule: String, _ ids: [String], in cache: TimelineCache) async throws {
    let found = try await page(rule, in: cache).qwinks.map(\.id.rawValue)
    #expect(found == ids, "\(rule)")
  }

  @Test func `the first hits are reported before everything is checked`() async throws {
    try await withCache { cache in
      let qwinks = (1...250).reversed().map { qwink($0, [250, 120, 110, 1].contains($0) ? "A train" : "A ship") }
      cache.merge(Page(items: qwinks), at: .newest, in: .public)
      await ledger.settle()
      let rule = "not 'ship'"
      let first = try await page(rule, isSoon: true, in: cache)
      #expect(first.qwinks.map(\.id.rawValue) == ["250"])
      let second = try await page(rule, from: first.next, isSoon: true, in: cache)
      #expect(second.qwinks.map(\.id.rawValue) == ["120", "110"])
      let last = try await page(rule, from: second.next, in: cache)
      #expect(last.qwinks.map(\.id.rawValue) == ["1"] && last.next == nil)
    }
  }

  @Test func `a rule finds qwinks by their text and their properties`() async throws {
    try await withCache { cache in
      var boost = qwink(3, "A train, boosted")
      boost.booster = .sample("ben")
      boost.id = "9"
      boost.originalID = "3"
      boost.boostedAt = start
      var picture = qwink(4, "The träin at the station")
      picture.attachments = [Attachment(id: "1", kind: .image, url: "https://a.example/1.png")]
      picture.language = "sv"
      cache.merge(Page(items: [picture, boost, qwink(2, "A train"), qwink(1, "A ship")]), at: .newest, in: .public)
      await ledger.settle()
      try await expect("'train'", ["4", "3", "2"], in: cache)
      try await expect("has:media lang:sv 'train'", ["4"], in: cache)
      try await expect("boost and by:ben", ["9"], in: cache)
      try await expect("not 'train'", ["1"], in: cache)
      try await expect("'ship' or has:picture", ["4", "1"], in: cache)
      // The author's name is not part of the text.
      try await expect("'alice'", [], in: cache)
    }
  }

  @Test func `results are paged with each qwink once`() async throws {
    try await withCache { cache in
      cache.merge(
        Page(items: (0..<350).reversed().map { qwink($0, $0 % 3 == 0 ? "train" : "ship") }), at: .newest, in: .public)
      await ledger.settle()
      var found: [String] = []
      var place: Int?
      repeat {
        let page = try await page("'train' public", from: place, limit: 40, in: cache)
        #expect(page.qwinks.count <= 40 && page.isWhole)
        found += page.qwinks.map(\.id.rawValue)
        place = page.next
      } while place != nil
      #expect(found == (0..<350).reversed().filter { $0 % 3 == 0 }.map(String.init))
    }
  }

  @Test func `omitted qwinks don't count towards the limit of a search through everything`() async throws {
    try await withCache { cache in
      cache.merge(Page(items: (0..<130).reversed().map { qwink($0, "train") }), at: .newest, in: .public)
      await ledger.settle()
      let rule = try ViewRule("'train'")
      let found = await SearchCache(of: cache).findInAll(rule, limit: 2) { qwink in
        Int(qwink.id.rawValue).map { $0 < 20 } == true ? qwink : nil
      }
      #expect(found.map(\.id.rawValue) == ["19", "18"])
    }
  }
}
