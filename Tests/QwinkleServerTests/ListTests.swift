import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Lists, pins, followed and featured tags, and reports.
@Suite(.bounded) struct ListTests {
  private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

  @Test(arguments: Front.allCases)
  func `a list has a timeline and can hide its members from home`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let carol = try harness.service.addQwinker(named: "carol")
      for name in ["bob", "carol"] { try harness.follow(name, by: "alice") }
      let made = try await harness.submit("/api/v1/lists", [("title", "Close")], token: alice)
      let id = try #require(made.object["id"] as? String)
      #expect(made.object["replies_policy"] as? String == "list" && made.object["exclusive"] as? Bool == false)
      let people = "/api/v1/lists/\(id)/accounts"
      let bobID = try harness.id(of: "bob")
      #expect(try await harness.submit(people, [("account_ids[]", "\(bobID)")], token: alice).head.status == .ok)
      #expect(try await harness.qwinkers(people, token: alice).items.map(\.userName) == ["bob"])
      #expect(try await harness.get("/api/v1/accounts/\(bobID)/lists", token: alice).text.contains(id))

      let quiet = try await harness.post("quiet", token: bob, visibility: .private)
      let other = try await harness.post("other", token: carol)
      let answer = try await harness.post("@carol answer", token: bob, answering: other.id)
      func timeline() async throws -> [Qwink.ID] {
        try await harness.page("/api/v1/timelines/list/\(id)", token: alice).items.map(\.id)
      }
      func change(_ fields: String) async throws {
        let answer = try await harness.send(
          .put, "/api/v1/lists/\(id)", token: alice, headers: Self.form, body: Array(fields.utf8))
        try #require(answer.head.status == .ok, "\(answer.text)")
      }
      #expect(try await timeline() == [quiet.id])
      try await change("replies_policy=followed")
      #expect(try await timeline() == [answer.id, quiet.id])
      try await change("replies_policy=none&exclusive=true&title=Quiet")
      #expect(try await timeline() == [quiet.id])
      #expect(try await harness.page("/api/v1/timelines/home", token: alice).items.map(\.id) == [other.id])
      #expect(try await harness.get("/api/v1/lists", token: alice).text.contains("Quiet"))

