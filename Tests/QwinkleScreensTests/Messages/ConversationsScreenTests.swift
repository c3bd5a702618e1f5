import Foundation
import HTTPTypes
import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

/// The list of conversations, driven by keys.
@MainActor
@Suite(.bounded) struct ConversationsScreenTests {
  private func list(
    _ server: ScriptedTimeline = ScriptedTimeline(), rows: Int = 24, columns: Int = 80, isSignedIn: Bool = true
  ) async throws -> Screen {
    let screen = try await Screen.settled(server, rows: rows, columns: columns, isSignedIn: isSignedIn)
    await screen.press("3")
    return screen
  }

  private var talking: ScriptedTimeline {
    let server = ScriptedTimeline()
    Talk.begin(on: server)
    return server
  }

  private func selected(_ screen: Screen) -> String { screen.lines.first { $0.hasPrefix("▌") } ?? "" }

  @Test func `a row shows the participant, the time, the last message and an unread mark`() async throws {
    let screen = try await list(talking)
    let bob = try #require(screen.lines.firstIndex { $0.contains("Bob") })
    #expect(screen.lines[bob].hasPrefix("▌ BO  • Bob  @bob"))
    #expect(screen.lines[bob].hasSuffix("10m"))
    #expect(screen.lines[bob + 1].contains("Bring coffee."))
    let dana = try #require(screen.lines.firstIndex { $0.contains("Dana") })
    #expect(screen.lines[dana].hasPrefix("  DA    Dana  @dana"))
    #expect(screen.header.contains("3 Messages •1"))
  }

  @Test func `the user's last message is marked and all participants are named`() async throws {
    let server = ScriptedTimeline()
    let both = [Talk.bob, Talk.dana]
    server.messages.add(
      "mine", with: both, [.message("1", by: Talk.me, to: both, "See you there.", at: Talk.at(-2))])
    let screen = try await list(server)
    #expect(screen.text.contains("Bob, Dana"))
    #expect(screen.text.contains("\(MessagesWords.me): See you there."))
    #expect(!screen.text.contains("@bob"))
  }

  @Test func `the list names no sender while the user's account is unknown`() async throws {
    let server = talking
    server.handle(.get, "/api/v1/accounts/verify_credentials") { _ in .json([], status: 503) }
    let screen = try await list(server)
    #expect(screen.text.contains("▌       Bring coffee."))
    await screen.press("Enter")
    #expect(screen.text.contains("  Bob  19:00   Are you coming?\n"))
    #expect(screen.text.contains("  \(MessagesWords.me)  19:10   Nine it is."))
  }

  @Test func `the header shows the unread count before the list is opened`() async throws {
    let screen = try await Screen.settled(talking)
    #expect(screen.header.contains("3 Messages •1"))
  }

  @Test func `Tab selects the next unread conversation and wraps around`() async throws {
    let server = ScriptedTimeline()
    for number in 0..<8 {
      server.messages.add(
        "c\(number)", with: [.sample("friend\(number)")], isUnread: number % 3 == 0,
        [.message("m\(number)", by: .sample("friend\(number)"), to: [Talk.me], "Hi.", at: Talk.at(-9))])
    }
    let screen = try await list(server)
    #expect(selected(screen).contains("friend7"))
    await screen.press("Tab")
    #expect(selected(screen).contains("friend6"))
    await screen.press("Tab")
    #expect(selected(screen).contains("friend3"))
    await screen.press("S-Tab")
    #expect(selected(screen).contains("friend6"))
    await screen.press("S-Tab")
    #expect(selected(screen).contains("friend0"))
  }

  @Test func `Tab opens the messages from elsewhere or reports that nothing is unread`() async throws {
    let server = talking
    let screen = try await Screen.settled(server)
    await screen.press("Tab")
    let nextUnread = try Screen.hint(for: .nextUnread)
    #expect(selected(screen).contains("Bob"))
    #expect(screen.status.contains(nextUnread))
    await screen.press("Enter", "Esc", "Esc")
    #expect(!screen.status.contains(nextUnread))
    await screen.press("1", "Tab")
    #expect(screen.status.contains(MainWords.nothingUnread))
  }

  @Test func `a conversation is deleted after a question`() async throws {
    let server = talking
    let screen = try await list(server)
    await screen.press("d")
    #expect(screen.unwrapped.contains(MessagesWords.askToDelete(with: "Bob", unsent: 0)))
    await screen.press("n")
    #expect(screen.text.contains("Bob"))
    await screen.press("d", "y")
    #expect(!screen.text.contains("Bob") && screen.text.contains("Dana"))
    #expect(server.messages.seen.contains("DELETE bob"))
  }

