import FoundationEssentials
import HTTPTypes
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Synchronization
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Long texts posted as threads.
@MainActor
@Suite(.bounded) struct EntryThreadTests {
  private static let text = "The first part says this much. The second part says as much. The third part ends it."
  private static let parts = [
    "The first part says this much.", "The second part says as much.", "The third part ends it.",
  ]

  /// An entry with a text of three parts.
  private func writing(_ text: String = text, purpose: EntryPurpose = .new) async throws -> Screen {
    let server = ScriptedTimeline([1])
    server.limitCharacters(to: 40)
    let screen = try await Screen.settled(server, columns: 120)
    try screen.write(purpose)
    screen.type(text)
    return screen
  }

  private func posted(_ screen: Screen) -> [String] { screen.server.posted.map(\.text) }

  @Test func `^X s posts a long text as a thread, each part a reply to the one before`() async throws {
    let screen = try await writing()
    await screen.press("^D")
    let problem = withKeys(EntryWords.problem(.tooLong(by: Self.text.count - 40), canSplit: true))
    #expect(screen.unwrapped.contains(problem) && posted(screen).isEmpty)
    await screen.press("^X", "s")
    #expect(screen.text.contains(EntryWords.parts(3, .plain)))
    await screen.press("^D")
    #expect(screen.sheetTitle == nil && posted(screen) == Self.parts)
    #expect(screen.server.posted.map(\.parent) == [nil, "own-0", "own-1"])
    #expect(Set(screen.server.posted.map(\.key)).count == 3)
    #expect(screen.drafts.all.isEmpty && screen.account.outbox.items.isEmpty)
  }

  @Test func `^X s again numbers the parts, and once more turns it off`() async throws {
    let screen = try await writing()
    await screen.press("^X", "s", "^X", "s")
    #expect(screen.text.contains(EntryWords.parts(3, .numbered)))
    await screen.press("^X", "s")
    #expect(!screen.text.contains(EntryWords.parts(3, .plain)))
    await screen.press("^X", "s", "^X", "s", "^D")
    #expect(posted(screen) == Self.parts.enumerated().map { "\($0.element) (\($0.offset + 1)/3)" })
  }

  @Test func `a text that fits is one qwink all the same`() async throws {
    let screen = try await writing("Short")
    await screen.press("^X", "s", "^D")
    #expect(posted(screen) == ["Short"])
  }

  @Test func `a warning is on every part, and a direct thread names its readers in each`() async throws {
    let screen = try await writing("@erin I have much to say about this. And more than that. And then some.")
    await screen.press("^T", "^T", "^T", "^X", "w")
    screen.type("boats")
    await screen.press("Enter", "^X", "s", "^D")
    let sent = screen.server.posted
    #expect(sent.count > 2 && sent.allSatisfy { $0.warning == "boats" && $0.visibility == "direct" })
    #expect(sent.allSatisfy { $0.text.hasPrefix("@erin ") && $0.text.count + 5 <= 40 }, "\(sent)")
  }

  @Test func `a part that is refused holds up the rest until it is sent again`() async throws {
    let screen = try await writing()
    let count = CallCount()
    let server = screen.server
    server.handle(.post, "/api/v1/statuses") { request in
      guard count.next() == 2 else { return try await server.accept(request) }
      return .json(WireEncoder.error("Slow down"), status: 422)
    }
    await screen.press("^X", "s", "^D")
    #expect(posted(screen) == [Self.parts[0]])
    #expect(screen.account.outbox.items.map(\.state) == [.failed, .queued])
    await screen.pass(.seconds(3600))
    #expect(count.value == 2)
    await screen.press("g", "o")
    #expect(screen.text.contains(OutboxWords.waitsForParent))
    await screen.press("s")
    #expect(posted(screen) == Self.parts && screen.server.posted.map(\.parent) == [nil, "own-0", "own-1"])
    #expect(screen.account.outbox.items.isEmpty)
  }

