import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Keys that open another screen after a request, unless the user has moved on by then.
@MainActor
@Suite(.bounded) struct LeadingTests {
  private static let path = "/api/v1/statuses/1"

  /// A timeline with a reply to qwink 1, which isn't in the timeline. The server returns qwink 1 once `gate` opens.
  private func answering(_ gate: Gate) -> ScriptedTimeline {
    let server = ScriptedTimeline([3])
    var answer = ScriptedTimeline.qwink(2)
    answer.inReplyTo = "1"
    server.add([answer])
    server.handle(.get, Self.path) { _ in
      await gate.whenOpen()
      return .json(WireEncoder.qwink(ScriptedTimeline.qwink(1)))
    }
    return server
  }

  private func opened() -> Gate {
    let gate = Gate()
    gate.open()
    return gate
  }

  @Test(arguments: [80, 120, 200]) func `gp opens the parent rather than the qwink's thread`(columns: Int)
    async throws
  {
    let screen = try await Screen.settled(answering(opened()), columns: columns)
    await screen.press("g", "p")
    #expect(screen.text.contains("Qwink 1"))
    #expect(screen.way.contains("› \(ThreadWords.title)"))
    await screen.press("Esc")
    #expect(!screen.way.contains("›"))
    #expect(screen.selected == 2)
  }

  @Test func `a late parent doesn't steal the focus of an entry`() async throws {
    let gate = Gate()
    let screen = try await Screen.settled(answering(gate))
    screen.strike("g", "p", "c")
    screen.type("bfd")
    gate.open()
    await screen.settle()
    screen.type("y?")
    await screen.turn()
    #expect(screen.text.contains("bfdy?"))
    await screen.press("Esc")
    #expect(!screen.text.contains("bfdy?") && screen.text.contains("Qwink 1"))
    await screen.press("Esc")
    #expect(screen.text.contains("Qwink 2") && !screen.way.contains("›"))
  }

  @Test(arguments: [["2"], ["j", "Enter"], ["6"]]) func `a late parent doesn't open if the user has gone elsewhere`(
    keys: [String]
  ) async throws {
    let gate = Gate()
    let screen = try await Screen.settled(answering(gate))
    screen.strike("g", "p")
    for key in keys { screen.strike(key) }
    await screen.turn()
    let before = screen.header.prefix(60)
    gate.open()
    await screen.settle()
    #expect(screen.header.prefix(60) == before)
    #expect(!screen.text.contains("Qwink 1"))
  }
}
