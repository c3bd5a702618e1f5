import Foundation
import GRDB
import HTTPTypes
import QwinkleModel
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// A value of the wrong type affects only its row.
@Suite(.bounded) struct MalformedRowTests {
  /// Conditions that select the malformed row of a table. Other tables use their last row.
  private static let conditions = [
    "conversation_members": theirs, "follows": theirs, "passwords": theirs, "tokens": theirs,
    "account_days": "day > 0", "account_notes": "note <> ''", "counters": "name = 'last_id'",
    "idempotency": "status_id = (\(newest("statuses")))",
    "markers": "place = 'home'", "mentions": "status_id = (SELECT max(status_id) FROM mentions)",
    "poll_options": "position = 0", "poll_votes": "position = 0", "status_tags": "tag = 'tea'",
  ]
  /// Selects the rows of the last user, carl.
  private static let theirs = "account_id = (\(newest("accounts")))"

  private static func newest(_ table: String) -> String { "SELECT max(id) FROM \(table)" }

  static let tables =
    conditions.keys.sorted() + [
      "account_days", "accounts", "apps", "audit_log", "blocks", "bookmarks", "conversations", "favourites",
      "featured_tags",
      "filter_keywords",
      "filter_statuses", "filters", "list_members", "lists", "media", "mutes", "notices", "pins", "polls", "reports",
      "scheduled", "status_versions", "statuses", "tag_follows",
    ]

  /// Targets that must always respond. `{list}` and `{carl}` are replaced with ids.
  private static let lists = [
    "/", "/api/v1/timelines/public?limit=40", "/api/v1/timelines/home?limit=40",
    "/api/v1/timelines/tag/garden?limit=40", "/api/v1/timelines/tag/garden?any[]=tea",
    "/api/v2/search?q=rain&limit=40", "/api/v1/accounts/search?q=c", "/api/v1/accounts/relationships?id[]={carl}",
    "/api/v1/notifications", "/api/v2/notifications", "/api/v1/bookmarks", "/api/v1/favourites",
    "/api/v1/conversations", "/api/v1/lists", "/api/v1/filters", "/api/v2/filters", "/api/v1/followed_tags",
    "/api/v1/featured_tags", "/api/v1/scheduled_statuses", "/api/v1/markers?timeline[]=home", "/api/v1/blocks",
    "/api/v1/mutes", "/api/v1/accounts/verify_credentials", "/api/v2/instance",
  ]
  /// Targets that may fail if they need the malformed row.
  private static let items = [
    "/api/v1/accounts/{carl}", "/api/v1/accounts/{carl}/followers", "/api/v1/accounts/{carl}/statuses",
    "/api/v1/lists/{list}/accounts", "/api/v1/timelines/list/{list}", "/api/v1/statuses/{edited}",
    "/api/v1/statuses/{edited}/history", "/api/v1/statuses/{edited}/context", "/api/v1/statuses/{poll}",
    "/api/v1/statuses/{carls}",
  ]

  @Test(arguments: tables) @MainActor
  func `a value of the wrong type hides only its row and writes continue`(_ table: String) async throws {
    try await withDirectory { directory in
      let log = RecordedLog()
      let harness = try Harness.served(directory, log: log)
      let world = try await World(harness)
      let before = try await harness.page("/api/v1/timelines/public?limit=40", token: world.token).items.count
      let file = try Self.open(directory)
      var damaged = 0
      for (column, type) in Soak.sample(try Self.columns(of: table, in: file), of: 3) {
        for value in ["x'00ff'", "'abc'"] where type == "INTEGER" || value == "x'00ff'" {
          guard let old = try? Self.put(value, in: column, of: table, file) else { continue }
          damaged += 1
          // Ids continue from the clock if the counter is malformed.
          await harness.clock.advance(by: .seconds(1))
          let name = "\(table).\(column) = \(value)"
          for target in Self.lists {
            let answer = try await harness.get(world.named(target), token: world.token)
            #expect(answer.head.status == .ok, "\(name), \(target): \(answer.text)")
          }
          for target in Self.items {
            let answer = try await harness.get(world.named(target), token: world.token)
            #expect([200, 404, 500].contains(answer.head.status.code), "\(name), \(target): \(answer.text)")
          }
          let after = try await harness.page("/api/v1/timelines/public?limit=40", token: world.token).items.count
          #expect(after >= before - 1, "\(name): \(after) of \(before) posts")
          let written = try await harness.submit("/api/v1/statuses", [("status", "more")], token: world.token)
          #expect(written.head.status == .ok, "\(name): \(written.text)")
          let id = try WireDecoder.qwink(from: written.body).id
          #expect(try await harness.send(.delete, "/api/v1/statuses/\(id)", token: world.token).head.status == .ok)
          _ = try harness.service.users()
          _ = try harness.service.reports()
          _ = try harness.service.auditLog()
          try Self.run("UPDATE OR IGNORE \(table) SET \(column) = \(old) WHERE \(column) = \(value)", file)
        }
      }
      // SQLite may reject each value of a sample.
      #expect(damaged > 0 || !Soak.isOn)
      #expect(harness.service.damage.withLock { $0 } == nil)
      let rows = log.lines.filter { $0.contains("A row was left out") }
      #expect(Set(rows.map { $0.prefix { $0 != "," } }).count == rows.count, "\(rows)")
    }
  }

