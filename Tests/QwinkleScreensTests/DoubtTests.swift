import QwinkleAccount
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

/// Nothing is posted twice: a post that may have arrived is searched for on the server before it is sent again.
@MainActor
@Suite(.bounded) struct DoubtTests {
  private let interrupted = TransportError.interrupted(host: ScriptedTimeline.host)

  private func posting(_ text: String, to server: ScriptedTimeline, in folder: TemporaryFolder = TemporaryFolder())
    async throws -> Screen
  {
    let screen = try await Screen.settled(server, in: folder)
    await screen.press("c")
    screen.type(text)
    await screen.press("^D")
    return screen
  }

  /// Moves the entry from the outbox to its draft and opens the draft.
  private func edit(in screen: Screen) async throws {
    let item = try #require(screen.account.outbox.items.first)
    screen.account.outbox.edit(item.id) { _ in }
    await screen.settle()
    await screen.press("c")
  }

  /// A server that ignores idempotency keys and loses the response to the first post.
  private func forgetful() -> ScriptedTimeline {
    let server = ScriptedTimeline([1])
    server.ignoreKeys()
    server.failPosts(with: interrupted)
    return server
  }

  @Test func `a post that may have arrived is found and not posted twice`() async throws {
    let server = forgetful()
    let screen = try await posting("Only once", to: server)
    #expect(screen.status.contains(EntryWords.perhapsPosted))
    #expect(screen.account.outbox.items.map(\.state) == [.uncertain])
    await screen.pass(.seconds(10))
    #expect(server.own == ["Only once"])
    #expect(server.posted.count == 1)
    #expect(screen.status.contains(EntryWords.posted))
    #expect(screen.drafts.all.isEmpty && screen.account.outbox.items.isEmpty)
    #expect(screen.lines.count { $0.contains("Only once") } == 1)
  }

  @Test func `a lost post is sent again automatically under the same key`() async throws {
    let server = ScriptedTimeline([1])
    server.losePosts(with: interrupted, interrupted)
    let screen = try await posting("Only once", to: server)
    await screen.pass(.seconds(10))
    #expect(screen.account.outbox.items.map(\.state) == [.uncertain])
    await screen.pass(.seconds(20))
    #expect(server.own == ["Only once"])
    #expect(server.posted.count == 3 && Set(server.posted.map(\.key)).count == 1)
  }

  @Test func `editing a doubtful post still prevents a duplicate`() async throws {
    let server = forgetful()
    let screen = try await posting("Only once", to: server)
    try await edit(in: screen)
    #expect(screen.unwrapped.contains(EntryWords.doubt))
    await screen.press("^D")
    #expect(server.own == ["Only once"] && server.posted.count == 1)
    #expect(screen.status.contains(EntryWords.posted))
  }

  @Test func `a doubtful post is not duplicated after a restart`() async throws {
    let server = forgetful()
    let folder = TemporaryFolder()
    let first = try await posting("Only once", to: server, in: folder)
    first.kill()
    let second = try await Screen.settled(server, in: folder)
    await second.pass(.seconds(10))
    #expect(server.own == ["Only once"] && server.posted.count == 1)
    #expect(second.account.outbox.items.isEmpty)
  }

  @Test func `a post in progress during a kill is not duplicated`() async throws {
    let server = ScriptedTimeline([1])
    server.ignoreKeys()
    let gate = Gate()
    server.holdPosts(by: gate)
    let folder = TemporaryFolder()
    let first = try await Screen.settled(server, in: folder)
    await first.press("c")
    first.type("Only once")
    first.strike("^D")
    try await first.wait(for: "the post") { !server.posted.isEmpty }
    first.kill()
    gate.open()
    await first.settle()
    let second = try await Screen.settled(server, in: folder)
    #expect(second.account.outbox.items.map(\.reason) == [OutgoingEntry.Attempt.endedReason])
    await second.pass(.seconds(10))
    #expect(server.own == ["Only once"] && server.posted.count == 1)
  }

  @Test func `a changed doubtful post is sent only after a second ^D`()
    async throws
  {
    let server = forgetful()
    let screen = try await posting("Only once", to: server)
    try await edit(in: screen)
    screen.type("!")
    await screen.settle()
    #expect(screen.unwrapped.contains(EntryWords.doubt))
    await screen.press("^D")
    // A changed text isn't posted in addition unless the user sends it again.
    #expect(server.own == ["Only once"])
    #expect(screen.unwrapped.contains(withKeys(EntryWords.outcome(.arrivedBefore(.sample()), isEdit: false))))
    #expect(screen.text.contains("Only once!"))
    await screen.press("^D")
    #expect(server.own == ["Only once!", "Only once"])
    #expect(Set(server.posted.map(\.key)).count == 2)
  }