  @Test func `deleting a conversation also deletes its unsent messages after a warning`() async throws {
    let server = talking
    server.messages.failPosts(.refused("No."))
    let screen = try await list(server)
    await screen.press("Enter")
    screen.type("Two cups.")
    await screen.press("^D", "Esc", "Esc", "d")
    #expect(screen.unwrapped.contains(MessagesWords.askToDelete(with: "Bob", unsent: 1)))
    server.messages.failDeletes(with: .timedOut(host: ScriptedTimeline.host))
    await screen.press("y")
    #expect(screen.account.inbox.outgoing(of: "bob").count == 1)
    server.messages.failDeletes(with: nil)
    await screen.press("g", "g", "d", "y")
    #expect(screen.account.inbox.outgoing(of: "bob").isEmpty)
    #expect(!screen.text.contains("Bob"))
  }

  @Test func `a question that is too long for a row keeps its answer keys visible`() async throws {
    let server = ScriptedTimeline()
    server.messages.add("bob", with: [Talk.bob], Talk.withBob)
    let screen = try await Screen.settled(server, rows: 12, columns: 40)
    await screen.press("3", "d")
    let question = MessagesWords.askToDelete(with: "Bob", unsent: 0)
    #expect(screen.status.hasPrefix(question))
    #expect(screen.lines.last?.hasSuffix("y \(MainWords.yes)  n Esc \(MainWords.no)") ?? false)
    // A third of the window is too small for the whole question.
    screen.resize(rows: 12, columns: 16)
    #expect(!screen.unwrapped.contains(question) && screen.lines.contains { $0.hasSuffix(" …") })
    #expect(screen.lines.last?.hasSuffix("y \(MainWords.yes)  n \(MainWords.no)") ?? false)
    screen.resize(rows: 2, columns: 40)
    #expect(screen.lines.last?.hasPrefix(" " + question.prefix(17)) ?? false)
    #expect(screen.lines.last?.hasSuffix("y \(MainWords.yes)  n Esc \(MainWords.no)") ?? false)
  }

  @Test func `a conversation with a message being sent can't be deleted`() async throws {
    let server = talking
    let gate = Gate()
    let screen = try await list(server)
    await screen.press("Enter")
    server.messages.holdPosts(by: gate)
    screen.type("Two cups.")
    screen.strike("^D", "Esc", "Esc", "d")
    await screen.turn()
    #expect(screen.status.contains(MessagesWords.stillSending))
    gate.open()
    await screen.settle()
    #expect(screen.text.contains("\(MessagesWords.me): Two cups."))
  }

  // MARK: Recipients

  private func people(_ people: [Qwinker], on server: ScriptedTimeline) {
    server.handle(.get, "/api/v1/accounts/search") { request in
      let query = (request.head.path ?? "").split(separator: "q=").dropFirst().first?.prefix { $0 != "&" } ?? ""
      return .json(WireEncoder.qwinkers(people.filter { $0.userName.hasPrefix(query) }))
    }
  }

  @Test func `an account is chosen only if its name matches exactly`() async throws {
    let server = talking
    people([.sample("bobby")], on: server)
    let screen = try await list(server)
    await screen.press("p")
    screen.type("bob")
    await screen.press("Enter")
    #expect(screen.text.contains("\(MessagesWords.recipients) bob") && screen.text.contains("@bobby"))
    let refusal = try Screen.naming(MessagesWords.noExactMatch("bob", isLast: true))
    #expect(screen.unwrapped.contains(refusal))
    await screen.press("Enter")
    #expect(screen.text.contains(EntryWords.title(of: .message(to: .sample("bobby")), me: nil)))
  }

  @Test func `a failed name search is repeated`() async throws {
    let server = talking
    server.handle(.get, "/api/v1/accounts/search") { _ in throw TransportError.refused(host: ScriptedTimeline.host) }
    let screen = try await list(server)
    await screen.press("p")
    screen.type("dana")
    await screen.press("Enter")
    #expect(screen.text.contains(ScriptedTimeline.unreachable))
    people([Talk.dana], on: server)
    await screen.press("Enter")
    #expect(screen.way.contains("› Dana"))
  }

  @Test(arguments: ["bob dana", "@bob, @dana", "bob,dana,"])
  func `several names start a conversation with all of them`(typed: String) async throws {
    let server = talking
    people([Talk.bob, Talk.dana], on: server)
    let screen = try await list(server)
    await screen.press("p")
    screen.type(typed)
    await screen.press("Enter")
    #expect(screen.text.contains("@bob") && screen.text.contains("@dana"))
    screen.type("All of us?")
    await screen.press("^D")
    #expect(server.messages.posted.map(\.text) == ["@bob @dana All of us?"])
    #expect(screen.text.contains("bob, dana"))
  }

  @Test func `several names open their existing conversation`() async throws {
    let server = talking
    let both = [Talk.bob, Talk.dana]
    server.messages.add(
      "both", with: both, [.message("1", by: Talk.bob, to: [Talk.me, Talk.dana], "Well?", at: Talk.at(-2))])
    people(both, on: server)
    let screen = try await list(server)
    await screen.press("p")
    screen.type("dana bob")
    await screen.press("Enter")
    #expect(screen.way.contains("› Bob, Dana"))
  }

