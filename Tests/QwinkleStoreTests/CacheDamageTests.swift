import Foundation
import GRDB
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

/// A corrupt cache. The program starts, reports the corruption, and works at the next start.
@MainActor
@Suite(.bounded) struct CacheDamageTests {
  private let ledger = ActivityLedger()

  private func inFolder(_ body: (_ path: String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "qwinkle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  /// Writes a cache with a few pages of content.
  private func makeCache(in path: String) async throws {
    let cache = try TimelineCache(directory: path, ledger: ledger)
    cache.merge(.sample(ids: (1...100).reversed().map(String.init), older: "a"), at: .newest, in: .public)
    cache.merge(.sample(ids: (1...40).reversed().map(String.init), older: "b"), at: .newest, in: .home)
    await ledger.settle()
    cache.close()
  }

  /// Uses the cache as a program does. Returns whether corruption was reported.
  private func use(_ path: String) async throws -> Bool {
    let told = Told()
    let cache: TimelineCache
    do throws(StoreError) {
      cache = try TimelineCache(directory: path, ledger: ledger)
    } catch {
      #expect(error.sentence.hasSuffix("."))
      return true
    }
    cache.onDamage { told.sentences.append($0) }
    let conversations = ConversationCache(beside: cache)
    _ = cache.load(.public, limit: 200)
    _ = cache.load(.home, limit: 200)
    _ = conversations.load(offset: 0, limit: 20)
    _ = conversations.messages(of: "1", limit: 1)
    _ = NotificationCache(besides: cache).load()
    cache.merge(.sample(ids: ["103", "102", "101", "100"], older: "c"), at: .newest, in: .public)
    cache.remove("50")
    cache.prune(to: CacheLimits(size: 1), sparing: [:]) { _, _ in nil }
    await ledger.settle()
    cache.close()
    await Task.yield()
    return cache.remark != nil || !told.sentences.isEmpty
  }

  /// Opens the cache and returns whether it saves a new page.
  private func isWell(_ path: String) async throws -> Bool {
    let cache = try TimelineCache(directory: path, ledger: ledger)
    cache.merge(.sample(ids: ["203", "202"], older: "d"), at: .newest, in: .local)
    await ledger.settle()
    defer { cache.close() }
    return cache.load(.local, limit: 10).rows.compactMap(\.qwink?.id.rawValue).prefix(2) == ["203", "202"]
  }

  @Test(arguments: [Soak.seed]) func `a cache with flipped bits recovers`(seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    var (told, wellCount) = (0, 0)
    let rounds = Soak.runs(20, times: 5)
    for round in 0..<rounds {
      try await inFolder { path in
        try await makeCache(in: path)
        let file = URL(fileURLWithPath: path + "/cache.sqlite")
        var bytes = try Data(contentsOf: file)
        for _ in 0..<(1 << Int.random(in: 0...6, using: &random)) {
          // Half of the flips are in the pages that SQLite reads first.
          let end = Bool.random(using: &random) ? min(8192, bytes.count) : bytes.count
          bytes[Int.random(in: 0..<end, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
        }
        try bytes.write(to: file)
        if try await use(path) { told += 1 }
        // Corruption is found by the second start and repaired by the third.
        _ = try? await use(path)
        if let well = try? await isWell(path) {
          #expect(well, "round \(round)")
          wellCount += 1
        }
      }
    }
    // About one corruption in three is found. A small sample may have none.
    #expect(wellCount > 0, "\(wellCount) of \(rounds) were well")
    #expect(!Soak.isOn || told > rounds / 8, "\(told) of \(rounds) were found")
    print("bit flips: damage told in \(told) of \(rounds) starts")
  }

  @Test(arguments: [
    // A trigger, which SQLite parses only when the trigger runs.
    "SET rows = rows + 1": "SxT rows = rows + 1",
    // Names that only our statements use.
    "rows INTEGER": "rovs INTEGER", "fetched REAL": "fetchfd REAL", "TABLE notice (": "TABLE notjce (",
    "INDEX row_gap": "INDEX row_gaq",
  ])
  func `a cache with a changed schema is replaced`(text: String, replacement: String) async throws {
    try await inFolder { path in
      try await makeCache(in: path)
      let file = URL(fileURLWithPath: path + "/cache.sqlite")
      var bytes = try Data(contentsOf: file)
      bytes.replaceSubrange(try #require(bytes.firstRange(of: Data(text.utf8))), with: Data(replacement.utf8))
      try bytes.write(to: file)
      for _ in 0..<2 { _ = try? await use(path) }
      #expect(try await isWell(path))
    }
  }

  @Test(arguments: [0, 1, 100, 512, 4095, 4096, 5000, 8192, 12_288, 20_000, 40_000])
  func `a truncated file is replaced and reported`(length: Int) async throws {
    try await inFolder { path in
      try await makeCache(in: path)
      let file = URL(fileURLWithPath: path + "/cache.sqlite")
      let bytes = try Data(contentsOf: file)
      try bytes.prefix(length).write(to: file)
      let isTold = try await use(path)
      // SQLite treats an empty file or a single byte as a new file.
      #expect(isTold || length < 2, "\(length) of \(bytes.count) bytes")
      _ = try await use(path)
      #expect(try await isWell(path))
    }
  }

  @Test(arguments: ["row", "qwink", "timeline", "notice", "conversation", "message"])
  func `a missing table is reported as corruption`(table: String) async throws {
    try await inFolder { path in
      try await makeCache(in: path)
      let queue = try DatabaseQueue(path: path + "/cache.sqlite")
      try await queue.write { try $0.execute(sql: "DROP TABLE \"\(table)\"") }
      try queue.close()
      #expect(try await use(path))
      #expect(try await isWell(path))
    }
  }

  @Test(arguments: [
    "row": ["timeline", "position", "key", "gap"],
    "qwink": ["key", "status", "original", "source", "fetched", "overlay"],
    "timeline": ["name", "older"], "row_count": ["timeline", "range", "rows"],
    "conversation": ["id", "position", "unread", "source"],
    "message": ["conversation", "id", "time", "source"], "words": ["qwink", "author", "name", "tags", "text"],
    "unindexed": ["qwink"], "backlog": ["content", "below"],
  ])
  func `a value of another type is reported or skipped`(table: String, columns: [String]) async throws {
    // A number in place of a BLOB, and a BLOB, which is not UTF-8, in place of a number or text.
    let damages = columns.flatMap { column in ["7", "x'FF'"].map { (column, $0) } }
    for (column, value) in Soak.sample(damages, of: 2) {
      try await inFolder { path in
        try await makeCache(in: path)
        let queue = try DatabaseQueue(path: path + "/cache.sqlite")
        try await queue.write { database in
          for id in ["1", "2"] {
            try database.execute(
              sql: """
                INSERT INTO conversation VALUES (:id, :id, 1, x'7B7D');
                INSERT INTO message VALUES ('1', :id, :id, x'7B7D');
                """, arguments: ["id": id, "id": id])
          }
          // Without its index, a table accepts a key that the index can't contain twice.
          try database.execute(sql: "UPDATE OR IGNORE \"\(table)\" SET \(column) = \(value)")
        }
        try queue.close()
        for _ in 0..<3 { _ = try await use(path) }
        #expect(try await isWell(path), "\(column) = \(value)")
      }
    }
  }

  @Test(arguments: [true, false]) func `a missing or corrupt -wal file loses at most its own content`(
    isMissing: Bool
  ) async throws {
    try await inFolder { path in
      try await makeCache(in: path)
      // Not closed, so that its last writes are in the `-wal` file.
      let open = try TimelineCache(directory: path, ledger: ledger)
      open.merge(.sample(ids: ["102", "101", "100"], older: "a"), at: .newest, in: .public)
      await ledger.settle()
      let copy = path + "/copy"
      try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
      for name in ["cache.sqlite", "cache.sqlite-wal"] where !isMissing || !name.hasSuffix("wal") {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
        if name.hasSuffix("wal") { bytes.replaceSubrange(100..<200, with: Data(repeating: 0x5A, count: 100)) }
        try bytes.write(to: URL(fileURLWithPath: "\(copy)/\(name)"))
      }
      open.close()
      let cache = try TimelineCache(directory: copy, ledger: ledger)
      let ids = cache.load(.public, limit: 200).rows.compactMap { $0.qwink.flatMap { Int($0.id.rawValue) } }
      #expect(ids == Array((1...100).reversed()))
      cache.close()
      #expect(try await isWell(copy))
    }
  }

  @MainActor private final class Told {
    var sentences: [String] = []
  }
}