  @Test func `a text that is changed and restored is sent with its original key`() async throws {
    let server = ScriptedTimeline([1])
    server.losePosts(with: interrupted)
    let screen = try await posting("Only once", to: server)
    try await edit(in: screen)
    screen.type("!")
    await screen.settle()
    await screen.press("BS", "^D")
    #expect(server.posted.count == 2)
    #expect(Set(server.posted.map(\.key)).count == 1)
    #expect(server.own == ["Only once"])
  }

  @Test func `a doubtful post is not sent again while the server can't be checked`() async throws {
    let server = forgetful()
    let screen = try await posting("Only once", to: server)
    server.failAccounts(with: .timedOut(host: ScriptedTimeline.host))
    await screen.pass(.seconds(10))
    await screen.pass(.seconds(20))
    #expect(server.posted.count == 1)
    #expect(screen.account.outbox.items.map(\.state) == [.uncertain])
    server.failAccounts(with: nil)
    await screen.pass(.seconds(60))
    #expect(server.own == ["Only once"])
    #expect(server.posted.count == 1)
  }

  @Test func `two posts with the same text both arrive even if one is lost`() async throws {
    let server = ScriptedTimeline([1])
    server.ignoreKeys()
    let folder = TemporaryFolder()
    let screen = try await posting("Good morning", to: server, in: folder)
    server.losePosts(with: interrupted)
    await screen.press("c")
    screen.type("Good morning")
    await screen.press("^D")
    #expect(screen.status.contains(EntryWords.perhapsPosted))
    // The next process still knows the posts of the first one.
    screen.kill()
    let later = try await Screen.settled(server, in: folder)
    await later.pass(.seconds(10))
    #expect(server.own == ["Good morning", "Good morning"])
  }

  @Test func `a doubtful followers-only reply is found and not posted twice`() async throws {
    let server = forgetful()
    let screen = try await Screen.settled(server)
    await screen.press("r")
    screen.type("Yes.")
    await screen.press("^T", "^T", "^D")
    #expect(screen.status.contains(EntryWords.perhapsPosted))
    await screen.pass(.seconds(10))
    #expect(server.posted.count == 1)
    #expect(screen.status.contains(EntryWords.replyPosted))
  }

  @Test func `a doubt is reported and resolved after the entry is closed`() async throws {
    let server = forgetful()
    let gate = Gate()
    server.holdPosts(by: gate)
    let screen = try await Screen.settled(server, columns: 120)
    await screen.press("c")
    screen.type("On its way")
    screen.strike("^D", "Esc")
    gate.open()
    await screen.settle()
    #expect(screen.status.contains(EntryWords.perhapsPosted))
    await screen.pass(.seconds(10))
    #expect(server.own == ["On its way"] && server.posted.count == 1)
  }

  @Test func `a post written offline is queued and sent once the server answers`() async throws {
    let server = ScriptedTimeline([1])
    server.losePosts(with: .refused(host: ScriptedTimeline.host))
    let screen = try await posting("From the tunnel", to: server)
    #expect(screen.status.contains(EntryWords.queuedOffline))
    #expect(!screen.text.contains("From the tunnel"))
    await screen.press("R")
    #expect(server.own == ["From the tunnel"] && screen.account.outbox.items.isEmpty)
  }

  @Test func `a queued post is sent by the next process`() async throws {
    let server = ScriptedTimeline([1])
    server.losePosts(with: .refused(host: ScriptedTimeline.host))
    let folder = TemporaryFolder()
    let first = try await posting("From the tunnel", to: server, in: folder)
    first.kill()
    let second = try await Screen.settled(server, in: folder)
    #expect(server.own == ["From the tunnel"] && second.status.contains(EntryWords.posted))
  }

  @Test func `a held post is not sent until it is released`() async throws {
    let server = ScriptedTimeline([1])
    server.losePosts(with: .refused(host: ScriptedTimeline.host))
    let screen = try await posting("Perhaps not", to: server)
    let item = try #require(screen.account.outbox.items.first)
    screen.account.outbox.hold(item.id)
    await screen.pass(.seconds(60))
    await screen.press("R")
    #expect(server.own.isEmpty && screen.account.outbox.items.map(\.isHeld) == [true])
    screen.account.outbox.release(item.id)
    await screen.settle()
    #expect(server.own == ["Perhaps not"])
  }
}
