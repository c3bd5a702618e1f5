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

  /// An entry whose text has three parts.
  private func writing(_ text: String = text, purpose: EntryPurpose = .new) async throws -> Screen {
    let server = ScriptedTimeline([1])
    server.limitCharacters(to: 40)
    let screen = try await Screen.settled(server, columns: 120)
    try screen.write(purpose)
    screen.type(text)
    return screen
  }

  private func posted(_ screen: Screen) -> [String] { screen.server.posted.map(\.text) }

  @Test func `^X s posts a long text as a thread of replies`() async throws {
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

  @Test func `^X s switches from plain parts to numbered parts and then off`() async throws {
    let screen = try await writing()
    await screen.press("^X", "s", "^X", "s")
    #expect(screen.text.contains(EntryWords.parts(3, .numbered)))
    await screen.press("^X", "s")
    #expect(!screen.text.contains(EntryWords.parts(3, .plain)))
    await screen.press("^X", "s", "^X", "s", "^D")
    #expect(posted(screen) == Self.parts.enumerated().map { "\($0.element) (\($0.offset + 1)/3)" })
  }

  @Test func `a text that fits is posted as one qwink after ^X s`() async throws {
    let screen = try await writing("Short")
    await screen.press("^X", "s", "^D")
    #expect(posted(screen) == ["Short"])
  }

  @Test func `each part of a direct thread has the warning and the mentions`() async throws {
    let screen = try await writing("@erin I have much to say about this. And more than that. And then some.")
    await screen.press("^T", "^T", "^T", "^X", "w")
    screen.type("boats")
    await screen.press("Enter", "^X", "s", "^D")
    let sent = screen.server.posted
    #expect(sent.count > 2 && sent.allSatisfy { $0.warning == "boats" && $0.visibility == "direct" })
    #expect(sent.allSatisfy { $0.text.hasPrefix("@erin ") && $0.text.count + 5 <= 40 }, "\(sent)")
  }

  @Test func `a rejected part delays the rest until it is sent again`() async throws {
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

  @Test func `a rejected part is posted before the rest after the user edits it`() async throws {
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

  @Test func `a part whose response was lost is not posted twice`() async throws {
    let screen = try await writing()
    screen.server.ignoreKeys()
    screen.server.failPosts(with: .interrupted(host: ScriptedTimeline.host))
    await screen.press("^X", "s", "^D")
    for _ in 1...5 { await screen.pass(.seconds(60)) }
    #expect(posted(screen) == Self.parts && screen.account.outbox.items.isEmpty)
    #expect(screen.server.posted.map(\.parent) == [nil, "own-0", "own-1"])
  }

  @Test(arguments: 0...3)
  func `a kill between two parts neither loses nor duplicates a part`(count: Int) async throws {
    let screen = try await writing()
    screen.server.ignoreKeys()
    let gate = Gate()
    let server = screen.server
    let calls = CallCount()
    server.handle(.post, "/api/v1/statuses") { request in
      let number = calls.next()
      let answer = number <= count ? try await server.accept(request) : nil
      // The last accepted part is answered only after the kill.
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

  @Test func `parts queued offline are sent in order`() async throws {
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

  @Test func `neither an edit nor a scheduled entry can be a thread`() async throws {
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

private final class CallCount: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  /// Counts a call and returns its number, starting at 1.
  func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}
