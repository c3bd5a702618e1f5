import QwinkleService
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleModel
@testable import QwinkleScreens

/// The messages of a conversation, and sending more.
@MainActor
@Suite(.bounded) struct ChatTests {
  private func bench() async throws -> InboxBench {
    let bench = try InboxBench()
    Talk.begin(on: bench.server)
    await bench.start()
    return bench
  }

  private func nothing(of bench: InboxBench) -> Bool { bench.inbox.outgoing(of: "bob").isEmpty }

  // MARK: Reading

  @Test func `a chat contains the thread of its last message`() async throws {
    let bench = try await bench()
    _ = try await bench.open("bob")
    #expect(bench.texts(of: "bob") == ["@mara Are you coming?", "@bob Nine it is.", "@mara Bring coffee."])
  }

  @Test func `branches of a chat are found from its first message`() async throws {
    let bench = try await bench()
    bench.messages.say(
      .message("b4", by: Talk.bob, to: [Talk.me], "Or tea.", at: Talk.at(-5), answering: "b1"), in: "bob")
    await bench.pass(.seconds(60))
    _ = try await bench.open("bob")
    #expect(bench.inbox.messages(of: "bob").map(\.id.rawValue) == ["b1", "b2", "b3", "b4"])
  }

  @Test func `a message to only some of the participants is not in the chat`() async throws {
    let bench = try InboxBench()
    let all = [Talk.bob, Talk.dana]
    bench.messages.add(
      "all", with: all,
      [
        .message("a1", by: Talk.bob, to: [Talk.me, Talk.dana], "All of us?", at: Talk.at(-30)),
        .message("a2", by: Talk.bob, to: [Talk.me], "Without Dana!", at: Talk.at(-20), answering: "a1"),
        .message("a3", by: Talk.dana, to: [Talk.me, Talk.bob], "Yes.", at: Talk.at(-10), answering: "a1"),
      ])
    await bench.start()
    _ = try await bench.open("all")
    #expect(bench.inbox.messages(of: "all").map(\.id.rawValue) == ["a1", "a3"])
  }

  @Test func `new messages are added to an open chat and deleted ones are removed`() async throws {
    let bench = try await bench()
    _ = try await bench.open("bob")
    bench.messages.unsay("b2")
    bench.messages.say(
      .message("b4", by: Talk.bob, to: [Talk.me], "And cups.", at: Talk.at(1), answering: "b3"), in: "bob")
    await bench.pass(.seconds(20))
    #expect(bench.inbox.messages(of: "bob").last?.id == "b4")
    bench.inbox.close("bob")
    _ = try await bench.open("bob")
    // Without the message in the middle, the server no longer returns earlier messages. Known messages stay.
    #expect(bench.inbox.messages(of: "bob").map(\.id.rawValue) == ["b1", "b3", "b4"])
  }

  @Test func `a thread that failed to load is requested again with the list`() async throws {
    let bench = try await bench()
    bench.messages.failThreads(with: .timedOut(host: ScriptedTimeline.host))
    _ = try await bench.open("bob")
    #expect(bench.inbox.state(of: "bob").error != nil)
    #expect(bench.texts(of: "bob") == ["@mara Bring coffee."])
    bench.messages.failThreads(with: nil)
    await bench.pass(.seconds(20))
    #expect(bench.texts(of: "bob").count == 3)
    #expect(bench.inbox.state(of: "bob").error == nil)
  }

  @Test func `earlier messages are loaded from the store on demand`() async throws {
    let bench = try InboxBench()
    let many = (0..<300).map { (number: Int) -> Qwink in
      let isMine = number % 2 == 1
      let parent: String? = number > 0 ? "m\(number - 1)" : nil
      return Qwink.message(
        "m\(number)", by: isMine ? Talk.me : Talk.bob, to: [isMine ? Talk.bob : Talk.me], "\(number)",
        at: Talk.at(Double(number - 400)), answering: parent)
    }
    bench.messages.add("long", with: [Talk.bob], many)
    await bench.start()
    _ = try await bench.open("long")
    #expect(bench.inbox.messages(of: "long").count == 300)
    bench.inbox.close("long")
    let later = try InboxBench(server: bench.server, in: bench.folder)
    bench.messages.fail(with: .refused(host: ScriptedTimeline.host))
    _ = try await later.open("long")
    #expect((80...81).contains(later.inbox.messages(of: "long").count))
    while later.inbox.hasEarlier(in: "long") { later.inbox.loadEarlier(in: "long") }
    #expect(later.inbox.messages(of: "long").map(\.id) == many.map(\.id))
  }

  // MARK: Sending

