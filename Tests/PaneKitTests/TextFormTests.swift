import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import PaneKit

/// Simultaneous windows on terminals with different character widths.
@MainActor
@Suite struct WindowTextFormTests {
  /// 30 `é` take one row or two, because their width is ambiguous.
  private final class Items: ListViewDataSource {
    var count = 1
    var rows: [Int] = []

    private struct Item: ListCell {
      func rows(forColumns columns: Int) -> Int { lines(columns).count }
      func draw(in canvas: Canvas, selection: ListSelection) {
        for (row, line) in lines(canvas.size.columns).enumerated() { canvas.write(line, row: row, column: 0) }
      }
      private func lines(_ columns: Int) -> [[TextRun<StyleRole>]] {
        TextLayout.wrap([TextRun(String(repeating: "é", count: 30), .text)], columns: columns)
      }
    }

    func numberOfItems(in listView: ListView) -> Int { count }
    func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell { Item() }
  }

  @MainActor private struct Bench {
    let driver = MemoryDriver(rows: 6, columns: 40)
    let application: Application
    let list = ListView()
    let items = Items()

    init() throws {
      application = Application(driver: driver, clock: VirtualClock(), keymap: Keymap([]), theme: Theme([:]))
      list.dataSource = items
      application.window.rootViewController = ViewController(view: list)
      list.reloadData()
      try application.launch()
    }

    /// Number of rows with text.
    var rows: Int { driver.text.split(separator: "\n").count }
  }

  @Test func `each window measures text for its own terminal`() throws {
    let (narrow, wide) = (try Bench(), try Bench())
    wide.driver.draws(.wideUnicode)
    #expect(narrow.rows == 1 && wide.rows == 2)
    // Inserted items are measured outside of any frame.
    for bench in [narrow, wide] {
      bench.items.count = 2
      bench.list.update(inserted: [1..<2])
      _ = bench.application.showFrame()
    }
    #expect(narrow.rows == 2 && wide.rows == 4)
    wide.driver.draws(.ascii)
    #expect(wide.driver.row(0) == String(repeating: "e", count: 30) && wide.rows == 2)
    #expect(TextForm.current == .unicode)
  }

  @Test func `an editor measures existing and restored text again`() throws {
    let driver = MemoryDriver(rows: 3, columns: 12)
    let application = Application(driver: driver, clock: VirtualClock(), keymap: Keymap([]), theme: Theme([:]))
    let editor = TextEditor()
    application.window.rootViewController = ViewController(view: editor)
    try application.launch()
    driver.type("ééé éé")
    driver.press("^W")
    driver.draws(.wideUnicode)
    #expect(driver.cursor == Point(row: 0, column: 7))
    driver.press("^_")
    #expect(driver.cursor == Point(row: 0, column: 11))
    driver.draws(.unicode)
    #expect(driver.cursor == Point(row: 0, column: 6))
  }
}
