import Foundation
import GRDB
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

@Suite(.bounded) struct MigrationTests {
  /// Creates a file with the schema of Qwinkle's first version.
  private func makeFirstFile(in directory: String) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let queue = try DatabaseQueue(path: "\(directory)/service.sqlite")
    try Schema.migrator.migrate(queue, upTo: "1")
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO accounts (id, name, display_name, created_at, followers_count) VALUES
            (1, 'alice', 'Alice', 1000, 1), (2, 'bob', 'Bob', 1000, 0), (3, 'carol', 'Carol', 1000, 0);
          INSERT INTO follows VALUES (2, 1, 1000);
          INSERT INTO statuses (id, account_id, created_at, visibility, in_reply_to_id, in_reply_to_account_id, source,
            warning, replies_count) VALUES
            (10, 1, 1000, 0, NULL, NULL, 'hello #tag', '', 1), (11, 2, 2000, 0, 10, 1, 'hi', '', 0),
            (12, 1, 3000, 2, NULL, NULL, 'quiet', 'careful', 0), (13, 1, 4000, 3, NULL, NULL, '@bob one', '', 0),
            (14, 2, 5000, 3, 13, 1, '@alice two', '', 0), (15, 1, 6000, 3, NULL, NULL, '@bob @carol three', '', 0),
            (16, 3, 7000, 3, NULL, NULL, 'to myself', '', 0);
          INSERT INTO mentions VALUES (13, 2), (14, 1), (15, 2), (15, 3);
          INSERT INTO status_tags VALUES ('tag', 10);
          UPDATE counters SET value = 16 WHERE name = 'last_id';
          PRAGMA user_version = 1;
          """)
      for (name, id) in [("alice", 1), ("bob", 2), ("carol", 3)] {
        try db.execute(
          sql: "INSERT INTO tokens VALUES (?, ?, NULL, 'read write follow', 1000)",
          arguments: [Secrets.hash(name), id])
      }
    }
    try queue.close()
  }

  @Test func `a file of the first version is migrated in place without loss`() async throws {
    try await withDirectory { directory in
      try makeFirstFile(in: directory)
      for _ in 0..<2 {
        let clock = VirtualClock()
        let service = try Service(directory: directory, welcome: "welcome", owner: "", clock: clock)
        let harness = Harness(
          service: service, transport: service.transport(), authority: "localhost", directory: directory, clock: clock)
        let everything = try await harness.page("/api/v1/timelines/public")
        #expect(everything.items.map(\.text.plainText) == ["hi", "hello #tag"])
        #expect(everything.items.map(\.repliesCount) == [0, 1])
        #expect(try await harness.page("/api/v1/timelines/home", token: "bob").items.map(\.id) == ["12", "11", "10"])
        #expect(try await harness.page("/api/v1/timelines/tag/tag").items.map(\.id) == ["10"])
        for (token, expected) in [
          ("alice", ["15: bob carol", "14: bob"]), ("bob", ["15: alice carol", "14: alice"]),
          ("carol", ["16: ", "15: alice bob"]),
        ] {
          let answer = try await harness.get("/api/v1/conversations", token: token)
          let conversations = try WireDecoder.conversations(from: answer.body, link: nil).items
          let words = conversations.map {
            "\($0.lastQwink?.id.rawValue ?? "-"): \($0.participants.map(\.userName).joined(separator: " "))"
          }
          #expect(words == expected)
          #expect(conversations.allSatisfy { !$0.isUnread })
        }
        let thread = try await harness.get("/api/v1/statuses/14/context", token: "bob")
        #expect(try WireDecoder.thread(from: thread.body).ancestors.map(\.id) == ["13"])
        #expect(service.setAsidePath == nil)
        service.close()
      }
      // New features work with old data.
      let service = try Service(directory: directory, welcome: "", owner: "", clock: VirtualClock())
      let harness = Harness(
        service: service, transport: service.transport(), authority: "localhost", directory: directory,
        clock: VirtualClock())
      #expect(try await harness.qwink("/api/v1/statuses/12", token: "bob").isSensitive)
      #expect(try await !harness.qwink("/api/v1/statuses/10").isSensitive)
      #expect(try await harness.react("reblog", "10", token: "bob").boostsCount == 1)
      #expect(try await harness.edit("10", "hello again", token: "alice").text.plainText == "hello again")
      try await harness.post("@alice four", token: "bob", visibility: .direct)
      let answer = try await harness.get("/api/v1/conversations", token: "alice")
      #expect(try WireDecoder.conversations(from: answer.body, link: nil).items.map(\.isUnread) == [true, false])
    }
  }

  @Test(arguments: 1..<Schema.migrator.migrations.count)
  func `a file of each older version is migrated and remains writable`(_ steps: Int) async throws {
    try await withDirectory { directory in
      try OldFile.make(in: directory, steps: steps) { db in
        try db.execute(
          sql: """
            INSERT INTO accounts (id, name, display_name, created_at) VALUES (1, 'alice', 'Alice', 1000);
            INSERT INTO statuses (id, account_id, created_at, visibility, source, warning)
              VALUES (10, 1, 1000, 0, 'hello', ''), (11, 1, 1000, 0, 'careful', 'warning');
            PRAGMA user_version = \(steps);
            """)
        try db.execute(
          sql: "INSERT INTO tokens VALUES (?, 1, NULL, 'read write follow', 1000)", arguments: [Secrets.hash("alice")])
      }
      let service = try Service(directory: directory, welcome: "", owner: "", clock: VirtualClock())
      let harness = Harness(
        service: service, transport: service.transport(), authority: "localhost", directory: directory,
        clock: VirtualClock())
      #expect(try await harness.page("/api/v1/timelines/public").items.map(\.text.plainText) == ["careful", "hello"])
      try await harness.post("new", token: "alice")
      #expect(try await harness.edit("10", "edited", token: "alice").text.plainText == "edited")
      #expect(service.setAsidePath == nil)
    }
  }

  @Test func `a user of the host who was suspended by an older version is barred`() async throws {
    try await withDirectory { directory in
      try OldFile.make(in: directory, steps: 24) { db in
        try db.execute(
          sql: """
            INSERT INTO accounts (id, name, display_name, created_at)
              VALUES (1, 'anna', '', 1000), (2, 'ben', '', 1000);
            INSERT INTO unix_users (uid, account_id, name) VALUES (1001, 1, 'anna'), (1002, 2, 'ben');
            INSERT INTO suspensions (account_id, created_at) VALUES (1, 1000);
            PRAGMA user_version = 24;
            """)
      }
      let service = try Service(directory: directory, welcome: "", owner: "", clock: VirtualClock())
      for name in ["anna", "ben"] { try service.removeUser(named: name) }
      #expect(try service.barredUsersWithoutAccount() == [BarredUnixUser(uid: 1001, name: "anna")])
    }
  }
}