  @Test func `a sent message appears at once and is then replaced by the server's version`() async throws {
    let bench = try await bench()
    let bob = try await bench.open("bob")
    let gate = Gate()
    bench.messages.holdPosts(by: gate)
    bench.send("Two cups.", in: bob)
    try await bench.waitUntilPosted()
    let outgoing = try #require(bench.inbox.outgoing(of: "bob").first)
    #expect(bench.drafts.messages == [outgoing])
    #expect(outgoing.text == "Two cups." && outgoing.failure == nil)
    gate.open()
    await bench.settle()
    #expect(bench.inbox.outgoing(of: "bob").isEmpty)
    #expect(bench.texts(of: "bob").last == "@bob Two cups.")
    let posted = try #require(bench.messages.posted.first)
    #expect(posted.text == "@bob Two cups." && posted.parent == "b3" && posted.visibility == "direct")
    #expect(bench.ids.first == "bob")
    #expect(bench.drafts.messages.isEmpty)
  }

  @Test func `messages are sent in the order in which they were written`() async throws {
    let bench = try await bench()
    let bob = try await bench.open("bob")
    for text in ["one", "two", "three"] { bench.send(text, in: bob) }
    await bench.settle()
    #expect(bench.messages.posted.map(\.text) == ["@bob one", "@bob two", "@bob three"])
    #expect(Set(bench.messages.posted.compactMap(\.key)).count == 3)
    let parents = bench.messages.posted.map(\.parent)
    #expect(parents.first == "b3" && Set(parents).count == 3)
    #expect(bench.texts(of: "bob").suffix(3) == ["@bob one", "@bob two", "@bob three"])
  }

  @Test func `a lost message is saved with its failure and sent again with the same key`() async throws {
    let bench = try await bench()
    let bob = try await bench.open("bob")
    bench.messages.failPosts(.lost)
    bench.send("Two cups.", in: bob)
    await bench.settle()
    let failed = try #require(bench.inbox.outgoing(of: "bob").first)
    #expect(failed.failure?.sentence == "\(ScriptedTimeline.unreachable) \(OutgoingMessage.Failure.sentLater)")
    #expect(failed.failure?.isDoubtful == false)
    #expect(bench.drafts.messages == [failed])
    bench.inbox.sendAgain(failed.id)
    await bench.settle()
    #expect(nothing(of: bench))
    #expect(bench.messages.posted.map(\.key) == [failed.id, failed.id])
    #expect(bench.messages.texts(in: "bob").count { $0.hasSuffix("Two cups.") } == 1)
  }

  @Test func `a rejection shows the server's message`() async throws {
    let bench = try await bench()
    let bob = try await bench.open("bob")
    bench.messages.failPosts(.refused("Text is too long"))
    bench.send("Two cups.", in: bob)
    await bench.settle()
    let sentence = bench.inbox.outgoing(of: "bob").first?.failure?.sentence
    let refusal = DownloadError.rejected(host: ScriptedTimeline.host, message: "Text is too long").summary
    #expect(sentence == "\(OutgoingMessage.Failure.notSent) \(refusal)")
  }

  @Test func `a message that may have arrived is found and not sent twice`() async throws {
    let bench = try await bench()
    bench.messages.ignoreKeys()
    let bob = try await bench.open("bob")
    bench.messages.failPosts(.unanswered)
    bench.send("Two cups.", in: bob)
    await bench.settle()
    #expect(nothing(of: bench))
    #expect(bench.texts(of: "bob").last == "@bob Two cups.")
    #expect(bench.messages.posted.count == 1)
  }

  @Test func `a doubtful message is searched for before it is sent again`() async throws {
    let bench = try await bench()
    bench.messages.ignoreKeys()
    let bob = try await bench.open("bob")
    bench.messages.failPosts(.unanswered)
    bench.messages.failThreads(with: .timedOut(host: ScriptedTimeline.host))
    bench.send("Two cups.", in: bob)
    await bench.settle()
    let failed = try #require(bench.inbox.outgoing(of: "bob").first)
    #expect(failed.failure?.isDoubtful == true)
    bench.inbox.sendAgain(failed.id)
    await bench.settle()
    // The message may have arrived, so it isn't sent.
    #expect(bench.messages.posted.count == 1)
    #expect(bench.inbox.outgoing(of: "bob").first?.failure?.isDoubtful == true)
    bench.messages.failThreads(with: nil)
    bench.inbox.sendAgain(failed.id)
    await bench.settle()
    #expect(nothing(of: bench))
    #expect(bench.messages.posted.count == 1)
    #expect(bench.messages.texts(in: "bob").count { $0.hasSuffix("Two cups.") } == 1)
  }

  @Test func `a message in progress at exit is neither lost nor sent twice`() async throws {
    let bench = try await bench()
    bench.messages.ignoreKeys()
    let bob = try await bench.open("bob")
    let gate = Gate()
    bench.messages.holdPosts(by: gate)
    bench.send("Two cups.", in: bob)
    try await bench.waitUntilPosted()
    bench.account.outgoing?.abandon()
    let later = try InboxBench(server: bench.server, in: bench.folder)
    later.inbox.loadCacheIfNeeded()
    await later.settle()
    let kept = try #require(later.inbox.outgoing(of: "bob").first)
    #expect(kept.text == "Two cups." && kept.failure?.isDoubtful == true)
    gate.open()
    await bench.settle()
    await later.start()
    _ = try await later.open("bob")
    #expect(later.inbox.outgoing(of: "bob").isEmpty)
    #expect(bench.messages.texts(in: "bob").count { $0.hasSuffix("Two cups.") } == 1)
    #expect(bench.drafts.messages.isEmpty)
  }

