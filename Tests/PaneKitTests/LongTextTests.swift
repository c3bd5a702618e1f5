@testable import PaneKit
import Terminal
import TerminalTesting
import Testing
import Timekeeping

/// The duration of a key press in a long text. Four times the text may take about four times as long; quadratic growth
/// would take sixteen times as long.
@MainActor
@Suite(.bounded) struct LongTextTests {
  private static let size = 8_000
  private static let most = 9.0

  private func editor(isSingleLine: Bool, _ text: String = "") throws -> (TextEditor, MemoryDriver, Application) {
    let driver = MemoryDriver(rows: 10, columns: 60)
    let application = Application(
      driver: driver, clock: VirtualClock(), keymap: try Keymap(text: ""), theme: Theme([:]))
    let editor = TextEditor(isSingleLine: isSingleLine)
    editor.text = text
    application.window.rootViewController = ViewController(view: editor)
    try application.launch()
    return (editor, driver, application)
  }

  private func growth(
    isSingleLine: Bool, of unit: String, _ work: (TextEditor, MemoryDriver, String) -> Void, startsEmpty: Bool = false
  ) throws -> Double {
    func effort(_ count: Int) throws -> Double {
      let text = String(repeating: unit, count: count)
      return try Effort.least(runs: 3) {
        try editor(isSingleLine: isSingleLine, startsEmpty ? "" : text)
      } _: { bench in
        work(bench.0, bench.1, text)
      }
    }
    return try effort(4 * Self.size) / max(effort(Self.size), 0.000_001)
  }

  @Test(arguments: [true, false], ["a", "word ", "日", "e\u{301} "])
  func `pasting takes linear time`(isSingleLine: Bool, unit: String) throws {
    let work = { (editor: TextEditor, driver: MemoryDriver, text: String) in
      driver.paste(text)
      #expect(!editor.text.isEmpty)
      driver.press("F9")
    }
    let growth = try growth(isSingleLine: isSingleLine, of: unit, work, startsEmpty: true)
    #expect(growth < Self.most)
  }

  @Test(arguments: [true, false], ["a", "word ", "日"])
  func `no key takes more than linear time`(isSingleLine: Bool, unit: String) throws {
    let keys = [
      "x", "BS", "^A", "x", "^E", "^B", "M-b", "M-f", "^W", "^Y", "M-<", "^F", "↓", "M->", "↑", "^U", "^_", "^K", "^Y",
      "^_", "M-e",
      "^_", "Del", "^_",
    ]
    let growth = try growth(isSingleLine: isSingleLine, of: unit) { _, driver, _ in
      for key in keys { driver.press(key) }
    }
    #expect(growth < Self.most)
  }

  @Test func `a key press or reading the text completes a long paste`() throws {
    for isSingleLine in [true, false] {
      let text = String(repeating: "some words, e\u{301} 日本\t\r\n", count: 12_000)
      var expected = TextBuffer(allowsNewlines: !isSingleLine)
      expected.paste(text)
      let (editor, driver, application) = try editor(isSingleLine: isSingleLine)
      driver.paste(text)
      #expect(editor.isPasting)
      driver.press("x")
      #expect(!editor.isPasting && editor.text == expected.text + "x")
      driver.press("^_", "^_")
      #expect(editor.text.isEmpty && application.window.firstResponder === editor)
      driver.paste(text)
      #expect(editor.text == expected.text)
    }
  }

  @Test func `a long paste finishes without further input`() async throws {
    let (editor, driver, application) = try editor(isSingleLine: false)
    driver.paste(String(repeating: "some words, ", count: 30_000))
    #expect(editor.isPasting)
    try await wait(for: "the end of the paste") { !editor.isPasting }
    #expect(editor.text.utf8.count == 360_000)
    #expect(application.window.firstResponder === editor)
  }

  @Test func `typing in a long text lays out only a few rows again`() throws {
    // A text with 16 times as many paragraphs lays out no more rows again.
    func effort(_ paragraphs: Int) throws -> Double {
      let text = String(
        repeating: "some words of a paragraph that is longer than a row of the view\n", count: paragraphs)
      return try Effort.least {
        try editor(isSingleLine: false, text)
      } _: { bench in
        for _ in 0..<20 { bench.1.press("x") }
      }
    }
    #expect(try effort(1600) / effort(100) < 8)
  }

  @Test func `the row with the cursor is visible anywhere in a long text`() throws {
    let text = (1...20_000).map { "Line \($0) of many" }.joined(separator: "\n")
    let (editor, driver, application) = try editor(isSingleLine: false, text)
    #expect(driver.row(9) == "Line 20000 of many" && driver.cursor == Point(row: 9, column: 18))
    driver.press("M-<")
    #expect(driver.row(0) == "Line 1 of many" && driver.cursor == .zero)
    for _ in 0..<12 { driver.press("↓") }
    #expect(driver.row(9) == "Line 13 of many")
    driver.type("new ")
    #expect(driver.row(9) == "new Line 13 of many")
    driver.resize(rows: 4, columns: 12)
    let cursor = try #require(driver.cursor)
    #expect(editor.textBeforeCursor.hasSuffix("\nnew ") && driver.row(cursor.row).hasPrefix("new"))
    driver.press("M->")
    #expect(editor.textAfterCursor.isEmpty && driver.cursor != nil)
    #expect(application.window.firstResponder === editor)
  }

  @Test func `a long line scrolls to both ends and can be edited there`() throws {
    let (editor, driver, application) = try editor(isSingleLine: true, String(repeating: "日本 ", count: 40_000))
    driver.type("end")
    #expect(driver.row(0).hasSuffix("日本 end"))
    driver.press("^A")
    driver.type("start ")
    #expect(driver.row(0).hasPrefix("start 日本") && driver.cursor == Point(row: 0, column: 6))
    driver.press("^K")
    #expect(editor.text == "start ")
    driver.press("^_")
    #expect(editor.text.utf8.count == 6 + 40_000 * 7 + 3 && editor.text.hasSuffix("日本 end"))
    #expect(application.window.firstResponder === editor)
  }

  @Test(arguments: [Soak.seed]) func `reused rows equal newly laid out rows`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let units = ["a", "word ", "日本", "\n", " ", "e\u{301}", "verylongwordthatfitsnowhere", "🇩🇪", "(", ")", "\t"]
    for _ in 0..<Soak.runs(60) {
      let columns = Int.random(in: 1...14, using: &random)
      var text = TextBuffer()
      var rows = TextRows(of: text, columns: columns)
      for _ in 0..<60 {
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let place = Int.random(in: 0...text.count, using: &random)
          let end = min(text.count, place + Int.random(in: 0...12, using: &random))
          switch Int.random(in: 0...5, using: &random) {
          case 0: text.undo()
          case 1: text.replace(place..<end, with: "")
          default:
            text.replace(
              place..<(Bool.random(using: &random) ? place : end), with: units.randomElement(using: &random) ?? "")
          }
        }
        rows = TextRows(of: text, columns: columns, reusing: rows)
        #expect(rows.rows == TextRows(of: text, columns: columns).rows)
      }
    }
  }
}
