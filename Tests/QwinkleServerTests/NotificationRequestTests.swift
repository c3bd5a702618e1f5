import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// The policy for notifications, and the requests of senders of filtered notifications.
@Suite(.bounded) struct NotificationRequestTests {
  private typealias Rules = [NotificationPolicy.Group: NotificationPolicy.Treatment]

  @concurrent @discardableResult
  private func set(_ rules: Rules, _ harness: Harness, token: String) async throws -> NotificationPolicy {
    let answer = try await harness.send(
      .patch, "/api/v2/notifications/policy", token: token, headers: [.contentType: "application/json"],
      body: WireEncoder.notificationRules(rules))
    try #require(answer.head.status == .ok, "\(answer.text)")
    return try WireDecoder.notificationPolicy(from: answer.body)
  }

  @concurrent
  private func policy(_ harness: Harness, token: String) async throws -> NotificationPolicy {
    try WireDecoder.notificationPolicy(
      from: await harness.get("/api/v2/notifications/policy", token: token).body)
  }

  @concurrent
  private func requests(
    _ harness: Harness, _ query: String = "", token: String
  ) async throws -> Page<NotificationRequest> {
    let answer = try await harness.get("/api/v1/notifications/requests\(query)", token: token)
    try #require(answer.head.status == .ok, "\(answer.text)")
    return try WireDecoder.notificationRequests(from: answer.body, link: answer.link)
  }

  /// The senders and kinds of notifications.
  @concurrent
  private func words(_ harness: Harness, _ query: String = "", token: String) async throws -> [String] {
    let answer = try await harness.get("/api/v1/notifications\(query)", token: token)
    return try WireDecoder.notifications(from: answer.body, link: answer.link).items.map {
      "\($0.qwinker.userName) \($0.kind)"
    }
  }

  @concurrent
  private func count(_ path: String, _ harness: Harness, token: String) async throws -> Int? {
    try await harness.get("/api/\(path)/notifications/unread_count", token: token).object["count"] as? Int
  }

