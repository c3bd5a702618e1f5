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
    (row.name, row.nameColumns) = ("Bob", 3)
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
      #expect(columns(lines) <= min(width - 1, 95), "\(width)")
      let said = lines.flatMap(\.runs).filter { $0.attribute == .text }.map(\.text).joined().filter { $0 != " " }
      #expect(said == text.filter { $0 != " " }, "\(width)")
    }
  }

  @Test func `a narrow pane has the name and the time on one line above the text`() {
    #expect(texts(ChatCellLayout(row("Hi"), columns: 59).lines) == ["  Bob  09:40", "    Hi"])
    var named = row("Hi")
    named.name = String(repeating: "Long ", count: 20)
    for width in [16, 40, 59] {
      let layout = ChatCellLayout(named, columns: width)
      #expect(texts(layout.lines)[0].hasSuffix("…  09:40"))
      #expect(columns(layout.lines) < width)
    }
  }

  /// The name, and its form in 14 columns.
  @Test(arguments: [
    ("Bob", "Bob           "), ("Konstantin Wiedenroth", "Konstantin Wi…"), ("美咲", "美咲          "),
    ("美咲美咲美咲美咲", "美咲美咲美咲… "), ("Dora 🌻", "Dora 🌻       "),
  ])
  func `names, times and texts are in columns`(name: String, shown: String) {
    var named = row(String(repeating: "word ", count: 20))
    (named.name, named.nameColumns) = (name, 14)
    let lines = texts(ChatCellLayout(named, columns: 60).lines)
    #expect(lines[0].hasPrefix("  \(shown)  09:40   word"), "\(lines)")
    named.name = nil
    let continued = texts(ChatCellLayout(named, columns: 60).lines)
    let indent = String(repeating: " ", count: 26)
    #expect((lines.dropFirst() + continued).allSatisfy { $0.hasPrefix("\(indent)word") }, "\(lines) \(continued)")
  }

  @Test func `a handle too long for its column is above the text`() {
    var named = row("Hi")
    (named.name, named.nameColumns) = ("@konstantin@far.example", 14)
    let indent = String(repeating: " ", count: 26)
    #expect(texts(ChatCellLayout(named, columns: 80).lines) == ["  @konstantin@far.example  09:40", "\(indent)Hi"])
  }

  @Test func `avatars move the columns and are as high as their picture`() {
    var named = row("Hi")
    named.avatar = TextRun("BO", .dim)
    for (hasPicture, count) in [(false, 1), (true, 2)] {
      let layout = ChatCellLayout(named, columns: 60, hasAvatars: true, hasPicture: hasPicture)
      #expect(layout.lines.count == count && layout.lines[0].avatar?.text == "BO")
      #expect(texts(layout.lines)[0] == "      Bob  09:40   Hi")
    }
    for bare in [ChatCellLayout(named, columns: 59, hasAvatars: true), ChatCellLayout(named, columns: 60)] {
      #expect(bare.lines.allSatisfy { $0.avatar == nil })
    }
  }

  @Test func `the day and the start of new messages are centred`() {
    var first = row("Hi")
    first.day = "Today"
    first.isFirstNew = true
    for width in [30, 68, 200] {
      let rules = texts(ChatCellLayout(first, columns: width).headings)
      #expect(DisplayWidth.columns(of: rules[1]) == width - 1, "\(width)")
      for (rule, word) in zip(rules, ["Today", MessagesWords.new]) {
        let start = rule.firstRange(of: word).map { rule[..<$0.lowerBound].count } ?? 0
        #expect(abs(2 * start + word.count - width - 1) <= 2, "\(rule)")
      }
      #expect(!rules[0].contains("─") && rules[1].hasPrefix("  ───"))
    }
  }

  @Test func `the delivery state ends at the right edge, below the text if the line is full`() {
    func trailing(_ text: String, _ delivery: ChatRow.Delivery, columns: Int = 80) -> [[String]] {
      ChatCellLayout(row(text, delivery: delivery), columns: columns).lines.map { $0.trailing.map(\.text) }
    }
    #expect(trailing("Hi", .sent) == [[MessagesWords.sent]])
    #expect(trailing("Hi", .sent, columns: 40) == [[], ["✓"]])
    #expect(trailing(String(repeating: "x", count: 64), .sending) == [[], [MessagesWords.sending]])
  }
}
