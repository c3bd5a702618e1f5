import FoundationEssentials
import PaneKit
import QwinkleModel
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct ChatCellLayoutTests {
  private func row(_ text: String, delivery: ChatRow.Delivery? = nil) -> ChatRow {
    var row = ChatRow(
      content: .qwink(.message("1", by: Talk.bob, to: [Talk.me], text, at: Talk.at(0))), isMine: delivery != nil,
      time: "09:40", delivery: delivery, paragraphs: RichText(plain: text).runs)
    row.name = "Bob"
    return row
  }

  private func texts(_ lines: [CellLine]) -> [String] {
    lines.map { String(repeating: " ", count: $0.column) + $0.runs.map(\.text).joined() }
  }

  private func columns(_ lines: [CellLine]) -> Int {
    lines.map { $0.column + $0.runs.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } }.max() ?? 0
  }

  @Test(arguments: ["word ", "日本語の文です、", "unbroken"])
  func `text is at most 80 columns wide and complete`(word: String) {
    let text = String(repeating: word, count: 40)
    for width in [12, 40, 68, 80, 133, 200] {
      let lines = ChatCellLayout(row(text), columns: width).lines
      #expect(columns(lines) <= min(width - 1, 86), "\(width)")
      let said = lines.dropFirst().flatMap(\.runs).map(\.text).joined().filter { $0 != " " }
      #expect(said == text.filter { $0 != " " }, "\(width)")
    }
  }

  @Test func `a name and its time are on one line at any width`() {
    #expect(texts(ChatCellLayout(row("Hi"), columns: 40).lines) == ["  Bob  09:40", "    Hi"])
    var named = row("Hi")
    named.name = String(repeating: "Long ", count: 20)
    for width in [16, 40, 100] {
      let layout = ChatCellLayout(named, columns: width)
      #expect(texts(layout.lines)[0].hasSuffix("…  09:40"))
      #expect(columns(layout.lines) < width)
    }
  }

  @Test func `a name has an avatar only in a wide comfortable list`() {
    var named = row("Hi")
    named.avatar = TextRun("BO", .dim)
    let comfortable = ChatCellLayout(named, columns: 60)
    #expect(comfortable.lines.map(\.avatar?.text) == ["BO", nil])
    // The avatar is two rows high, so the text starts next to its second row.
    #expect(texts(comfortable.lines) == ["      Bob  09:40", "      Hi"])
    for bare in [ChatCellLayout(named, columns: 59), ChatCellLayout(named, columns: 60, density: .compact)] {
      #expect(bare.lines.allSatisfy { $0.avatar == nil })
      #expect(texts(bare.lines) == ["  Bob  09:40", "    Hi"])
    }
  }

  @Test func `the rules of days and new messages end at the right edge`() {
    var first = row("Hi")
    first.day = "Today"
    first.isFirstNew = true
    for width in [30, 68, 200] {
      let layout = ChatCellLayout(first, columns: width)
      let rules = texts(layout.headings)
      #expect(rules[0].hasPrefix("  ── Today ──") && rules[1].hasSuffix("── \(MessagesWords.new) ──"))
      #expect(rules.allSatisfy { DisplayWidth.columns(of: $0) == width - 1 }, "\(width)")
    }
  }

  @Test func `the delivery state follows the text, or is below it if the line is full`() {
    let wide = texts(ChatCellLayout(row("Hi", delivery: .sent), columns: 80).lines)
    #expect(wide.last == "      Hi  \(MessagesWords.sent)")
    #expect(texts(ChatCellLayout(row("Hi", delivery: .sent), columns: 40).lines).last == "    Hi  ✓")
    let full = String(repeating: "x", count: 73)
    let lines = texts(ChatCellLayout(row(full, delivery: .sending), columns: 80).lines)
    #expect(lines == ["      Bob  09:40", "      \(full)", "      \(MessagesWords.sending)"])
  }
}
