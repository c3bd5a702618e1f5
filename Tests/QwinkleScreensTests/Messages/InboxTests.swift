import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@MainActor
@Suite(.bounded) struct InboxTests {
  private func bench() async throws -> InboxBench {
    let bench = try InboxBench()
    Talk.begin(on: bench.server)
    await bench.start()
    return bench
  }

  // MARK: The list

  @Test func `conversations are listed newest first with an unread count`() async throws {
    let bench = try await bench()
    #expect(bench.ids == ["bob", "dana"])
    #expect(bench.inbox.unreadCount == 1)
    #expect(bench.inbox.state.refreshedAt != nil && bench.inbox.state.isComplete)
  }

  @Test func `cached conversations and messages are shown without a request and offline`() async throws {
    let bench = try await bench()
    _ = try await bench.open("bob")
    bench.inbox.close("bob")
    let later = try InboxBench(server: bench.server, in: bench.folder)
    bench.messages.fail(with: .refused(host: ScriptedTimeline.host))
    let asked = bench.messages.seen.count
    #expect(later.inbox.unreadCount == 1)
    #expect(later.ids == ["bob", "dana"])
    #expect(bench.messages.seen.count == asked)
    let conversation = try #require(later.inbox.conversation("bob"))
    later.inbox.open(conversation)
    later.inbox.fetchThread(of: "bob")
    #expect(later.texts(of: "bob") == ["@mara Are you coming?", "@bob Nine it is.", "@mara Bring coffee."])
    await later.settle()
    #expect(later.inbox.state(of: "bob").error != nil)
    #expect(later.texts(of: "bob").count == 3)
  }

  @Test func `a conversation with a new message moves to the top and no other row moves`() async throws {
    let bench = try await bench()
    bench.messages.say(
      .message("d2", by: Talk.dana, to: [Talk.me], "Still up?", at: Talk.at(0), answering: "d1"), in: "dana")
    await bench.pass(.seconds(60))
    #expect(bench.ids == ["dana", "bob"])
    #expect(bench.inbox.unreadCount == 2)
    let change = try #require(bench.observer.changes.last)
    #expect(change.removed == [1] && change.inserted == [0..<1])
  }

  @Test func `older pages load on demand and are cached for the next start`() async throws {
    let bench = try InboxBench()
    for number in 0..<100 {
      bench.messages.add("c\(number)", with: [.sample("friend\(number)")], [])
    }
    await bench.start()
    #expect(bench.ids.count == Inbox.pageSize)
    bench.inbox.loadOlder()
    await bench.settle()
    #expect(bench.ids == (20..<100).reversed().map { "c\($0)" })
    let later = try InboxBench(server: bench.server, in: bench.folder)
    #expect(later.ids.count == Inbox.pageSize)
    later.inbox.loadOlder()
    #expect(later.ids == bench.ids)
    await later.start()
    later.inbox.loadOlder()
    await later.settle()
    #expect(later.ids == (0..<100).reversed().map { "c\($0)" })
    #expect(later.inbox.state.isComplete)
  }

  @Test func `a late conversation is inserted at its position and stays there after a restart`() async throws {
    let bench = try InboxBench()
    for id in ["dana", "bob", "fay"] { bench.messages.add(id, with: [.sample(id)], []) }
    await bench.start()
    bench.messages.add("erin", with: [.sample("erin")], [], below: 1)
    await bench.pass(.seconds(60))
    #expect(bench.ids == ["fay", "erin", "bob", "dana"])
    #expect(bench.observer.changes.last == ListChange(inserted: [1..<2]))
    #expect(try InboxBench(server: bench.server, in: bench.folder).ids == bench.ids)
  }

