import Foundation
import QwinkleModel
import QwinkleStore
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@Suite struct TimelineCacheTests {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("qwinkle-\(UUID())").path

  private func qwink(_ id: Int, likes: Int = 0) -> Qwink {
    Qwink(
      id: Qwink.ID("\(id)"), author: Qwinker(id: "1", userName: "alice"), createdAt: Date(timeIntervalSince1970: 60),
      text: RichText(plain: "number \(id)"), favouritesCount: likes)
  }

  private func rows(_ ids: [Int]) -> [TimelineCache.Row] {
    ids.map { TimelineCache.Row(.qwink(qwink($0))) }
  }

  private func open() throws -> TimelineCache {
    try TimelineCache(directory: directory, ledger: ActivityLedger())
  }

  private func page(_ ids: [Int], older: String? = nil) -> Page<Qwink> {
    Page(items: ids.map { qwink($0) }, older: older.map { PageCursor(url: $0) })
  }

  private func ids(_ kept: CachedRows) -> [String] {
    kept.rows.map { $0.qwink?.id.rawValue ?? "gap" }
  }

  @Test func `rows are loaded in order after a restart`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    cache.merge(page([3, 2], older: "a"), at: .newest, in: .public)
    cache.merge(page([5, 4, 3], older: "z"), at: .newest, in: .public)
    cache.merge(page([1], older: "b"), at: .at(PageCursor(url: "a")), in: .public)
    cache.merge(page([9]), at: .newest, in: .home)
    cache.flush()
    let kept = try open().load(.public, limit: 10)
    #expect(ids(kept) == ["5", "4", "3", "2", "1"])
    #expect(kept.older == PageCursor(url: "b"))
    #expect(!kept.hasMore)
    #expect(kept.rows.first?.qwink == qwink(5))
  }

  @Test func `rows are loaded in parts`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    cache.replace(rows([5, 4, 3, 2, 1]), of: .public, older: nil)
    cache.flush()
    let first = cache.load(.public, limit: 2)
    #expect(ids(first) == ["5", "4"] && first.hasMore)
    let last = cache.load(.public, after: [5, 4, 3, 2].map { .item(qwink($0)) }, limit: 2)
    #expect(ids(last) == ["1"] && !last.hasMore && last.isAdjacent)
  }

  @Test func `gaps, newer states and removals are saved`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    cache.replace(
      rows([3]) + [TimelineCache.Row(.gap(PageCursor(url: "g")))] + rows([2, 1]), of: .public, older: nil)
    cache.update(qwink(2, likes: 7))
    cache.remove("1")
    cache.flush()
    let kept = cache.load(.public, limit: 10)
    #expect(ids(kept) == ["3", "gap", "2"])
    #expect(kept.rows.last?.qwink?.favouritesCount == 7)
  }

  @Test func `a removal merges adjacent gaps and turns a gap at the end into the older cursor`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    func gap(_ url: String) -> TimelineCache.Row { TimelineCache.Row(.gap(PageCursor(url: url))) }
    cache.replace(rows([5]) + [gap("g")] + rows([4]) + [gap("h")] + rows([3]), of: .public, older: PageCursor(url: "o"))
    cache.remove("4")
    cache.flush()
    #expect(ids(cache.load(.public, limit: 10)) == ["5", "gap", "3"])
    cache.remove("3")
    cache.flush()
    let kept = cache.load(.public, limit: 10)
    #expect(ids(kept) == ["5"] && kept.older == PageCursor(url: "g") && !kept.hasMore)
  }

  @Test func `a row with a new id retains its place and content even if replaced twice`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    cache.replace(rows([3, 2, 1]), of: .public, older: nil)
    for _ in 0..<2 { cache.replace("2", by: qwink(7, likes: 1)) }
    cache.flush()
    #expect(ids(cache.load(.public, limit: 10)) == ["3", "7", "1"])
    #expect(cache.load(.public, limit: 10).rows[1].qwink?.favouritesCount == 1)
  }

  @Test func `a gap is filled in its place`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    let gap = PageCursor(url: "g")
    cache.replace(rows([9, 8]) + [TimelineCache.Row(.gap(gap))] + rows([2, 1]), of: .public, older: nil)
    cache.replace(rows([9]) + [TimelineCache.Row(.gap(gap))], of: .home, older: nil)
    cache.merge(page([7, 6, 5], older: "h"), at: .at(gap), in: .public)
    cache.merge(page([10, 9], older: "y"), at: .newest, in: .public)
    cache.flush()
    #expect(ids(cache.load(.public, limit: 20)) == ["10", "9", "8", "7", "6", "5", "gap", "2", "1"])
    #expect(ids(cache.load(.home, limit: 20)) == ["9", "gap"])
  }

  @Test func `unreadable rows are skipped`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    cache.replace(
      [TimelineCache.Row(.qwink(qwink(2)), source: Array("broken".utf8))] + rows([1]), of: .public, older: nil)
    cache.flush()
    let kept = cache.load(.public, limit: 20)
    #expect(ids(kept) == ["1"])
    #expect(!kept.hasMore)
  }

  @Test func `a closed cache neither reads nor writes`() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    cache.replace(rows([2, 1]), of: .public, older: nil)
    cache.close()
    // A response received while the program quits.
    cache.merge(page([3, 2], older: nil), at: .newest, in: .public)
    #expect(ids(cache.load(.public, limit: 20)).isEmpty)
    let thread = try await callbackValue(of: "the thread") { done in
      cache.fetchThread(of: qwink(2)) { done($0 == nil) }
    }
    #expect(thread)
    cache.flush()
    cache.close()
    let next = try open()
    defer { next.close() }
    #expect(ids(next.load(.public, limit: 20)) == ["2", "1"])
  }

  @Test func `a file of a newer version is left unchanged`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = try open()
    cache.replace(rows([2, 1]), of: .public, older: nil)
    cache.close()
    let path = "\(directory)/cache.sqlite"
    func setVersion(_ version: UInt8) throws {
      // `user_version` is at byte 60 of a database, big-endian.
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes.replaceSubrange(60..<64, with: [0, 0, 0, version])
      try bytes.write(to: URL(fileURLWithPath: path))
    }
    let version = try #require(try Data(contentsOf: URL(fileURLWithPath: path)).dropFirst(63).first)
    try setVersion(99)
    let error = #expect(throws: StoreError.self) { try open() }
    #expect(error == .tooNew(path: path) && error?.sentence.contains("newer Qwinkle") == true)
    try setVersion(version)
    #expect(ids(try open().load(.public, limit: 10)) == ["2", "1"])
  }

  @Test func `a corrupt file is set aside rather than overwritten`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let damage = Data(repeating: 0x5A, count: 8192)
    try damage.write(to: URL(fileURLWithPath: directory + "/cache.sqlite"))
    let cache = try open()
    #expect(cache.load(.public, limit: 10).rows.isEmpty)
    let aside = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.contains("damaged") }
    let name = try #require(aside.first)
    #expect(FileManager.default.contents(atPath: "\(directory)/\(name)") == damage)
  }

  @Test func `a folder that can't be created is reported`() {
    #expect(throws: StoreError.folderNotWritable(path: "/dev/null/x")) {
      try TimelineCache(directory: "/dev/null/x", ledger: ActivityLedger())
    }
  }
}
