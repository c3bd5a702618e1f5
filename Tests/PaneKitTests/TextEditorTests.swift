import PaneKit
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@MainActor
@Suite struct TextEditorTests {
  /// An editor that fills a small window.
  private func editing(isSingleLine: Bool = false, rows: Int = 2, columns: Int = 12, keymap: String = "") throws -> (
    TextEditor, Application, MemoryDriver
  ) {
    let driver = MemoryDriver(rows: rows, columns: columns)
    let application = Application(
      driver: driver, clock: VirtualClock(), keymap: try Keymap(text: keymap), theme: Theme([:]))
    let editor = TextEditor(isSingleLine: isSingleLine)
    application.window.rootViewController = ViewController(view: editor)
    try application.launch()
    return (editor, application, driver)
  }

  @Test func `a line scrolls sideways, and shows as much as there is room for`() throws {
    let all = try editing(isSingleLine: true)
    defer { withExtendedLifetime(all) {} }
    let (_, _, driver) = all
    driver.type("abcdefghijk")
    #expect(driver.row(0) == "abcdefghijk")
    #expect(driver.cursor == Point(row: 0, column: 11))
    driver.type("lmn")
    #expect(driver.row(0) == "defghijklmn")
    #expect(driver.cursor == Point(row: 0, column: 11))
    driver.press("BS", "BS", "BS")
    #expect(driver.row(0) == "abcdefghijk")
    driver.type("lmn")
    driver.press("Home")
    #expect(driver.row(0) == "abcdefghijk…")
    #expect(driver.cursor == Point(row: 0, column: 0))
  }

  @Test func `wide characters in a line scroll whole`() throws {
    let all = try editing(isSingleLine: true, columns: 7)
    defer { withExtendedLifetime(all) {} }
    let (_, _, driver) = all
    driver.type("日本語語")
    #expect(driver.row(0) == "本語語")
    #expect(driver.cursor == Point(row: 0, column: 6))
  }

  @Test func `a line leaves keys for other lines to those around it`() throws {
    let (editor, application, driver) = try editing(
      isSingleLine: true, keymap: "a  one  Enter  one: one\na  two  Up  two: two")
    var done: [String] = []
    application.keyContext = "a"
    application.on("one") { done.append("one") }
    application.on("two") { done.append("two") }
    driver.type("x")
    driver.press("Enter", "Up", "Down")
    #expect(done == ["one", "two"])
    #expect(editor.text == "x")
  }

  @Test func `what stands before the cursor can be replaced, and that undone`() throws {
    let all = try editing(rows: 2, columns: 30)
    defer { withExtendedLifetime(all) {} }
    let (editor, _, driver) = all
    driver.type("ask @er, now")
    driver.press("^B", "^B", "^B", "^B", "^B")
    #expect(editor.textBeforeCursor == "ask @er" && editor.textAfterCursor == ", now")
    editor.replace(last: 3, with: "@erin")
    #expect(editor.text == "ask @erin, now")
    driver.press("M-f")
    driver.type("!")
    #expect(editor.text == "ask @erin, now!")
    driver.press("^_", "^_")
    #expect(editor.text == "ask @er, now")
    editor.replaceAll(with: "other")
    driver.press("^_")
    #expect(editor.text == "ask @er, now")
  }

  @Test func `a placeholder stands where there is no text`() throws {
    let all = try editing()
    defer { withExtendedLifetime(all) {} }
    let (editor, _, driver) = all
    editor.placeholder = "write here"
    driver.press("^L")
    #expect(driver.row(0) == "write here")
    driver.type("x")
    #expect(driver.row(0) == "x")
  }

  @Test func `moving the cursor is told, once and after a change`() throws {
    let all = try editing()
    defer { withExtendedLifetime(all) {} }
    let (editor, _, driver) = all
    let told = Told()
    editor.didChange.add(told) { $0.words.append("text") }
    editor.didMoveCursor.add(told) { $0.words.append("cursor") }
    driver.type("ab")
    #expect(told.words == ["text", "cursor"])
    driver.press("^B")
    #expect(told.words == ["text", "cursor", "cursor"])
    driver.press("^A", "^A")
    #expect(told.words.count == 4)
  }

  @Test func `the keys of a sequence so far are told, and what can follow is known`() throws {
    let (_, application, driver) = try editing(
      keymap: """
        a  one    ^Xw     one: one
        a  two    ^X^S q  two: two
        a  three  ^T      three: three
        """)
    application.keyContext = "a"
    let told = Told()
    application.didChangePendingKeys.add(told) { [weak application] told in
      told.words.append(Keymap.name(of: application?.pendingKeys ?? []))
    }
    driver.press("^X", "w", "^T", "^X", "z")
    #expect(told.words == ["^X", "", "^X", ""])
    let next = application.keymap.continuations(of: [.control("x")], in: "a")
    #expect(next.map { Keymap.name(of: $0.keys) } == ["w", "^S"])
    #expect(next.map(\.binding.action) == ["one", "two"])
  }
}

@MainActor
private final class Told {
  var words: [String] = []
}
