import PaneKit
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@MainActor
@Suite struct TextEditorTests {
  /// An editor that fills a small window.
  private struct Bench {
    let editor: TextEditor
    let application: Application
    let driver: MemoryDriver

    @MainActor init(isSingleLine: Bool = false, rows: Int = 2, columns: Int = 12, keymap: String = "") throws {
      driver = MemoryDriver(rows: rows, columns: columns)
      application = Application(
        driver: driver, clock: VirtualClock(), keymap: try Keymap(text: keymap), theme: Theme([:]))
      editor = TextEditor(isSingleLine: isSingleLine)
      application.window.rootViewController = ViewController(view: editor)
      try application.launch()
    }
  }

  @Test func `a single line scrolls to show as much text as fits`() throws {
    let bench = try Bench(isSingleLine: true)
    bench.driver.type("abcdefghijk")
    #expect(bench.driver.row(0) == "abcdefghijk")
    #expect(bench.driver.cursor == Point(row: 0, column: 11))
    bench.driver.type("lmn")
    #expect(bench.driver.row(0) == "defghijklmn")
    #expect(bench.driver.cursor == Point(row: 0, column: 11))
    bench.driver.press("BS", "BS", "BS")
    #expect(bench.driver.row(0) == "abcdefghijk")
    bench.driver.type("lmn")
    bench.driver.press("Home")
    #expect(bench.driver.row(0) == "abcdefghijk…")
    #expect(bench.driver.cursor == Point(row: 0, column: 0))
  }

  @Test func `the cursor is after the drawn text in every script`() throws {
    for (text, rows, column) in [
      ("हिन्दी", ["हिन्दी"], 5), ("ကြောင်", ["ကြောင်"], 5), ("क्षत्रिय", ["क्षत्रिय"], 6), ("می\u{200C}خواهم", ["می\u{200C}خواهم"], 7),
      ("हिन्दी क्षत्रिय", ["हिन्दी", "क्षत्रिय"], 6),
    ] {
      let bench = try Bench()
      bench.driver.type(text)
      #expect(rows.indices.map { bench.driver.row($0) } == rows)
      #expect(bench.driver.cursor == Point(row: rows.count - 1, column: column))
    }
  }

  @Test func `a large paste waits for confirmation`() throws {
    let bench = try Bench()
    let pastes = TestPasteDelegate()
    bench.application.pasteDelegate = pastes
    bench.driver.paste(String(repeating: "a", count: 2000))
    #expect(pastes.sizes.isEmpty && bench.editor.text.count == 2000)
    bench.driver.paste("b\u{1B}\r\n" + String(repeating: "b\n", count: 40))
    #expect(pastes.sizes == [PasteSize(characters: 82, lines: 41)] && bench.editor.text.count == 2000)
    pastes.paste?()
    #expect(bench.editor.text.count == 2082)
  }

  @Test func `a paste needs no confirmation without a delegate or a writable editor`() throws {
    let bench = try Bench()
    bench.driver.paste(String(repeating: "a", count: 2001))
    #expect(bench.editor.text.count == 2001)
    let pastes = TestPasteDelegate()
    bench.application.pasteDelegate = pastes
    bench.editor.isEditable = false
    bench.driver.paste(String(repeating: "a", count: 2001))
    #expect(pastes.sizes.isEmpty && bench.editor.text.count == 2001)
  }

  @Test func `a line scrolls by whole wide characters`() throws {
    let bench = try Bench(isSingleLine: true, columns: 7)
    bench.driver.type("日本語語")
    #expect(bench.driver.row(0) == "本語語")
    #expect(bench.driver.cursor == Point(row: 0, column: 6))
  }

  @Test func `a single-line editor passes on keys for other lines`() throws {
    let bench = try Bench(
      isSingleLine: true, keymap: "a  one  Enter  one: one\na  two  Up  two: two")
    var done: [String] = []
    bench.application.keyContext = "a"
    bench.application.on("one") { done.append("one") }
    bench.application.on("two") { done.append("two") }
    bench.driver.type("x")
    bench.driver.press("Enter", "Up", "Down")
    #expect(done == ["one", "two"])
    #expect(bench.editor.text == "x")
  }

  @Test func `text before the cursor can be replaced and restored by undo`() throws {
    let bench = try Bench(rows: 2, columns: 30)
    bench.driver.type("ask @er, now")
    bench.driver.press("^B", "^B", "^B", "^B", "^B")
    #expect(bench.editor.textBeforeCursor == "ask @er" && bench.editor.textAfterCursor == ", now")
    bench.editor.replace(last: 3, with: "@erin")
    #expect(bench.editor.text == "ask @erin, now")
    bench.driver.press("M-f")
    bench.driver.type("!")
    #expect(bench.editor.text == "ask @erin, now!")
    bench.driver.press("^_", "^_")
    #expect(bench.editor.text == "ask @er, now")
    bench.editor.replaceAll(with: "other")
    bench.driver.press("^_")
    #expect(bench.editor.text == "ask @er, now")
  }

  @Test func `setting the text replaces all rows`() throws {
    let bench = try Bench()
    bench.driver.press("F9")
    bench.editor.text = "one\ntwo"
    bench.driver.press("↑")
    #expect(bench.driver.row(0) == "one" && bench.driver.cursor == Point(row: 0, column: 3))
    bench.editor.text = "other"
    bench.driver.press("F9")
    #expect(bench.driver.row(0) == "other" && bench.driver.row(1).isEmpty)
  }

  @Test func `a placeholder is shown while there is no text`() throws {
    let bench = try Bench()
    bench.editor.placeholder = "write here"
    bench.driver.press("^L")
    #expect(bench.driver.row(0) == "write here")
    bench.driver.type("x")
    #expect(bench.driver.row(0) == "x")
  }

  @Test func `cursor moves are reported once and after text changes`() throws {
    let bench = try Bench()
    let told = Told()
    bench.editor.didChange.add(told) { $0.words.append("text") }
    bench.editor.didMoveCursor.add(told) { $0.words.append("cursor") }
    bench.driver.type("ab")
    #expect(told.words == ["text", "cursor"])
    bench.driver.press("^B")
    #expect(told.words == ["text", "cursor", "cursor"])
    bench.driver.press("^A", "^A")
    #expect(told.words.count == 4)
  }

  @Test func `pending keys of a sequence are reported and have known continuations`() throws {
    let bench = try Bench(
      keymap: """
        a  one    ^Xw     one: one
        a  two    ^X^S q  two: two
        a  three  ^T      three: three
        """)
    bench.application.keyContext = "a"
    let told = Told()
    bench.application.didChangePendingKeys.add(told) { [weak application = bench.application] told in
      told.words.append(Keymap.name(of: application?.pendingKeys ?? []))
    }
    bench.driver.press("^X", "w", "^T", "^X", "z")
    #expect(told.words == ["^X", "", "^X", ""])
    let next = bench.application.keymap.continuations(of: [.control("x")], in: "a")
    #expect(next.map { Keymap.name(of: $0.keys) } == ["w", "^S"])
    #expect(next.map(\.binding.action) == ["one", "two"])
  }
}

@MainActor
private final class Told {
  var words: [String] = []
}
