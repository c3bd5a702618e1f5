import Foundation
import GRDB
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

/// A cached timeline with failing writes, restarts, and two programs that write.
@Suite struct SharedCacheTests {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("qwinkle-\(UUID())").path

  private func open() throws -> TimelineCache {
    try TimelineCache(directory: directory, ledger: ActivityLedger())
  }

  private func page(_ ids: [Int], older: String? = nil) -> Page<Qwink> {
    Page(items: ids.map { .sample(id: Qwink.ID("\($0)")) }, older: older.map { PageCursor(url: $0) })
  }

  private func ids(_ cache: TimelineCache) -> [String] {
    cache.load(.public, limit: 1000).rows.map { $0.qwink?.id.rawValue ?? "gap" }
  }

  /// Causes each write of a row to fail, or restores normal writes.
  private func failWrites(_ fail: Bool) throws {
    var configuration = Configuration()
    // The last cached rows may still be in indexing.
    configuration.busyMode = .timeout(10)
    let queue = try DatabaseQueue(path: directory + "/cache.sqlite", configuration: configuration)
    try queue.write { database in
      try database.execute(
        sql: fail
          ? "CREATE TRIGGER full BEFORE INSERT ON row BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END"
          : "DROP TRIGGER full")
    }
    try queue.close()
  }

