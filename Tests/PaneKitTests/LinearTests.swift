import PaneKit
import Terminal
import TerminalTesting
import Testing
import Timekeeping

/// A window on an append-only terminal.
@MainActor
private final class LinearBench {
  let driver = MemoryDriver(rows: 24, columns: 60, isLinear: true)
  let application: Application
  /// Retained here because views hold their data source weakly.
  var items: Items?
  private var heard = 0

  init(_ root: ViewController, keymap: String = "") throws {
    application = Application(
      driver: driver, clock: VirtualClock(), keymap: try Keymap(text: keymap), theme: Theme([:]))
    application.window.rootViewController = root
    try application.launch()
  }

  /// Text announced since the last access.
  var said: String {
    defer { heard = driver.appended.count }
    return driver.appended.dropFirst(heard).joined()
  }

  /// Shows changes without a key press.
  func wait() { driver.resize(rows: 24, columns: 60) }
}

/// A list with settable items.
@MainActor
private final class Items: ListViewDataSource {
  private struct Item: ListCell {
    let rows: [String]
    func rows(forColumns columns: Int) -> Int { rows.count }
    func draw(in canvas: Canvas, selection: ListSelection) {
      for (row, text) in rows.enumerated() { canvas.write("▌ \(text)", row: row, column: 0) }
    }
  }

  static let keymap = """
    list  list.next      j   next: next
    list  list.previous  k   previous: previous
    list  list.last      G   last: last
    """

  var items: [[String]]
  let list = ListView()

  init(_ items: [String]) {
    self.items = items.map { [$0] }
    list.dataSource = self
    list.keyContext = "list"
    list.performListActions()
    list.reloadData()
  }

  func numberOfItems(in listView: ListView) -> Int { items.count }
  func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell { Item(rows: items[index]) }
}

@MainActor
@Suite struct LinearTests {
  // MARK: Lists

  private func bench(_ items: Items) throws -> LinearBench {
    let controller = ViewController(view: items.list)
    controller.title = "Things"
    let bench = try LinearBench(controller, keymap: Items.keymap)
    bench.items = items
    return bench
  }

  @Test func `launching announces the title and the selected item without a frame`() throws {
    let items = Items(["one", "two"])
    let bench = try bench(items)
    #expect(bench.said == "Things\none\n")
    #expect(bench.driver.frames.isEmpty)
  }

  @Test func `each item is announced once when it is selected`() throws {
    let items = Items(["one", "two", "two"])
    let bench = try bench(items)
    _ = bench.said
    for (key, words) in [("j", "two\n"), ("j", "two\n"), ("j", ""), ("k", "two\n"), ("k", "one\n"), ("F9", "")] {
      bench.driver.press(key)
      #expect(bench.said == words, "\(key)")
    }
  }

  @Test func `changes to unselected items are not announced`() throws {
    let items = Items(["one", "two"])
    let bench = try bench(items)
    _ = bench.said
    items.items.insert(["zero"], at: 0)
    items.list.update(inserted: [0..<1])
    items.items.append(["three"])
    items.list.update(inserted: [3..<4])
    items.items[1] = ["one, an hour old"]
    items.list.reloadCells()
    bench.wait()
    #expect(bench.said == "")
    bench.driver.press("F9")
    #expect(bench.said == "")
    bench.driver.press("k")
    #expect(bench.said == "zero\n")
  }

  @Test func `rows added to the selected item and its replacement are announced`() throws {
    let items = Items(["one", "two"])
    let bench = try bench(items)
    _ = bench.said
    items.items[0] = ["one", "two answers"]
    items.list.reloadItems(at: [0])
    bench.wait()
    #expect(bench.said == "two answers\n")
    items.items.removeFirst()
    items.list.update(removed: [0])
    bench.wait()
    #expect(bench.said == "two\n")
  }

  @Test func `an item taller than the window is announced whole and left with one key`() throws {
    let items = Items(["one", "two"])
    items.items[0] = (1...40).map { "row \($0)" }
    items.list.reloadData()
    let bench = try bench(items)
    let start = bench.said
    #expect(start.contains("row 1\n") && start.hasSuffix("row 40\n"))
    bench.driver.press("j")
    #expect(bench.said == "two\n")
  }

  @Test func `an unfocused list announces items appended to it`() throws {
    let items = Items(["one", "two"])
    items.list.tellsNewItems = true
    let editor = TextEditor()
    let root = ViewController()
    root.view.addSubview(items.list)
    root.view.addSubview(editor)
    items.list.frame = Rect(row: 0, column: 0, rows: 23, columns: 60)
    root.preferredFirstResponder = editor
    let bench = try LinearBench(root, keymap: Items.keymap)
    bench.items = items
    #expect(bench.said == "two\n")
    items.items += [["three"], ["four", "sending"]]
    items.list.update(inserted: [2..<4])
    bench.wait()
    #expect(bench.said == "three\nfour\nsending\n")
    items.items[3] = ["four", "sent"]
    items.list.update(removed: [3], inserted: [3..<4])
    bench.wait()
    #expect(bench.said == "sent\n")
  }

