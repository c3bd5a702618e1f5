import FoundationEssentials
import HTTPTypes
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

/// The outbox screen and its keys.
@MainActor
@Suite(.bounded) struct OutboxScreenTests {
  /// Returns a screen that shows the outbox with these texts, which were queued while the server was unreachable.
  private func offline(_ texts: String..., columns: Int = 80) async throws -> Screen {
    let screen = try await Screen.settled(ScriptedTimeline([1]), columns: columns)
    screen.server.setReachable(false)
    for text in texts {
      await screen.press("c")
      screen.type(text)
      await screen.press("^D")
    }
    await screen.press("g", "o")
    return screen
  }

  private func posted(_ screen: Screen) -> [String] { screen.server.posted.map(\.text) }
  private var again: Duration { .seconds(3600) }

  @Test func `unsent posts are listed with their state and counted in the header`() async throws {
    let screen = try await offline("The first", "The second")
    #expect(screen.way.contains(OutboxWords.outbox) && screen.way.contains("1/2"))
    let waiting = OutboxWords.waiting(2)
    #expect(screen.header.contains("○ 00:00 \(waiting)"), "\(screen.header)")
    let shown = screen.lines.map { $0.split(separator: " ").joined(separator: " ") }
    let head = "▌ \(OutboxWords.title(of: EntryPurpose.new.key, .new, me: nil)) \(EntryWords.name(of: .public))"
    #expect(shown.contains { $0.hasPrefix(head) } && shown.contains("▌ The first"), "\(screen.text)")
    #expect(
      shown.contains { $0.contains(OutboxWords.isRetrying) || $0.contains(OutboxWords.isWaiting) }, "\(screen.text)")
    let hints = [
      try Screen.hint(for: .edit), try Screen.hint(for: .outboxSend), "H \(OutboxWords.holds)",
      "d \(OutboxWords.discards)",
    ]
    for hint in hints { #expect(screen.status.contains(hint), "\(hint)") }
    screen.server.setReachable(true)
    await screen.pass(again)
    #expect(posted(screen) == ["The first", "The second"])
    #expect(!screen.header.contains("⇡") && screen.text.contains(OutboxWords.nothingWaits))
  }

  @Test func `s sends a queued post at once`() async throws {
    let screen = try await offline("The first")
    screen.server.setReachable(true)
    #expect(posted(screen).isEmpty)
    await screen.press("s")
    #expect(posted(screen) == ["The first"] && screen.text.contains(OutboxWords.nothingWaits))
  }

  @Test func `H holds a queued post until it is released`() async throws {
    let screen = try await offline("The first")
    await screen.press("H")
    #expect(screen.text.contains(OutboxWords.isHeld) && screen.status.contains("H \(OutboxWords.releases)"))
    #expect(!screen.header.contains("⇡"))
    screen.server.setReachable(true)
    await screen.pass(again)
    #expect(posted(screen).isEmpty)
    await screen.press("H")
    await screen.pass(again)
    #expect(posted(screen) == ["The first"])
  }

  @Test func `e turns a queued post into a draft and opens it`() async throws {
    let screen = try await offline("The first", "The second")
    await screen.press("e")
    #expect(screen.sheetTitle == EntryWords.title(of: .new, me: nil))
    #expect(screen.text.contains("The first"), "\(screen.text)")
    #expect(screen.header.contains(OutboxWords.waiting(1)))
    screen.server.setReachable(true)
    screen.type("!")
    await screen.press("^D")
    await screen.pass(again)
    #expect(Set(posted(screen)) == ["The first!", "The second"])
  }

  @Test func `d discards a queued post and u restores it`() async throws {
    let screen = try await offline("The first")
    await screen.press("d")
    #expect(screen.text.contains(OutboxWords.nothingWaits))
    #expect(screen.status.contains(withKeys(ActionWords.undoable(OutboxWords.discarded))))
    await screen.press("u")
    #expect(screen.text.contains("The first") && screen.header.contains(OutboxWords.waiting(1)))
    screen.server.setReachable(true)
    await screen.pass(again)
    #expect(posted(screen) == ["The first"])
  }

  @Test func `a post that cannot be deleted from disk is held and the error is shown`() async throws {
    let screen = try await offline("The first")
    screen.account.outgoing?.setReadOnly(true)
    await screen.press("d")
    #expect(screen.text.contains("The first") && screen.text.contains(OutboxWords.isHeld), "\(screen.text)")
    #expect(screen.status.contains(OutboxWords.notDiscarded), "\(screen.status)")
    screen.account.outgoing?.setReadOnly(false)
    screen.server.setReachable(true)
    await screen.pass(again)
    #expect(posted(screen).isEmpty)
    await screen.press("d")
    #expect(screen.text.contains(OutboxWords.nothingWaits))
  }

  @Test func `a post refused later is reported once and stays in the outbox`() async throws {
    let screen = try await offline("The first")
    await screen.press("q")
    screen.server.handle(.post, "/api/v1/statuses") { _ in
      .json(WireEncoder.error("Text is too long"), status: 422)
    }
    screen.server.setReachable(true)
    await screen.pass(again)
    #expect(screen.status.contains("\(OutboxWords.notSent)."), "\(screen.status)")
    #expect(screen.status.contains(OutboxWords.opens("go")), "\(screen.status)")
    await screen.press("g", "o")
    #expect(screen.text.contains("\(OutboxWords.notSent) · "), "\(screen.text)")
    #expect(screen.text.contains("Text is too long"), "\(screen.text)")
    #expect(!screen.header.contains("⇡"))
  }

  @Test func `an empty outbox counts refused drafts`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    screen.server.handle(.post, "/api/v1/statuses") { _ in
      .json(WireEncoder.error("The access token is invalid"), status: 401)
    }
    screen.account.pendingActions.seconds = 6
    await screen.press("c")
    screen.type("Hello")
    await screen.press("^D", "g", "s")
    #expect(screen.status.contains(withKeys(EntryWords.wayBack(to: "new"))), "\(screen.status)")
    await screen.press("g", "o")
    #expect(screen.text.contains(OutboxWords.nothingWaits(drafts: 1)), "\(screen.text)")
    await screen.press("g", "d", "d", "g", "o")
    #expect(screen.text.contains(OutboxWords.nothingWaits), "\(screen.text)")
  }

  @Test func `an empty outbox shows a message`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    await screen.press("g", "o")
    #expect(screen.text.contains(OutboxWords.nothingWaits))
    await screen.press("q", ":")
    screen.type("outbox")
    await screen.press("Enter")
    #expect(screen.way.contains(OutboxWords.outbox))
  }

  @Test func `a narrow header shows the offline time and the queue length`() async throws {
    let screen = try await offline("The first", columns: 40)
    let end = "○ \(StatusWords.since) 00:00 \(OutboxWords.waiting(1))"
    #expect(screen.header.contains("4  5") && screen.header.hasSuffix(end), "\(screen.header)")
  }

  @Test(arguments: [40, 60, 80, 120]) func `no line is wider than the window`(columns: Int) async throws {
    let screen = try await offline(String(repeating: "long text ", count: 30), columns: columns)
    #expect(screen.lines.allSatisfy { $0.count <= columns })
    let title = OutboxWords.title(of: EntryPurpose.new.key, .new, me: nil)
    #expect(screen.text.contains(title) && screen.header.contains(OutboxWords.waiting(1)), "\(screen.text)")
  }
}
