import HTTPTypes
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct EntryScreenTests {
  private let interrupted = TransportError.interrupted(host: ScriptedTimeline.host)

  private func writing(_ text: String, to server: ScriptedTimeline = ScriptedTimeline([1])) async throws -> Screen {
    let screen = try await Screen.settled(server)
    screen.strike("c")
    screen.type(text)
    return screen
  }

  // MARK: Writing

  @Test func `an entry has the account's default visibility unless the user changes it`() async throws {
    let server = ScriptedTimeline([1])
    var account = String(decoding: WireEncoder.qwinker(.sample("mara"), ownNote: ""), as: UTF8.self)
    account.replace(#""privacy":"public""#, with: #""privacy":"private""#)
    let body = Array(account.utf8)
    server.handle(.get, "/api/v1/accounts/verify_credentials") { _ in .json(body) }
    let screen = try await Screen.settled(server)
    screen.strike("c")
    screen.type("For those who follow")
    await screen.press("^D")
    #expect(server.posted.last?.visibility == "private")
    screen.strike("c", "^T", "^T")
    screen.type("For some")
    await screen.press("^D")
    let chosen = try #require(server.posted.last?.visibility)
    #expect(chosen != "private")
    // The choice for one entry doesn't carry over to the next.
    screen.strike("c")
    screen.type("For them again")
    await screen.press("^D")
    #expect(server.posted.last?.visibility == "private")
  }

  @Test func `text is posted exactly as typed`() async throws {
    let text = "Zoë says 日本語 👩‍👩‍👧‍👦 🇩🇪 and ½"
    let screen = try await writing(text)
    #expect(screen.text.contains("Zoë says 日本語"))
    await screen.press("^D")
    #expect(screen.server.posted.map(\.text) == [text])
    #expect(screen.server.posted.map(\.visibility) == ["public"])
    #expect(screen.selected == nil)
    #expect(screen.text.contains("Zoë says 日本語"))
    #expect(screen.status.contains(EntryWords.posted))
    #expect(!screen.text.contains(EntryWords.newQwink))
  }

  @Test func `the user's new qwink is first in the list and selected`() async throws {
    let screen = try await writing("Qwink 77", to: ScriptedTimeline(Array((1...30).reversed())))
    await screen.press("^D")
    #expect(screen.selected == 77)
    #expect(screen.visible.prefix(2) == [77, 30])
    await screen.press("R")
    #expect(screen.visible.prefix(2) == [77, 30])
    #expect(!screen.status.contains(StatusWords.newAbove))
  }

  @Test func `combining characters join the character before them`() async throws {
    let screen = try await writing("e")
    screen.type("\u{301}")
    screen.type("👩")
    screen.type("\u{200D}")
    screen.type("👧")
    #expect(screen.text.contains(" 2 / 500"))
    screen.strike("BS", "BS")
    #expect(screen.text.contains(" 0 / 500"))
  }

  @Test func `the cursor follows the typed text, including wide characters`() async throws {
    let screen = try await writing("ab日本")
    let row = try #require(screen.lines.firstIndex { $0.contains("ab日本") })
    #expect(screen.cursor?.row == row)
    #expect(screen.cursor?.column == 2 + 6)
  }

  @Test func `keys that are commands elsewhere type letters in an entry`() async throws {
    let screen = try await writing("q1R?2gGcz+j k:/")
    #expect(screen.text.contains("q1R?2gGcz+j k:/"))
    #expect(screen.server.refreshCount() == 1)
    #expect(screen.exitStatus == nil)
  }

  @Test func `a paste is inserted as text without control characters`() async throws {
    let screen = try await writing("a ")
    screen.paste("q\n1\u{1B}[31mred\u{1B}\u{4}\u{3}\nR")
    #expect(screen.server.posted.isEmpty)
    #expect(screen.text.contains(EntryWords.newQwink))
    await screen.press("^D")
    let posted = try #require(screen.server.posted.first).text
    #expect(posted.hasPrefix("a q\n1"))
    #expect(posted.hasSuffix("\nR"))
    #expect(posted.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
  }

  @Test func `a paste outside a text field is ignored`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    let before = screen.lines
    screen.paste("jcqyR1\n\u{3}\u{3}")
    await screen.settle()
    #expect(screen.status.contains(withKeys(PasteWords.ignored)))
    #expect(screen.lines.dropLast() == before.dropLast())
    #expect(screen.server.refreshCount() == 1)
    screen.strike("q")
    screen.paste("y")
    screen.strike("n", "?")
    screen.paste("q")
    screen.strike("q")
    #expect(screen.exitStatus == nil)
    #expect(screen.lines.dropLast() == before.dropLast())
  }

  // MARK: Sending

  @Test func `^X ^S posts too`() async throws {
    let screen = try await writing("Hello")
    await screen.press("^X", "^S")
    #expect(screen.server.posted.map(\.text) == ["Hello"])
  }

  @Test func `a failed post stays in the entry and is sent again under the same key`()
    async throws
  {
    let server = ScriptedTimeline([1])
    server.losePosts(with: .local(reason: "No room."), .local(reason: "No room."))
    let screen = try await writing("Only once", to: server)
    await screen.press("^D")
    #expect(screen.text.contains("Only once"))
    let reason = DownloadError.transport(.local(reason: "No room.")).sentenceForPost
    #expect(screen.unwrapped.contains(reason))
    await screen.press("^D", "^D")
    #expect(screen.status.contains(EntryWords.posted))
    #expect(server.posted.map(\.text) == ["Only once", "Only once", "Only once"])
    #expect(Set(server.posted.map(\.key)).count == 1)
    #expect(server.posted.first?.key?.isEmpty == false)
    #expect(screen.lines.count { $0.contains("Only once") } == 1)
  }

  @Test func `a changed text or visibility gets a new key`() async throws {
    let server = ScriptedTimeline([1])
    server.losePosts(with: .local(reason: "No room."), .local(reason: "No room."))
    let screen = try await writing("One", to: server)
    await screen.press("^D")
    screen.type("!")
    await screen.press("^D", "^T", "^D")
    #expect(server.posted.map(\.text) == ["One", "One!", "One!"])
    #expect(server.posted.map(\.visibility) == ["public", "public", "unlisted"])
    #expect(Set(server.posted.map(\.key)).count == 3)
  }

  @Test func `two qwinks with the same text are both posted`() async throws {
    let screen = try await writing("Good morning")
    await screen.press("^D", "c")
    screen.type("Good morning")
    await screen.press("^D")
    #expect(Set(screen.server.posted.map(\.key)).count == 2)
    #expect(screen.lines.count { $0.contains("Good morning") } == 2)
  }

  @Test func `an entry of only spaces is not posted`() async throws {
    let screen = try await writing(" \n  ")
    await screen.press("^D")
    #expect(screen.text.contains(EntryProblem.empty.sentence))
    #expect(screen.server.posted.isEmpty)
    screen.type("x")
    #expect(!screen.text.contains(EntryProblem.empty.sentence))
  }

  @Test func `a text over the limit is not posted and the excess is shown`() async throws {
    let server = ScriptedTimeline([1])
    server.limitCharacters(to: 20)
    let screen = try await writing(String(repeating: "é", count: 27), to: server)
    #expect(screen.text.contains("−7 / 20"))
    await screen.press("^D")
    #expect(screen.unwrapped.contains(EntryProblem.tooLong(by: 7).sentence))
    #expect(server.posted.isEmpty)
    for _ in 0..<6 { screen.strike("BS") }
    await screen.press("^D")
    #expect(screen.unwrapped.contains(EntryProblem.tooLong(by: 1).sentence))
    screen.strike("BS")
    await screen.press("^D")
    #expect(server.posted.count == 1)
  }

  @Test func `a long link doesn't exceed the character limit`() async throws {
    let link = "https://example.org/" + String(repeating: "a", count: 600)
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    screen.strike("c")
    screen.paste("See \(link)")
    await screen.press("^D")
    #expect(screen.server.posted.map(\.text) == ["See \(link)"])
  }

  @Test func `a text of ambiguous length is sent and the server's error is shown`() async throws {
    let server = ScriptedTimeline([1])
    server.limitCharacters(to: 40)
    let path = String(repeating: "a", count: 60)
    let screen = try await writing("See gemini://example.org/\(path)", to: server)
    await screen.press("^D")
    #expect(server.posted.map(\.text) == ["See gemini://example.org/\(path)"])
    server.handle(.post, "/api/v1/statuses") { _ in .json(WireEncoder.error("Over the limit"), status: 422) }
    await screen.press("c")
    screen.type("See finger://example.org/\(path)")
    await screen.press("^D")
    let answer = DownloadError.rejected(host: ScriptedTimeline.host, message: "Over the limit")
    #expect(screen.unwrapped.contains(withKeys(EntryWords.outcome(.failed(answer), isEdit: false))), "\(screen.text)")
  }

  @Test func `a poll that the server drops is reported`() async throws {
    let server = ScriptedTimeline([1])
    server.handle(.post, "/api/v1/statuses") { _ in
      .json(WireEncoder.qwink(.sample(id: "9", text: "Which?", author: .sample("mara"), at: ScriptedTimeline.start)))
    }
    let screen = try await writing("Which?", to: server)
    await screen.press("^X", "p")
    screen.type("Tea | Coffee | 3d")
    await screen.press("Enter", "^D")
    let words = EntryWords.stored([StoredDifference(.poll, .missing)])
    #expect(screen.status.contains(words), "\(screen.status)")
  }

  @Test func `^T cycles through the visibilities`() async throws {
    let screen = try await writing("Hello")
    #expect(screen.text.contains(EntryWords.words(for: .public)))
    screen.strike("^T")
    #expect(screen.text.contains("\(EntryWords.name(of: .unlisted)),"))
    screen.strike("^T")
    #expect(screen.text.contains(EntryWords.words(for: .private)))
    await screen.press("^D")
    #expect(screen.server.posted.map(\.visibility) == ["private"])
    await screen.press("c")
    #expect(screen.text.contains(EntryWords.words(for: .public)))
  }

  // MARK: Leaving

  @Test func `Esc closes the entry and saves its text`() async throws {
    let screen = try await writing("Half a thou")
    screen.strike("Esc")
    #expect(!screen.text.contains("Half a thou"))
    #expect(screen.selected == 1)
    #expect(screen.drafts.load()?.text == "Half a thou")
    await screen.press("c")
    screen.type("ght")
    #expect(screen.text.contains("Half a thought"))
    await screen.press("^D")
    #expect(screen.server.posted.map(\.text) == ["Half a thought"])
    #expect(screen.drafts.load() == nil)
    screen.strike("c")
    #expect(!screen.text.contains("Half a thought▏"))
    #expect(screen.text.contains(" 0 / 500"))
  }

  @Test func `text is saved to disk before it is sent`() async throws {
    let server = ScriptedTimeline([1])
    let gate = Gate()
    server.holdPosts(by: gate)
    let screen = try await writing("Careful", to: server)
    screen.strike("^D")
    #expect(screen.drafts.load()?.text == "Careful")
    #expect(screen.text.contains(EntryWords.posting))
    try await screen.wait(for: "the post") { !server.posted.isEmpty }
    // After a kill, the draft is marked as possibly posted.
    #expect(screen.drafts.all.map(\.isDoubtful) == [true])
    gate.open()
    await screen.settle()
    #expect(screen.drafts.load() == nil)
  }

  @Test func `an emptied entry leaves no draft`() async throws {
    let screen = try await writing("ab")
    await screen.press("Esc")
    #expect(screen.drafts.load()?.text == "ab")
    await screen.press("c", "BS", "BS", "Esc")
    #expect(screen.drafts.load() == nil)
  }

  // MARK: While sending

  @Test func `^D twice posts once`() async throws {
    let screen = try await writing("Once")
    screen.strike("^D", "^D")
    await screen.settle()
    #expect(screen.server.posted.count == 1)
  }

  @Test func `an entry closed while it is sent leaves no draft once it is posted`() async throws {
    let server = ScriptedTimeline([1])
    let gate = Gate()
    server.holdPosts(by: gate)
    let screen = try await writing("On its way", to: server)
    screen.strike("^D", "Esc")
    gate.open()
    await screen.settle()
    #expect(screen.status.contains(EntryWords.posted))
    #expect(screen.drafts.load() == nil)
    screen.strike("c")
    #expect(screen.lines.count { $0.contains("On its way") } == 1)
  }

  @Test func `an entry closed while it is sent reports a doubt and resolves it`() async throws {
    let server = ScriptedTimeline([1])
    let gate = Gate()
    server.holdPosts(by: gate)
    server.failPosts(with: interrupted)
    let screen = try await writing("On its way", to: server)
    screen.strike("^D", "Esc")
    gate.open()
    await screen.settle()
    #expect(screen.status.contains(EntryWords.perhapsPosted))
    await screen.pass(.seconds(10))
    #expect(Set(server.posted.map(\.key)).count == 1)
    #expect(screen.status.contains(EntryWords.posted))
  }

  @Test func `text typed while the entry is sent is not lost`() async throws {
    let server = ScriptedTimeline([1])
    let gate = Gate()
    server.holdPosts(by: gate)
    let screen = try await writing("One", to: server)
    screen.strike("^D")
    screen.type(" two")
    gate.open()
    await screen.settle()
    if !screen.text.contains(EntryWords.newQwink) { await screen.press("c") }
    if screen.text.contains("One two") {
      await screen.press("^D")
      #expect(server.posted.map(\.text) == ["One", "One two"])
    } else {
      // Typing was ignored.
      #expect(screen.drafts.load() == nil)
      #expect(screen.text.contains(" 0 / 500"))
    }
    #expect(!screen.text.contains(EntryWords.posting))
  }

  @Test func `the entry is complete again after extreme window sizes`() async throws {
    let screen = try await writing("A few words to keep in view")
    for (rows, columns) in [(7, 40), (3, 20), (1, 1), (2, 3), (50, 200), (24, 80)] {
      screen.resize(rows: rows, columns: columns)
    }
    #expect(screen.text.contains("A few words to keep in view"))
    #expect(screen.cursor?.column == 2 + 27)
  }
}
