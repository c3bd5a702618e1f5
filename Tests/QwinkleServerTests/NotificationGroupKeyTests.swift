import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Grouped notifications.
@Suite(.bounded) struct NotificationGroupKeyTests {
  /// A page with one string for each group: its type, its number of notifications and its accounts.
  @concurrent
  private func page(
    _ harness: Harness, _ query: String = "", token: String
  ) async throws -> (words: [String], groups: [[String: Any]], answer: TransportResponse) {
    let answer = try await harness.get("/api/v2/notifications\(query)", token: token)
    try #require(answer.head.status == .ok, "\(answer.text)")
    let groups = try #require(answer.object["notification_groups"] as? [[String: Any]])
    let accounts = ["accounts", "partial_accounts"].flatMap { answer.object[$0] as? [[String: Any]] ?? [] }
    let words = groups.map { group in
      let ids = group["sample_account_ids"] as? [String] ?? []
      let names = ids.map { id in accounts.first { $0["id"] as? String == id }?["username"] as? String ?? "?" }
      return "\(group["type"] ?? "") \(group["notifications_count"] ?? "") \(names.joined(separator: "+"))"
    }
    return (words, groups, answer)
  }

  /// bob and carol react to two of alice's qwinks, follow her, and mention her.
  @concurrent
  private func world(_ harness: Harness) async throws -> (alice: String, bob: String, qwinks: [Qwink]) {
    let alice = try harness.service.addQwinker(named: "alice")
    let others = [try harness.service.addQwinker(named: "bob"), try harness.service.addQwinker(named: "carol")]
    let qwinks = [try await harness.post("one", token: alice), try await harness.post("two", token: alice)]
    for token in others {
      for qwink in qwinks { try await harness.react("favourite", qwink.id, token: token) }
      try await harness.react("reblog", qwinks[0].id, token: token)
      try await harness.relate("follow", "alice", token: token)
      try await harness.post("@alice hello", token: token)
    }
    return (alice, others[0], qwinks)
  }

