import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Chat messages that the user can undo for a few seconds.
@MainActor
@Suite(.bounded) struct PendingMessageTests {
  private static let hold = Duration.seconds(6)
  private let text = "Two cups."

  private func chat(
    _ server: ScriptedTimeline = ScriptedTimeline(), columns: Int = 80, in folder: TemporaryFolder = TemporaryFolder()
  ) async throws -> Screen {
    if server.messages.texts(in: "bob").isEmpty { Talk.begin(on: server) }
    let screen = try await Screen.settled(server, columns: columns, in: folder)
    screen.account.pendingActions.seconds = 6
    await screen.press("3", "Enter")
    return screen
  }

  private func send(_ text: String, in screen: Screen) async {
    screen.type(text)
    await screen.press("^D")
  }

  private func posted(_ screen: Screen) -> [String] { screen.server.messages.posted.map(\.text) }

  /// Whether `words` are at the right edge of the message's row, and not in the status bar too.
  private func shows(_ words: String, in screen: Screen) -> Bool {
    screen.lines.contains { $0.contains("\(text)  ") && $0.hasSuffix(" \(words)") }
      && !screen.status.contains(PendingWords.doing(.message(key: "")))
  }

  private func sending(in seconds: Int, isWriting: Bool = false) -> String {
    withKeys(MessagesWords.sending(in: seconds, isWriting: isWriting))
  }

  @Test(arguments: [80, 120])
  func `a message is counted down in its chat and then sent`(columns: Int) async throws {
    let screen = try await chat(columns: columns)
    await send(text, in: screen)
    #expect(shows(sending(in: 6, isWriting: true), in: screen), "\(screen.text)")
    await screen.press("Esc")
    for left in stride(from: 6, to: 0, by: -1) {
      #expect(shows(sending(in: left), in: screen) && posted(screen).isEmpty, "\(screen.text)")
      await screen.pass(.seconds(1))
    }
    #expect(posted(screen) == ["@bob \(text)"] && shows(MessagesWords.sent, in: screen), "\(screen.text)")
    await screen.pass(.seconds(60))
    #expect(posted(screen) == ["@bob \(text)"] && screen.drafts.all.isEmpty)
  }

  @Test func `the countdown is short at 40 columns`() async throws {
    let screen = try await chat(columns: 40)
    await send(text, in: screen)
    await screen.press("Esc")
    let words = withKeys(MessagesWords.sending(in: 6, isWriting: false, isShort: true))
    #expect(shows(words, in: screen), "\(screen.text)")
  }

  @Test func `u restores the message before the text typed since then`() async throws {
    let screen = try await chat()
    await send(text, in: screen)
    screen.type("And cake.")
    await screen.press("Esc", "u")
    #expect(screen.status.contains(PendingActions.Kind.message(key: "").takenBack), "\(screen.status)")
    #expect(screen.text.contains("› \(text)") && screen.text.contains("And cake."), "\(screen.text)")
    #expect(!screen.text.contains(MessagesWords.sending), "\(screen.text)")
    #expect(screen.drafts.all.map(\.entry.text) == ["\(text)\nAnd cake."], "one draft")
    await screen.pass(.seconds(60))
    #expect(posted(screen).isEmpty && screen.account.outbox.items.isEmpty)
    await screen.press("^D")
    await screen.pass(Self.hold)
    #expect(posted(screen) == ["@bob \(text)\nAnd cake."] && screen.drafts.all.isEmpty)
  }

  @Test func `u reopens the chat if it was closed`() async throws {
    let screen = try await chat()
    await send(text, in: screen)
    await screen.press("Esc", "q", "1", "u")
    #expect(screen.way.contains("Bob") && screen.text.contains("› \(text)"), "\(screen.text)")
    await screen.pass(.seconds(60))
    #expect(posted(screen).isEmpty)
  }

