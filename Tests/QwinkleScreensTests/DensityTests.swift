import PaneKit
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

/// The compact list density.
@MainActor
@Suite(.bounded) struct DensityTests {
  private func layout(_ qwink: Qwink, columns: Int, isRevealed: Bool = false) -> QwinkCellLayout {
    QwinkCellLayout(
      QwinkCellData(qwink, isRevealed: isRevealed, now: qwink.createdAt, zone: .gmt), columns: columns,
      density: .compact)
  }

  private func text(_ line: CellLine) -> String { line.runs.map(\.text).joined() }

  @Test func `a short qwink takes one line`() {
    let lines = layout(.sample(text: "Hello there"), columns: 80).lines
    #expect(lines.count == 1)
    #expect(lines[0].column == 2)
    #expect(text(lines[0]) == "alice          Hello there")
    #expect(lines[0].trailing.map(\.text).joined() == " now")
  }

  @Test func `a long text is truncated in its second row and has at most 80 columns`() {
    let words = (0..<60).map { "word\($0)" }
    for columns in [60, 80, 100, 200] {
      let lines = layout(.sample(text: words.joined(separator: " ")), columns: columns).lines
      #expect(lines.count == 2)
      #expect(text(lines[1]).count <= 80 && lines[1].column + text(lines[1]).count <= columns - 1)
      #expect(text(lines[1]).hasSuffix("…"))
      let shown = lines.flatMap { text($0).split(separator: " ").map(String.init) }
      #expect(shown.dropLast() == (["alice"] + words).prefix(shown.count - 1))
      let end = columns - 1 - lines[0].trailing.reduce(0) { $0 + $1.text.count }
      #expect(lines[0].column + text(lines[0]).count <= end - 2, "the text stays off the time")
    }
  }

  @Test(arguments: [60, 64, 80, 96, 100, 112, 119])
  func `the text begins in the same column after names of any length`(columns: Int) {
    let lines = (1...20).map { length in
      let author = Qwinker.sample("a", displayName: String(repeating: "n", count: length))
      return text(layout(.sample(text: "Hello there", author: author), columns: columns).lines[0])
    }
    let starts = lines.map { line in
      line.firstRange(of: "Hello").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
    }
    #expect(Set(starts).count == 1 && starts[0] != nil, "\(lines.joined(separator: "\n"))")
    #expect(lines.allSatisfy { $0.contains(" Hello") })
  }

  @Test func `the booster is below the author and a warning replaces the text`() {
    var qwink = Qwink.sample(text: "Paul dies")
    qwink.booster = .sample("bob", displayName: "Bob")
    #expect(layout(qwink, columns: 80).lines.map(text) == ["alice          Paul dies", "↻ Bob          "])
    qwink.contentWarning = "Dune"
    let hidden = layout(qwink, columns: 80).lines
    #expect(hidden.map(text) == ["alice          ⚠ Dune", "↻ Bob          "])
    #expect(hidden[0].trailing.map(\.text).joined().hasPrefix("\(WarningWords.shows.0) \(WarningWords.shows.1)"))
    let shown = layout(qwink, columns: 80, isRevealed: true).lines
    #expect(shown.map(text).joined(separator: "\n").contains("Paul dies"))
  }

  @Test func `eighteen short qwinks are visible at 100x24`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline(Array((1...40).reversed())), rows: 24, columns: 100)
    let before = screen.visible.count
    await screen.press("g", "z")
    #expect(screen.visible.count >= 18 && before < 10, "\(before) to \(screen.visible.count)")
    #expect(screen.status.contains(PromptWords.density(.compact)))
    await screen.press("g", "z")
    #expect(screen.visible.count >= 19)
    #expect(screen.status.contains(PromptWords.density(.index)))
    await screen.press("g", "z")
    #expect(screen.visible.count == before)
  }

  @Test func `in a narrow window a compact qwink has a row for its author and a row for its text`() {
    var qwink = Qwink.sample(text: String(repeating: "Paul dies. ", count: 20))
    qwink.repliesCount = 2
    let lines = layout(qwink, columns: 40).lines
    #expect(lines.count == 2 && text(lines[0]) == "alice" && text(lines[1]).hasSuffix("…"))
    #expect(lines[0].trailing.map(\.text).joined() == "↩2   now")
    qwink.booster = .sample("bob", displayName: "Bob")
    #expect(text(layout(qwink, columns: 40).lines[1]).hasPrefix("↻ Bob  Paul dies."))
  }

  @Test func `the chosen density is saved without overwriting other settings`() {
    let folder = TemporaryFolder()
    let file = SettingsFile(directory: folder.path)
    #expect(ReaderSettings(file: file).density == .comfortable)
    let settings = ReaderSettings(file: file)
    let other = ReaderSettings(file: file)
    settings.density = .compact
    other.enterSends = true
    let next = ReaderSettings(file: file)
    #expect(next.density == .compact && next.enterSends)
  }
}
