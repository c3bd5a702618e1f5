import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Private messages on a server that lists no conversations.
@MainActor
@Suite(.bounded) struct FoundMessagesTests {
  private static let mark = QwinkCellData.unclearAudience

  private func messages(_ snac: ScriptedSnac, in folder: TemporaryFolder = TemporaryFolder()) async throws -> Screen {
    let screen = try await Screen.settled(snac.server, rows: 40, columns: 90, in: folder)
    await screen.press("3")
    return screen
  }

  /// Selects the conversation with bob alone.
  private func selectBob(on screen: Screen) async {
    for _ in 0..<5 where !screen.lines.contains(where: { $0.hasPrefix("▌") && $0.contains("@bob@") }) {
      await screen.press("j")
    }
  }

  @Test func `private qwinks to or from the user form conversations`() async throws {
    let screen = try await messages(try ScriptedSnac())
    #expect(screen.text.contains("\(MessagesWords.me): third in the DM thread"))
    #expect(screen.text.contains("a group direct message"))
    #expect(screen.lines.count { $0.contains(Self.mark) } == 2, "\(screen.text)")
    #expect(!screen.text.contains("Filler status"))
  }

  @Test func `a chat marks its messages and omits their leading mentions`() async throws {
    let screen = try await messages(try ScriptedSnac())
    await selectBob(on: screen)
    await screen.press("Enter")
    #expect(screen.text.contains("third in the DM thread"))
    #expect(screen.text.contains(Self.mark))
    #expect(!screen.lines.contains { $0.contains("@bob@localhost") && !$0.hasPrefix("   to @") })
  }

  @Test func `a message sent in a found conversation is direct and appears there`() async throws {
    let snac = try ScriptedSnac()
    let screen = try await messages(snac)
    await selectBob(on: screen)
    await screen.press("Enter")
    screen.type("Two cups.")
    await screen.press("^D")
    #expect(snac.sent.count == 1 && snac.sent.allSatisfy { $0.hasPrefix("direct ") }, "\(snac.sent)")
    #expect(screen.text.contains("Two cups."))
    #expect(!screen.text.contains(MessagesWords.notSentStart) && !screen.text.contains(MessagesWords.sending))
  }

  @Test func `a reply to a found message from its thread is direct`() async throws {
    let snac = try ScriptedSnac()
    let screen = try await messages(snac)
    await selectBob(on: screen)
    await screen.press("Enter", "Esc", "Enter", "r")
    #expect(screen.text.contains(EntryWords.directOnly(to: "@")), "\(screen.text)")
    screen.type("Yes.")
    await screen.press("^D")
    #expect(snac.sent.allSatisfy { $0.hasPrefix("direct ") } && snac.sent.count == 1, "\(snac.sent)")
  }

  @Test func `a reply to a found message from the home timeline is direct`() async throws {
    let snac = try ScriptedSnac()
    snac.say("Are you there?", id: "179522609800000000000000000000000000000000")
    let screen = try await Screen.settled(snac.server, rows: 40, columns: 90)
    await screen.press("2")
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains("bob") })
    await screen.press("r")
    screen.type("Yes.")
    await screen.press("^D")
    #expect(snac.sent.count == 1 && snac.sent.allSatisfy { $0.hasPrefix("direct ") }, "\(snac.sent)")
  }

  @Test func `an empty list reports that the server lists no conversations`() async throws {
    let screen = try await messages(try ScriptedSnac(isEmpty: true))
    #expect(screen.text.contains(MessagesWords.notListed) && !screen.text.contains(MessagesWords.none))
  }

  @Test func `a new message is unread until it is seen and is counted once`() async throws {
    let snac = try ScriptedSnac()
    let screen = try await Screen.settled(snac.server, rows: 40, columns: 120)
    #expect(!screen.header.contains("3 Messages •"), "\(screen.header)")
    snac.say("Are you there?", id: "179522609800000000000000000000000000000000")
    await screen.pass(.seconds(61))
    #expect(screen.header.contains("3 Messages •1"), "\(screen.header)")
    await screen.press("3", "Home", "Enter")
    #expect(screen.text.contains("Are you there?"))
    #expect(!screen.header.contains("3 Messages •"))
    await screen.pass(.seconds(61))
    #expect(!screen.header.contains("3 Messages •"))
  }

  @Test func `found messages are restored at the next start`() async throws {
    let snac = try ScriptedSnac()
    let folder = TemporaryFolder()
    _ = try await messages(snac, in: folder)
    let empty = try ScriptedSnac(isEmpty: true)
    let later = try await messages(empty, in: folder)
    #expect(later.text.contains("third in the DM thread") && later.text.contains("a group direct message"))
    #expect(later.lines.count { $0.contains(Self.mark) } == 2)
  }

  @Test func `a deleted conversation stays hidden until a new message arrives`() async throws {
    let snac = try ScriptedSnac()
    let folder = TemporaryFolder()
    let screen = try await messages(snac, in: folder)
    await selectBob(on: screen)
    await screen.press("d")
    #expect(screen.text.contains(MessagesWords.cannotDelete))
    await screen.press("y")
    #expect(!screen.text.contains("third in the DM thread"))
    await screen.pass(.seconds(61))
    #expect(!screen.text.contains("third in the DM thread"))
    #expect(!snac.server.paths.contains { $0.contains("/conversations/") })
    let later = try await messages(snac, in: folder)
    #expect(!later.text.contains("third in the DM thread"))
    snac.say("Are you there?", id: "179522609800000000000000000000000000000000")
    await later.pass(.seconds(61))
    #expect(later.text.contains("Are you there?"))
  }

  @Test func `followers-only qwinks are left out if the server marks direct ones`() async throws {
    let server = ScriptedTimeline()
    let direct = Qwink.message("d", by: Talk.bob, to: [Talk.me], "For you alone.", at: Talk.at(-5))
    var other = Qwink.message("f", by: Talk.dana, to: [Talk.me], "For my followers.", at: Talk.at(-4))
    other.visibility = .private
    server.add([other, direct], to: "home")
    let screen = try await Screen.settled(server, columns: 90)
    await screen.press("3")
    #expect(screen.text.contains("For you alone.") && !screen.text.contains("For my followers."))
    #expect(!screen.text.contains(Self.mark))
  }

  @Test func `no messages are searched for if the server lists conversations`() async throws {
    let server = ScriptedTimeline()
    Talk.begin(on: server)
    let other = Qwink.message("x", by: .sample("erin"), to: [Talk.me], "Elsewhere.", at: Talk.at(-5))
    server.add([other], to: "home")
    let screen = try await Screen.settled(server, columns: 90)
    await screen.press("3")
    #expect(screen.text.contains("Bring coffee.") && !screen.text.contains("Elsewhere."), "\(screen.text)")
    #expect(server.refreshCount(of: "home") == 0)
  }
}
