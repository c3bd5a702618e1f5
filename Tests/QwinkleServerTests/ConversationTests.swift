import HTTPTypes
import QwinkleModel
import QwinkleServer
import QwinkleWire
import TerminalTesting
import Testing

@Suite(.bounded) struct ConversationTests {
  @concurrent
  private func conversations(_ harness: Harness, _ query: String = "", token: String) async throws -> Page<Conversation>
  {
    let answer = try await harness.get("/api/v1/conversations\(query)", token: token)
    try #require(answer.head.status == .ok, "\(answer.text)")
    return try WireDecoder.conversations(from: answer.body, link: answer.link)
  }

  /// One string for each conversation: the other participants, the last message, and a star if it's unread.
  private static func words(_ conversations: [Conversation]) -> [String] {
    conversations.map { conversation in
      let names = conversation.participants.map(\.userName).joined(separator: "+")
      return "\(names): \(conversation.lastQwink?.text.plainText ?? "-")\(conversation.isUnread ? " *" : "")"
    }
  }

  @Test(arguments: Front.allCases)
  func `messages between the same participants form one conversation`(
    _ front: Front
  ) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let carol = try harness.service.addQwinker(named: "carol")
      let one = try await harness.post("@bob one", token: alice, visibility: .direct)
      let two = try await harness.post("@alice two", token: bob, visibility: .direct, answering: one.id)
      // One reply sent at the same time as another, and one message that isn't a reply. Both are in the same
      // conversation.
      let three = try await harness.post("@bob three", token: alice, visibility: .direct, answering: one.id)
      let four = try await harness.post("@alice four", token: bob, visibility: .direct)
      let other = try await harness.post("@bob @carol other", token: alice, visibility: .direct, answering: four.id)
      try await harness.post("@bob for all to see", token: alice)