  @Test func `an unknown name among several is reported`() async throws {
    let server = talking
    people([Talk.bob], on: server)
    let screen = try await list(server)
    await screen.press("p")
    screen.type("zed bob")
    await screen.press("Enter")
    #expect(screen.unwrapped.contains(MessagesWords.unknownName("zed")))
  }

  @Test func `a new recipient is found by name and completed`() async throws {
    let server = talking
    server.handle(.get, "/api/v1/accounts/search") { _ in
      .json(WireEncoder.qwinkers([.sample("erin", displayName: "Erin"), .sample("eric", displayName: "Eric")]))
    }
    let screen = try await list(server)
    await screen.press("p")
    #expect(screen.text.contains(MessagesWords.recipients))
    screen.type("@er")
    await screen.pass(.milliseconds(200))
    #expect(screen.text.contains("Erin  @erin") && screen.text.contains("Eric  @eric"))
    await screen.press("Tab", "Enter")
    #expect(screen.text.contains("eric"))
    #expect(screen.cursor != nil)
  }

  @Test func `a recipient with an existing conversation opens it`() async throws {
    let server = talking
    server.handle(.get, "/api/v1/accounts/search") { _ in .json(WireEncoder.qwinkers([Talk.dana])) }
    let screen = try await list(server)
    await screen.press("p")
    screen.type("dana")
    // Enter waits for the response.
    await screen.press("Enter")
    #expect(screen.way.contains("› Dana"))
    #expect(screen.text.contains("Good night."))
  }

  @Test func `an unknown name is reported`() async throws {
    let server = talking
    server.handle(.get, "/api/v1/accounts/search") { _ in .json(WireEncoder.qwinkers([])) }
    let screen = try await list(server)
    await screen.press("p")
    screen.type("zz")
    await screen.press("Enter")
    #expect(screen.unwrapped.contains(MessagesWords.unknownName("zz")))
    await screen.press("Esc")
    #expect(screen.text.contains("Bring coffee."))
  }

  // MARK: States

  @Test func `an empty list shows a placeholder and the key that writes`() async throws {
    let screen = try await list()
    #expect(screen.text.contains(MessagesWords.none))
    #expect(screen.text.contains(keyHint(MessagesWords.writes)))
  }

  @Test func `a list shows that it is loading`() async throws {
    let server = talking
    let gate = Gate()
    server.messages.holdList(by: gate)
    let screen = try Screen(server)
    screen.strike("3")
    await screen.turn()
    #expect(screen.text.contains(MessagesWords.fetching))
    gate.open()
    await screen.settle()
    #expect(screen.text.contains("Bring coffee."))
  }

  @Test func `a list that failed to load shows the reason and the retry key`() async throws {
    let server = talking
    server.messages.fail(with: .refused(host: ScriptedTimeline.host))
    let screen = try await list(server)
    #expect(screen.text.contains(ScriptedTimeline.unreachable))
    #expect(screen.text.contains(keyHint(PlaceholderWords.retries)))
    #expect(screen.header.contains("○ 00:00"))
    server.messages.fail(with: nil)
    await screen.press("R")
    #expect(screen.text.contains("Bring coffee.") && !screen.header.contains(StatusWords.offlineSince))
  }

  @Test func `known conversations stay while the server is silent`() async throws {
    let server = talking
    let screen = try await list(server)
    server.messages.fail(with: .timedOut(host: ScriptedTimeline.host))
    await screen.press("R")
    #expect(screen.text.contains("Bring coffee."))
    #expect(screen.status.contains(ScriptedTimeline.silent))
  }

  @Test func `a click in the messages pane shows the hints of that pane`() async throws {
    let server = talking
    server.add([1])
    let screen = try await Screen.settled(server, rows: 40, columns: 200)
    let (boost, message) = (try Screen.hint(for: .boost), try Screen.hint(for: .message))
    #expect(screen.status.contains(boost))
    let row = try #require(screen.lines.firstIndex { $0.contains("Bring coffee.") })
    let line = screen.lines[row]
    let words = try #require(line.range(of: "Bring coffee."))
    screen.driver.mouse(.press, row: row, column: line.distance(from: line.startIndex, to: words.lowerBound))
    await screen.settle()
    #expect(screen.status.contains(message) && !screen.status.contains(boost))
    await screen.press("Enter")
    #expect(screen.way.contains("\(MessagesWords.title) › Bob"))
  }

  @Test func `the messages are next to the timeline from 100 columns and with the thread from 160`()
    async throws
  {
    let server = talking
    server.add([3, 2, 1])
    let thread = ThreadWords.title
    for columns in [160, 200] {
      let wide = try await Screen.settled(server, rows: 40, columns: columns)
      #expect(wide.text.contains("Qwink 3") && wide.text.contains("Bring coffee.") && wide.text.contains(thread))
    }
    let screen = try await Screen.settled(server, rows: 40, columns: 159)
    #expect(!screen.text.contains(thread) && screen.text.contains("Bring coffee."))
    await screen.press("^W", "m")
    #expect(screen.text.contains(thread) && !screen.text.contains("Bring coffee."))
  }
}