  @Test(arguments: [80, 120], [["^D"], ["^X", "k", "i"]])
  func `u restores a sent or discarded message after the user opened another chat`(columns: Int, keys: [String])
    async throws
  {
    let screen = try await chat(columns: columns)
    screen.type(text)
    for key in keys { await screen.press(key) }
    await screen.press("^N")
    #expect(screen.way.contains("Dana") && !screen.text.contains("› \(text)"), "\(screen.text)")
    await screen.press("^P", "Esc", "u")
    #expect(screen.way.contains("Bob") && screen.text.contains("› \(text)"), "\(screen.text)")
    await screen.pass(.seconds(60))
    #expect(posted(screen).isEmpty && screen.account.outbox.items.isEmpty)
    #expect(screen.drafts.all.map(\.entry.text) == [text], "one draft")
    await screen.press("^D")
    await screen.pass(Self.hold)
    #expect(posted(screen) == ["@bob \(text)"] && screen.drafts.all.isEmpty)
  }

  @Test func `u cancels the newer of two messages and the older one is sent`() async throws {
    let screen = try await chat()
    await send("One.", in: screen)
    await screen.pass(.seconds(2))
    await send("Two.", in: screen)
    await screen.press("Esc", "u")
    await screen.pass(.seconds(60))
    #expect(posted(screen) == ["@bob One."])
    await screen.press("^D")
    await screen.pass(Self.hold)
    #expect(posted(screen) == ["@bob One.", "@bob Two."])
  }

  @Test func `gs sends the message at once and u can't undo that`() async throws {
    let screen = try await chat()
    await send(text, in: screen)
    await screen.press("Esc", "g", "s")
    #expect(posted(screen) == ["@bob \(text)"] && shows(MessagesWords.sent, in: screen), "\(screen.text)")
    await screen.press("u")
    #expect(screen.status.contains(UndoWords.cannotUndo("Sending")), "\(screen.status)")
  }

  @Test func `a message is sent at once when undo is off and u undoes nothing older`() async throws {
    let screen = try await chat()
    screen.account.pendingActions.seconds = 0
    screen.type("Half")
    await screen.press("^X", "k", "i")
    await send(text, in: screen)
    #expect(posted(screen) == ["@bob \(text)"])
    await screen.press("Esc", "u")
    #expect(screen.status.contains(UndoWords.cannotUndo("Sending")), "\(screen.status)")
    #expect(!screen.text.contains("Half"), "\(screen.text)")
  }

  @Test func `quitting warns and then sends the message`() async throws {
    let screen = try await chat()
    await send(text, in: screen)
    await screen.press("Esc", "q", "1", "q")
    #expect(screen.text.contains(PendingWords.sentNow), "\(screen.text)")
    #expect(posted(screen).isEmpty)
    await screen.press("y")
    #expect(posted(screen) == ["@bob \(text)"] && screen.exitStatus == 0)
  }

  @Test func `a kill turns the message into a draft of the chat, which is reported`() async throws {
    let folder = TemporaryFolder()
    let one = try await chat(in: folder)
    await send(text, in: one)
    one.endAtOnce()
    let server = ScriptedTimeline()
    Talk.begin(on: server)
    let two = try await Screen.settled(server, columns: 120, in: folder)
    #expect(two.status.contains(withKeys(PendingWords.savedAsDrafts(1, messages: 1))), "\(two.status)")
    await two.pass(.seconds(60))
    #expect(posted(two).isEmpty && two.account.outbox.items.isEmpty)
    await two.press("3", "Enter")
    #expect(two.text.contains("› \(text)"), "\(two.text)")
  }

  @Test func `an offline message is queued after the countdown and sent later`() async throws {
    let screen = try await chat()
    screen.server.setReachable(false)
    await send(text, in: screen)
    await screen.pass(Self.hold)
    #expect(posted(screen).isEmpty && screen.header.contains(OutboxWords.waiting(1)), "\(screen.text)")
    screen.server.setReachable(true)
    await screen.pass(.seconds(3600))
    #expect(posted(screen) == ["@bob \(text)"])
  }
}