  /// Conversations arrive, some of them late, receive messages and are deleted elsewhere while the reader polls and
  /// pages.
  @Test(arguments: Soak.seeds(6, times: 20))
  func `the cached list always equals the displayed list`(seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let bench = try InboxBench()
    var ids: [String] = []
    func add(below count: Int) {
      ids.append("c\(ids.count)")
      bench.messages.add(ids[ids.count - 1], with: [.sample("friend\(ids.count)")], [], below: count)
    }
    for _ in 0..<100 { add(below: 0) }
    await bench.start()
    for step in 0..<12 {
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let id = ids[Int.random(in: (ids.count / 2)..<ids.count, using: &random)]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bench.messages.say(.message("\(step) \(id)", by: Talk.bob, to: [Talk.me], "Hi", at: Talk.at(1)), in: id)
        case 1: bench.messages.drop(id)
        default: add(below: Int.random(in: 0..<30, using: &random))
        }
      }
      if Int.random(in: 0..<3, using: &random) == 0 { bench.inbox.loadOlder() }
      await bench.pass(.seconds(60))
      let later = try InboxBench(server: bench.server, in: bench.folder)
      _ = later.ids
      while later.inbox.hasMoreCached { later.inbox.loadOlder() }
      #expect(later.ids == bench.ids, "step \(step)")
      let page = bench.messages.ids.prefix(Inbox.pageSize)
      #expect(bench.ids.prefix(page.count) == page, "step \(step)")
    }
  }

  @Test func `the poll interval depends on open chats and failures`() async throws {
    let bench = try await bench()
    func asked() -> Int { bench.messages.seen.count { $0 == "GET conversations" } }
    #expect(asked() == 1)
    await bench.pass(.seconds(59))
    #expect(asked() == 1)
    await bench.pass(.seconds(1))
    #expect(asked() == 2)
    _ = try await bench.open("dana")
    await bench.pass(.seconds(20))
    #expect(asked() == 3)
    bench.inbox.close("dana")
    await bench.pass(.seconds(20))
    bench.messages.fail(with: .timedOut(host: ScriptedTimeline.host))
    await bench.pass(.seconds(60))
    let failed = asked()
    #expect(bench.inbox.nextAttempt != nil && bench.inbox.state.offlineSince != nil)
    await bench.pass(.seconds(20))
    await bench.pass(.seconds(29))
    #expect(asked() == failed + 1)
    await bench.pass(.seconds(1))
    #expect(asked() == failed + 2)
    #expect(bench.ids == ["bob", "dana"])
  }

  // MARK: Reading

  @Test func `reading a conversation marks it read at once and on the server`() async throws {
    let bench = try await bench()
    bench.inbox.markRead("bob")
    #expect(bench.inbox.unreadCount == 0)
    #expect(bench.inbox.conversation("bob")?.isUnread == false)
    await bench.settle()
    #expect(bench.messages.seen.contains("POST bob/read"))
    bench.inbox.markRead("bob")
    await bench.settle()
    #expect(bench.messages.seen.count { $0 == "POST bob/read" } == 1)
  }

  @Test func `a pending response does not mark a conversation unread again`() async throws {
    let bench = try await bench()
    let gate = Gate()
    bench.messages.failReads(with: .timedOut(host: ScriptedTimeline.host))
    bench.messages.holdList(by: gate)
    bench.inbox.refresh()
    #expect(bench.inbox.conversation("bob")?.isUnread == true)
    bench.inbox.markRead("bob")
    gate.open()
    await bench.settle()
    #expect(bench.inbox.unreadCount == 0)
    #expect(bench.inbox.conversation("bob")?.isUnread == false)
  }

  @Test func `a failed read request is repeated with the next poll`() async throws {
    let bench = try await bench()
    bench.messages.failReads(with: .timedOut(host: ScriptedTimeline.host))
    bench.inbox.markRead("bob")
    await bench.settle()
    bench.messages.failReads(with: nil)
    await bench.pass(.seconds(60))
    #expect(bench.messages.seen.count { $0 == "POST bob/read" } == 2)
    await bench.pass(.seconds(60))
    #expect(bench.messages.seen.count { $0 == "POST bob/read" } == 2)
    #expect(bench.inbox.unreadCount == 0)
  }

  @Test func `a message received after reading makes the conversation unread`() async throws {
    let bench = try await bench()
    bench.inbox.markRead("bob")
    await bench.settle()
    bench.messages.say(
      .message("b4", by: Talk.bob, to: [Talk.me], "And cups.", at: Talk.at(1), answering: "b3"), in: "bob")
    await bench.pass(.seconds(60))
    #expect(bench.inbox.unreadCount == 1)
  }

  // MARK: Deleting

  @Test func `a deleted conversation disappears at once and stays deleted`() async throws {
    let bench = try await bench()
    let gate = Gate()
    bench.messages.holdList(by: gate)
    bench.inbox.refresh()
    bench.inbox.delete("bob")
    #expect(bench.ids == ["dana"])
    #expect(bench.inbox.unreadCount == 0)
    gate.open()
    await bench.settle()
    #expect(bench.ids == ["dana"])
    #expect(bench.messages.seen.contains("DELETE bob"))
    let later = try InboxBench(server: bench.server, in: bench.folder)
    #expect(later.ids == ["dana"])
  }

  @Test func `a conversation returns to its row if its deletion fails`() async throws {
    let bench = try await bench()
    bench.messages.failDeletes(with: .timedOut(host: ScriptedTimeline.host))
    bench.inbox.delete("bob")
    await bench.settle()
    #expect(bench.ids == ["bob", "dana"])
    #expect(bench.inbox.state.error != nil)
    #expect(bench.inbox.unreadCount == 1)
  }

  @Test func `a deleted conversation reappears when it receives a message`() async throws {
    let bench = try await bench()
    bench.messages.failDeletes(with: nil)
    bench.inbox.delete("bob")
    await bench.settle()
    bench.messages.add(
      "bob", with: [Talk.bob], isUnread: true,
      Talk.withBob + [.message("b4", by: Talk.bob, to: [Talk.me], "Hello?", at: Talk.at(1), answering: "b3")])
    await bench.pass(.seconds(60))
    #expect(bench.ids == ["bob", "dana"])
  }

  // MARK: Several with the same people

  private func threads() async throws -> InboxBench {
    let bench = try await bench()
    bench.messages.add(
      "bob2", with: [Talk.bob], isUnread: true,
      [
        .message("x1", by: Talk.bob, to: [Talk.me], "Another thing.", at: Talk.at(-8)),
        .message("x2", by: Talk.bob, to: [Talk.me], "Call me.", at: Talk.at(-5), answering: "x1"),
      ])
    await bench.pass(.seconds(60))
    return bench
  }

  @Test func `conversations with the same participants are merged into one`() async throws {
    let bench = try await threads()
    #expect(bench.ids == ["bob", "dana"])
    #expect(bench.inbox.unreadCount == 1)
    #expect(bench.inbox.conversations.first?.lastQwink?.id == "x2")
    _ = try await bench.open("bob")
    #expect(bench.inbox.messages(of: "bob").map(\.id.rawValue) == ["b1", "b2", "b3", "x1", "x2"])
  }

  @Test func `reading a merged conversation marks all its threads read`() async throws {
    let bench = try await threads()
    bench.inbox.markRead("bob")
    await bench.settle()
    #expect(bench.inbox.unreadCount == 0)
    #expect(Set(bench.messages.seen).isSuperset(of: ["POST bob/read", "POST bob2/read"]))
  }

  @Test func `deleting a merged conversation deletes all its threads or restores it on failure`()
    async throws
  {
    let bench = try await threads()
    bench.messages.failDeletes(with: .timedOut(host: ScriptedTimeline.host))
    bench.inbox.delete("bob")
    #expect(bench.ids == ["dana"])
    await bench.settle()
    #expect(bench.ids == ["bob", "dana"])
    bench.messages.failDeletes(with: nil)
    bench.inbox.delete("bob")
    await bench.settle()
    #expect(bench.ids == ["dana"])
    #expect(Set(bench.messages.seen).isSuperset(of: ["DELETE bob", "DELETE bob2"]))
  }

  @Test func `new messages of every merged thread appear in the open chat`() async throws {
    let bench = try await threads()
    _ = try await bench.open("bob")
    bench.messages.say(
      .message("b4", by: Talk.bob, to: [Talk.me], "And cups.", at: Talk.at(1), answering: "b3"), in: "bob")
    await bench.pass(.seconds(20))
    bench.messages.say(
      .message("x3", by: Talk.bob, to: [Talk.me], "Soon.", at: Talk.at(2), answering: "x2"), in: "bob2")
    await bench.pass(.seconds(20))
    #expect(bench.inbox.messages(of: "bob").suffix(2).map(\.id.rawValue) == ["b4", "x3"])
  }
}