  @Test func `a policy accepts everything at first and stores changes of single rules`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let all = Dictionary(
        uniqueKeysWithValues: NotificationPolicy.Group.allCases.map { ($0, NotificationPolicy.Treatment.accept) })
      #expect(try await policy(harness, token: alice) == NotificationPolicy(treatments: all))
      try await set([.bots: .drop], harness, token: alice)
      let changed = try await set([.privateMentions: .filter], harness, token: alice)
      #expect(changed.treatments[.bots] == .drop && changed.treatments[.privateMentions] == .filter)
      #expect(changed.treatments[.newAccounts] == .accept)
      #expect(try await policy(harness, token: alice) == changed)
      #expect(try await policy(harness, token: bob).treatments == all)
      for body in [#"{"for_bots":"maybe"}"#, #"{"for_cats":"drop"}"#] {
        let answer = try await harness.send(
          .patch, "/api/v2/notifications/policy", token: alice, headers: [.contentType: "application/json"],
          body: Array(body.utf8))
        #expect(answer.head.status == .unprocessableContent, "\(body)")
      }
      #expect(try await policy(harness, token: alice) == changed)
    }
  }

  @Test func `a filtered notification is listed after its request is accepted, and so are later ones`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let carol = try harness.service.addQwinker(named: "carol")
      try await set([.privateMentions: .filter], harness, token: alice)
      try await harness.post("@alice psst", token: bob, visibility: .direct)
      try await harness.post("@alice psst again", token: bob, visibility: .direct)
      try await harness.post("@alice hello", token: bob)
      #expect(try await words(harness, token: alice) == ["bob mention"])
      #expect(try await count("v1", harness, token: alice) == 1)
      #expect(try await count("v2", harness, token: alice) == 1)
      let groups = try await harness.get("/api/v2/notifications", token: alice)
      #expect((groups.object["notification_groups"] as? [Any])?.count == 1)

      let policy = try await policy(harness, token: alice)
      #expect(policy.requestsCount == 1 && policy.notificationsCount == 2)
      let request = try #require(try await requests(harness, token: alice).items.first)
      #expect(request.qwinker.userName == "bob" && request.notificationsCount == 2)
      #expect(request.lastQwink?.text.plainText == "@alice psst again")
      let one = try await harness.get("/api/v1/notifications/requests/\(request.id)", token: alice)
      #expect(try WireDecoder.notificationRequest(from: one.body) == request)
      // Everything of the sender, filtered or not.
      let ofBob = try await words(harness, "?account_id=\(request.qwinker.id)", token: alice)
      #expect(ofBob == ["bob mention", "bob mention", "bob mention"])
      #expect(try await words(harness, "?include_filtered=true", token: alice) == ofBob)

      // Requests are visible to their recipient only.
      for other in [bob, carol] {
        #expect(try await requests(harness, token: other).items.isEmpty)
        for path in ["", "/accept", "/dismiss"] {
          let method: HTTPRequest.Method = path.isEmpty ? .get : .post
          let answer = try await harness.send(
            method, "/api/v1/notifications/requests/\(request.id)\(path)", token: other)
          #expect(answer.head.status == .notFound, "\(path)")
        }
      }

      let path = "/api/v1/notifications/requests/\(request.id)/accept"
      #expect(try await harness.send(.post, path, token: alice).text == "{}")
      #expect(try await words(harness, token: alice) == ofBob)
      #expect(try await requests(harness, token: alice).items.isEmpty)
      #expect(try await self.policy(harness, token: alice).requestsCount == 0)
      #expect(try await harness.send(.post, path, token: alice).head.status == .notFound)
      try await harness.post("@alice psst, a third time", token: bob, visibility: .direct)
      #expect(try await words(harness, token: alice).count == 4)
    }
  }

  @Test func `dismissing a request deletes its notifications, and a later one makes a new request`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let others = try ["bob", "carol"].map { try harness.service.addQwinker(named: $0) }
      try await set([.notFollowing: .filter], harness, token: alice)
      for token in others { try await harness.post("@alice hello", token: token) }
      let first = try await requests(harness, "?limit=1", token: alice)
      #expect(first.items.map(\.qwinker.userName) == ["carol"] && first.older != nil)
      let older = try await requests(harness, "?max_id=\(first.items[0].id)", token: alice)
      #expect(older.items.map(\.qwinker.userName) == ["bob"])
      let ids = (first.items + older.items).map(\.id)
      let answer = try await harness.send(
        .post, "/api/v1/notifications/requests/dismiss", token: alice, headers: [.contentType: "application/json"],
        body: WireEncoder.notificationRequestIDs(ids))
      #expect(answer.head.status == .ok)
      #expect(try await requests(harness, token: alice).items.isEmpty)
      #expect(try await words(harness, "?include_filtered=true", token: alice).isEmpty)
      try await harness.post("@alice are you there?", token: others[0])
      let again = try await requests(harness, token: alice).items
      #expect(again.map(\.notificationsCount) == [1] && again.map(\.id) != [ids[1]])
      // A form with the usual notation of lists.
      let form = try await harness.submit(
        "/api/v1/notifications/requests/accept", [("id[]", again[0].id.rawValue)], token: alice)
      #expect(form.head.status == .ok)
      #expect(try await words(harness, token: alice) == ["bob mention"])
      for fields in [[], [("id[]", "x")], [("id[]", "17")]] {
        let wrong = try await harness.submit("/api/v1/notifications/requests/accept", fields, token: alice)
        #expect(wrong.head.status != .ok, "\(fields)")
      }
    }
  }

  @Test func `each rule applies to its senders only`() async throws {
    let month = Duration.seconds(31 * 86_400)
    let clock = VirtualClock()
    try await withService(clock: clock) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let old = try harness.service.addQwinker(named: "old")
      await clock.advance(by: month)
      let new = try harness.service.addQwinker(named: "new")
      let mine = try await harness.post("mine", token: alice)
      func filtered(_ rules: Rules, _ act: () async throws -> Void) async throws -> [String] {
        let off = Dictionary(
          uniqueKeysWithValues: NotificationPolicy.Group.allCases.map { ($0, NotificationPolicy.Treatment.accept) })
        try await set(off.merging(rules) { $1 }, harness, token: alice)
        try await act()
        let found = try await requests(harness, token: alice).items
        for request in found {
          _ = try await harness.send(.post, "/api/v1/notifications/requests/\(request.id)/dismiss", token: alice)
        }
        return found.map(\.qwinker.userName).sorted()
      }
      func both(_ text: String, _ visibility: Visibility = .public) async throws {
        for token in [old, new] { try await harness.post("@alice \(text)", token: token, visibility: visibility) }
      }
      #expect(try await filtered([.newAccounts: .filter]) { try await both("1") } == ["new"])
      #expect(try await filtered([.notFollowing: .filter]) { try await both("2") } == ["new", "old"])
      #expect(try await filtered([.privateMentions: .filter]) { try await both("3") } == [])
      #expect(try await filtered([.privateMentions: .filter]) { try await both("4", .direct) } == ["new", "old"])
      #expect(try await filtered([.limitedAccounts: .filter]) { try await both("5") } == [])
      #expect(
        try await filtered([.notFollowing: .filter]) {
          try await harness.react("favourite", mine.id, token: old)
          try await harness.react("reblog", mine.id, token: new)
        } == ["new", "old"])
      try harness.follow("old", by: "alice")
      #expect(
        try await filtered([.notFollowing: .filter, .privateMentions: .filter]) { try await both("6", .direct) } == [
          "new"
        ])
      #expect(try await filtered([.notFollowers: .filter]) { try await both("7") } == ["new", "old"])
      try harness.follow("alice", by: "new")
      #expect(try await filtered([.notFollowers: .filter]) { try await both("8") } == ["old"])
      try harness.service.write { session in
        try session.updateAccount(try #require(try session.accountID(named: "new")), ProfileChange(isBot: true))
      }
      #expect(try await filtered([.bots: .filter]) { try await both("9") } == ["new"])
      // Dropping has precedence over filtering.
      #expect(try await filtered([.bots: .drop, .newAccounts: .filter]) { try await both("10") } == [])
      let texts = try await harness.get("/api/v1/notifications?include_filtered=true", token: alice).text
      // Only the notification of the old account exists.
      #expect(texts.components(separatedBy: "10</p>").count == 2)
    }
  }

  @Test func `a reply to the user's own private message is never filtered`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let carol = try harness.service.addQwinker(named: "carol")
      try await set([.privateMentions: .filter], harness, token: alice)
      let asked = try await harness.post("@bob are you coming?", token: alice, visibility: .direct)
      let answer = try await harness.post("@alice yes", token: bob, visibility: .direct, answering: asked.id)
      try await harness.post("@alice and early", token: bob, visibility: .direct, answering: answer.id)
      #expect(try await words(harness, token: alice) == ["bob mention", "bob mention"])
      // The message was to bob, not to carol.
      let public_ = try await harness.post("hello all", token: alice)
      try await harness.post("@alice psst", token: carol, visibility: .direct, answering: public_.id)
      #expect(try await words(harness, token: alice).count == 2)
      #expect(try await requests(harness, token: alice).items.map(\.qwinker.userName) == ["carol"])
    }
  }

  @Test func `a request disappears with its last visible notification`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let carol = try harness.service.addQwinker(named: "carol")
      try await set([.notFollowing: .filter], harness, token: alice)
      let post = try await harness.post("@alice hello", token: bob)
      try await harness.post("@alice hello", token: carol)
      #expect(try await policy(harness, token: alice).requestsCount == 2)
      _ = try await harness.send(.delete, "/api/v1/statuses/\(post.id)", token: bob)
      #expect(try await requests(harness, token: alice).items.map(\.qwinker.userName) == ["carol"])
      // Clearing the list leaves filtered notifications, which aren't in the list.
      _ = try await harness.send(.post, "/api/v1/notifications/clear", token: alice)
      #expect(try await policy(harness, token: alice).notificationsCount == 1)
      try await harness.relate("block", "carol", token: alice)
      #expect(try await requests(harness, token: alice).items.isEmpty)
      #expect(try await policy(harness, token: alice).requestsCount == 0)
    }
  }
}
