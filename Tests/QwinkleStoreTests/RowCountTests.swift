import Foundation
import GRDB
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleStore

/// Numbers of cached rows, which triggers update.
@Suite(.bounded) struct RowCountTests {
  @Test func `the rows above a row are counted exactly through random changes`() throws {
    let file = CacheDatabase.openInMemory()
    var random = SplitMix(seed: 5)
    for step in 0..<300 {
      try file.write { database in
        let name = random.next() % 2 == 0 ? "home" : "public"
        // A fifth of a range apart, on both sides of 0.
        let position = (Int(random.next() % 60) - 30) << 44
        switch random.next() % 6 {
        case 0:
          try database.execute(sql: "DELETE FROM row WHERE timeline = ? AND position < ?", arguments: [name, position])
        case 1:
          try database.execute(
            sql: "UPDATE OR IGNORE row SET position = position + ? WHERE timeline = ?", arguments: [position, name])
        case 2: try database.execute(sql: "DELETE FROM row WHERE position = ?", arguments: [position])
        default:
          try database.execute(
            sql: "INSERT OR IGNORE INTO row VALUES (?, ?, ?, NULL)", arguments: [name, position, "\(step)"])
        }
        for position in [position, position + 1, Int.max >> 1, -(Int.max >> 1)] {
          let counted = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM row WHERE timeline = ? AND position > ?", arguments: [name, position])
          #expect(try RowCounts.count(above: position, of: name, in: database) == counted, "\(step)")
        }
      }
    }
  }

  @Test func `rows of an existing file are counted`() throws {
    let file = CacheDatabase.openInMemory()
    try file.write { database in
      try database.execute(
        sql: """
          DROP TABLE row_count; DROP TRIGGER row_added; DROP TRIGGER row_removed; DROP TRIGGER row_moved;
          INSERT INTO row SELECT 'home', value << 44, 'a' || value, NULL FROM json_each('[-9, -5, 0, 3, 4, 7, 20]');
          """)
      try RowCounts.add(to: database)
      #expect(try RowCounts.count(above: 3 << 44, of: "home", in: database) == 3)
      #expect(try RowCounts.count(above: -20 << 44, of: "home", in: database) == 7)
    }
  }

  @Test func `a row that another replaces is no longer counted`() async throws {
    let path = NSTemporaryDirectory() + "qwinkle-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let cache = try TimelineCache(directory: path, ledger: ActivityLedger())
    let qwinks = ["3", "2", "1"].map { Qwink.sample(id: Qwink.ID($0)) }
    cache.merge(Page(items: qwinks), at: .newest, in: .public)
    // An edit changed the id of 1 to 3, which the timeline has already.
    cache.replace("1", by: qwinks[0])
    cache.close()
    let sums = try await DatabaseQueue(path: path + "/cache.sqlite").read { database in
      try ["sum(rows) FROM row_count", "count(*) FROM row"].map { try Int.fetchOne(database, sql: "SELECT \($0)") }
    }
    #expect(sums == [2, 2])
  }
}
