import Foundation
import GRDB
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// The bytes that accounts use, which triggers count.
@Suite(.bounded) struct UsageTests {
  /// Computes the usage of all accounts from their rows.
  private static func truth(_ session: Transaction) throws -> [Int64: Usage] {
    var usage: [Int64: Usage] = [:]
    for id in try session.numbers("SELECT id FROM accounts") { usage[id] = Usage(media: 0, text: 0) }
    /// `sql` selects the accounts and the texts of rows.
    func count(_ sql: String, row: Int, byte: Int = 1) throws {
      for stored in try session.rows(sql) {
        usage[stored[0], default: Usage(media: 0, text: 0)].text += row + byte * (stored[1] as String).utf8.count
      }
    }
    try count("SELECT account_id, source || warning FROM statuses", row: 1000, byte: 20)
    try count(
      """
      SELECT s.account_id, v.source || v.warning || v.media FROM status_versions v JOIN statuses s ON s.id = v.status_id
      """, row: 300)
    try count(
      """
      SELECT s.account_id, o.title || '' FROM poll_options o JOIN polls p ON p.id = o.poll_id
      JOIN statuses s ON s.id = p.status_id
      """, row: 300)
    try count("SELECT account_id, entry || '' FROM scheduled", row: 1000, byte: 20)
    try count("SELECT account_id, description || '' FROM media", row: 300)
    for table in ["favourites", "bookmarks"] { try count("SELECT account_id, '' FROM \(table)", row: 300) }
    for row in try session.rows("SELECT account_id, bytes FROM media") {
      usage[row[0], default: Usage(media: 0, text: 0)].media += row[1]
    }
    return usage
  }

  private static func expectExact(_ harness: Harness, _ comment: String) throws {
    try harness.service.write { session in
      let truth = try truth(session)
      let stored = try session.rows("SELECT account_id, media_bytes, text_bytes FROM usage").map {
        ($0[0] as Int64, Usage(media: $0[1], text: $0[2]))
      }
      #expect(Dictionary(stored) { first, _ in first } == truth, "\(comment)")
      #expect(try session.mediaBytesInAll() == truth.values.map(\.media).reduce(0, +), "\(comment)")
    }
  }

  /// A user of the random run.
  private struct Person {
    var name: String
    var token: String
    var posts: [Qwink.ID] = []
    var uploads: [QwinkleModel.Attachment] = []
    var scheduled: [String] = []
  }

  @Test(arguments: [Soak.seed])
  func `the counted bytes stay exact through 500 random operations`(seed: UInt64) async throws {
    try await withService { harness in
      var random = SplitMix(seed: seed)
      var people: [Person] = []
      func add(_ number: Int) throws -> Person {
        Person(name: "user\(number)", token: try harness.service.addQwinker(named: "user\(number)"))
      }
      for number in 0..<4 { people.append(try add(number)) }
      for step in 0..<500 {
        let index = Int.random(in: people.indices, using: &random)
        var me = people[index]
        let kind = Int.random(in: 0..<16, using: &random)
        switch kind {
        case 0:
          // Rare, so that accounts have posts.
          guard Int.random(in: 0..<8, using: &random) == 0 else { break }
          try harness.service.removeUser(named: me.name)
          me = try add(step + 10)
        default: try await Self.perform(kind, for: &me, others: people.flatMap(\.posts), step, harness, &random)
        }
        people[index] = me
        try Self.expectExact(harness, "seed \(seed), step \(step), operation \(kind)")
      }
      #expect(try harness.service.users().contains { $0.mediaBytes > 0 && $0.textBytes > 0 })
      for person in people { try harness.service.removeUser(named: person.name) }
      try Self.expectExact(harness, "without users")
    }
  }

