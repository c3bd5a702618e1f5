import Dispatch
import Foundation
import GRDB
import QwinkleModel
import QwinkleTesting
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleStore

/// Windows of a cached timeline, read during writes.
@MainActor
@Suite(.bounded) struct CacheWindowTests {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("qwinkle-\(UUID())").path
  private let ledger = ActivityLedger()

  private func open(_ ids: ClosedRange<Int>) throws -> TimelineCache {
    let cache = try TimelineCache(directory: directory, ledger: ledger)
    cache.replace(
      ids.reversed().map { TimelineCache.Row(.qwink(qwink($0))) }, of: .public, older: PageCursor(url: "end"))
    cache.flush()
    return cache
  }

  private func qwink(_ id: Int) -> Qwink { .sample(id: Qwink.ID("\(id)")) }

  private func ids(_ rows: [Timeline.Row]?) -> [Int] {
    (rows ?? []).map { row in row.qwink.flatMap { Int($0.id.rawValue) } ?? -1 }
  }

  /// Returns the value that `start` passes to its callback.
  private func value<Value: Sendable>(
    _ start: (@escaping @MainActor @Sendable (Value) -> Void) -> Void
  ) async throws -> Value {
    try await callbackValue(of: "the cache's answer") { done in start { done($0) } }
  }

