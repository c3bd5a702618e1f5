import HTTPTypes
import QwinkleModel
import QwinkleServer
import QwinkleWire
import TerminalTesting
import Testing

@Suite(.bounded) struct ReactionTests {
  @Test(arguments: Front.allCases, [("favourite", Reaction.favourite), ("bookmark", .bookmark)])
  func `a favourite or bookmark counts once and can be undone`(
    _ front: Front, _ pair: (verb: String, reaction: Reaction)
  ) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let qwink = try await harness.post("hello", token: alice)
      let path = "/api/v1/statuses/\(qwink.id)"
      #expect(try await harness.send(.post, "\(path)/\(pair.verb)").head.status == .unauthorized)
      let count = pair.reaction == .favourite ? 1 : 0
      for _ in 0..<2 {
        let done = try await harness.react(pair.verb, qwink.id, token: bob)
        #expect(done.id == qwink.id)
        #expect(done.has(pair.reaction))
        #expect(done.favouritesCount == count)
      }
      #expect(try await harness.page("/api/v1/timelines/public", token: bob).items.first?.has(pair.reaction) == true)
      for token in [alice, nil] {
        let seen = try await harness.qwink(path, token: token)
        #expect(!seen.has(pair.reaction))
        #expect(seen.favouritesCount == count)
      }
      for _ in 0..<2 {
        let undone = try await harness.react("un\(pair.verb)", qwink.id, token: bob)
        #expect(!undone.has(pair.reaction))
        #expect(undone.favouritesCount == 0)
      }
      for verb in [pair.verb, "un\(pair.verb)"] {
        #expect(try await harness.send(.post, "/api/v1/statuses/7/\(verb)", token: bob).head.status == .notFound)
      }
    }
  }

  @Test(arguments: Front.allCases, [("favourite", "favourites"), ("bookmark", "bookmarks")])
  func `favourites and bookmarks are paged in the order they were made`(
    _ front: Front, _ pair: (verb: String, list: String)
  ) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      var ids: [Qwink.ID] = []
      for number in 0..<7 { ids.append(try await harness.post("\(number)", token: alice).id) }
      let order = [3, 0, 6, 1, 5].map { ids[$0] }
      for id in order { try await harness.react(pair.verb, id, token: bob) }

      let path = "/api/v1/\(pair.list)"
      #expect(try await harness.get(path).head.status == .unauthorized)
      #expect(try await harness.page(path, token: alice).items.isEmpty)
      var seen: [Qwink.ID] = []
      var next: String? = path + "?limit=2"
      var last: Page<Qwink>?
      while let target = next {
        let page = try await harness.page(target, token: bob)
        seen += page.items.map(\.id)
        next = page.older?.url
        last = page
      }
      #expect(seen == order.reversed())
      let newer = try await harness.page(try #require(last?.newer?.url), token: bob)
      #expect(newer.items.map(\.id) == [order[2], order[1]])

      _ = try await harness.send(.delete, "/api/v1/statuses/\(order[4])", token: alice)
      #expect(try await harness.page(path, token: bob).items.map(\.id) == order.dropLast().reversed())
    }
  }

  @Test(arguments: Front.allCases)
  func `a boost is a separate row that refers to its original`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let qwink = try await harness.post("hello #tag", token: alice)
      let boost = try await harness.react("reblog", qwink.id, token: bob)
      #expect(boost.id != qwink.id)
      #expect(boost.originalID == qwink.id)
      #expect(boost.booster?.userName == "bob")
      #expect(boost.author.userName == "alice")
      #expect(boost.text == qwink.text)
      #expect(boost.isBoosted && boost.boostsCount == 1)
      // Boosting again, by the id of the original or of the boost, returns the same boost.
      #expect(try await harness.react("reblog", qwink.id, token: bob).id == boost.id)
      #expect(try await harness.react("reblog", boost.id, token: bob).id == boost.id)
      #expect(try await harness.qwink("/api/v1/statuses/\(boost.id)").booster?.userName == "bob")

      #expect(try await harness.page("/api/v1/timelines/home", token: bob).items.map(\.rowID) == [boost.rowID])
      let page = "/api/v1/accounts/\(try #require(boost.booster).id)/statuses"
      #expect(try await harness.page(page).items.map(\.id) == [boost.id])
      #expect(try await harness.page("\(page)?exclude_reblogs=true").items.isEmpty)
      for list in ["timelines/public", "timelines/tag/tag"] {
        #expect(try await harness.page("/api/v1/\(list)").items.map(\.id) == [qwink.id])
      }
      #expect(try await harness.qwinkers("/api/v1/statuses/\(qwink.id)/reblogged_by").items.map(\.userName) == ["bob"])
      // Reactions to the boost apply to the original.
      #expect(try await harness.react("favourite", boost.id, token: alice).id == qwink.id)
      #expect(
        try await harness.qwinkers("/api/v1/statuses/\(boost.id)/favourited_by").items.map(\.userName) == ["alice"])
      let answer = try await harness.post("indeed", token: alice, answering: boost.id)
      #expect(answer.inReplyTo == qwink.id)

      let undone = try await harness.react("unreblog", qwink.id, token: bob)
      #expect(undone.id == qwink.id && undone.booster == nil)
      #expect(!undone.isBoosted && undone.boostsCount == 0)
      #expect(try await harness.get("/api/v1/statuses/\(boost.id)").head.status == .notFound)
      #expect(try await harness.page(page).items.isEmpty)
    }
  }

  @Test func `a boost disappears when it or its original is deleted`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let qwink = try await harness.post("hello", token: alice)
      let first = try await harness.react("reblog", qwink.id, token: bob)
      let booster = try #require(first.booster)
      #expect(try await harness.send(.delete, "/api/v1/statuses/\(first.id)", token: alice).head.status == .notFound)
      #expect(try await harness.send(.delete, "/api/v1/statuses/\(first.id)", token: bob).head.status == .ok)
      #expect(try await harness.qwink("/api/v1/statuses/\(qwink.id)", token: bob).boostsCount == 0)
      try await harness.react("reblog", qwink.id, token: alice)
      let second = try await harness.react("reblog", qwink.id, token: bob)
      #expect(second.boostsCount == 2)
      func qwinksCount() async throws -> Int {
        try WireDecoder.qwinker(from: try await harness.get("/api/v1/accounts/\(booster.id)").body).qwinksCount
      }
      #expect(try await qwinksCount() == 1)
      _ = try await harness.send(.delete, "/api/v1/statuses/\(qwink.id)", token: alice)
      #expect(try await harness.page("/api/v1/timelines/home", token: bob).items.isEmpty)
      #expect(try await harness.get("/api/v1/statuses/\(second.id)").head.status == .notFound)
      #expect(try await qwinksCount() == 0)
    }
  }

  @Test func `only the author can boost a followers-only post`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let carol = try harness.service.addQwinker(named: "carol")
      try harness.follow("alice", by: "bob")
      let quiet = try await harness.post("for followers @carol", token: alice, visibility: .private)
      let direct = try await harness.post("for @bob", token: alice, visibility: .direct)
      func status(_ verb: String, _ id: Qwink.ID, _ token: String) async throws -> HTTPResponse.Status {
        try await harness.send(.post, "/api/v1/statuses/\(id)/\(verb)", token: token).head.status
      }
      #expect(try await status("reblog", quiet.id, bob) == .forbidden)
      #expect(try await status("reblog", direct.id, bob) == .forbidden)
      #expect(try await status("reblog", direct.id, alice) == .forbidden)
      // Accounts that can't see the post get 404.
      #expect(try await status("reblog", direct.id, carol) == .notFound)

      let boost = try await harness.react("reblog", quiet.id, token: alice)
      #expect(boost.visibility == .private)
      #expect(try await harness.page("/api/v1/timelines/home", token: bob).items.map(\.id) == [boost.id, quiet.id])
      #expect(try await harness.get("/api/v1/statuses/\(boost.id)").head.status == .notFound)
      // Carol is mentioned but isn't a follower. She can see the original but not the boost.
      #expect(try await harness.get("/api/v1/statuses/\(quiet.id)", token: carol).head.status == .ok)
      #expect(try await harness.get("/api/v1/statuses/\(boost.id)", token: carol).head.status == .notFound)
      #expect(try await status("favourite", boost.id, carol) == .notFound)
      #expect(try await harness.qwinkers("/api/v1/statuses/\(quiet.id)/reblogged_by", token: carol).items.isEmpty)
    }
  }

  @Test func `a boost with a smaller audience is hidden from others and not counted`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let carol = try harness.service.addQwinker(named: "carol")
      try harness.follow("bob", by: "carol")
      let qwink = try await harness.post("hello", token: alice)
      let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
      func boost(_ visibility: String) async throws -> TransportResponse {
        try await harness.send(
          .post, "/api/v1/statuses/\(qwink.id)/reblog", token: bob, headers: form,
          body: Array("visibility=\(visibility)".utf8))
      }
      #expect(try await boost("direct").head.status == .unprocessableContent)
      #expect(try await boost("secret").head.status == .unprocessableContent)
      let made = try WireDecoder.qwink(from: try await boost("private").body)
      #expect(made.isBoosted && made.boostsCount == 0)
      #expect(try await harness.page("/api/v1/timelines/home", token: carol).items.map(\.id) == [made.id])
      #expect(try await harness.get("/api/v1/statuses/\(made.id)", token: alice).head.status == .notFound)
      for (token, names) in [(alice, []), (carol, ["bob"])] {
        let shown = try await harness.qwinkers("/api/v1/statuses/\(qwink.id)/reblogged_by", token: token)
        #expect(shown.items.map(\.userName) == names)
      }
      #expect(try await harness.react("unreblog", qwink.id, token: bob).boostsCount == 0)
    }
  }
}
