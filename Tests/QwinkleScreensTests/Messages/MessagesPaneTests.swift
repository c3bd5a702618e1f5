import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

/// Conversation list and chat side by side, and navigation between chats.
@MainActor
@Suite(.bounded) struct MessagesPaneTests {
  /// Breadcrumb of Bob's chat.
  private let wayToBob = "\(MessagesWords.title) › Bob"
  private let publicTitle = TimelineWords.title(of: .public)

  private func messages(
    rows: Int = 30, columns: Int = 100, on server: ScriptedTimeline = ScriptedTimeline()
  ) async throws -> Screen {
    if server.messages.ids.isEmpty { Talk.begin(on: server) }
    let screen = try await Screen.settled(server, rows: rows, columns: columns)
    await screen.press("3")
    return screen
  }

  private func isEntryFocused(_ screen: Screen) -> Bool {
    screen.cursor.map { screen.lines[$0.row].contains("›") } ?? false
  }

  // MARK: Side by side

  @Test func `the chat is next to the list from 100 columns and replaces it below`() async throws {
    let screen = try await messages()
    await screen.pass(.seconds(1))
    #expect(screen.way.hasPrefix("── \(MessagesWords.title) ──") && screen.way.contains("┬── Bob  @bob ──"))
    #expect(screen.text.contains("Dana") && screen.text.contains("  Bob  23:50"))
    let line = try #require(screen.lines.first { $0.contains("Bob  19:00") })
    #expect(line.firstIndex(of: "│").map { line.distance(from: line.startIndex, to: $0) } == 33)
    let narrow = try await messages(columns: 99)
    #expect(!narrow.text.contains("19:00") && !narrow.text.contains("│"))
    await narrow.press("Enter")
    #expect(narrow.text.contains("19:00") && !narrow.text.contains("Dana"))
    #expect(narrow.way.contains(wayToBob))
  }

