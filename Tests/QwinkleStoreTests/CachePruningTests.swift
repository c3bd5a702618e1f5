import Foundation
import GRDB
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

/// Rows that the cache deletes to stay within its limits, and rows that it never deletes.
@MainActor
@Suite(.bounded) struct CachePruningTests {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("qwinkle-\(UUID())").path
  private let clock = VirtualClock()
  private let ledger = ActivityLedger()

  private func open() throws -> TimelineCache {
    try TimelineCache(directory: directory, ledger: ledger, clock: clock)
  }

  private func rows(_ ids: ClosedRange<Int>, text: String = "") -> [TimelineCache.Row] {
    ids.reversed().map { TimelineCache.Row(.qwink(.sample(id: Qwink.ID("\($0)"), text: text))) }
  }

  private func ids(_ cache: TimelineCache, _ name: TimelineName = .public) -> [Int] {
    cache.load(name, limit: 100_000).rows.compactMap { $0.qwink.flatMap { Int($0.id.rawValue) } }
  }

  private func prune(
    _ cache: TimelineCache, _ limits: CacheLimits, sparing spared: [TimelineName: Qwink.RowID] = [:]
  ) async {
    cache.prune(to: limits, sparing: spared) { id, name in PageCursor(url: "\(name.key)?max_id=\(id.rawValue)") }
    await ledger.settle()
  }

