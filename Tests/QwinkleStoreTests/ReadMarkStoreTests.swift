import Foundation
import GRDB
import QwinkleModel
import QwinkleStore
import TerminalTesting
import Testing
import Timekeeping

/// Read marks of lists, saved in `outgoing.sqlite`. Each store acts as a separate program.
@MainActor
@Suite(.bounded) struct ReadMarkStoreTests {
  private func inFolder(_ body: (_ path: String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "qwinkle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  private func program(in path: String) -> OutgoingStore {
    OutgoingStore(directory: path, ledger: ActivityLedger(), clock: VirtualClock())
  }

  private func mark(_ id: String, made created: Double? = nil, read: Double? = nil) -> ReadMark {
    ReadMark(
      id: id, createdAt: created.map { Date(timeIntervalSince1970: $0) },
      readAt: read.map { Date(timeIntervalSince1970: $0) })
  }

  @discardableResult
  private func keep(
    _ marks: [ReadList: ReadMark], adopted: Set<ReadList> = [], in store: OutgoingStore
  ) async throws -> Bool {
    try await callbackValue(of: "the end of saving") { done in store.keep(marks, adopted: adopted) { done($0) } }
  }

  private func marks(_ store: OutgoingStore) async throws -> [ReadList: ReadMark] {
    try await callbackValue(of: "the read marks") { done in store.readMarks { done($0) } }
  }

  @Test func `marks of all lists are loaded unchanged in another run`() async throws {
    try await inFolder { (path: String) async throws in
      let first = program(in: path)
      #expect(try await marks(first).isEmpty)
      #expect(!first.exists)
      var boost = mark("a0f", made: 12.5, read: 60)
      boost.booster = "carol"
      boost.skipped = [
        SkippedRow(id: "a0e", booster: "dana", createdAt: Date(timeIntervalSince1970: 11.25)), SkippedRow(id: "a0d"),
      ]
      let kept: [ReadList: ReadMark] = [
        .timeline(.home): mark("116", made: 10, read: 70), .timeline(.public): boost, .timeline(.local): mark("7"),
        .timeline(.tag("garden")): mark("8", read: 3), .notifications: mark("01KB"),
      ]
      #expect(try await keep(kept, in: first))
      first.close()
      let second = program(in: path)
      let found = try await marks(second)
      #expect(found == kept)
      #expect(found[.timeline(.public)]?.skipped.map(\.createdAt) == boost.skipped.map(\.createdAt))
      second.close()
    }
  }

  @Test func `the newer of two programs' marks is stored`() async throws {
    try await inFolder { (path: String) async throws in
      let (one, other) = (program(in: path), program(in: path))
      let home = ReadList.timeline(.home)
      try await keep([home: mark("99", read: 20)], in: one)
      try await keep([home: mark("100", read: 10)], in: other)
      try await keep([home: mark("98", read: 30)], in: one)
      #expect(try await marks(one)[home]?.id == "100")
      // Ids without an order are compared by the row's time, or by the time of reading if the rows have none.
      try await keep([.notifications: mark("x", made: 50, read: 1)], in: one)
      try await keep([.notifications: mark("y", made: 40, read: 9)], in: other)
      #expect(try await marks(one)[.notifications]?.id == "x")
      try await keep([.timeline(.public): mark("p", read: 5)], in: one)
      try await keep([.timeline(.public): mark("q", read: 6)], in: other)
      try await keep([.timeline(.public): mark("r", read: 4)], in: one)
      #expect(try await marks(other)[.timeline(.public)]?.id == "q")
      one.close()
      other.close()
    }
  }

  @Test func `a mark adopted from the server preserves another program's skipped rows`() async throws {
    try await inFolder { (path: String) async throws in
      let (one, other) = (program(in: path), program(in: path))
      let home = ReadList.timeline(.home)
      let rows = [SkippedRow(id: "8"), SkippedRow(id: "7")]
      var skipping = mark("9", made: 50, read: 1)
      skipping.skipped = rows
      try await keep([home: skipping], in: one)
      try await keep([home: mark("9", read: 2)], adopted: [home], in: other)
      #expect(try await marks(one)[home]?.skipped == rows)
      try await keep([home: mark("9", read: 2)], in: other)
      #expect(try await marks(one)[home]?.skipped == [])
      try await keep([home: skipping], in: one)
      try await keep([home: mark("10", read: 3)], adopted: [home], in: other)
      #expect(try await marks(one)[home] == mark("10", read: 3))
      one.close()
      other.close()
    }
  }

  @Test func `a file of version 2 gets the table and a failed save is reported`() async throws {
    try await inFolder { (path: String) async throws in
      let first = program(in: path)
      try await keep([.notifications: mark("5")], in: first)
      first.close()
      try await DatabaseQueue(path: "\(path)/outgoing.sqlite").write { database in
        try database.execute(sql: "DROP TABLE read_mark; PRAGMA user_version = 2")
      }
      let second = program(in: path)
      #expect(try await marks(second).isEmpty)
      #expect(try await keep([.notifications: mark("6")], in: second))
      second.setReadOnly(true)
      #expect(try await !keep([.notifications: mark("7")], in: second))
      second.setReadOnly(false)
      #expect(try await marks(second)[.notifications]?.id == "6")
      second.close()
    }
  }

  @Test func `a mark of another type loses only itself and can be replaced`() async throws {
    try await inFolder { (path: String) async throws in
      let first = program(in: path)
      try await keep([.notifications: mark("5"), .timeline(.home): mark("8")], in: first)
      first.close()
      try await DatabaseQueue(path: "\(path)/outgoing.sqlite").write { database in
        try database.execute(
          sql: "UPDATE read_mark SET id = x'FF' WHERE list = ?", arguments: [ReadList.timeline(.home).key])
      }
      let second = program(in: path)
      #expect(try await marks(second).mapValues(\.id) == [.notifications: "5"])
      #expect(try await keep([.timeline(.home): mark("6")], in: second))
      #expect(try await marks(second)[.timeline(.home)]?.id == "6")
      second.close()
    }
  }
}
