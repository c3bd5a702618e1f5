import PaneKit
import TerminalTesting
import Testing

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct TextSheetTests {
  @Test func `slash finds a line of a long output`() async throws {
    let screen = try await Screen.settled(rows: 12, columns: 40)
    let lines = (1...200).map { $0 % 2 == 0 ? "line \($0) " + String(repeating: "x", count: 60) : "line \($0)" }
    screen.main.present(OutputSheet(title: "output", text: lines.joined(separator: "\n")))
    await screen.turn()
    await screen.press("/")
    screen.type("LINE 150")
    await screen.press("Enter")
    #expect(screen.lines.contains { $0.hasSuffix("line 150") }, "\(screen.text)")
  }
}
