import Foundation
import GRDB
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Following, finding and describing qwinkers.
@Suite(.bounded) struct PeopleTests {
  /// Alice, Bob and Carol, with their tokens and ids.
  private struct People {
    var tokens: [String: String] = [:]
    var ids: [String: Qwinker.ID] = [:]

    func token(_ name: String) throws -> String { try #require(tokens[name]) }
    func id(_ name: String) throws -> Qwinker.ID { try #require(ids[name]) }
  }

  @concurrent
  private func people(_ harness: Harness, _ names: [String] = ["alice", "bob", "carol"]) async throws -> People {
    var people = People()
    for name in names {
      let token = try harness.service.addQwinker(named: name)
      people.tokens[name] = token
      let me = try await harness.get("/api/v1/accounts/verify_credentials", token: token)
      people.ids[name] = try WireDecoder.qwinker(from: me.body).id
    }
    return people
  }

  @concurrent
  private func relate(_ verb: String, _ id: Qwinker.ID, _ token: String, _ harness: Harness) async throws
    -> Relationship
  {
    let answer = try await harness.send(.post, "/api/v1/accounts/\(id)/\(verb)", token: token)
    try #require(answer.head.status == .ok, "\(verb): \(answer.text)")
    return try WireDecoder.relationship(from: answer.body)
  }

  @Test(arguments: Front.allCases)
  func `a follow shows on both sides and is counted and can be undone`(_ front: Front) async throws {
    try await withService(front) { harness in
      let people = try await people(harness)
      let (alice, bob) = (try people.token("alice"), try people.token("bob"))
      for _ in 0..<2 {
        let made = try await relate("follow", try people.id("bob"), alice, harness)
        #expect(made == Relationship(id: try people.id("bob"), isFollowing: true))
      }
      let ids = try ["alice", "carol", "bob", "alice"].map { try people.id($0) }
      let target = "/api/v1/accounts/relationships?" + ids.map { "id[]=\($0)" }.joined(separator: "&")
      let seen = try WireDecoder.relationships(
        from: try await harness.get(target + "&id%5B%5D=1&id[]=x", token: bob).body)
      #expect(seen.map(\.id) == Array(ids.prefix(3)))
      #expect(seen.map(\.isFollowedBy) == [true, false, false])
      #expect(seen.allSatisfy { !$0.isFollowing && !$0.isRequested && !$0.isBlocking && !$0.isMuting })
      let one = try await harness.get("/api/v1/accounts/relationships?id=\(try people.id("bob"))", token: alice)
      #expect(try WireDecoder.relationships(from: one.body).map(\.isFollowing) == [true])

      let followed = try WireDecoder.qwinker(from: try await harness.get("/api/v1/accounts/\(ids[2])").body)
      #expect(followed.followersCount == 1)
      let notifications = try WireDecoder.notifications(
        from: try await harness.get("/api/v1/notifications?types[]=follow", token: bob).body, link: nil)
      #expect(notifications.items.map(\.kind) == [.follow])
      #expect(notifications.items.first?.qwinker.id == ids[0])
      try await harness.post("for followers", token: bob, visibility: .private)
      #expect(try await harness.page("/api/v1/timelines/home", token: alice).items.count == 1)

      let ended = try await relate("unfollow", try people.id("bob"), alice, harness)
      #expect(!ended.isFollowing)
      #expect(try await !relate("unfollow", try people.id("bob"), alice, harness).isFollowing)
      #expect(try await harness.page("/api/v1/timelines/home", token: alice).items.isEmpty)
      let left = try WireDecoder.qwinker(from: try await harness.get("/api/v1/accounts/\(ids[2])").body)
      #expect(left.followersCount == 0)
      #expect(try await harness.get("/api/v1/notifications?types[]=follow", token: bob).text == "[]")

      _ = try await relate("follow", ids[0], bob, harness)
      let removed = try await relate("remove_from_followers", try people.id("bob"), alice, harness)
      #expect(!removed.isFollowedBy)
    }
  }

  @Test func `accounts can't follow themselves or unknown accounts`() async throws {
    try await withService { harness in
      let people = try await people(harness)
      let alice = try people.token("alice")
      for verb in ["follow", "unfollow"] {
        let path = "/api/v1/accounts/\(try people.id("alice"))/\(verb)"
        #expect(try await harness.send(.post, path, token: alice).head.status == .forbidden)
        #expect(try await harness.send(.post, path).head.status == .unauthorized)
        for other in ["1", "x", "-1"] {
          let answer = try await harness.send(.post, "/api/v1/accounts/\(other)/\(verb)", token: alice)
          #expect(answer.head.status == .notFound)
        }
      }
      #expect(try await harness.get("/api/v1/accounts/relationships?id[]=1").head.status == .unauthorized)
      #expect(try await harness.get("/api/v1/accounts/relationships", token: alice).text == "[]")
    }
  }

  @Test(arguments: Front.allCases)
  func `followers are paged by follow date with the newest first`(_ front: Front) async throws {
    try await withService(front) { harness in
      let names = (0..<7).map { "name\($0)" }
      let people = try await people(harness, ["alice"] + names)
      // A different order than the order of creation.
      let order = [3, 0, 6, 2, 5, 1, 4].map { names[$0] }
      for name in order {
        _ = try await relate("follow", try people.id("alice"), try people.token(name), harness)
      }
      let expected = try order.reversed().map { try people.id($0) }
      let path = "/api/v1/accounts/\(try people.id("alice"))/followers"
      var found: [[Qwinker.ID]] = []
      var next: String? = path + "?limit=3"
      var last: Page<Qwinker>?
      while let target = next, found.count < 9 {
        let page = try await harness.qwinkers(target)
        found.append(page.items.map(\.id))
        next = page.older?.url
        last = page
      }
      #expect(found.map(\.count) == [3, 3, 1])
      #expect(found.flatMap { $0 } == expected)
      let back = try await harness.qwinkers(try #require(last?.newer?.url))
      #expect(back.items.map(\.id) == Array(expected[3..<6]))

      let following = try await harness.qwinkers("/api/v1/accounts/\(expected[0])/following")
      #expect(following.items.map(\.id) == [try people.id("alice")])
      #expect(try await harness.qwinkers(path + "?limit=1000").items.count == 7)
      #expect(try await harness.get("/api/v1/accounts/1/followers").head.status == .notFound)
    }
  }

  @Test(arguments: Front.allCases)
  func `a user edits the profile as JSON or as a form`(_ front: Front) async throws {
    try await withService(front) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      func update(_ body: String, _ type: String) async throws -> TransportResponse {
        try await harness.send(
          .patch, "/api/v1/accounts/update_credentials", token: token, headers: [.contentType: type],
          body: Array(body.utf8))
      }
      let json = try await update(
        #"{"display_name":"Älice <b>","note":"I & @alice\n#tag","bot":true}"#, "application/json")
      let alice = try WireDecoder.qwinker(from: json.body)
      #expect(alice.displayName == "Älice <b>")
      #expect(alice.note.plainText == "I & @alice\n#tag")
      #expect(alice.isBot)
      let typed = try WireDecoder.ownProfile(from: json.body)
      #expect(typed.displayName == "Älice <b>" && typed.note == "I & @alice\n#tag")
      #expect(typed.usualVisibility == .public && typed.settings[.isBot] == true, "\(typed)")
      #expect(json.text.contains("I &amp; @alice"))

      // Omitted fields stay unchanged.
      let form = try await update("note=only+this&locked=false", "application/x-www-form-urlencoded")
      let profile = try WireDecoder.ownProfile(from: form.body)
      #expect(profile.displayName == "Älice <b>" && profile.note == "only this")
      #expect(profile.usualVisibility == .public && profile.settings[.isBot] == true, "\(profile)")
      #expect(try WireDecoder.qwinker(from: form.body).isBot)
      let cleared = try await update(#"{"display_name":"","note":"","bot":false}"#, "application/json")
      #expect(try WireDecoder.qwinker(from: cleared.body).displayName == "alice")
      let seen = try await harness.get("/api/v1/accounts/verify_credentials", token: token)
      #expect(try !WireDecoder.qwinker(from: seen.body).isBot)

      let thirty = String(repeating: "👩‍👩‍👧‍👦", count: 30)
      #expect(try await update(#"{"display_name":"\#(thirty)"}"#, "application/json").head.status == .ok)
      let link = "https://example.org/" + String(repeating: "x", count: 300)
      let note = String(repeating: "ü", count: 476) + " " + link
      #expect(try await update(#"{"note":"\#(note)"}"#, "application/json").head.status == .ok)
      for wrong in [
        #"{"display_name":"\#(String(repeating: "a", count: 31))"}"#, #"{"note":"x\#(note)"}"#,
        #"{"display_name":"a\#(String(repeating: "\u{0301}", count: 1000))"}"#,
        #"{"avatar":"data:image/png;base64,AAAA"}"#,
      ] {
        let refused = try await update(wrong, "application/json")
        #expect(refused.head.status == .unprocessableContent, "\(wrong)")
        #expect(refused.errorMessage?.isEmpty == false)
      }
      func parts(_ head: String, _ content: String) -> String {
        "--x\r\nContent-Disposition: form-data; \(head)\r\n\r\n\(content)\r\n--x--\r\n"
      }
      let inParts = "multipart/form-data; boundary=x"
      let named = try await update(parts("name=\"display_name\"", "In parts"), inParts)
      #expect(try WireDecoder.qwinker(from: named.body).displayName == "In parts")
      let picture = try await update(parts("name=\"avatar\"; filename=\"a.png\"", "PNG"), inParts)
      #expect(picture.head.status == .unprocessableContent)
      let unsigned = try await harness.send(.patch, "/api/v1/accounts/update_credentials")
      #expect(unsigned.head.status == .unauthorized)
    }
  }

  @Test(arguments: Front.allCases)
  func `qwinkers are found by the start of a name or word`(_ front: Front) async throws {
    try await withService(front) { harness in
      let people = try await people(harness, ["alice", "alice_b", "bob", "bo", "kenji"])
      for (name, words) in [("bob", "Róbert O'Neil"), ("kenji", "山田 健二")] {
        let answer = try await harness.send(
          .patch, "/api/v1/accounts/update_credentials", token: try people.token(name),
          headers: [.contentType: "application/json"], body: Array(#"{"display_name":"\#(words)"}"#.utf8))
        try #require(answer.head.status == .ok)
      }
      _ = try await relate("follow", try people.id("bob"), try people.token("alice"), harness)
      func find(_ query: String, _ more: String = "") async throws -> [String] {
        let target = "/api/v1/accounts/search?q=\(PercentEncoding.component(query))\(more)"
        return try await harness.qwinkers(target, token: try people.token("alice")).items.map(\.userName)
      }
      #expect(try await find("ali") == ["alice", "alice_b"])
      #expect(try await find("@ALICE") == ["alice", "alice_b"])
      #expect(try await find("alice_b") == ["alice_b"])
      #expect(try await find("alice@\(harness.authority)") == ["alice", "alice_b"])
      #expect(try await find("alice@elsewhere.example") == [])
      // An exact match is first, then followed qwinkers.
      #expect(try await find("b") == ["bob", "bo"])
      #expect(try await find("bo") == ["bo", "bob"])
      #expect(try await find("b", "&following=true") == ["bob"])
      #expect(try await find("b", "&limit=1&offset=1") == ["bo"])
      #expect(try await find("robert") == ["bob"])
      #expect(try await find("o'ne rob") == ["bob"])
      #expect(try await find("健二") == ["kenji"])
      for nothing in ["", "@", "%", "\"", "a OR b", "name:bob", "*", "\u{0}", "b-o"] {
        #expect(try await find(nothing) == [], "\(nothing)")
      }
      #expect(try await harness.get("/api/v1/accounts/search?q=a").head.status == .unauthorized)
    }
  }

  @Test func `lists without content are empty and private ones require a sign-in`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "alice")
      for path in [
        "v2/filters", "v1/filters", "v1/announcements", "v1/follow_requests", "v1/blocks", "v1/mutes",
        "v1/followed_tags", "v1/scheduled_statuses", "v1/domain_blocks",
      ] {
        let answer = try await harness.get("/api/\(path)", token: token)
        #expect(answer.head.status == .ok && answer.text == "[]", "\(path)")
        #expect(try await harness.get("/api/\(path)").head.status == .unauthorized)
      }
      for path in ["v1/trends", "v1/trends/tags", "v1/trends/statuses", "v1/trends/links", "v1/custom_emojis"] {
        #expect(try await harness.get("/api/\(path)").text == "[]")
      }
    }
  }

  @Test func `follows from before follow ids keep their order`() async throws {
    try await withDirectory { directory in
      try OldFile.make(in: directory, steps: 2) { db in
        for id in 1...4 {
          try db.execute(
            sql: "INSERT INTO accounts (id, name, display_name, created_at) VALUES (?, ?, 'Old', 0)",
            arguments: [id, "old\(id)"])
        }
        try db.execute(sql: "INSERT INTO follows VALUES (2, 1, 200), (3, 1, 100), (4, 1, 300)")
      }
      let service = try Service(directory: directory, welcome: "", owner: "old1", clock: VirtualClock())
      let harness = Harness(
        service: service, transport: service.transport(), authority: "localhost", directory: directory,
        clock: VirtualClock())
      let followers = try await harness.qwinkers("/api/v1/accounts/1/followers")
      #expect(followers.items.map(\.userName) == ["old4", "old2", "old3"])
      let found = try await harness.qwinkers("/api/v1/accounts/search?q=old", token: service.ownerToken)
      #expect(found.items.count == 4)
    }
  }
}
