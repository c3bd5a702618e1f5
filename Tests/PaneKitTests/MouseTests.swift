import PaneKit
import Terminal
import TerminalTesting
import Testing
import Timekeeping

/// Clicks, wheel events and drags on views.
@MainActor
@Suite struct MouseTests {
  private let driver = MemoryDriver(rows: 10, columns: 120)
  private let application: Application
  private let root = ViewController()

  init() throws {
    application = Application(driver: driver, clock: VirtualClock(), keymap: Keymap([]), theme: Theme([:]))
    application.window.rootViewController = root
    try application.launch()
  }

  @Test func `mouse events reach the innermost accepting view in its coordinates`() {
    let outer = TestView("outer")
    let inner = TestView("inner")
    inner.takesWheel = false
    root.view.addSubview(outer)
    outer.addSubview(inner)
    outer.frame = Rect(row: 2, column: 10, rows: 5, columns: 20)
    inner.frame = Rect(row: 1, column: 5, rows: 2, columns: 5)
    var seen: [String] = []
    for view in [outer, inner] { view.note = { seen.append($0) } }
    driver.mouse(.press, row: 3, column: 16)
    driver.mouse(.drag, row: 9, column: 0)
    driver.mouse(.release, row: 9, column: 0)
    driver.mouse(.drag, row: 3, column: 16)
    driver.mouse(.wheelUp, row: 3, column: 16)
    driver.mouse(.press, row: 0, column: 0)
    #expect(seen == ["inner 0 1", "inner 6 -15", "inner 0 1", "outer 1 6"])
  }

  @Test func `hidden views and views elsewhere receive no mouse events`() {
    let view = TestView()
    root.view.addSubview(view)
    view.frame = Rect(row: 0, column: 0, rows: 2, columns: 2)
    driver.mouse(.press, row: 2, column: 0)
    driver.mouse(.press, row: 400, column: 900)
    view.isHidden = true
    driver.mouse(.press, row: 0, column: 0)
    #expect(view.mouseEvents.isEmpty)
    view.isHidden = false
    driver.mouse(.press, row: 0, column: 0)
    #expect(view.mouseEvents.count == 1)
  }

  @Test func `clicking a part of a bar performs its action`() {
    let bar = BarView()
    bar.leading = [.init([TextRun("one", .text)], action: "one"), .init([TextRun("two", .text)], action: "two")]
    bar.trailing = [.init([TextRun("three", .text)], action: "three")]
    root.view.addSubview(bar)
    bar.frame = Rect(row: 0, column: 0, rows: 1, columns: 40)
    var done: [String] = []
    for name in ["one", "two", "three"] { root.on(Action(rawValue: name)) { done.append(name) } }
    for column in [1, 3, 4, 6, 34, 38, 39] { driver.mouse(.press, row: 0, column: column) }
    #expect(done == ["one", "one", "two", "three", "three"])
  }

  @Test func `the divider between two panes follows the mouse within limits`() {
    let split = SplitViewController(primary: ViewController(), secondary: ViewController(), minimumColumns: 120)
    application.window.rootViewController = split
    driver.paste("")
    let column = { split.primary.view.frame.size.columns }
    let before = column()
    driver.mouse(.press, row: 3, column: before)
    driver.mouse(.drag, row: 3, column: before + 7)
    #expect(column() == before + 7)
    driver.mouse(.drag, row: 3, column: before - 3)
    #expect(column() == before - 3)
    driver.mouse(.drag, row: 3, column: 119)
    #expect(column() == 90)
    driver.mouse(.release, row: 3, column: 119)
    driver.mouse(.drag, row: 3, column: 10)
    #expect(column() == 90)
  }
}
