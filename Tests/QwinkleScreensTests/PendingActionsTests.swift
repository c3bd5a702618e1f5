import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Posts, deletions and blocks that the user can undo for a few seconds. ActTests covers votes, PendingMessageTests
/// covers chats.
@MainActor
@Suite(.bounded) struct PendingActionsTests {
  private static let hold = Duration.seconds(6)
  private static let activity = PendingWords.doing(.post(key: ""))

  private func posting(in seconds: Int) -> String { PendingWords.doing(.post(key: ""), in: seconds) }

  private func screen(
    _ server: ScriptedTimeline = ScriptedTimeline([1]), columns: Int = 120,
    in folder: TemporaryFolder = TemporaryFolder(), isLinear: Bool = false
  ) async throws -> Screen {
    let screen = try await Screen.settled(server, columns: columns, in: folder, isLinear: isLinear)
    screen.account.pendingActions.seconds = 6
    return screen
  }

  private func write(_ text: String, on screen: Screen) async {
    await screen.press("c")
    screen.type(text)
    await screen.press("^D")
  }

  private func posted(_ screen: Screen) -> [String] { screen.server.posted.map(\.text) }

  // MARK: Posts

  @Test func `a post is counted down for six seconds and then sent once`() async throws {
    let screen = try await screen()
    await write("Hello", on: screen)
    let held = "\(posting(in: 6)) · u \(PendingWords.undo) · gs \(PendingWords.now)"
    #expect(screen.sheetTitle == nil && screen.status.hasSuffix(held), "\(screen.status)")
    for left in stride(from: 5, to: 0, by: -1) {
      await screen.pass(.seconds(1))
      #expect(screen.status.contains(posting(in: left)) && posted(screen).isEmpty, "\(screen.status)")
    }
    await screen.pass(.milliseconds(999))
    #expect(posted(screen).isEmpty)
    await screen.pass(.milliseconds(1))
    #expect(posted(screen) == ["Hello"] && screen.status.hasSuffix(EntryWords.posted), "\(screen.status)")
    #expect(screen.drafts.all.isEmpty && screen.account.outbox.items.isEmpty)
    await screen.pass(.seconds(60))
    #expect(posted(screen) == ["Hello"], "once")
  }