      #expect(
        Self.words(try await conversations(harness, token: alice).items) == [
          "bob+carol: @bob @carol other", "bob: @alice four *",
        ])
      #expect(
        Self.words(try await conversations(harness, token: bob).items) == [
          "alice+carol: @bob @carol other *", "alice: @alice four",
        ])
      #expect(Self.words(try await conversations(harness, token: carol).items) == ["alice+bob: @bob @carol other *"])
      #expect(try await harness.get("/api/v1/conversations").head.status == .unauthorized)

      func around(_ id: Qwink.ID, _ token: String) async throws -> QwinkThread {
        try WireDecoder.thread(from: try await harness.get("/api/v1/statuses/\(id)/context", token: token).body)
      }
      let last = try await around(four.id, bob)
      #expect(last.ancestors.map(\.id) == [one.id, two.id, three.id])
      // The thread shows a reply in another conversation to its participants.
      #expect(last.descendants.map(\.id) == [other.id])
      let middle = try await around(two.id, alice)
      #expect(middle.ancestors.map(\.id) == [one.id])
      #expect(middle.descendants.map(\.id) == [three.id, four.id])
      let hers = try await around(other.id, carol)
      #expect(hers.ancestors.isEmpty && hers.descendants.isEmpty)
    }
  }

  @Test func `the thread of a private reply includes the public post`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let before = try await harness.post("@bob before", token: alice, visibility: .direct)
      let root = try await harness.post("root", token: bob)
      let answer = try await harness.post("@bob psst", token: alice, visibility: .direct, answering: root.id)
      func around(_ id: Qwink.ID) async throws -> QwinkThread {
        try WireDecoder.thread(from: try await harness.get("/api/v1/statuses/\(id)/context", token: bob).body)
      }
      #expect(try await around(answer.id).ancestors.map(\.id) == [before.id, root.id])
      #expect(try await around(root.id).descendants.map(\.id) == [answer.id])
    }
  }

  @Test(arguments: Front.allCases)
  func `each participant marks a conversation as read separately`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let carol = try harness.service.addQwinker(named: "carol")
      try await harness.post("@bob one", token: alice, visibility: .direct)
      let made = try #require(try await conversations(harness, token: bob).items.first)
      #expect(made.isUnread)
      let path = "/api/v1/conversations/\(made.id)/read"
      #expect(try await harness.send(.post, path, token: carol).head.status == .notFound)
      #expect(try await harness.send(.post, "/api/v1/conversations/x/read", token: bob).head.status == .notFound)
      let read = try WireDecoder.conversation(from: try await harness.send(.post, path, token: bob).body)
      #expect(read.id == made.id && !read.isUnread)
      #expect(read.lastQwink?.text.plainText == "@bob one")
      #expect(Self.words(try await conversations(harness, token: bob).items) == ["alice: @bob one"])

      // Posting marks a conversation as read.
      try await harness.post("@bob two", token: alice, visibility: .direct)
      #expect(Self.words(try await conversations(harness, token: bob).items) == ["alice: @bob two *"])
      let three = try await harness.post("@alice three", token: bob, visibility: .direct)
      #expect(Self.words(try await conversations(harness, token: bob).items) == ["alice: @alice three"])
      #expect(Self.words(try await conversations(harness, token: alice).items) == ["bob: @alice three *"])
      // A deleted message is not unread.
      _ = try await harness.send(.delete, "/api/v1/statuses/\(three.id)", token: bob)
      #expect(Self.words(try await conversations(harness, token: alice).items) == ["bob: @bob two"])
    }
  }

  @Test(arguments: Front.allCases)
  func `a deleted conversation returns with the next message`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let one = try await harness.post("@bob one", token: alice, visibility: .direct)
      let made = try #require(try await conversations(harness, token: bob).items.first)
      let path = "/api/v1/conversations/\(made.id)"
      #expect(try await harness.send(.delete, path).head.status == .unauthorized)
      #expect(try await harness.send(.delete, path, token: bob).text == "{}")
      #expect(try await harness.send(.delete, path, token: bob).head.status == .notFound)
      #expect(try await conversations(harness, token: bob).items.isEmpty)
      #expect(try await conversations(harness, token: alice).items.count == 1)
      #expect(try await harness.get("/api/v1/statuses/\(one.id)", token: bob).head.status == .ok)

      let two = try await harness.post("@bob two", token: alice, visibility: .direct)
      #expect(try await conversations(harness, token: bob).items.map(\.id) == [made.id])
      #expect(Self.words(try await conversations(harness, token: bob).items) == ["alice: @bob two *"])
      // Older messages don't become unread again.
      _ = try await harness.send(.delete, "/api/v1/statuses/\(two.id)", token: alice)
      #expect(Self.words(try await conversations(harness, token: bob).items) == ["alice: @bob one"])
      _ = try await harness.send(.delete, "/api/v1/statuses/\(one.id)", token: alice)
      #expect(try await conversations(harness, token: bob).items.isEmpty)
      #expect(try await conversations(harness, token: alice).items.isEmpty)
    }
  }

  @Test func `a note to self is a conversation without other participants`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      try await harness.post("@alice remember", token: alice, visibility: .direct)
      try await harness.post("@alice @nobody_there remember this", token: alice, visibility: .direct)
      let all = try await conversations(harness, token: alice).items
      #expect(Self.words(all) == [": @alice @nobody_there remember this"])
    }
  }

  @Test func `conversations are paged by their last message`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      for number in 0..<5 {
        _ = try harness.service.addQwinker(named: "name\(number)")
        try await harness.post("@name\(number) hi", token: alice, visibility: .direct)
      }
      try await harness.post("@name1 again", token: alice, visibility: .direct)
      var names: [[String]] = []
      var next: String? = "?limit=2"
      var last: Page<Conversation>?
      while let query = next {
        let page = try await conversations(harness, query, token: alice)
        names.append(page.items.flatMap { $0.participants.map(\.userName) })
        next = page.older.map { "?" + ($0.url.split(separator: "?").last ?? "") }
        last = page
      }
      #expect(names == [["name1", "name4"], ["name3", "name2"], ["name0"]])
      let newest = try #require(last?.items.first?.lastQwink)
      #expect(last?.newer?.url.hasSuffix("min_id=\(newest.id)") == true)
    }
  }
}