  @Test func `the strip below a timeline shows each conversation in one row`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    Talk.begin(on: server)
    let screen = try await Screen.settled(server, rows: 30, columns: 80)
    let title = try #require(screen.lines.firstIndex { $0.hasPrefix("── \(MessagesWords.title) ──") })
    let rows = screen.lines[(title + 1)...(title + 2)].map { String($0.drop { "▌ ".contains($0) }) }
    #expect(rows[0].hasPrefix("• Bob             Bring coffee.") && rows[0].hasSuffix("  10m"), "\(rows)")
    #expect(rows[1].hasPrefix("Dana            Good night.") && rows[1].hasSuffix("  10h"), "\(rows)")
    screen.resize(rows: 45, columns: 80)
    await screen.press("3")
    #expect(screen.text.contains("• Bob  @bob"), "\(screen.text)")
  }

  @Test func `the divider joins the rule above the entry`() async throws {
    let screen = try await messages()
    await screen.press("Enter")
    func joint() throws -> Int { try #require(screen.lines.firstIndex { $0.contains("├──") }) }
    let entry = try #require(screen.lines.firstIndex { $0.contains("│ ›") })
    #expect(try joint() == entry - 1)
    screen.type("One")
    await screen.press("M-Enter")
    screen.type("Two")
    await screen.press("M-Enter")
    #expect(try joint() == entry - 3, "\(screen.text)")
    #expect(screen.lines.count { $0.contains("├") } == 1)
  }

  @Test func `an empty conversation list uses the full width`() async throws {
    let screen = try await Screen.settled(rows: 24, columns: 120)
    await screen.press("3")
    #expect(screen.text.contains(MessagesWords.none) && !screen.text.contains("│"))
  }

  @Test func `the selected chat is previewed and stays unread until it is opened`() async throws {
    let server = ScriptedTimeline()
    let screen = try await messages(on: server)
    await screen.pass(.seconds(1))
    #expect(screen.text.contains("Are you coming?") && screen.text.contains("── \(MessagesWords.new) ──"))
    #expect(screen.header.contains("3 Messages •1") && !server.messages.seen.contains("POST bob/read"))
    await screen.press("j")
    #expect(screen.text.contains("Good night.") && !screen.text.contains("Are you coming?"))
    #expect(screen.way.contains("┬── Dana"))
    await screen.press("k", "Enter")
    #expect(isEntryFocused(screen))
    #expect(!screen.header.contains("3 Messages •") && server.messages.seen.contains("POST bob/read"))
  }

  @Test func `a preview's messages are fetched once the selection rests`() async throws {
    let server = ScriptedTimeline()
    server.messages.add(
      "dana", with: [Talk.dana],
      [
        .message("d0", by: Talk.dana, to: [Talk.me], "Good morning.", at: Talk.at(-900)),
        .message("d1", by: Talk.dana, to: [Talk.me], "Good night.", at: Talk.at(-600), answering: "d0"),
      ])
    server.messages.add("bob", with: [Talk.bob], Talk.withBob)
    let screen = try await messages(on: server)
    await screen.press("j")
    #expect(screen.text.contains("Good night.") && !screen.text.contains("Good morning."))
    await screen.pass(.milliseconds(300))
    #expect(screen.text.contains("Good morning."))
  }

  @Test func `Esc moves the focus from the entry to the messages and then to the list`()
    async throws
  {
    let screen = try await messages()
    await screen.press("Enter")
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains("Bob") })
    await screen.press("Esc")
    let (write, open) = (try Screen.hint(for: .chatWrite), try Screen.hint(for: .open))
    #expect(screen.status.hasPrefix(" \(write)"))
    #expect(screen.lines.contains { $0.contains("│▌ Bob  23:50   Bring coffee.") })
    await screen.press("Esc")
    #expect(screen.status.contains(open) && screen.text.contains("Bring coffee."))
    await screen.press("q")
    #expect(screen.text.contains(MainWords.quitQwinkle))
  }

  @Test func `a narrow window shows the focused pane`() async throws {
    let screen = try await messages(columns: 120)
    screen.resize(rows: 30, columns: 80)
    await screen.settle()
    #expect(screen.text.contains("Dana") && !screen.text.contains("19:00"))
    screen.resize(rows: 30, columns: 120)
    await screen.press("Enter")
    screen.resize(rows: 30, columns: 80)
    await screen.settle()
    #expect(!screen.text.contains("Dana") && screen.way.contains(wayToBob) && isEntryFocused(screen))
    screen.resize(rows: 30, columns: 120)
    await screen.settle()
    #expect(screen.text.contains("Dana") && isEntryFocused(screen))
  }

  @Test func `^W h and ^W l move the focus between the panes`() async throws {
    let screen = try await messages()
    await screen.press("^W", "l")
    #expect(isEntryFocused(screen))
    await screen.press("Esc", "^W", "h")
    let open = try Screen.hint(for: .open)
    #expect(screen.status.contains(open))
  }

  @Test func `deleting the selected conversation previews the next one`() async throws {
    let screen = try await messages()
    await screen.press("d", "y")
    #expect(!screen.text.contains("Bob") && screen.way.contains("┬── Dana"))
    await screen.press("d", "y")
    #expect(screen.text.contains(MessagesWords.none) && !screen.text.contains("│"))
  }

  @Test func `a message in another chat leaves the reader in the open one`() async throws {
    let server = ScriptedTimeline()
    let screen = try await messages(on: server)
    await screen.press("Enter")
    screen.type("Half")
    server.messages.say(
      .message("d2", by: Talk.dana, to: [Talk.me], "Still up?", at: Talk.at(0), answering: "d1"), in: "dana")
    await screen.pass(.seconds(20))
    #expect(screen.text.contains("• Dana") && screen.way.contains("┬── Bob"))
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains("Bob") })
    #expect(isEntryFocused(screen) && screen.text.contains("› Half"))
  }

  // MARK: From chat to chat

  @Test(arguments: [80, 100]) func `^N and ^P open the next and previous chat with its draft`(columns: Int)
    async throws
  {
    let screen = try await messages(columns: columns)
    await screen.press("Enter")
    screen.type("To Bob")
    await screen.press("^N")
    #expect(screen.text.contains("Good night.") && isEntryFocused(screen) && !screen.text.contains("To Bob"))
    screen.type("To Dana")
    await screen.press("^P")
    #expect(screen.text.contains("Bring coffee.") && screen.text.contains("› To Bob"))
    await screen.press("Esc", "^N")
    #expect(screen.text.contains("› To Dana") && isEntryFocused(screen))
    await screen.press("^N")
    #expect(screen.status.hasSuffix(MessagesWords.lastChat) && screen.text.contains("› To Dana"))
    await screen.press("^P", "^P")
    #expect(screen.status.hasSuffix(MessagesWords.firstChat))
    await screen.press("Esc", "Esc")
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains("Bob") })
  }

  @Test func `a chat's row stays selected after a message is sent`() async throws {
    let screen = try await messages()
    await screen.press("Enter", "^N")
    screen.type("Good morning.")
    await screen.press("^D")
    #expect(screen.lines[2].hasPrefix("▌ DA    Dana"))
    await screen.press("^N")
    #expect(screen.way.contains("┬── Bob"))
  }

  @Test func `opening a chat restores its draft and leaving it reports the saved draft`() async throws {
    let screen = try await messages()
    let dana = try #require(screen.account.inbox.conversation("dana"))
    screen.drafts.save(Entry(text: "Half", visibility: .direct, idempotencyKey: "k"), for: .conversation(dana))
    await screen.press("j")
    #expect(screen.way.contains("┬── Dana") && !screen.text.contains("Half"))
    await screen.press("Enter")
    #expect(screen.text.contains("› Half"))
    await screen.press("^P")
    #expect(screen.status.hasSuffix(MessagesWords.draftSaved))
    await screen.press("Esc", "Esc")
    #expect(screen.drafts.keys == ["conversation/dana"])
  }

  @Test func `^N replaces a chat opened from a timeline`() async throws {
    let server = ScriptedTimeline()
    server.add([.sample(id: "1", text: "Hello", author: Talk.bob)])
    Talk.begin(on: server)
    let screen = try await Screen.settled(server)
    await screen.press("p")
    #expect(screen.way.contains("\(publicTitle) › Bob"))
    await screen.press("^N")
    #expect(screen.way.contains("\(publicTitle) › Dana") && isEntryFocused(screen))
    await screen.press("Esc", "Esc")
    #expect(screen.text.contains("Hello"))
  }

  // MARK: Hints

  @Test func `the hints of a chat list its keys and name the key that sends`() async throws {
    let screen = try await messages()
    await screen.press("Enter")
    let actions: [Action] = [.chatEnter, .chatNewline, .entryAttach, .chatLeave, .chatNext, .entryEditor]
    let hints = try actions.map { try Screen.hint(for: $0, in: .chat) } + [try Screen.hint(for: .help, in: .always)]
    #expect(screen.status == " " + hints.joined(separator: "  "))
    await screen.press("Esc", ":")
    screen.type("set enter newline")
    await screen.press("Enter", "i")
    let send = try Screen.hint(for: .chatSend, in: .chat)
    #expect(screen.status.hasPrefix(" \(send)  \(hints[2])  \(hints[3])"))
  }

  @Test func `Esc returns to the list from a chat without messages`() async throws {
    let server = ScriptedTimeline()
    server.messages.add("dana", with: [Talk.dana], [])
    let screen = try await messages(columns: 80, on: server)
    await screen.press("Enter")
    #expect(isEntryFocused(screen) && screen.status.contains("Esc \(MessagesWords.back)"), "\(screen.status)")
    await screen.press("Esc")
    #expect(!isEntryFocused(screen) && !screen.way.contains("›") && screen.text.contains("Dana"), "\(screen.text)")
  }

  // MARK: Next to other sections

  @Test func `a chat opens in the messages pane if one is next to the section`() async throws {
    let server = ScriptedTimeline()
    server.add([.sample(id: "1", text: "Hello", author: Talk.bob)])
    Talk.begin(on: server)
    let screen = try await Screen.settled(server, rows: 30, columns: 160, hidesMessages: true)
    await screen.press("p")
    #expect(screen.way.contains("\(publicTitle) › Bob"))
    await screen.press("Esc", "Esc", "^W", "m", "p")
    #expect(screen.way.contains("── \(publicTitle)") && screen.way.contains("┬── \(wayToBob)"))
    #expect(isEntryFocused(screen))
    #expect(screen.text.split(separator: "Bring coffee.").count == 2)
  }

  @Test func `opening a chat in the messages pane closes it in the section`() async throws {
    let server = ScriptedTimeline()
    server.add([.sample(id: "1", text: "Hello", author: Talk.bob)])
    Talk.begin(on: server)
    let screen = try await Screen.settled(server, rows: 30, columns: 160, hidesMessages: true)
    await screen.press("p", "Esc", "^W", "m")
    #expect(screen.way.contains("\(publicTitle) › Bob"))
    await screen.press("^W", "l", "Enter")
    #expect(!screen.way.contains("\(publicTitle) › Bob") && screen.way.contains("┬── \(wayToBob)"))
    #expect(isEntryFocused(screen))
  }

  @Test func `a message notification opens its chat next to the notifications at 200 columns`() async throws {
    let server = ScriptedTimeline()
    Talk.begin(on: server)
    let notification = AccountNotification(
      id: "9", kind: .mention, createdAt: Talk.at(-10), qwinker: Talk.bob, qwink: Talk.withBob.last)
    server.api.pages("GET /api/v1/notifications", of: [notification]) { WireEncoder.notifications($0) }
    let screen = try await Screen.settled(server, rows: 30, columns: 200)
    await screen.press("4", "Enter")
    #expect(screen.way.contains("── \(NotificationWords.title) ──") && screen.way.contains("┬── \(wayToBob)"))
    #expect(isEntryFocused(screen))
    #expect(screen.text.contains("@  Bob \(NotificationWords.sentMessage)") && !screen.text.contains("•@"))
  }
}