  @Test func `a load waits for no write and a fetch only for writes to its timeline`() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open(1...5)
    let gate = DispatchSemaphore(value: 0)
    cache.write("hold", about: .limits) { _ in gate.waitUntilDeadline() }
    cache.merge(Page(items: [qwink(6), qwink(5)], older: PageCursor(url: "a")), at: .newest, in: .public)
    #expect(ids(cache.load(.public, limit: 3).rows) == [5, 4, 3])
    #expect(cache.load(.home, limit: 3).rows.isEmpty)
    let home = try await value { cache.fetch(.home, after: [], limit: 3, then: $0) }
    #expect(home.rows.isEmpty)
    #expect(ledger.inProgress.filter { $0 != "index the cache" } == ["hold", "save a page"])
    let news = Mutex<CachedRows?>(nil)
    cache.fetch(.public, after: [], limit: 3) { kept in news.withLock { $0 = kept } }
    #expect(news.withLock { $0 == nil })
    gate.signal()
    await ledger.settle()
    #expect(ids(news.withLock { $0?.rows }) == [6, 5, 4])
    cache.close()
  }

  @Test func `a window has the rows above and below a position as far as they exist`() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open(1...20)
    func around(_ ids: Int..., margin: Int, atLeast: Int) -> CachedWindow? {
      cache.load(.public, around: ids.map { qwink($0).rowID }, margin: margin, atLeast: atLeast)
    }
    let middle = around(10, margin: 2, atLeast: 5)
    #expect(ids(middle?.rows) == [12, 11, 10, 9, 8, 7])
    #expect(middle?.hasMoreAbove == true && middle?.hasMore == true)
    let top = around(19, margin: 2, atLeast: 1)
    #expect(ids(top?.rows) == [20, 19, 18, 17] && top?.hasMoreAbove == false)
    let bottom = around(2, margin: 1, atLeast: 1)
    #expect(ids(bottom?.rows) == [3, 2, 1] && bottom?.hasMore == false && bottom?.older == PageCursor(url: "end"))
    #expect(around(99, margin: 2, atLeast: 3) == nil)
    #expect(ids(around(8, 12, margin: 1, atLeast: 1)?.rows) == Array((7...13).reversed()))
    #expect(ids(around(8, 99, margin: 1, atLeast: 1)?.rows) == [9, 8, 7])

    let above = try await value { cache.fetch(.public, above: middle?.rows ?? [], limit: 3, then: $0) }
    #expect(ids(above?.rows) == [15, 14, 13] && above?.hasMoreAbove == true)
    let last = try await value { cache.readLast(.public, after: middle?.rows ?? [], limit: 2, then: $0) }
    #expect(ids(last?.rows) == [2, 1] && last?.hasMoreAbove == true && last?.older == PageCursor(url: "end"))
    #expect(last?.isNext == false && last?.passed == nil)
    let rest = try await value { cache.readLast(.public, after: middle?.rows ?? [], limit: 6, then: $0) }
    #expect(ids(rest?.rows) == [6, 5, 4, 3, 2, 1] && rest?.isNext == true && rest?.hasMoreAbove == false)
    let first = try await value { cache.readFirst(.public, above: middle?.rows ?? [], limit: 7, then: $0) }
    #expect(ids(first?.rows) == Array((14...20).reversed()) && first?.isNext == false && first?.hasMore == true)
    let start = try await value { cache.readFirst(.public, above: middle?.rows ?? [], limit: 8, then: $0) }
    #expect(ids(start?.rows) == Array((13...20).reversed()) && start?.isNext == true)
    #expect(try await value { cache.count(above: middle?.rows ?? [], in: .public, then: $0) } == 8)
    let rows = [12, 11].map { Timeline.Row.item(qwink($0)) }
    #expect(try await value { cache.checkHolds(rows, of: .public, then: $0) })
    #expect(try await value { cache.checkHolds(rows.reversed(), of: .public, then: $0) } == false)
    #expect(try await value { cache.checkHolds([.item(qwink(99))], of: .public, then: $0) } == false)
    cache.close()
  }

  @Test func `a gap between the visible rows and an end of the list is reported`() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open(1...2)
    let rows = (1...9).reversed().flatMap { id in
      [TimelineCache.Row(.qwink(qwink(id)))] + (id == 4 ? [TimelineCache.Row(.gap(PageCursor(url: "g")))] : [])
    }
    cache.replace(rows, of: .public, older: nil)
    cache.flush()
    let shown = [Timeline.Row.item(qwink(6))]
    let last = try await value { cache.readLast(.public, after: shown, limit: 1, then: $0) }
    #expect(last?.passed == PageCursor(url: "g"))
    #expect(try await value { cache.readFirst(.public, above: shown, limit: 1, then: $0) }?.passed == nil)
    let below = [Timeline.Row.item(qwink(1))]
    let first = try await value { cache.readFirst(.public, above: below, limit: 1, then: $0) }
    #expect(first?.passed == PageCursor(url: "g"))
    cache.close()
  }

  @Test func `the ends of a timeline and its gaps are found at the same cost in any length`() throws {
    let shown = [Timeline.Row.item(qwink(1))]
    let operations: [(name: String, run: (CachedTimeline) throws -> Void)] = [
      ("last rows", { _ = try $0.lastRows(after: shown, limit: 20) }),
      ("first rows", { _ = try $0.firstRows(above: shown, limit: 20) }), ("merge gaps", { try $0.mergeGaps() }),
      ("rows above", { _ = try $0.count(above: shown) }),
    ]
    var files: [Int: DatabaseQueue] = [:]
    for count in [4000, 16_000] {
      let file = CacheDatabase.openInMemory()
      try file.write { database in
        try database.execute(
          sql: """
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
            INSERT INTO row SELECT ?, n << 36, iif(n = ?, ?, 'other ' || n), NULL FROM number
            """,
          arguments: [count, TimelineName.public.key, count / 2, CachedElement.key(of: qwink(1).rowID)])
      }
      files[count] = file
    }
    for (name, run) in operations {
      let growth = try Effort.growth(from: 4000, below: 2, prepare: { try #require(files[$0]) }) { file in
        try file.write { database in
          let timeline = CachedTimeline(name: TimelineName.public.key, database: database, now: 0)
          for _ in 0..<20 { try run(timeline) }
        }
      }
      #expect(growth < 2, "\(name)")
    }
  }

  @Test func `a page merges into a partly shown list and updates the shown part`() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open(1...20)
    var shown = Timeline()
    shown.setCached(
      [12, 11, 9, 8].map { .item(qwink($0)) }, hasMoreAbove: true, older: nil, hasMore: true)
    // 10 is in the file. 22 and 21 are new, far above the window.
    let page = Page(items: [22, 21, 20].map(qwink), older: PageCursor(url: "a"))
    let result = try await value {
      cache.merge(page, at: .newest, in: .public, showing: ShownWindow(shown), then: $0)
    }
    #expect(ids(result?.window.rows) == [12, 11, 10, 9, 8] && result?.window.hasMoreAbove == true)
    #expect(result?.new == [qwink(22).rowID, qwink(21).rowID])
    #expect(ids(cache.load(.public, limit: 3).rows) == [22, 21, 20])
    cache.close()
  }

  @Test func `a newer state updates cached rows and boosts that are not in memory`() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open(1...3)
    var boost = qwink(2)
    boost.booster = .sample("bob")
    cache.replace([TimelineCache.Row(.qwink(boost))], of: .home, older: nil)
    var newer = qwink(2)
    newer.favouritesCount = 7
    cache.update(newer)
    cache.flush()
    #expect(cache.load(.public, limit: 9).rows[1].qwink?.favouritesCount == 7)
    #expect(cache.load(.home, limit: 9).rows[0].qwink?.favouritesCount == 7)
    #expect(cache.load(.home, limit: 9).rows[0].qwink?.booster?.userName == "bob")
    cache.close()
  }
}