  @Test func `u cancels a post that is still being saved to disk`() async throws {
    let screen = try await screen()
    await screen.press("c")
    screen.type("Hello")
    await screen.settle()
    try #require(screen.sheetTitle == EntryWords.newQwink && screen.text.contains("Hello"), "\(screen.text)")
    screen.driver.press("^D")
    try #require(screen.sheetTitle == nil && screen.status.contains(Self.activity), "\(screen.status)")
    screen.driver.press("u")
    let afterKey = screen.status
    await screen.settle()
    #expect(
      screen.sheetTitle == EntryWords.newQwink && screen.text.contains("Hello"),
      "\(afterKey) | \(screen.status) | \(screen.text)")
    await screen.pass(.seconds(60))
    #expect(posted(screen).isEmpty)
  }

  @Test func `u cancels a post and opens it again`() async throws {
    let screen = try await screen()
    await write("Hello", on: screen)
    await screen.pass(.seconds(5))
    await screen.press("u")
    #expect(screen.sheetTitle == EntryWords.newQwink && screen.text.contains("Hello"), "\(screen.text)")
    #expect(!screen.text.contains(Self.activity))
    await screen.pass(.seconds(60))
    #expect(posted(screen).isEmpty)
    screen.type(" there")
    await screen.press("^D")
    await screen.pass(Self.hold)
    #expect(posted(screen) == ["Hello there"])
  }

  @Test func `gs sends a pending post at once or reports that nothing is pending`() async throws {
    let screen = try await screen()
    await screen.press("g", "s")
    #expect(screen.status.contains(PendingWords.nothing), "\(screen.status)")
    await write("Hello", on: screen)
    await screen.press("g", "s")
    #expect(posted(screen) == ["Hello"] && !screen.status.contains(Self.activity), "\(screen.status)")
    await screen.pass(.seconds(60))
    #expect(posted(screen) == ["Hello"])
  }

  @Test func `other keys work as usual and u undoes the newest action first`() async throws {
    let screen = try await screen()
    await write("Hello", on: screen)
    await screen.press("f")
    #expect(screen.server.reactions.seen.count == 1 && screen.status.contains(posting(in: 6)), "\(screen.status)")
    await screen.press("u")
    #expect(screen.server.reactions.seen.count == 2 && screen.sheetTitle == nil)
    await screen.press("u")
    #expect(screen.sheetTitle == EntryWords.newQwink && posted(screen).isEmpty)
  }

  @Test(arguments: [0, 60]) func `u after sending shows an error, and undoes nothing older`(seconds: Int) async throws {
    let screen = try await screen()
    await screen.press("f")
    await write("Hello", on: screen)
    await screen.pass(Self.hold)
    await screen.pass(.seconds(seconds))
    for _ in 0..<2 {
      await screen.press("u")
      #expect(screen.status.contains(UndoWords.cannotUndo(PendingActions.Kind.post(key: "").name)), "\(screen.status)")
      #expect(screen.server.reactions.seen.count == 1)
    }
  }

  @Test func `each of two posts has a separate countdown and u cancels the newer one`() async throws {
    let screen = try await screen()
    await write("One", on: screen)
    await screen.pass(.seconds(2))
    await write("Two", on: screen)
    #expect(screen.status.contains("\(posting(in: 6)) \(PendingWords.more(1))"), "\(screen.status)")
    await screen.pass(.seconds(4))
    #expect(posted(screen) == ["One"])
    await screen.press("u")
    #expect(screen.sheetTitle == EntryWords.newQwink && screen.text.contains("Two"))
    await screen.pass(.seconds(60))
    #expect(posted(screen) == ["One"])
  }

  @Test func `a direct message is counted down and u opens it again`() async throws {
    let screen = try await screen()
    await screen.press("c", "^T", "^T", "^T")
    screen.type("@erin psst")
    await screen.press("^D")
    #expect(screen.status.contains(PendingWords.doing(.message(key: ""), in: 6)), "\(screen.status)")
    await screen.press("u")
    #expect(screen.sheetTitle == EntryWords.newQwink && screen.text.contains("@erin psst"), "\(screen.text)")
    await screen.pass(.seconds(60))
    #expect(posted(screen).isEmpty)
    await screen.press("^D")
    await screen.pass(Self.hold)
    #expect(posted(screen) == ["@erin psst"])
  }

  @Test func `a thread is cancelled and restored as a whole`() async throws {
    let server = ScriptedTimeline([1])
    server.limitCharacters(to: 40)
    let screen = try await screen(server)
    let text = "The first part says this much. The second part says as much."
    await screen.press("c")
    screen.type(text)
    await screen.press("^X", "s", "^D")
    #expect(screen.status.contains(posting(in: 6)) && screen.drafts.all.map(\.entry.text) == [text])
    await screen.press("u")
    #expect(screen.sheetTitle == EntryWords.newQwink && screen.text.contains("The second part"))
    await screen.press("^X", "s", "^D")
    await screen.pass(Self.hold)
    #expect(posted(screen) == ["The first part says this much.", "The second part says as much."])
    #expect(server.posted.map(\.parent) == [nil, "own-0"] && screen.drafts.all.isEmpty)
  }

  /// Keys in the outbox: the first list holds a post until the user releases it, the second list sends it.
  nonisolated private static let ways: [([String], [String])] = [
    ([], ["s"]), (["H"], ["H"]), (["H"], ["s"]), (["H"], ["u"]), (["d", "u"], ["H"]), (["d", "u"], ["s"]),
  ]

  @Test(arguments: ways)
  func `the outbox sends a thread in parts after any of these keys`(waiting: [String], sending: [String])
    async throws
  {
    let server = ScriptedTimeline([1])
    server.limitCharacters(to: 40)
    let screen = try await screen(server)
    await screen.press("c")
    screen.type("The first part says this much. The second part says as much.")
    await screen.press("^X", "s", "^D", "g", "o")
    for key in waiting { await screen.press(key) }
    if !waiting.isEmpty {
      await screen.pass(.seconds(60))
      #expect(posted(screen).isEmpty && screen.text.contains(OutboxWords.isHeld), "\(screen.text)")
    }
    for key in sending { await screen.press(key) }
    await screen.pass(.seconds(60))
    #expect(posted(screen) == ["The first part says this much.", "The second part says as much."])
    #expect(server.posted.map(\.parent) == [nil, "own-0"])
    #expect(screen.drafts.all.isEmpty && screen.account.outbox.items.isEmpty)
  }

  @Test(arguments: [true, false])
  func `a draft that another program changed stays when the post is sent or cancelled`(isSent: Bool) async throws {
    let screen = try await screen()
    screen.drafts.save(Entry(text: "Changed elsewhere", idempotencyKey: "elsewhere"), for: .new)
    var outgoing = try #require(screen.drafts.all.first)
    outgoing.entry.text = "Hello"
    screen.account.posts.hold(outgoing, as: Entry(text: "Hello", idempotencyKey: "here"))
    // The disk has not answered yet.
    if isSent {
      screen.account.pendingActions.performAll()
    } else {
      screen.account.pendingActions.cancelPending(.post(key: "here"))
    }
    await screen.settle()
    #expect(!screen.account.outbox.items.contains { $0.state == .undoable })
    await screen.pass(.seconds(60))
    #expect(posted(screen) == (isSent ? ["Hello"] : []) && screen.account.outbox.items.isEmpty)
    #expect(screen.drafts.all.contains { $0.entry.text == "Changed elsewhere" })
  }

  @Test func `a rejection after the countdown leaves a draft and is reported`() async throws {
    let screen = try await screen()
    screen.server.handle(.post, "/api/v1/statuses") { _ in
      .json(WireEncoder.error("Text is too long"), status: 422)
    }
    await write("Hello", on: screen)
    await screen.pass(Self.hold)
    #expect(screen.status.contains("Text is too long"), "\(screen.status)")
    #expect(screen.status.contains(withKeys(EntryWords.wayBack(to: "new"))), "\(screen.status)")
    #expect(screen.drafts.load()?.text == "Hello" && screen.account.outbox.items.isEmpty)
  }

  @Test func `an offline post is queued after the countdown and sent later`() async throws {
    let screen = try await screen()
    screen.server.setReachable(false)
    await write("Hello", on: screen)
    await screen.pass(Self.hold)
    #expect(screen.header.contains(OutboxWords.waiting(1)), "\(screen.text)")
    #expect(screen.status.contains(EntryWords.queuedOffline), "\(screen.text)")
    screen.server.setReachable(true)
    await screen.pass(.seconds(3600))
    #expect(posted(screen) == ["Hello"])
  }

  @Test func `a read-only disk doesn't prevent the countdown and the post`() async throws {
    let screen = try await screen()
    screen.account.outgoing?.setReadOnly(true)
    await write("Hello", on: screen)
    #expect(screen.status.contains(posting(in: 6)), "\(screen.status)")
    await screen.pass(Self.hold)
    #expect(posted(screen) == ["Hello"])
    screen.account.outgoing?.setReadOnly(false)
    #expect(screen.drafts.all.isEmpty)
  }

  // MARK: In the outbox

  @Test func `the outbox lists a pending post at once and s sends it`() async throws {
    let screen = try await screen()
    await write("Hello", on: screen)
    await screen.press("g", "o")
    #expect(screen.text.contains("Hello") && screen.text.contains(OutboxWords.undoable), "\(screen.text)")
    #expect(!screen.header.contains("⇡"))
    await screen.press("s")
    #expect(posted(screen) == ["Hello"] && !screen.status.contains(Self.activity), "\(screen.status)")
    await screen.pass(.seconds(60))
    #expect(posted(screen) == ["Hello"])
  }

  @Test func `a pending post discarded in the outbox is not sent`() async throws {
    let screen = try await screen()
    await write("Hello", on: screen)
    #expect(screen.status.contains(posting(in: 6)))
    await screen.press("g", "o", "d")
    #expect(!screen.status.contains(Self.activity))
    await screen.pass(.seconds(60))
    #expect(posted(screen).isEmpty && screen.drafts.all.isEmpty)
  }

  @Test func `a discarded pending post is held after u restores it`() async throws {
    let screen = try await screen()
    await write("Hello", on: screen)
    await screen.press("g", "o", "d", "u")
    #expect(screen.status.contains(withKeys(OutboxWords.heldAgain)), "\(screen.status)")
    #expect(screen.text.contains("Hello") && screen.text.contains(OutboxWords.isHeld), "\(screen.text)")
    await screen.pass(.seconds(60))
    #expect(posted(screen).isEmpty)
    await screen.press("H")
    await screen.pass(.seconds(60))
    #expect(posted(screen) == ["Hello"])
  }

  @Test func `a pending post held in the outbox waits until it is released`() async throws {
    let screen = try await screen()
    await write("Hello", on: screen)
    await screen.press("g", "o", "H")
    await screen.pass(.seconds(60))
    #expect(posted(screen).isEmpty && screen.text.contains(OutboxWords.isHeld), "\(screen.text)")
    await screen.press("H")
    await screen.pass(.seconds(60))
    #expect(posted(screen) == ["Hello"])
  }

  @Test func `another process lists a pending post but doesn't send it`() async throws {
    let folder = TemporaryFolder()
    let one = try await screen(in: folder)
    await write("Hello", on: one)
    let two = try await screen(ScriptedTimeline([1]), in: folder)
    await two.press("g", "o")
    #expect(two.text.contains(OutboxWords.elsewhere), "\(two.text)")
    await two.pass(.seconds(60))
    #expect(posted(two).isEmpty)
    await one.pass(Self.hold)
    #expect(posted(one) == ["Hello"])
  }

  // MARK: The end of the program

  @Test func `a kill turns a pending post into a draft, which is reported once`() async throws {
    let folder = TemporaryFolder()
    let one = try await screen(in: folder)
    await write("Hello", on: one)
    one.endAtOnce()
    let two = try await screen(ScriptedTimeline([1]), in: folder)
    #expect(two.status.contains(withKeys(PendingWords.savedAsDrafts(1))), "\(two.status)")
    await two.pass(.seconds(60))
    #expect(posted(two).isEmpty && two.account.outbox.items.isEmpty)
    await two.press("c")
    #expect(two.text.contains("Hello"), "\(two.text)")
    two.endAtOnce()
    let three = try await screen(ScriptedTimeline([1]), in: folder)
    #expect(!three.status.contains(withKeys(PendingWords.savedAsDrafts(1))), "once")
  }

  @Test func `quitting sends a pending post and waits for it`() async throws {
    let screen = try await screen()
    await write("Hello", on: screen)
    await screen.press("q")
    #expect(screen.text.contains("\(PendingWords.postedNow) \(MainWords.quitQwinkle)"), "\(screen.text)")
    #expect(posted(screen).isEmpty)
    await screen.press("y")
    #expect(posted(screen) == ["Hello"] && screen.exitStatus == 0)
  }

  @Test func `quitting cancels a pending deletion after a warning`() async throws {
    let screen = try await withMine()
    await screen.press("d", "q")
    #expect(screen.text.contains("\(PendingWords.dropped(.delete("77"))) \(MainWords.quitQwinkle)"), "\(screen.text)")
    await screen.press("y")
    #expect(screen.exitStatus == 0 && screen.server.reactions.seen.isEmpty)
  }

  @Test func `a terminal hangup leaves a pending post in the outbox`() async throws {
    let folder = TemporaryFolder()
    let one = try await screen(in: folder)
    await write("Hello", on: one)
    one.server.setReachable(false)
    one.hangUp()
    await one.settle()
    one.close()
    let server = ScriptedTimeline([1])
    let two = try await screen(server, in: folder)
    await two.pass(.seconds(3600))
    #expect(posted(two) == ["Hello"])
  }

  // MARK: Deletions, blocks and votes

  private func withMine(columns: Int = 120, in folder: TemporaryFolder = TemporaryFolder()) async throws -> Screen {
    let server = ScriptedTimeline([3])
    server.add([.sample(id: "77", text: "Mine", author: .sample("mara"), at: ScriptedTimeline.start)])
    return try await screen(server, columns: columns, in: folder)
  }

  @Test func `a deletion is counted down without a question and done once`() async throws {
    let screen = try await withMine()
    await screen.press("d")
    #expect(screen.status.contains(PendingWords.doing(.delete("77"), in: 6)), "\(screen.text)")
    #expect(screen.text.contains("Mine"), "\(screen.text)")
    await screen.pass(.seconds(3))
    await screen.press("d")
    #expect(screen.status.contains(PendingWords.doing(.delete("77"), in: 3)), "\(screen.status)")
    #expect(!screen.status.contains(PendingWords.more(1)), "\(screen.status)")
    await screen.pass(.seconds(3))
    #expect(screen.server.reactions.seen == ["DELETE 77"] && !screen.text.contains("Mine"))
    await screen.pass(.seconds(60))
    #expect(screen.server.reactions.seen == ["DELETE 77"])
  }

  @Test func `a kill cancels a pending deletion`() async throws {
    let folder = TemporaryFolder()
    let one = try await withMine(in: folder)
    await one.press("d")
    #expect(one.status.contains(PendingWords.doing(.delete("77"), in: 6)), "\(one.status)")
    one.endAtOnce()
    let two = try await withMine(in: folder)
    await two.pass(.seconds(60))
    #expect(two.server.reactions.seen.isEmpty && one.server.reactions.seen.isEmpty && two.text.contains("Mine"))
  }

  @Test func `u cancels a pending deletion`() async throws {
    let screen = try await withMine()
    await screen.press("d", "u")
    #expect(screen.status.contains(PendingActions.Kind.delete("77").takenBack), "\(screen.status)")
    await screen.pass(.seconds(60))
    #expect(screen.server.reactions.seen.isEmpty && screen.text.contains("Mine"))
  }

  @Test func `a deletion asks first when undo is off`() async throws {
    let screen = try await withMine()
    screen.account.pendingActions.seconds = 0
    await screen.press("d")
    #expect(screen.text.contains(ActionWords.deleteQuestion(hasReplies: false)))
  }

  @Test func `a block is sent after the countdown unless u cancels it`() async throws {
    let server = ScriptedTimeline([3])
    let sent = Mutex<[String]>([])
    server.handle(.post, "/api/v1/accounts/dana-id/block") { request in
      sent.withLock { $0.append(request.head.path ?? "") }
      var answer = Relationship(id: "dana-id")
      answer.isBlocking = true
      return .json(WireEncoder.relationship(answer))
    }
    let screen = try await screen(server)
    let block = PendingActions.Kind.block(.sample("dana"))
    await screen.press("B")
    #expect(screen.status.contains(PendingWords.doing(block, in: 6)), "\(screen.status)")
    await screen.press("u")
    #expect(screen.status.contains(block.takenBack), "\(screen.status)")
    await screen.pass(.seconds(60))
    #expect(sent.withLock { $0 }.isEmpty)
    await screen.press("B")
    await screen.pass(Self.hold)
    let blocked = ActionWords.blocked(.sample("dana"), true)
    #expect(sent.withLock { $0 }.count == 1 && screen.status.contains(blocked), "\(screen.status)")
  }

  @Test func `a server block is sent after the countdown unless u cancels it`() async throws {
    let server = ScriptedTimeline([3])
    let sent = Mutex<[String]>([])
    server.handle(.post, "/api/v1/domain_blocks") { request in
      sent.withLock { $0.append(request.head.path ?? "") }
      return .json(Array("{}".utf8))
    }
    let screen = try await screen(server)
    func block() async {
      await screen.press(":")
      screen.type("block-server tilde.example")
      await screen.press("Enter")
    }
    await block()
    #expect(screen.status.contains(PendingWords.doing(.blockServer("tilde.example"), in: 6)), "\(screen.status)")
    await screen.press("u")
    await screen.pass(.seconds(60))
    #expect(sent.withLock { $0 }.isEmpty)
    await block()
    await screen.pass(Self.hold)
    let blocked = ActionWords.blocked(server: "tilde.example", true)
    #expect(sent.withLock { $0 }.count == 1 && screen.status.contains(blocked), "\(screen.status)")
  }

  // MARK: Status bar

  @Test func `at 40 columns the countdown is shown with its first key`() async throws {
    let screen = try await screen(columns: 40)
    await write("Hello", on: screen)
    #expect(screen.status.contains("\(posting(in: 6)) · u \(PendingWords.undo)"), "\(screen.status)")
  }

  @Test func `linear mode speaks the countdown once rather than every second`() async throws {
    let screen = try await screen(isLinear: true)
    await write("Hello", on: screen)
    for _ in 0..<5 { await screen.pass(.seconds(1)) }
    let held = "\(posting(in: 6)) · u \(PendingWords.undoesIt) · gs \(PendingWords.doesItNow)"
    #expect(screen.said.count(of: held) == 1, "\(screen.said)")
    #expect((1...5).allSatisfy { screen.said.count(of: posting(in: $0)) == 0 }, "\(screen.said)")
  }

  @Test func `nothing is redrawn once no action is pending`() async throws {
    let screen = try await screen()
    await write("Hello", on: screen)
    await screen.press("u", "Esc")
    // The last message disappears.
    await screen.pass(.seconds(10))
    let frames = screen.frameCount
    for _ in 0..<10 { await screen.pass(.milliseconds(900)) }
    #expect(screen.frameCount == frames)
  }
}