      for path in ["/api/v1/lists/\(id)", people, "/api/v1/timelines/list/\(id)"] {
        #expect(try await harness.get(path, token: bob).head.status == .notFound)
      }
      let stranger = try harness.id(of: "alice")
      let refused = try await harness.submit(people, [("account_ids[]", "\(stranger)")], token: alice)
      #expect(refused.head.status == .unprocessableContent)
      #expect(
        try await harness.submit("/api/v1/lists", [("title", " ")], token: alice).head.status == .unprocessableContent)
      try await harness.relate("unfollow", "bob", token: alice)
      #expect(try await harness.qwinkers(people, token: alice).items.isEmpty)
      #expect(try await harness.send(.delete, "/api/v1/lists/\(id)", token: alice).head.status == .ok)
      #expect(try await harness.get("/api/v1/lists", token: alice).text == "[]")
    }
  }

  @Test(arguments: Front.allCases)
  func `a user can pin and unpin up to five of their posts`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      var ids: [Qwink.ID] = []
      for number in 0..<6 { ids.append(try await harness.post("\(number)", token: alice).id) }
      for id in ids.prefix(5) { #expect(try await harness.react("pin", id, token: alice).isPinned) }
      let sixth = try await harness.send(.post, "/api/v1/statuses/\(ids[5])/pin", token: alice)
      #expect(sixth.head.status == .unprocessableContent)
      #expect(try await harness.send(.post, "/api/v1/statuses/\(ids[5])/pin", token: bob).head.status == .notFound)
      let secret = try await harness.post("@bob hush", token: alice, visibility: .direct)
      let direct = try await harness.send(.post, "/api/v1/statuses/\(secret.id)/pin", token: alice)
      #expect(direct.head.status == .unprocessableContent)
      #expect(try await !harness.react("unpin", ids[0], token: alice).isPinned)
      let path = "/api/v1/accounts/\(try harness.id(of: "alice"))/statuses?pinned=true"
      let page = try await harness.page(path + "&limit=3", token: bob)
      #expect(page.items.map(\.id) == [ids[4], ids[3], ids[2]] && page.items.allSatisfy { !$0.isPinned })
      #expect(try await harness.page(try #require(page.older?.url)).items.map(\.id) == [ids[1]])
    }
  }

  @Test(arguments: Front.allCases)
  func `a followed tag adds its public posts to home`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let post = try await harness.post("bulbs #Garden", token: bob)
      try await harness.post("quiet #garden", token: bob, visibility: .unlisted)
      let own = try await harness.post("own #garden", token: alice)
      let followed = try await harness.submit("/api/v1/tags/GARDEN/follow", [], token: alice)
      #expect(followed.object["following"] as? Bool == true)
      #expect(try await harness.get("/api/v1/followed_tags", token: alice).text.contains(#""name":"GARDEN""#))
      #expect(try await harness.page("/api/v1/timelines/home", token: alice).items.map(\.id) == [own.id, post.id])
      #expect(try await harness.get("/api/v1/tags/garden", token: alice).object["following"] as? Bool == true)
      #expect(try await harness.get("/api/v1/tags/garden", token: bob).object["following"] as? Bool == false)
      _ = try await harness.submit("/api/v1/tags/garden/unfollow", [], token: alice)
      #expect(try await harness.page("/api/v1/timelines/home", token: alice).items.map(\.id) == [own.id])
      #expect(try await harness.get("/api/v1/followed_tags", token: alice).text == "[]")
    }
  }

  @Test(arguments: Front.allCases)
  func `a featured tag reports its number of posts`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      try await harness.post("one #garden", token: alice)
      try await harness.post("two #garden", token: alice, visibility: .private)
      #expect(try await harness.get("/api/v1/featured_tags/suggestions", token: alice).text.contains("garden"))
      let made = try await harness.submit("/api/v1/featured_tags", [("name", "#Garden")], token: alice)
      #expect(made.object["name"] as? String == "Garden" && made.object["statuses_count"] as? String == "1")
      let id = try #require(made.object["id"] as? String)
      #expect(try await harness.get("/api/v1/accounts/\(try harness.id(of: "alice"))/featured_tags").text.contains(id))
      let wrong = try await harness.submit("/api/v1/featured_tags", [("name", "two words")], token: alice)
      #expect(wrong.head.status == .unprocessableContent)
      #expect(try await harness.send(.delete, "/api/v1/featured_tags/\(id)", token: alice).head.status == .ok)
      #expect(try await harness.get("/api/v1/featured_tags", token: alice).text == "[]")
    }
  }

  @Test(arguments: Front.allCases)
  func `a report reaches the operator`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let post = try await harness.post("buy", token: bob)
      let own = try await harness.post("own", token: alice)
      let account = ("account_id", "\(try harness.id(of: "bob"))")
      let made = try await harness.submit(
        "/api/v1/reports",
        [account, ("status_ids[]", post.id.rawValue), ("comment", "spam\nagain"), ("category", "spam")], token: alice)
      #expect((made.object["target_account"] as? [String: Any])?["username"] as? String == "bob")
      #expect(made.object["status_ids"] as? [String] == [post.id.rawValue])
      let report = try #require(try harness.service.reports().first)
      #expect(report.reporter == "alice" && report.reported == "bob" && report.comment == "spam\nagain")
      #expect(report.posts == [post.id.rawValue] && report.category == "spam")
      for wrong in [[("status_ids[]", own.id.rawValue)], [("forward", "true")], [("category", "boring")]] {
        let answer = try await harness.submit("/api/v1/reports", [account] + wrong, token: alice)
        #expect(answer.head.status == .unprocessableContent)
      }
    }
  }
}