  // MARK: Writing

  private func writing(isSingleLine: Bool = false) throws -> (LinearBench, TextEditor) {
    let editor = TextEditor(isSingleLine: isSingleLine)
    let bench = try LinearBench(ViewController(view: editor))
    _ = bench.said
    return (bench, editor)
  }

  @Test func `typed text is appended to the line`() throws {
    let (bench, _) = try writing()
    bench.driver.type("ab")
    bench.driver.type("c")
    bench.driver.press("Enter")
    bench.driver.type("d")
    #expect(bench.said == "abc\nd")
  }

  @Test func `erasing text or moving the cursor announces the row again`() throws {
    let (bench, _) = try writing()
    bench.driver.type("abc")
    _ = bench.said
    bench.driver.press("BS")
    #expect(bench.said == "\nab")
    bench.driver.press("Left")
    #expect(bench.said == "\na|b")
    bench.driver.type("x")
    bench.driver.type("y")
    #expect(bench.said == "\naxy")
    bench.driver.press("End")
    #expect(bench.said == "\naxyb")
    bench.driver.press("^U")
    #expect(bench.said == "\n")
    bench.driver.type("z")
    #expect(bench.said == "z")
  }

  @Test func `only the row with the cursor is announced again`() throws {
    let (bench, editor) = try writing()
    editor.text = "one\ntwo"
    bench.wait()
    _ = bench.said
    bench.driver.press("Up")
    #expect(bench.said == "\none")
    bench.driver.press("BS")
    #expect(bench.said == "\non")
  }

  @Test func `a focused editor announces its label and text`() throws {
    let editor = TextEditor(isSingleLine: true)
    editor.label = "Name"
    editor.text = "Mara"
    let bench = try LinearBench(ViewController(view: editor))
    #expect(bench.said == "Name:\nMara")
    editor.text = ""
    bench.driver.type("x")
    #expect(bench.said == "\nx")
  }

  // MARK: Bars, sheets and texts

  @Test func `a bar announces changes of its most important part and its keys once`() throws {
    let bar = BarView()
    let root = ViewController()
    root.view.addSubview(bar)
    bar.leading = [.init("less", priority: 1), .init("more", priority: 2)]
    bar.trailing = [.init([TextRun("c", .key), TextRun(" new", .dim)])]
    let bench = try LinearBench(root)
    #expect(bench.said == "more\nKeys: c new.\n")
    bar.trailing = [.init([TextRun("q", .key), TextRun(" back", .dim)])]
    bench.wait()
    #expect(bench.said == "")
    bar.leading = [.init([TextRun("failed", .error), TextRun(" next try at 12:01", .dim)])]
    bench.wait()
    #expect(bench.said == "failed next try at 12:01\n")
    bar.leading = []
    bench.wait()
    bar.leading = [.init([TextRun("failed", .error), TextRun(" next try at 12:02", .dim)])]
    bench.wait()
    #expect(bench.said == "")
  }

  @Test func `a sheet is announced each time it opens and the list each time it closes`() throws {
    let items = Items(["one"])
    let bench = try bench(items)
    _ = bench.said
    let bar = BarView()
    bar.leading = [.init("Really?", priority: 1), .init([TextRun("y", .key), TextRun(" yes", .dim)])]
    let sheet = ViewController()
    sheet.view.addSubview(bar)
    for _ in 0..<2 {
      bench.application.window.rootViewController?.present(sheet)
      bench.driver.press("F9")
      #expect(bench.said == "Really?\nKeys: y yes.\n")
      sheet.dismiss()
      bench.driver.press("F9")
      #expect(bench.said == "one\n")
    }
  }

  @Test func `a text is announced once`() throws {
    let text = TextView()
    text.paragraphs = [[TextRun("first", .strong), TextRun("     second", .text)], [], [TextRun("third", .text)]]
    let bench = try LinearBench(ViewController(view: text))
    #expect(bench.said == "first  second\nthird\n")
    bench.driver.press("j")
    #expect(bench.said == "")
  }

  @Test func `lines are wrapped before the terminal's last column`() throws {
    let items = Items([Array(repeating: "word", count: 11).joined(separator: " ")])
    items.items[0] = [items.items[0][0], String(repeating: "long", count: 30)]
    items.list.reloadData()
    let bench = try bench(items)
    let lines = bench.said.split(separator: "\n")
    #expect(lines.count > 2 && lines.allSatisfy { $0.count < 60 }, "\(lines)")
  }
}