  @Test func `the same text sent twice arrives twice even if one request is lost`() async throws {
    let bench = try await bench()
    bench.messages.ignoreKeys()
    let bob = try await bench.open("bob")
    bench.send("ok", in: bob)
    await bench.settle()
    bench.messages.failPosts(.lost)
    bench.send("ok", in: bob)
    await bench.settle()
    let failed = try #require(bench.inbox.outgoing(of: "bob").first)
    bench.inbox.sendAgain(failed.id)
    await bench.settle()
    #expect(bench.messages.texts(in: "bob").count { $0 == "@bob ok" } == 2)
  }

  @Test func `a failed message can be cancelled`() async throws {
    let bench = try await bench()
    let bob = try await bench.open("bob")
    bench.messages.failPosts(.lost)
    bench.send("Two cups.", in: bob)
    await bench.settle()
    let key = try #require(bench.inbox.outgoing(of: "bob").first?.id)
    #expect(bench.inbox.withdraw(key)?.text == "Two cups.")
    #expect(nothing(of: bench))
    #expect(bench.drafts.messages.isEmpty)
    #expect(bench.inbox.withdraw(key) == nil)
  }

  @Test func `a message to a new account creates a conversation`() async throws {
    let bench = try await bench()
    let entry = Entry(text: "@erin Hello", visibility: .direct, idempotencyKey: "k")
    bench.account.posts.post(entry)
    await bench.settle()
    #expect(bench.ids.count == 3)
    #expect(bench.inbox.conversation(with: .sample("erin")) != nil)
    #expect(bench.inbox.conversation(with: Talk.bob)?.id == "bob")
  }

  // MARK: Other people

  @Test func `a message that mentions another account belongs to a new conversation`() async throws {
    let bench = try await bench()
    let bob = try await bench.open("bob")
    bench.send("What about @carol?", in: bob)
    await bench.settle()
    #expect(nothing(of: bench))
    #expect(bench.texts(of: "bob").last == "@mara Bring coffee.")
    let new = try #require(bench.inbox.conversation(with: [.sample("carol"), Talk.bob]))
    #expect(new.lastQwink?.text.plainText.contains("What about") == true)
    #expect(bench.ids.count == 3)
    // The next message goes to the conversation that now exists.
    bench.send("And @carol again", in: bob)
    await bench.settle()
    #expect(bench.inbox.conversation(new.id)?.lastQwink?.text.plainText.contains("again") == true)
    #expect(bench.texts(of: "bob").last == "@mara Bring coffee.")
  }

  // MARK: Deleted messages

  @Test func `a last message deleted elsewhere is removed at the next poll`() async throws {
    let bench = try await bench()
    _ = try await bench.open("bob")
    bench.messages.unsay("b3")
    await bench.pass(.seconds(20))
    #expect(bench.inbox.messages(of: "bob").map(\.id.rawValue) == ["b1", "b2"])
    let asked = bench.messages.seen.count
    await bench.pass(.seconds(20))
    #expect(bench.messages.seen.count == asked + 1)
  }

  @Test func `a reply to a deleted message gets another parent when it is sent again`() async throws {
    let bench = try await bench()
    let bob = try await bench.open("bob")
    bench.messages.unsay("b3")
    bench.send("Two cups.", in: bob)
    await bench.settle()
    let failed = try #require(bench.inbox.outgoing(of: "bob").first)
    #expect(failed.failure?.isDoubtful == false)
    #expect(bench.inbox.messages(of: "bob").map(\.id.rawValue) == ["b1", "b2"])
    bench.inbox.sendAgain(failed.id)
    await bench.settle()
    #expect(nothing(of: bench))
    #expect(bench.messages.posted.map(\.parent) == ["b3", "b2"])
    #expect(bench.texts(of: "bob").last == "@bob Two cups.")
  }

  @Test func `a thread is loaded from another message if the last one was deleted`() async throws {
    let bench = try await bench()
    bench.messages.unsay("b3")
    _ = try await bench.open("bob")
    #expect(bench.inbox.state(of: "bob").error == nil)
    await bench.pass(.seconds(20))
    #expect(bench.inbox.messages(of: "bob").map(\.id.rawValue) == ["b1", "b2"])
    #expect(bench.inbox.state(of: "bob").error == nil)
  }

  @Test func `a message stays doubtful while its thread can't be loaded`() async throws {
    let bench = try await bench()
    bench.messages.ignoreKeys()
    let bob = try await bench.open("bob")
    bench.messages.failPosts(.unanswered)
    bench.messages.failThreads(with: .refused(host: ScriptedTimeline.host))
    bench.send("Two cups.", in: bob)
    await bench.settle()
    let failed = try #require(bench.inbox.outgoing(of: "bob").first)
    bench.inbox.sendAgain(failed.id)
    await bench.settle()
    #expect(bench.inbox.outgoing(of: "bob").first?.failure?.isDoubtful == true)
    #expect(bench.messages.posted.count == 1)
  }
}