  @Test @MainActor func `a malformed row is logged once even if it is read repeatedly`() async throws {
    try await withDirectory { directory in
      let log = RecordedLog()
      let harness = try Harness.served(directory, log: log)
      let world = try await World(harness)
      let file = try Self.open(directory)
      _ = try Self.put("'abc'", in: "replies_count", of: "statuses", file)
      let target = "/api/v1/timelines/public?limit=40"
      for _ in 0..<3 {
        let page = try await harness.page(target, token: world.token)
        #expect(!page.items.isEmpty && !page.items.contains { $0.id.rawValue == world.ids["carls"] })
      }
      let rows = log.lines.filter { $0.hasPrefix("error A row was left out") }
      #expect(rows.count == 1 && rows[0].contains("replies_count"), "\(rows)")
      #expect(try await harness.get(world.named("/api/v1/statuses/{carls}")).head.status == .notFound)
    }
  }

  @Test @MainActor func `a write that reads a malformed value fails and changes nothing`() async throws {
    try await withDirectory { directory in
      let log = RecordedLog()
      let harness = try Harness.served(directory, log: log)
      let world = try await World(harness)
      let id = Qwink.ID(try #require(world.ids["edited"]))
      let file = try Self.open(directory)
      try Self.run("UPDATE statuses SET edited_at = 'abc' WHERE id = \(id)", file)
      #expect(try await harness.put(id, "third", token: world.token).head.status == .internalServerError)
      let source = try harness.service.write { session in
        try session.row("SELECT source FROM statuses WHERE id = \(id)")?[0] as String?
      }
      #expect(source == "second")
      #expect(log.lines.contains { $0.contains("500") && $0.contains("wrong type") }, "\(log.lines)")
      try await harness.post("more", token: world.token)
    }
  }

  // MARK: - The file

  /// A connection that ignores foreign keys, so that invalid values can be stored.
  private static func open(_ directory: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { $0.add(function: SearchText.function) }
    return try DatabaseQueue(path: "\(directory)/service.sqlite", configuration: configuration)
  }

  private static func run(_ sql: String, _ file: DatabaseQueue) throws {
    try file.writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  private static func columns(of table: String, in file: DatabaseQueue) throws -> [(name: String, type: String)] {
    try file.read { db in
      try db.columns(in: table).filter { ["INTEGER", "TEXT"].contains($0.type) }.map { (name: $0.name, type: $0.type) }
    }
  }

  /// Stores a value and returns the previous one as an SQL literal. Throws if SQLite rejects the value, for example as
  /// a row id.
  private static func put(_ value: String, in column: String, of table: String, _ file: DatabaseQueue) throws -> String?
  {
    let condition = conditions[table] ?? "id = (\(newest(table)))"
    return try file.writeWithoutTransaction { db in
      let old = try String.fetchOne(db, sql: "SELECT quote(\(column)) FROM \(table) WHERE \(condition)")
      try db.execute(sql: "UPDATE \(table) SET \(column) = \(value) WHERE \(condition)")
      return old
    }
  }
}

/// Four users. The first, anna, has a row in each table. The last row of each table doesn't belong to her alone.
private struct World {
  let token: String
  let ids: [String: String]

  func named(_ text: String) -> String { ids.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) } }