  @Test(arguments: Front.allCases)
  func `a single notification has the key of its group`(_ front: Front) async throws {
    try await withService(front) { harness in
      let (alice, _, _) = try await world(harness)
      let keys = Set(try await page(harness, token: alice).groups.compactMap { $0["group_key"] as? String })
      let answer = try await harness.get("/api/v1/notifications", token: alice)
      let singles = try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]])
      #expect(singles.count == 10 && keys.count == 6)
      #expect(Set(singles.compactMap { $0["group_key"] as? String }) == keys)
      let read = try WireDecoder.notifications(from: answer.body, link: nil).items
      #expect(read.filter { $0.kind == .mention }.allSatisfy { $0.groupKey == nil })
      #expect(Set(read.compactMap(\.groupKey)).count == 4)
    }
  }

  @Test(arguments: Front.allCases)
  func `reactions to a qwink and follows on a day form one group each`(_ front: Front) async throws {
    try await withService(front) { harness in
      let (alice, bob, qwinks) = try await world(harness)
      let all = try await page(harness, token: alice)
      #expect(
        all.words == [
          "mention 1 carol", "follow 2 carol+bob", "reblog 2 carol+bob", "favourite 2 carol+bob",
          "favourite 2 carol+bob", "mention 1 bob",
        ])
      let statuses = try #require(all.answer.object["statuses"] as? [[String: Any]]).map { $0["id"] as? String }
      #expect(Set(statuses).isSuperset(of: qwinks.map(\.id.rawValue)) && Set(statuses).count == statuses.count)
      #expect(all.groups[2]["status_id"] as? String == qwinks[0].id.rawValue)
      #expect(all.groups[1]["status_id"] == nil)
      #expect((all.answer.object["accounts"] as? [Any])?.count == 2 && all.answer.object["partial_accounts"] == nil)
      for (query, words) in [
        (
          "?grouped_types[]=follow&types[]=follow&types[]=reblog",
          ["follow 2 carol+bob", "reblog 1 carol", "reblog 1 bob"]
        ),
        ("?exclude_types[]=favourite&exclude_types[]=mention", ["follow 2 carol+bob", "reblog 2 carol+bob"]),
        ("?expand_accounts=partial_avatars&types[]=follow", ["follow 2 carol+bob"]),
      ] {
        #expect(try await page(harness, query, token: alice).words == words, "\(query)")
      }
      let partial = try await page(harness, "?expand_accounts=partial_avatars", token: alice).answer.object
      #expect((partial["accounts"] as? [Any])?.count == 2 && (partial["partial_accounts"] as? [Any])?.isEmpty == true)
      let wrong = try await harness.get("/api/v2/notifications?expand_accounts=none", token: alice)
      #expect(wrong.head.status == .unprocessableContent)
      #expect(try await page(harness, token: bob).words == [])
      #expect(try await harness.get("/api/v2/notifications").head.status == .unauthorized)
    }
  }

  @Test @MainActor func `reactions on different days form different groups`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let qwink = try await harness.post("one", token: alice)
      for name in ["bob", "carol"] {
        let token = try harness.service.addQwinker(named: name)
        try await harness.react("favourite", qwink.id, token: token)
        await harness.clock.advance(by: .seconds(86_400))
      }
      #expect(try await page(harness, token: alice).words == ["favourite 1 carol", "favourite 1 bob"])
    }
  }

  @Test(arguments: Front.allCases)
  func `pages of groups include every notification and end`(_ front: Front) async throws {
    try await withService(front) { harness in
      let (alice, _, _) = try await world(harness)
      var seen: [String] = []
      var ends: [(Int64, Int64)] = []
      var next: String? = "?limit=2"
      while let query = next {
        let page = try await page(harness, query, token: alice)
        seen += page.groups.compactMap { $0["group_key"] as? String }
        for group in page.groups {
          let newest = try #require((group["page_max_id"] as? String).flatMap { Int64($0) })
          ends.append((newest, try #require((group["page_min_id"] as? String).flatMap { Int64($0) })))
        }
        try #require(page.groups.count <= 2 && seen.count < 20)
        let link = page.answer.link ?? ""
        next = link.firstMatch(of: #/<[^>]*(\?[^>]*)>; rel="next"/#).map { String($0.output.1) }
      }
      #expect(Set(seen).count == 6)
      let all = try await harness.get("/api/v1/notifications", token: alice)
      let ids = try WireDecoder.notifications(from: all.body, link: nil).items.compactMap { Int64($0.id.rawValue) }
      #expect(ids.allSatisfy { id in ends.contains { $0.1 <= id && id <= $0.0 } })
      let newer = try await page(harness, "?limit=2&min_id=\(ids[ids.count - 1])", token: alice)
      #expect(newer.words.count == 2 && newer.answer.link?.contains("rel=\"next\"") == true)
    }
  }

  @Test(arguments: Front.allCases)
  func `a group is fetched and counted and dismissed by its key`(_ front: Front) async throws {
    try await withService(front) { harness in
      let (alice, bob, _) = try await world(harness)
      let groups = try await page(harness, token: alice).groups
      func unread(_ query: String = "") async throws -> Int? {
        try await harness.get("/api/v2/notifications/unread_count\(query)", token: alice).object["count"] as? Int
      }
      #expect(try await unread() == 6)
      #expect(try await unread("?limit=3") == 3)
      #expect(try await unread("?types[]=favourite") == 2)
      let key = try #require(groups[1]["group_key"] as? String)
      let path = "/api/v2/notifications/\(key)"
      let one = try await harness.get(path, token: alice).object
      #expect((one["notification_groups"] as? [[String: Any]])?.first?["notifications_count"] as? Int == 2)
      #expect((one["accounts"] as? [Any])?.count == 2)
      let accounts = try await harness.qwinkers("\(path)/accounts?limit=1", token: alice)
      #expect(accounts.items.map(\.userName) == ["carol"] && accounts.older != nil)
      for target in [path, "\(path)/accounts"] {
        #expect(try await harness.get(target, token: bob).head.status == .notFound)
      }
      for wrong in ["follow-x", "nonsense", "favourite-1", "ungrouped-1", "follow-1"] {
        #expect(try await harness.get("/api/v2/notifications/\(wrong)", token: alice).head.status == .notFound)
      }
      let mention = try #require(groups[0]["group_key"] as? String)
      let marker = try #require(groups[1]["most_recent_notification_id"] as? String)
      _ = try await harness.send(
        .post, "/api/v1/markers", token: alice, headers: [.contentType: "application/json"],
        body: Array(#"{"notifications":{"last_read_id":"\#(marker)"}}"#.utf8))
      #expect(try await unread() == 1)
      #expect(try await harness.send(.post, "\(path)/dismiss", token: bob).head.status == .notFound)
      for dismissed in [path, "/api/v2/notifications/\(mention)"] {
        #expect(try await harness.send(.post, "\(dismissed)/dismiss", token: alice).text == "{}")
        #expect(try await harness.send(.post, "\(dismissed)/dismiss", token: alice).head.status == .notFound)
      }
      #expect(try await page(harness, token: alice).words.count == 4)
      #expect(try await unread() == 0)

      let policy = "/api/v2/notifications/policy"
      #expect(try await harness.get(policy, token: alice).object["for_not_following"] as? String == "accept")
      for (value, status) in [("filter", HTTPResponse.Status.ok), ("maybe", .unprocessableContent)] {
        let answer = try await harness.send(
          .patch, policy, token: alice, headers: [.contentType: "application/json"],
          body: Array(#"{"for_not_following":"\#(value)"}"#.utf8))
        #expect(answer.head.status == status, "\(value)")
      }
    }
  }
}