  @Test func `a newest page that could not be saved leaves a gap even after a restart`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    cache.merge(page([3, 2, 1], older: "a"), at: .newest, in: .public)
    cache.flush()
    try failWrites(true)
    cache.merge(page([6, 5, 4, 3], older: "b"), at: .newest, in: .public)
    cache.flush()
    try failWrites(false)
    // The program has 6 in memory. The file doesn't have it.
    cache.merge(page([9, 8, 7, 6], older: "c"), at: .newest, in: .public)
    cache.flush()
    #expect(ids(cache) == ["9", "8", "7", "6", "gap", "3", "2", "1"])
    cache.close()
    #expect(ids(try open()) == ["9", "8", "7", "6", "gap", "3", "2", "1"])
  }

  @Test func `a page after an unsaved page is not saved in the wrong place`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    cache.merge(page([9, 8], older: "a"), at: .newest, in: .public)
    cache.flush()
    try failWrites(true)
    cache.merge(page([7, 6], older: "b"), at: .at(PageCursor(url: "a")), in: .public)
    cache.flush()
    try failWrites(false)
    cache.merge(page([5, 4], older: "c"), at: .at(PageCursor(url: "b")), in: .public)
    cache.flush()
    let kept = cache.load(.public, limit: 10)
    #expect(ids(cache) == ["9", "8"])
    #expect(kept.older == PageCursor(url: "a"))
  }

  @Test func `rows after the known ones are loaded despite new rows above`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let (mine, other) = (try open(), try open())
    mine.merge(page(Array((1...20).reversed()), older: "a"), at: .newest, in: .public)
    mine.flush()
    let first = mine.load(.public, limit: 5)
    other.merge(page([23, 22, 21, 20, 19], older: "b"), at: .newest, in: .public)
    other.flush()
    let next = mine.load(.public, after: first.rows, limit: 5)
    #expect(next.rows.compactMap(\.qwink?.id.rawValue) == ["15", "14", "13", "12", "11"])
    #expect(next.isAdjacent)
    // The other program learns that 15 was deleted. The file no longer shows which row follows 15.
    other.merge(page([23, 22, 21, 20, 19, 18, 17, 16, 14, 13], older: "c"), at: .newest, in: .public)
    other.flush()
    let gone = mine.load(
      .public, after: [Timeline.Row.item(.sample(id: "16")), .item(.sample(id: "15"))], limit: 1)
    #expect(gone.rows.compactMap(\.qwink?.id.rawValue) == ["14"])
    #expect(!gone.isAdjacent)
  }

  @Test func `a newer gap replaces the gap below it`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    cache.merge(page([3, 2, 1], older: "c1"), at: .newest, in: .public)
    cache.merge(page([9, 8], older: "c8"), at: .newest, in: .public)
    cache.merge(page([9, 8, 7, 6], older: "c6"), at: .newest, in: .public)
    cache.flush()
    #expect(cache.load(.public, limit: 9).rows.compactMap(\.cursor?.url) == ["c6"])
    #expect(ids(cache) == ["9", "8", "7", "6", "gap", "3", "2", "1"])
    // Another program may still have the cursor of the older gap. It leads to no missing rows here.
    cache.merge(page([7, 6, 5], older: "c5"), at: .at(PageCursor(url: "c8")), in: .public)
    cache.merge(page([5, 4], older: "c4"), at: .at(PageCursor(url: "c6")), in: .public)
    cache.flush()
    #expect(ids(cache) == ["9", "8", "7", "6", "5", "4", "gap", "3", "2", "1"])
  }

  // MARK: Against the model

  /// A program, with its visible list and the shared file.
  private struct Client {
    var list = PagedRows<Qwink>()
    let cache: TimelineCache

    init(_ cache: TimelineCache) {
      self.cache = cache
      adoptCached(limit: 6)
    }

    mutating func adoptCached(limit: Int) {
      let kept = cache.load(.public, after: list.knownRows, limit: limit)
      var rows = kept.rows
      if !kept.isAdjacent {
        if let last = list.knownRows.last(where: { $0.item != nil })?.item {
          rows.insert(.gap(PageCursor(url: "after/\(last.id.rawValue)")), at: 0)
        }
      }
      _ = list.appendCached(rows, older: kept.older, hasMore: kept.hasMore)
    }
  }

  private static func words(_ rows: [Timeline.Row]) -> [PagedRow<ModelRow>] {
    rows.map { row in
      switch row {
      case .gap(let cursor): .gap(cursor)
      case .item(let qwink): .item(ModelRow(qwink))
      }
    }
  }

  @Test func `the cache matches the server after each start and with two programs`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for seed in Soak.seeds(25, times: 80) {
      var schedule = ModelSchedule(seed: seed)
      var watch = TimelineWatch()
      let folder = "\(directory)/\(seed)"
      let caches = try (0..<2).map { _ in try TimelineCache(directory: folder, ledger: ActivityLedger()) }
      var clients = caches.map(Client.init)
      func check(_ what: String) {
        watch.check(Self.words(caches[0].load(.public, limit: 10_000).rows), of: schedule.server)
        if let fault = watch.faults.first { Issue.record("seed \(seed), \(what): \(fault)") }
      }
      for step in 0..<30 where watch.faults.isEmpty {
        let which = Int.random(in: 0..<2, using: &schedule.random)
        switch Int.random(in: 0..<10, using: &schedule.random) {
        case 0..<3:
          let answer = schedule.server.answer(size: schedule.size())
          schedule.didPoll()
          clients[which].cache.merge(answer.page.qwinks, at: .newest, in: .public)
          _ = clients[which].list.mergeNewest(answer.page.qwinks)
          watch.didTake(answer, of: schedule.server)
        case 3, 4:
          let ways = clients[which].list.rows.compactMap(\.cursor) + [clients[which].list.older].compactMap { $0 }
          guard let way = ways.randomElement(using: &schedule.random), !way.url.hasPrefix("after/") else { continue }
          let before = caches[0].load(.public, limit: 10_000)
          let isKept = before.older == way || before.rows.contains(.gap(way))
          let answer = schedule.server.answer(from: way, size: schedule.size())
          clients[which].cache.merge(answer.page.qwinks, at: .at(way), in: .public)
          if way == clients[which].list.older {
            _ = clients[which].list.appendOlder(answer.page.qwinks)
          } else {
            _ = clients[which].list.fillGap(way, with: answer.page.qwinks)
          }
          // A page that continues from an uncached cursor isn't cached.
          if isKept { watch.didTake(answer, of: schedule.server) } else { watch.didMiss(answer) }
        case 5: clients[which].adoptCached(limit: 4)
        case 6: clients[which] = Client(caches[which])
        default: schedule.happen()
        }
        for cache in caches { cache.flush() }
        check("step \(step)")
      }
      for cache in caches { cache.close() }
    }
  }
}
