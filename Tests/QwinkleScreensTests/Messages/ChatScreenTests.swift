import Foundation
import PaneKit
import QwinkleAccount
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleModel
@testable import QwinkleScreens

/// A conversation on the screen, driven by keys.
@MainActor
@Suite(.bounded) struct ChatScreenTests {
  private func chat(
    _ server: ScriptedTimeline = ScriptedTimeline(), rows: Int = 24, columns: Int = 80,
    in folder: TemporaryFolder = TemporaryFolder()
  ) async throws -> Screen {
    if server.messages.texts(in: "bob").isEmpty { Talk.begin(on: server) }
    let screen = try await Screen.settled(server, rows: rows, columns: columns, in: folder)
    await screen.press("3", "Enter")
    return screen
  }

  /// The middle of the rule above the first unread message.
  private let newRule = "── \(MessagesWords.new) ──"
  /// Breadcrumb of bob's chat.
  private let wayToBob = "\(MessagesWords.title) › Bob"

  private func row(_ words: String, in screen: Screen) -> String {
    screen.lines.first { $0.contains(words) } ?? "no row has \(words)"
  }

  private func send(_ text: String, in screen: Screen) async {
    screen.type(text)
    await screen.press("^D")
  }

  // MARK: Reading

  @Test func `a chat shows days and each name once per run of messages`() async throws {
    let server = ScriptedTimeline()
    server.messages.add(
      "bob", with: [Talk.bob],
      [
        .message("b1", by: Talk.bob, to: [Talk.me], "Are you coming?", at: Talk.at(-1500)),
        .message("b2", by: Talk.bob, to: [Talk.me], "It is tomorrow.", at: Talk.at(-1499), answering: "b1"),
        .message("b3", by: Talk.bob, to: [Talk.me], "Well?", at: Talk.at(-1495), answering: "b2"),
        .message("b4", by: Talk.me, to: [Talk.bob], "Of course.", at: Talk.at(-30), answering: "b3"),
      ])
    let screen = try await chat(server)
    #expect(screen.way.contains(wayToBob))
    let first = try #require(screen.lines.firstIndex { $0.contains("Tuesday") })
    #expect(
      screen.lines[first...].prefix(6) == [
        String(repeating: " ", count: 37) + "Tuesday",
        "  Bob  23:00   Are you coming?", "               It is tomorrow.", "  Bob  23:05   Well?",
        String(repeating: " ", count: 36) + "Yesterday",
        "  \(MessagesWords.me)  23:30   Of course." + String(repeating: " ", count: 50) + MessagesWords.sent,
      ])
  }

  @Test func `names have the colours of their authors`() async throws {
    let screen = try await chat()
    let grid = try #require(screen.driver.frames.last?.grid)
    let theme = screen.application.window.theme
    for (name, qwinker) in [("Bob", Talk.bob), (MessagesWords.me, Talk.me)] {
      let row = try #require(screen.lines.firstIndex { $0.contains("  \(name)  ") })
      #expect(grid[row, 2].style == theme[AvatarInitials.nameRole(of: qwinker)])
    }
  }

  @Test func `a chat opens at the newest message with the focus on the entry`() async throws {
    let server = ScriptedTimeline()
    let screen = try await chat(server)
    #expect(screen.cursor?.row == screen.lines.lastIndex { $0.hasPrefix(" ›") })
    #expect(row("Bring coffee", in: screen) == "  Bob  23:50   Bring coffee.")
    #expect(server.messages.seen.contains("POST bob/read"))
    #expect(!screen.header.contains("•"))
  }

  @Test func `a rule precedes new messages`() async throws {
    let server = ScriptedTimeline()
    let screen = try await chat(server)
    let line = try #require(screen.lines.firstIndex { $0.contains(newRule) })
    #expect(screen.lines[line + 1].contains("Bring coffee"))
    await send("Two cups.", in: screen)
    #expect(!screen.text.contains(newRule))
    server.messages.say(
      .message("b5", by: Talk.bob, to: [Talk.me], "Three.", at: Talk.at(1), answering: "b3"), in: "bob")
    await screen.pass(.seconds(20))
    let next = try #require(screen.lines.firstIndex { $0.contains(newRule) })
    #expect(screen.lines[next + 1].contains("Three."))
  }

  @Test func `a chat without new messages has no rule for them`() async throws {
    let screen = try await chat()
    await screen.press("Esc", "Esc", "Enter")
    #expect(screen.text.contains("Bring coffee"))
    #expect(!screen.text.contains(newRule))
  }

  @Test func `keys move the focus from the entry to the messages and back`() async throws {
    let screen = try await chat()
    await screen.press("Esc")
    #expect(screen.cursor == nil)
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains("Bring coffee") })
    await screen.press("k")
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains("Nine it is") })
    await screen.press("i")
    #expect(screen.cursor != nil && !screen.text.contains("▌"))
    await screen.press("Esc", "r")
    #expect(screen.cursor != nil)
    await screen.press("Esc", "Esc")
    #expect(screen.header.contains("3 Messages") && !screen.way.contains("›"))
  }

  @Test func `z reveals a message with a warning`() async throws {
    let server = ScriptedTimeline()
    var warned = Qwink.message("b1", by: Talk.bob, to: [Talk.me], "The butler did it.", at: Talk.at(-9))
    warned.contentWarning = "Spoilers"
    server.messages.add("bob", with: [Talk.bob], [warned])
    let screen = try await chat(server)
    #expect(screen.text.contains("⚠ Spoilers") && !screen.text.contains("butler"))
    await screen.press("Esc", "z")
    #expect(screen.text.contains("The butler did it."))
    await screen.press("z")
    #expect(!screen.text.contains("butler"))
  }

  @Test func `a long chat opens at its end and scrolls from both the entry and the messages`() async throws {
    let server = ScriptedTimeline()
    let many = (0..<1200).map { (number: Int) -> Qwink in
      let isMine = number % 3 == 0
      let parent: String? = number > 0 ? "m\(number - 1)" : nil
      return Qwink.message(
        "m\(number)", by: isMine ? Talk.me : Talk.bob, to: [isMine ? Talk.bob : Talk.me],
        "Message \(number).", at: Talk.at(Double(number - 2000)), answering: parent)
    }
    server.messages.add("bob", with: [Talk.bob], many)
    let screen = try await chat(server)
    #expect(screen.text.contains("Message 1199."))
    await screen.press("PgUp")
    #expect(!screen.text.contains("Message 1199.") && screen.cursor != nil)
    await screen.press("PgDn")
    #expect(screen.text.contains("Message 1199."))
    await screen.press("Esc", "g", "g")
    #expect(screen.text.contains("Message 0."))
    await screen.press("G")
    #expect(screen.text.contains("Message 1199."))
    // A new message doesn't move the view if the reader is further above.
    await screen.press("g", "g")
    server.messages.say(
      .message("late", by: Talk.bob, to: [Talk.me], "Late.", at: Talk.at(2), answering: "m1199"), in: "bob")
    await screen.pass(.seconds(20))
    #expect(screen.text.contains("Message 0.") && !screen.text.contains("Late."))
  }

  // MARK: Writing

  @Test func `a sent message appears at once`() async throws {
    let server = ScriptedTimeline()
    let screen = try await chat(server)
    let gate = Gate()
    server.messages.holdPosts(by: gate)
    screen.type("Two cups.")
    screen.strike("^D")
    await screen.turn()
    #expect(row("Two cups", in: screen).hasSuffix("  \(MessagesWords.sending)"))
    #expect(screen.lines.contains { $0.hasPrefix(" ›") && !$0.contains("cups") })
    gate.open()
    await screen.settle()
    #expect(row("Two cups", in: screen).hasSuffix("  \(MessagesWords.sent)"))
  }

  @Test func `M-Enter starts a new line and the entry grows`() async throws {
    let server = ScriptedTimeline()
    let screen = try await chat(server)
    screen.type("One.")
    screen.strike("M-Enter")
    screen.type("Two.")
    await screen.turn()
    let first = try #require(screen.lines.firstIndex { $0.contains("› One.") })
    #expect(screen.lines[first + 1].contains("Two."))
    await screen.press("^X", "^S")
    #expect(server.messages.posted.first?.text == "@bob One.\nTwo.")
  }

  @Test func `the counter includes the mentions that are added`() async throws {
    let server = ScriptedTimeline()
    server.limitCharacters(to: 20)
    let screen = try await chat(server)
    screen.type("Hello there.")
    await screen.turn()
    let entry = try #require(screen.lines.firstIndex { $0.hasPrefix(" › Hello there.") })
    #expect(screen.lines[entry + 1].hasPrefix("   \(MessagesWords.onlyTo("@bob"))"))
    #expect(screen.lines[entry + 1].hasSuffix("  17 / 20"))
    screen.type(" Too long.")
    await screen.press("^D")
    #expect(screen.status.contains(EntryProblem.tooLong(by: 7).sentence))
    #expect(server.messages.posted.isEmpty && screen.text.contains("Too long."))
  }

  @Test func `an Enter that is read at once with text begins a line`() async throws {
    let server = ScriptedTimeline()
    let screen = try await chat(server)
    let events = "one\rtwo".map { TerminalEvent.key($0 == "\r" ? Key(.enter) : .character($0)) }
    screen.application.terminalDriver(screen.driver, didReceive: events)
    await screen.settle()
    #expect(server.messages.posted.isEmpty)
    await screen.press("Enter")
    #expect(server.messages.texts(in: "bob").last == "@bob one\ntwo")
  }

  @Test func `Enter begins a line if the option is set, and otherwise sends`() async throws {
    let server = ScriptedTimeline()
    let screen = try await chat(server)
    await screen.press("Esc", ":")
    screen.type("set enter newline")
    await screen.press("Enter", "i")
    screen.account.pendingActions.seconds = 0
    screen.type("one")
    await screen.press("Enter")
    #expect(server.messages.posted.isEmpty)
    screen.type("two")
    await screen.press("^D")
    #expect(server.messages.texts(in: "bob").last == "@bob one\ntwo")
    await screen.press("Esc", ":")
    screen.type("set enter sends")
    await screen.press("Enter", "i")
    screen.account.pendingActions.seconds = 0
    screen.type("three")
    await screen.press("M-Enter")
    screen.type("four")
    await screen.press("Enter")
    #expect(server.messages.texts(in: "bob").last == "@bob three\nfour")
  }

  @Test func `an empty message is not sent`() async throws {
    let server = ScriptedTimeline()
    let screen = try await chat(server)
    screen.type("  ")
    await screen.press("^D")
    #expect(server.messages.posted.isEmpty)
    #expect(screen.status.contains(EntryProblem.empty.sentence))
  }

  @Test func `each conversation restores its draft after closing and after a restart`() async throws {
    let server = ScriptedTimeline()
    let folder = TemporaryFolder()
    var screen: Screen? = try await chat(server, in: folder)
    screen?.type("Half a sen")
    await screen?.press("Esc", "Esc", "j", "Enter")
    #expect(screen?.text.contains("Half a sen") == false)
    screen?.type("Another")
    await screen?.pass(.seconds(1))
    screen = nil
    let later = try await chat(server, in: folder)
    #expect(later.lines.contains { $0.hasPrefix(" › Half a sen") })
    await later.press("Esc", "Esc", "j", "Enter")
    #expect(later.lines.contains { $0.hasPrefix(" › Another") })
    await later.press("^D", "Esc", "Esc", "Enter")
    #expect(!later.lines.contains { $0.hasPrefix(" › Another") })
  }

  @Test func `a failed message shows the reason and the keys that continue`() async throws {
    let server = ScriptedTimeline()
    server.messages.failPosts(.lost)
    let screen = try await chat(server)
    await send("Two cups.", in: screen)
    let failure = "\(ScriptedTimeline.unreachable) \(OutgoingMessage.Failure.sentLater)"
    #expect(screen.unwrapped.contains(failure))
    let keys = MessagesWords.notSentKeys.map { keyHint($0) }.joined(separator: ", ")
    #expect(screen.text.contains("\(keys)."))
    await screen.press("Esc", "Enter")
    #expect(row("Two cups", in: screen).hasSuffix("  \(MessagesWords.sent)"))
    #expect(!screen.text.contains(ScriptedTimeline.unreachable))
    #expect(server.messages.posted.count == 2)
  }

  @Test func `a failed message can be edited`() async throws {
    let server = ScriptedTimeline()
    server.messages.failPosts(.refused("No."))
    let screen = try await chat(server)
    await send("Two cups.", in: screen)
    await screen.press("Esc", "e")
    #expect(screen.lines.contains { $0.hasPrefix(" › Two cups.") })
    #expect(!screen.text.contains(OutgoingMessage.Failure.notSent))
    await screen.press("^D")
    #expect(server.messages.posted.count == 2)
    #expect(server.messages.posted[0].key != server.messages.posted[1].key)
  }

  @Test func `a failed message can be dropped after a question`() async throws {
    let server = ScriptedTimeline()
    server.messages.failPosts(.refused("No."))
    let screen = try await chat(server)
    await send("Two cups.", in: screen)
    await screen.press("Esc", "d")
    #expect(screen.text.contains(MessagesWords.askToDrop))
    await screen.press("n")
    #expect(screen.text.contains("Two cups."))
    await screen.press("d", "y")
    #expect(!screen.text.contains("Two cups."))
    #expect(server.messages.posted.count == 1)
  }

  @Test func `the user's message can be deleted`() async throws {
    let server = ScriptedTimeline()
    let screen = try await chat(server)
    await screen.press("Esc", "k", "d", "y")
    #expect(!screen.text.contains("Nine it is."))
    #expect(server.messages.texts(in: "bob").count == 2)
  }

  @Test func `a closed chat is deallocated`() async throws {
    let screen = try await chat()
    weak let chat = screen.main.focus as? ChatViewController
    #expect(chat != nil)
    screen.type("x")
    await screen.press("Esc", "Esc")
    #expect(chat == nil)
  }

  // MARK: Other people

  @Test func `mentioning another account shows a warning and asks before sending`() async throws {
    let server = ScriptedTimeline()
    let screen = try await chat(server)
    screen.type("What about @bob and @mara")
    await screen.turn()
    let anybody = MessagesWords.alsoTo("@")
    #expect(!screen.text.contains(anybody))
    screen.type(" and @carol ?")
    await screen.turn()
    #expect(screen.lines.contains { $0.hasPrefix("──") && $0.contains(" \(MessagesWords.alsoTo("@carol")) ") })
    #expect(screen.lines.contains { $0.hasPrefix("   \(MessagesWords.to("@bob"))  ") })
    #expect(!screen.text.contains(MessagesWords.onlyTo("@bob")))
    await screen.press("^D")
    #expect(screen.text.contains(MessagesWords.askToSend(alsoTo: "@carol", isShort: false)))
    await screen.press("n")
    #expect(server.messages.posted.isEmpty && screen.text.contains("› What about"))
    await screen.press("^D", "y")
    #expect(server.messages.posted.count == 1)
    #expect(!screen.text.contains("What about") && !screen.text.contains(anybody))
    await screen.press("Esc", "Esc")
    #expect(screen.text.contains("bob, carol"))
    #expect(screen.text.contains("Bring coffee."))
  }

  @Test func `additional recipients are shown on a narrow screen`() async throws {
    let screen = try await chat(columns: 40)
    screen.type("@carol @dana@example.org @somebody-with-a-long-name")
    await screen.turn()
    let names = "@carol and 2 more"
    #expect(screen.lines.contains { $0.contains(" \(MessagesWords.alsoTo(names)) ") })
    await screen.press("^D")
    #expect(screen.text.contains(MessagesWords.askToSend(alsoTo: names, isShort: true)))
  }

  // MARK: Failures

  @Test func `the retry key is shown only while it doesn't type a letter`() async throws {
    let server = ScriptedTimeline()
    let refused = TransportError.refused(host: ScriptedTimeline.host)
    server.messages.failThreads(with: refused)
    let screen = try await chat(server)
    server.messages.fail(with: refused)
    await screen.pass(.seconds(100))
    #expect(screen.status.contains("\(StatusWords.retrying) \(StatusWords.withinAMinute)"))
    #expect(!screen.status.contains(StatusWords.retriesNow("R")))
    await screen.press("Esc")
    #expect(screen.status.contains("; \(StatusWords.retriesNow("R"))."))
  }

  // MARK: Drafts

  @Test func `a message sent from another chat with the same participants leaves no draft`() async throws {
    let screen = try await chat()
    screen.type("Two cups.")
    await screen.pass(.milliseconds(300))
    await screen.press("Esc", "a", "p")
    #expect(screen.way.contains("\(wayToBob) › @bob › Bob") && screen.text.contains("› Two cups."))
    await screen.press("^D", "Esc", "Esc", "Esc")
    #expect(screen.way.contains(wayToBob))
    #expect(!screen.text.contains("› Two cups."))
    #expect(screen.drafts.keys.isEmpty)
  }

  @Test func `a failed message can be edited only if its draft can be saved`() async throws {
    let server = ScriptedTimeline()
    server.messages.failPosts(.refused("No."))
    let screen = try await chat(server)
    await send("Two cups.", in: screen)
    screen.account.outgoing?.setReadOnly(true)
    await screen.press("Esc", "e")
    #expect(screen.status.contains(EntryWords.draftNotSaved))
    #expect(screen.account.inbox.outgoing(of: "bob").count == 1)
    #expect(!screen.text.contains("› Two cups."))
    screen.account.outgoing?.setReadOnly(false)
    await screen.press("e")
    #expect(screen.text.contains("› Two cups."))
    #expect(screen.drafts.keys == ["conversation/bob"])
    #expect(screen.account.inbox.outgoing(of: "bob").isEmpty)
  }

  // MARK: Completion and editing

  @Test func `Tab completes names as in an entry`() async throws {
    let server = ScriptedTimeline()
    let screen = try await chat(server)
    screen.type("Ask @bo")
    await screen.press("Tab")
    #expect(screen.text.contains("› Ask @bob"))
    await screen.press("Esc")
    #expect(screen.cursor != nil && screen.lines.contains(" › Ask @bo"))
  }

  @Test func `^X e edits a message in the external editor`() async throws {
    let server = ScriptedTimeline()
    let screen = try await chat(server)
    let outside = ScriptedEditor()
    screen.application.externalEditor = outside
    outside.application = screen.application
    screen.type("Two")
    screen.strike("^X", "e")
    #expect(outside.text == "Two")
    outside.finish(.success("Two cups."))
    await screen.settle()
    #expect(screen.text.contains("› Two cups."))
    #expect(screen.drafts.keys == ["conversation/bob"])
    await screen.press("^D")
    #expect(server.messages.posted.map(\.text) == ["@bob Two cups."])
  }

  // MARK: Opening a chat

  @Test func `p opens the existing chat with an account`() async throws {
    let server = ScriptedTimeline()
    Talk.begin(on: server)
    server.add([.sample(id: "1", text: "Hello", author: Talk.bob)])
    let screen = try await Screen.settled(server)
    await screen.press("p")
    #expect(screen.way.contains("› Bob") && screen.cursor != nil)
    await screen.press("Esc", "p")
    #expect(screen.way.components(separatedBy: "Bob").count == 2)
    #expect(screen.cursor != nil)
  }

  @Test func `p continues a saved message to the account`() async throws {
    let server = ScriptedTimeline()
    Talk.begin(on: server)
    server.add([.sample(id: "1", text: "Hello", author: Talk.bob)])
    let folder = TemporaryFolder()
    let screen = try await Screen.settled(server, in: folder)
    screen.drafts.save(
      Entry(text: "@bob begun", visibility: .direct, idempotencyKey: "k"), for: .message(to: Talk.bob))
    await screen.press("p")
    #expect(screen.text.contains("@bob begun"))
  }
}