  @Test func `a large cache loses its lowest rows and continues after the last row left`() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    cache.replace(rows(1...3000, text: String(repeating: "long ", count: 100)), of: .public, older: nil)
    cache.flush()
    let size = cache.contentSize
    await prune(cache, CacheLimits(size: size / 2))
    #expect(cache.contentSize <= size / 2)
    let left = ids(cache)
    #expect(left.first == 3000 && left.count >= 1000, "\(left.count) rows are left")
    #expect(left == Array(((left.last ?? 0)...3000).reversed()))
    #expect(cache.load(.public, limit: 1).older == PageCursor(url: "public?max_id=\(left.last ?? 0)"))
    // The file itself shrinks, too.
    cache.close()
    let path = directory + "/cache.sqlite"
    let file = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(file ?? .max <= size * 6 / 10)
  }

  @Test func `open, bookmarked and first-screen rows stay however small the limit is`() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    cache.replace(rows(1...1000), of: .public, older: nil)
    cache.replace(rows(1...1000), of: .home, older: nil)
    cache.replace(rows(1...1000), of: .bookmarks, older: nil)
    cache.replace(rows(2001...2300), of: .qwinker("7"), older: nil)
    cache.replace(rows(3001...3300), of: .tag("open"), older: nil)
    cache.flush()
    await prune(
      cache, CacheLimits(size: 1),
      sparing: [
        .public: Qwink.RowID(status: "400", booster: nil), .tag("open"): Qwink.RowID(status: "3001", booster: nil),
      ])
    #expect(ids(cache) == Array((400...1000).reversed()))
    #expect(ids(cache, .home).count == 200)
    #expect(ids(cache, .bookmarks).count == 1000)
    #expect(ids(cache, .qwinker("7")).isEmpty)
    #expect(ids(cache, .tag("open")).count == 300)
  }

  @Test func `rows fetched long ago are deleted regardless of the cache's size`() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    cache.replace(rows(1...300), of: .public, older: nil)
    clock.advance(by: .seconds(100 * 86_400))
    cache.merge(
      Page(items: (295...600).reversed().map { .sample(id: Qwink.ID("\($0)")) }, older: nil), at: .newest, in: .public)
    cache.flush()
    await prune(cache, CacheLimits(age: 90 * 86_400))
    #expect(ids(cache) == Array((301...600).reversed()))
  }

  @Test func `a cache within its limits loses nothing`() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    cache.replace(rows(1...1000), of: .public, older: PageCursor(url: "end"))
    cache.flush()
    await prune(cache, CacheLimits())
    #expect(ids(cache).count == 1000)
    #expect(cache.load(.public, limit: 1).older == PageCursor(url: "end"))
  }

  @Test(arguments: [true, false]) func `a gap can be filled by any number of pages`(isUpwards: Bool) throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    var gap = PageCursor(url: "gap")
    let last = 5000
    cache.replace(
      rows(last...last) + [TimelineCache.Row(.gap(gap))] + rows(1...2), of: .public, older: nil)
    var (low, high) = (2, last)
    while high - low > 1 {
      if isUpwards {
        let items = (low...min(low + 40, last)).reversed().map { Qwink.sample(id: Qwink.ID("\($0)")) }
        cache.merge(Page(items: items), at: .above(gap), in: .public)
        low = min(low + 40, last)
      } else {
        let items = (max(high - 40, 2)..<high).reversed().map { Qwink.sample(id: Qwink.ID("\($0)")) }
        let next = PageCursor(url: "gap\(high)")
        cache.merge(Page(items: items, older: next), at: .at(gap), in: .public)
        gap = next
        high = max(high - 40, 2)
      }
    }
    cache.flush()
    #expect(ids(cache) == Array((1...last).reversed()))
  }

  @Test func `a file of version 4 is migrated with its rows`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try writeVersion4()
    let cache = try open()
    let kept = cache.load(.public, limit: 10)
    #expect(kept.rows.map { $0.qwink?.id.rawValue ?? "gap" } == ["3", "gap", "1"])
    #expect(kept.older == PageCursor(url: "older"))
    #expect(cache.load(.home, limit: 10).rows.count == 1)
    cache.merge(
      Page(items: [.sample(id: "4"), .sample(id: "3")], older: PageCursor(url: "a")), at: .newest, in: .public)
    cache.flush()
    #expect(cache.load(.public, limit: 10).rows.map { $0.qwink?.id.rawValue ?? "gap" } == ["4", "3", "gap", "1"])
    cache.close()
    // The check of a marked file accepts a migrated one.
    try Data().write(to: URL(filePath: directory + "/cache-damaged"))
    #expect(try open().remark == nil)
  }

  /// Writes a file in the format of version 4, where each row contains its qwink.
  private func writeVersion4() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let queue = try DatabaseQueue(path: directory + "/cache.sqlite")
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE row (
            timeline TEXT NOT NULL, position INTEGER NOT NULL, key TEXT, status TEXT, original TEXT, source BLOB,
            gap TEXT, PRIMARY KEY (timeline, position)
          ) WITHOUT ROWID;
          CREATE INDEX row_key ON row (key);
          CREATE INDEX row_status ON row (status);
          CREATE INDEX row_original ON row (original);
          CREATE TABLE timeline (name TEXT PRIMARY KEY, older TEXT) WITHOUT ROWID;
          CREATE TABLE notice (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
          CREATE TABLE conversation (
            id TEXT PRIMARY KEY, position INTEGER NOT NULL, unread INTEGER NOT NULL, source BLOB NOT NULL
          ) WITHOUT ROWID;
          CREATE INDEX conversation_position ON conversation (position);
          CREATE INDEX conversation_unread ON conversation (position, unread) WHERE unread;
          CREATE TABLE seen (conversation TEXT PRIMARY KEY, message TEXT NOT NULL) WITHOUT ROWID;
          CREATE TABLE message (
            conversation TEXT NOT NULL, id TEXT NOT NULL, time REAL NOT NULL, source BLOB NOT NULL,
            PRIMARY KEY (conversation, id)
          );
          CREATE INDEX message_time ON message (conversation, time, id);
          INSERT INTO timeline VALUES ('public', 'older');
          PRAGMA user_version = 4;
          """)
      for (timeline, position, id) in [("public", 3, "3"), ("public", 1, "1"), ("home", 1, "3")] {
        let source = Data(WireEncoder.qwink(.sample(id: Qwink.ID(id))))
        try database.execute(
          sql: "INSERT INTO row VALUES (?, ?, ?, ?, ?, ?, NULL)",
          arguments: [timeline, position, id + "\u{1F}", id, id, source])
      }
      try database.execute(sql: "INSERT INTO row VALUES ('public', 2, NULL, NULL, NULL, NULL, 'gap')")
    }
    try queue.close()
  }
}
