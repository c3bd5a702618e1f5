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

/// The list of what waits to be sent, by keys.
@MainActor
@Suite(.bounded) struct OutboxScreenTests {
  /// A screen whose outbox has these texts, as the server could not be reached, and which shows it.
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

  @Test func `what could not be sent is listed with its state, and the header counts it`() async throws {
    let screen = try await offline("The first", "The second")
    #expect(screen.way.contains(OutboxWords.outbox) && screen.way.contains("1/2"))
    let waiting = OutboxWords.waiting(2)
    #expect(screen.header.contains("○ \(StatusWords.offlineSince) 00:00 \(waiting)"), "\(screen.header)")
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

  @Test func `s sends at once what would wait`() async throws {
    let screen = try await offline("The first")
    screen.server.setReachable(true)
    #expect(posted(screen).isEmpty)
    await screen.press("s")
    #expect(posted(screen) == ["The first"] && screen.text.contains(OutboxWords.nothingWaits))
  }

  @Test func `H holds what waits, until it is released`() async throws {
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

  @Test func `e makes it a draft again and opens that`() async throws {
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

  @Test func `d discards, and u puts it back`() async throws {
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

  @Test func `what cannot be deleted from the disk stays, held, and says why`() async throws {
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

  @Test func `what the server refuses later is told once, with the key, and stays`() async throws {
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

  @Test func `drafts that were refused are counted where nothing waits`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    screen.server.handle(.post, "/api/v1/statuses") { _ in
      .json(WireEncoder.error("The access token is invalid"), status: 401)
    }
    screen.account.held.seconds = 6
    await screen.press("c")
    screen.type("Hello")
    await screen.press("^D", "g", "s")
    #expect(screen.status.contains(withKeys(EntryWords.wayBack(to: "new"))), "\(screen.status)")
    await screen.press("g", "o")
    #expect(screen.text.contains(OutboxWords.nothingWaits(drafts: 1)), "\(screen.text)")
    await screen.press("g", "d", "d", "g", "o")
    #expect(screen.text.contains(OutboxWords.nothingWaits), "\(screen.text)")
  }

  @Test func `without anything a sentence says so`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    await screen.press("g", "o")
    #expect(screen.text.contains(OutboxWords.nothingWaits))
    await screen.press("q", ":")
    screen.type("outbox")
    await screen.press("Enter")
    #expect(screen.way.contains(OutboxWords.outbox))
  }

  @Test func `a narrow header has the time and the count before the last section`() async throws {
    let screen = try await offline("The first", columns: 40)
    let end = "○ \(StatusWords.since) 00:00 \(OutboxWords.waiting(1))"
    #expect(screen.header.contains("4  5") && screen.header.hasSuffix(end), "\(screen.header)")
  }

  @Test(arguments: [40, 60, 80, 120]) func `nothing is wider than the window`(columns: Int) async throws {
    let screen = try await offline(String(repeating: "long text ", count: 30), columns: columns)
    #expect(screen.lines.allSatisfy { $0.count <= columns })
    let title = OutboxWords.title(of: EntryPurpose.new.key, .new, me: nil)
    #expect(screen.text.contains(title) && screen.header.contains(OutboxWords.waiting(1)), "\(screen.text)")
  }
}