  @Test func `a refused part that is edited goes on with the rest behind it`() async throws {
    let screen = try await writing()
    let count = CallCount()
    let server = screen.server
    server.handle(.post, "/api/v1/statuses") { request in
      guard count.next() == 2 else { return try await server.accept(request) }
      return .json(WireEncoder.error("No such words"), status: 422)
    }
    await screen.press("^X", "s", "^D", "g", "o", "j", "e")
    #expect(screen.status.contains(withKeys(OutboxWords.waitsForPart)))
    server.handle(.get, "/api/v1/statuses/own-0") { _ in
      .json(WireEncoder.qwink(.sample(id: "own-0", author: .sample("mara"), at: ScriptedTimeline.start)))
    }
    await screen.press("k", "e")
    let mara = Qwinker.sample("mara")
    #expect(screen.sheetTitle == EntryWords.title(of: .reply(to: .sample(author: mara)), me: mara))
    #expect(screen.text.contains(Self.parts[1]))
    await screen.pass(.seconds(3600))
    #expect(posted(screen) == [Self.parts[0]])
    screen.type(" Indeed.")
    await screen.press("^D")
    await screen.pass(.seconds(120))
    #expect(posted(screen) == [Self.parts[0], Self.parts[1] + " Indeed.", Self.parts[2]])
    #expect(screen.server.posted.map(\.parent) == [nil, "own-0", "own-1"])
  }

  @Test func `a part whose answer was lost is looked for, and nothing is posted twice`() async throws {
    let screen = try await writing()
    screen.server.ignoreKeys()
    screen.server.failPosts(with: .interrupted(host: ScriptedTimeline.host))
    await screen.press("^X", "s", "^D")
    for _ in 1...5 { await screen.pass(.seconds(60)) }
    #expect(posted(screen) == Self.parts && screen.account.outbox.items.isEmpty)
    #expect(screen.server.posted.map(\.parent) == [nil, "own-0", "own-1"])
  }

  @Test(arguments: 0...3)
  func `a kill between any two parts loses none, and posts none twice`(count: Int) async throws {
    let screen = try await writing()
    screen.server.ignoreKeys()
    let gate = Gate()
    let server = screen.server
    let calls = CallCount()
    server.handle(.post, "/api/v1/statuses") { request in
      let number = calls.next()
      let answer = number <= count ? try await server.accept(request) : nil
      // The last that arrives is answered too late.
      if number >= count { await gate.whenOpen() }
      guard let answer else { throw TransportError.refused(host: ScriptedTimeline.host) }
      return answer
    }
    screen.strike("^X", "s", "^D")
    try await screen.wait(for: "the parts") { calls.value == max(1, count) }
    screen.endAtOnce()
    server.handle(.post, "/api/v1/statuses") { try await server.accept($0) }
    let later = try await Screen.settled(server, in: screen.folder)
    for _ in 1...5 { await later.pass(.seconds(60)) }
    #expect(posted(later) == Self.parts, "killed after \(count)")
    #expect(server.posted.map(\.parent) == [nil, "own-0", "own-1"])
    #expect(later.account.outbox.items.isEmpty && later.drafts.all.isEmpty)
    gate.open()
  }

  @Test func `without a network the parts wait in their order`() async throws {
    let screen = try await writing()
    screen.server.setReachable(false)
    await screen.press("^X", "s", "^D", "c")
    screen.type("Another one")
    await screen.press("^D")
    #expect(screen.account.outbox.items.count == 4 && screen.sheetTitle == nil)
    screen.server.setReachable(true)
    for _ in 1...5 { await screen.pass(.seconds(600)) }
    #expect(posted(screen).count == 4 && posted(screen).filter { $0 != "Another one" } == Self.parts)
  }

  @Test func `a thread that can't be saved stays in the entry`() async throws {
    let screen = try await writing()
    await screen.settle()
    screen.account.outgoing?.setReadOnly(true)
    await screen.press("^X", "s", "^D")
    #expect(screen.text.contains(EntryWords.draftNotSaved) && screen.sheetTitle == EntryWords.newQwink)
    #expect(posted(screen).isEmpty && screen.account.outbox.items.isEmpty)
    screen.account.outgoing?.setReadOnly(false)
    await screen.press("^D")
    #expect(posted(screen) == Self.parts)
  }

  @Test func `an edit is no thread, and none is published later`() async throws {
    let screen = try await writing()
    await screen.press("^X", "s", "^X", "t")
    screen.type("2h")
    await screen.press("Enter", "^D")
    #expect(screen.unwrapped.contains(EntryWords.threadsNow) && posted(screen).isEmpty)
    await screen.press("Esc")
    let qwink = Qwink.sample(id: "80", author: .sample("mara"), at: ScriptedTimeline.start)
    let source = QwinkSource(id: "80", text: Self.text, contentWarning: "")
    screen.server.handle(.get, "/api/v1/statuses/80/source") { _ in .json(WireEncoder.source(source)) }
    try screen.write(.edit(qwink))
    await screen.settle()
    await screen.press("^X", "s")
    #expect(screen.text.contains(EntryWords.notSplit))
  }
}

/// Counts calls.
private final class CallCount: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  /// The number of this call, from 1.
  func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}