  private static func perform(
    _ kind: Int, for me: inout Person, others: [Qwink.ID], _ step: Int, _ harness: Harness, _ random: inout SplitMix
  ) async throws {
    let text = "é" + String(repeating: "word ", count: Int.random(in: 0..<20, using: &random)) + "\(step)"
    let (mine, any) = (me.posts.randomElement(using: &random), others.randomElement(using: &random))
    switch kind {
    case 1, 2: me.posts.append(try await harness.post(text, token: me.token).id)
    case 3:
      let poll = [("poll[options][]", "ja"), ("poll[options][]", "näh"), ("poll[expires_in]", "3600")]
      let asked = try await harness.submit("/api/v1/statuses", [("status", text)] + poll, token: me.token)
      me.posts.append(try WireDecoder.qwink(from: asked.body).id)
    case 4, 5:
      guard let mine else { return }
      let media = me.uploads.popLast().map { #","media_ids":["\#($0.id)"]"# } ?? ""
      // The last upload may be used or deleted already. The edit is refused then.
      _ = try await harness.send(
        .put, "/api/v1/statuses/\(mine)", token: me.token, headers: [.contentType: "application/json"],
        body: Array(#"{"status":"\#(text)"\#(media)}"#.utf8))
    case 6:
      guard let mine else { return }
      let keeps = Bool.random(using: &random) ? "" : "?delete_media=true"
      _ = try await harness.send(.delete, "/api/v1/statuses/\(mine)\(keeps)", token: me.token)
      me.posts.removeAll { $0 == mine }
    case 7, 8:
      let bytes = Bool.random(using: &random) ? SamplePictures.png() : SamplePictures.jpeg()
      me.uploads.append(try await harness.upload(bytes, text, token: me.token))
    case 9:
      guard let upload = me.uploads.popLast() else { return }
      // The upload may be deleted already. The post is refused then.
      let answer = try await harness.send(
        Entry(text: text, attachmentIDs: [upload.id.rawValue], idempotencyKey: ""), token: me.token)
      if answer.head.status == .ok { me.posts.append(try WireDecoder.qwink(from: answer.body).id) }
    case 10:
      guard let upload = me.uploads.last else { return }
      _ = try await harness.send(
        .put, "/api/v1/media/\(upload.id)", token: me.token, headers: [.contentType: "application/json"],
        body: Array(#"{"description":"\#(text)"}"#.utf8))
    case 11:
      guard let upload = me.uploads.popLast() else { return }
      _ = try await harness.send(.delete, "/api/v1/media/\(upload.id)", token: me.token)
    case 12:
      let file = (["avatar", "header"].randomElement(using: &random) ?? "avatar", SamplePictures.gif())
      _ = try await harness.sendForm(
        .patch, "/api/v1/accounts/update_credentials", files: [file], token: me.token)
    case 13:
      guard let any else { return }
      let verbs = ["favourite", "unfavourite", "bookmark", "unbookmark", "reblog", "unreblog"]
      let verb = verbs.randomElement(using: &random) ?? "favourite"
      _ = try await harness.send(.post, "/api/v1/statuses/\(any)/\(verb)", token: me.token)
    case 14:
      let date = WireDate.text(harness.clock.now.addingTimeInterval(3600))
      let planned = try await harness.submit(
        "/api/v1/statuses", [("status", text), ("scheduled_at", date)], token: me.token)
      if let id = planned.object["id"] as? String { me.scheduled.append(id) }
    default:
      if Bool.random(using: &random), let id = me.scheduled.popLast() {
        _ = try await harness.send(.delete, "/api/v1/scheduled_statuses/\(id)", token: me.token)
      } else {
        // Scheduled posts are published, and after a day unused uploads are deleted.
        await harness.clock.advance(by: .seconds(Bool.random(using: &random) ? 1800 : 90_000))
        _ = try await harness.get("/api/v1/timelines/home", token: me.token)
      }
    }
  }

  @Test func `the usage of an older file is computed when it is migrated`() async throws {
    try await withDirectory { directory in
      try OldFile.make(in: directory, steps: 20) { db in
        try db.execute(
          sql: """
            INSERT INTO accounts (id, name, display_name, created_at) VALUES (1, 'alice', 'A', 0), (2, 'bob', 'B', 0);
            INSERT INTO statuses (id, account_id, created_at, visibility, source, warning)
              VALUES (10, 1, 1000, 0, 'héllo', 'w'), (11, 1, 1000, 0, '', '');
            INSERT INTO status_versions (status_id, created_at, source, warning) VALUES (10, 0, 'hey', 'v');
            INSERT INTO polls (id, status_id, expires_at, allows_several, hides_totals) VALUES (5, 11, 0, 0, 0);
            INSERT INTO poll_options (poll_id, position, title) VALUES (5, 0, 'yes'), (5, 1, 'nö');
            INSERT INTO media (id, account_id, name, type, width, height, bytes, hash, description)
              VALUES (20, 2, 'a.png', 'image/png', 1, 1, 5000, '', 'ä'), (21, 1, 'b.png', 'image/png', 1, 1, 70, '', '');
            INSERT INTO scheduled (id, account_id, publish_at, entry, key, created_at, has_failed)
              VALUES (30, 2, 9999999999999, '{}', '', 0, 1);
            INSERT INTO favourites (id, account_id, status_id, created_at) VALUES (40, 2, 10, 0);
            PRAGMA user_version = 20;
            """)
      }
      let clock = VirtualClock()
      let service = try Service(directory: directory, welcome: "", owner: "", clock: clock)
      let harness = Harness(
        service: service, transport: service.transport(), authority: "localhost", directory: directory, clock: clock)
      try Self.expectExact(harness, "after the migration")
      let users = try service.users()
      #expect(users.map(\.mediaBytes) == [70, 5000])
      // The post with its history, the poll with its options, and the row of the picture.
      #expect(users.first?.textBytes == 1000 + 20 * 7 + 300 + 4 + 2 + 1000 + 2 * 300 + 3 + 3 + 300)
      try service.removeUser(named: "alice")
      try Self.expectExact(harness, "after a removal")
    }
  }
}
