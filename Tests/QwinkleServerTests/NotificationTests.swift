import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

@Suite(.bounded) struct NotificationTests {
  /// One string for each notification: the account, the kind and the text.
  private static func words(_ notifications: [AccountNotification]) -> [String] {
    notifications.map { notification in
      [notification.qwinker.userName, "\(notification.kind)", notification.qwink?.text.plainText].compactMap(\.self)
        .joined(
          separator: " ")
    }
  }

  @concurrent
  private func notifications(_ harness: Harness, _ query: String = "", token: String) async throws -> Page<
    AccountNotification
  > {
    let answer = try await harness.get("/api/v1/notifications\(query)", token: token)
    try #require(answer.head.status == .ok, "\(answer.text)")
    return try WireDecoder.notifications(from: answer.body, link: answer.link)
  }

  @Test(arguments: Front.allCases)
  func `an account is notified of mentions and reactions and follows and edits`(
    _ front: Front
  ) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let qwink = try await harness.post("hello", token: alice)
      try await harness.post("hi @alice and @bob", token: bob)
      try await harness.react("favourite", qwink.id, token: bob)
      try await harness.react("reblog", qwink.id, token: bob)
      try harness.follow("alice", by: "bob")
      try harness.service.write { session in
        let ids = try session.accountIDs(named: ["alice", "bob"])
        try session.notify(try #require(ids["alice"]), of: .follow, by: try #require(ids["bob"]))
      }
      // A reaction to the user's own qwink sends no notification.
      try await harness.react("favourite", qwink.id, token: alice)
      try await harness.react("reblog", qwink.id, token: alice)

      let shown = try await notifications(harness, token: alice)
      #expect(
        Self.words(shown.items) == [
          "bob follow", "bob boost hello", "bob favourite hello", "bob mention hi @alice and @bob",
        ])
      #expect(shown.items[1].qwink?.booster == nil)
      let first = shown.items[0]
      let one = try await harness.get("/api/v1/notifications/\(first.id)", token: alice)
      #expect(try WireDecoder.notification(from: one.body) == first)
      #expect(try await harness.get("/api/v1/notifications/\(first.id)", token: bob).head.status == .notFound)

      #expect(try await notifications(harness, token: bob).items.isEmpty)
      for text in ["hello there", "hello everybody"] { _ = try await harness.edit(qwink.id, text, token: alice) }
      #expect(Self.words(try await notifications(harness, token: bob).items) == ["alice edit hello everybody"])
    }
  }

  @Test func `a repeated action notifies once and undoing it removes the notification`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let qwink = try await harness.post("hello", token: alice)
      for verb in ["favourite", "reblog"] {
        for _ in 0..<2 { try await harness.react(verb, qwink.id, token: bob) }
        #expect(try await notifications(harness, token: alice).items.count == 1)
        try await harness.react("un\(verb)", qwink.id, token: bob)
        #expect(try await notifications(harness, token: alice).items.isEmpty)
      }
      let mention = try await harness.post("hi @alice", token: bob)
      _ = try await harness.edit(mention.id, "hi", token: bob)
      #expect(try await notifications(harness, token: alice).items.isEmpty)
      _ = try await harness.edit(mention.id, "hi again @alice", token: bob)
      #expect(try await notifications(harness, token: alice).items.count == 1)
      _ = try await harness.send(.delete, "/api/v1/statuses/\(mention.id)", token: bob)
      #expect(try await notifications(harness, token: alice).items.isEmpty)
    }
  }

  @Test(arguments: Front.allCases)
  func `notifications can be filtered by type or account and paged`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let carol = try harness.service.addQwinker(named: "carol")
      let qwink = try await harness.post("hello", token: alice)
      for number in 0..<3 {
        try await harness.post("\(number) @alice", token: bob)
        try await harness.post("\(number) @alice", token: carol)
      }
      try await harness.react("favourite", qwink.id, token: carol)
      try await harness.react("reblog", qwink.id, token: carol)

      for (query, count) in [
        ("", 8), ("?types[]=mention", 6), ("?types%5B%5D=mention&types%5B%5D=reblog", 7), ("?types[]=poll", 0),
        ("?exclude_types[]=mention", 2), ("?types[]=mention&types[]=favourite&exclude_types[]=mention", 1),
        ("?limit=3", 3),
      ] {
        #expect(try await notifications(harness, query, token: alice).items.count == count, "\(query)")
      }
      let all = try await notifications(harness, token: alice).items
      let fromBob = try #require(all.last).qwinker
      let his = try await notifications(harness, "?account_id=\(fromBob.id)", token: alice).items
      #expect(his == all.filter { $0.qwinker == fromBob })
      #expect(
        try await harness.get("/api/v1/notifications?account_id=x", token: alice).head.status == .unprocessableContent)

      var seen: [AccountNotification] = []
      var next: String? = "?types[]=mention&limit=4"
      while let query = next {
        let page = try await notifications(harness, query, token: alice)
        seen += page.items
        next = page.older.map { "?" + ($0.url.split(separator: "?").last ?? "") }
      }
      #expect(seen == all.filter { $0.kind == .mention })
    }
  }

  @Test(arguments: Front.allCases)
  func `notifications count until they are read or dismissed or cleared`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      for number in 0..<5 { try await harness.post("\(number) @alice", token: bob) }
      let all = try await notifications(harness, token: alice).items
      func unread(_ query: String = "") async throws -> Int? {
        try await harness.get("/api/v1/notifications/unread_count\(query)", token: alice).object["count"] as? Int
      }
      #expect(try await unread() == 5)
      #expect(try await unread("?limit=2") == 2)
      #expect(try await unread("?exclude_types[]=mention") == 0)
      _ = try await harness.send(
        .post, "/api/v1/markers", token: alice, headers: [.contentType: "application/json"],
        body: Array(#"{"notifications":{"last_read_id":"\#(all[2].id)"}}"#.utf8))
      #expect(try await unread() == 2)

      let path = "/api/v1/notifications"
      #expect(try await harness.send(.post, "\(path)/\(all[0].id)/dismiss", token: bob).head.status == .notFound)
      #expect(try await harness.send(.post, "\(path)/\(all[0].id)/dismiss", token: alice).text == "{}")
      #expect(try await harness.send(.post, "\(path)/\(all[0].id)/dismiss", token: alice).head.status == .notFound)
      let older = "\(path)/dismiss"
      for (id, token, status) in [
        (all[4].id.rawValue, bob, HTTPResponse.Status.notFound), (all[4].id.rawValue, alice, .ok),
        ("x", alice, .notFound),
      ] {
        #expect(try await harness.submit(older, [("id", id)], token: token).head.status == status)
      }
      #expect(try await harness.submit(older, [], token: alice).head.status == .notFound)
      #expect(try await notifications(harness, token: alice).items == Array(all.dropFirst().dropLast()))
      #expect(try await unread() == 1)
      #expect(try await harness.send(.post, "\(path)/clear", token: bob).text == "{}")
      #expect(try await notifications(harness, token: alice).items.count == 3)
      #expect(try await harness.send(.post, "\(path)/clear", token: alice).text == "{}")
      #expect(try await notifications(harness, token: alice).items.isEmpty)
      for (method, place) in [
        (HTTPRequest.Method.get, ""), (.get, "/unread_count"), (.get, "/1"), (.post, "/clear"), (.post, "/1/dismiss"),
      ] {
        #expect(try await harness.send(method, path + place).head.status == .unauthorized)
      }
    }
  }
}
