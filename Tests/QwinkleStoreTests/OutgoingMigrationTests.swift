import Foundation
import GRDB
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

/// Files of earlier versions of `outgoing.sqlite`.
@MainActor
@Suite(.bounded) struct OutgoingMigrationTests {
  private func inFolder(_ body: (_ path: String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "qwinkle-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  private func program(in path: String) -> OutgoingStore {
    OutgoingStore(directory: path, ledger: ActivityLedger(), clock: VirtualClock())
  }

  private func writeFirst(in path: String) throws {
    try DatabaseQueue(path: "\(path)/outgoing.sqlite").write { try $0.execute(sql: OldOutgoingFile.version1) }
  }

  private func take(_ store: OutgoingStore, _ purpose: EntryPurpose) async throws -> OutgoingEntry? {
    try await callbackValue(of: "the draft") { done in store.take(purpose) { taken, _ in done(taken.entry) } }
  }

  private func items(_ store: OutgoingStore) async throws -> [OutboxItem] {
    try await callbackValue(of: "the outbox") { done in store.takeItems { items, _ in done(items?.taken ?? []) } }
  }

  @Test func `a draft of version 1 is a draft even if it may have arrived`() async throws {
    try await inFolder { (path: String) async throws in
      try writeFirst(in: path)
      let store = program(in: path)
      let qwink = Qwink(
        id: "7", author: Qwinker(id: "1", userName: "erin"), createdAt: Date(timeIntervalSince1970: 0),
        text: RichText(plain: "Hello"))
      let draft = try await take(store, .reply(to: qwink))
      #expect(
        draft?.entry
          == Entry(
            text: "half a thou", visibility: .private, contentWarning: "cw", inReplyTo: "7", idempotencyKey: "k1"))
      let doubt = try await take(store, .new)
      #expect(doubt?.isDoubtful == true && doubt?.attempts.first?.reason == "No answer.")
      let arrived: Set<Qwink.ID> = try await callbackValue(of: "the ids") { done in store.arrived { done($0) } }
      #expect(arrived == ["99"])
      store.close()
    }
  }

  @Test func `messages of version 1 move to the outbox and are not sent automatically`() async throws {
    try await inFolder { (path: String) async throws in
      try writeFirst(in: path)
      let store = program(in: path)
      let found = try await items(store)
      #expect(found.map(\.id) == ["m1", "m2"] && found.map(\.kind) == [.message, .message])
      #expect(found.map(\.state) == [.failed, .uncertain] && found.map(\.isHeld) == [false, true])
      #expect(found.map(\.thread) == ["conversation/a", "conversation/a"])
      #expect(found.map(\.isDoubtful) == [false, true] && found[1].entry?.attempts.first?.entry.inReplyTo == "5")
      #expect(found[0].entry?.entry.text == "no" && found[0].entry?.sent?.text == "@alice no")
      store.close()
      #expect(try OutgoingStore.messages(in: path).map(\.text) == ["no", "perhaps"])
      #expect(try OutgoingStore.messages(in: path).map { $0.failure?.isDoubtful } == [false, true])
    }
  }

  @Test func `a migrated file equals a new one and is not migrated again`() async throws {
    try await inFolder { (path: String) async throws in
      try writeFirst(in: path)
      program(in: path).close()
      _ = try OutgoingStore.entries(in: path)
      let new = path + "/new"
      let store = program(in: new)
      store.noteArrived("1")
      store.close()
      func schema(_ path: String) throws -> [String] {
        try DatabaseQueue(path: "\(path)/outgoing.sqlite").read { database in
          try ["entry", "arrived", "read_mark"].flatMap { table in
            try Row.fetchAll(database, sql: "PRAGMA table_info(\(table))").map { "\(table) \($0["name"] as String)" }
          } + String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY name")
            + String.fetchAll(database, sql: "PRAGMA user_version")
        }
      }
      #expect(try schema(path) == schema(new))
      let before = try OutgoingStore.entries(in: path)
      #expect(try OutgoingStore.entries(in: path) == before && before.count == 2)
    }
  }

  @Test func `an entry that version 1 adds to a newer file is a draft`() async throws {
    try await inFolder { (path: String) async throws in
      try writeFirst(in: path)
      let store = program(in: path)
      _ = try await items(store)
      try await DatabaseQueue(path: "\(path)/outgoing.sqlite").write { database in
        try database.execute(
          sql: """
            INSERT INTO entry (id, kind, purpose, key, doubtful, content, holder, revision, changed)
            SELECT 'later', 'entry', purpose, key, doubtful, content, NULL, 1, changed + 1 FROM entry WHERE id = 'doubt'
            """)
      }
      #expect(try await take(store, .new)?.id == "later")
      store.close()
    }
  }
}