  init(_ harness: Harness) async throws {
    let anna = try harness.service.addQwinker(named: "anna")
    let ben = try harness.service.addQwinker(named: "ben")
    _ = try harness.service.addQwinker(named: "dora")
    let carl = try harness.service.addQwinker(named: "carl", password: "a good password")
    for (target, follower) in [("ben", "anna"), ("anna", "ben"), ("anna", "carl"), ("carl", "anna")] {
      try harness.follow(target, by: follower)
    }
    func send(_ path: String, _ fields: [(String, String)] = [], token: String) async throws -> TransportResponse {
      let answer = try await harness.submit("/api/v1/\(path)", fields, token: token)
      try #require(answer.head.status == .ok, "\(path): \(answer.text)")
      return answer
    }
    for number in 0..<6 { try await harness.post("rain \(number) #garden", token: ben) }
    let edited = try await harness.post("first", token: anna)
    _ = try await harness.edit(edited.id, "second", token: anna)
    _ = try await send("statuses/\(edited.id)/pin", token: anna)
    _ = try await harness.post("@anna psst", token: carl, visibility: .direct)
    let asked = try WireDecoder.qwink(
      from: await send(
        "statuses",
        [("status", "?"), ("poll[options][]", "a"), ("poll[options][]", "b"), ("poll[expires_in]", "3600")], token: ben
      ).body)
    let poll = try #require(asked.poll)
    _ = try await send("polls/\(poll.id)/votes", [("choices[]", "0")], token: anna)
    let list = try #require(try await send("lists", [("title", "all")], token: anna).object["id"] as? String)
    let carlsID = "\(try harness.id(of: "carl"))"
    _ = try await send("lists/\(list)/accounts", [("account_ids[]", carlsID)], token: anna)
    for path in ["tags/frost/follow", "featured_tags"] { _ = try await send(path, [("name", "frost")], token: anna) }
    let date = WireDate.text(harness.clock.now.addingTimeInterval(86_400))
    _ = try await send("statuses", [("status", "later"), ("scheduled_at", date)], token: anna)
    _ = try await send("markers", [("home[last_read_id]", edited.id.rawValue)], token: anna)
    _ = try await send("apps", [("client_name", "a"), ("redirect_uris", "https://a.example/b")], token: anna)
    for verb in ["mute", "block"] { try await harness.relate(verb, "dora", token: anna) }
    try await harness.relate("note", "carl", [("comment", "tea")], token: anna)
    _ = try await harness.post("a picture", media: [try await harness.upload(token: ben)], token: ben)
    let carls = try await harness.post("hello @anna, rain #tea", token: carl)
    for verb in ["bookmark", "favourite"] { try await harness.react(verb, carls.id, token: anna) }
    _ = try await send("reports", [("account_id", carlsID), ("status_ids[]", carls.id.rawValue)], token: anna)
    let filter = try await harness.submit(
      "/api/v2/filters", [("title", "a"), ("context[]", "home"), ("keywords_attributes[][keyword]", "hello")],
      token: anna)
    let filterID = try #require(filter.object["id"] as? String)
    let listed = try await harness.submit(
      "/api/v2/filters/\(filterID)/statuses", [("status_id", carls.id.rawValue)], token: anna)
    try #require(listed.head.status == .ok, "\(listed.text)")
    token = anna
    ids = [
      "carl": carlsID, "list": list, "edited": edited.id.rawValue, "poll": asked.id.rawValue,
      "carls": carls.id.rawValue,
    ]
  }
}

extension Harness {
  /// A service opened for serving, called within this process.
  static func served(_ directory: String, log: RecordedLog = RecordedLog()) throws -> Harness {
    let clock = VirtualClock()
    let service = try Service(
      directory: directory, welcome: "", owner: "", clock: clock, passwordCost: .quick, use: .served,
      log: log.logger)
    return Harness(
      service: service, transport: service.transport(), authority: "localhost", directory: directory, clock: clock)
  }
}
