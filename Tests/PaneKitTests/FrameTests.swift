import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import PaneKit

/// Rows that a frame draws and passes to the driver.
@MainActor
@Suite struct FrameTests {
  private let driver = MemoryDriver(rows: 20, columns: 40)
  private let application: Application

  init() {
    application = Application(driver: driver, clock: VirtualClock(), keymap: Keymap([]), theme: Theme([:]))
  }

  /// A view that records the rows it draws.
  private final class CountingView: View {
    var drawn: [Range<Int>] = []
    var words = "row"

    override func draw(in canvas: Canvas) {
      drawn.append(canvas.visibleRows)
      for row in canvas.visibleRows { canvas.write("\(words) \(row)", row: row, column: 0) }
    }
  }

  /// A view whose rows have runs in two styles.
  private final class RunsView: View {
    override func draw(in canvas: Canvas) {
      for row in canvas.visibleRows {
        let size = TextRun(String(repeating: " ", count: row) + "12 KB  uploaded", StyleRole.dim)
        canvas.write([TextRun("face-in-the-garden.png", .text), size, TextRun("  done", .text)], row: row, column: 0)
      }
    }
  }

  @Test func `a truncated line of several runs has at most one ellipsis`() throws {
    try launch(RunsView())
    for row in 0..<12 {
      let text = driver.row(row)
      #expect(text.hasPrefix("face-in-the-garden.png") && text.count { $0 == "…" } <= 1, "\(text)")
    }
  }

  private func launch(_ root: View) throws {
    application.window.rootViewController = ViewController(view: root)
    try application.launch()
  }

  /// Returns the rows changed by the next frame after `change`, or nil if no frame was shown.
  private func changedRows(_ change: () -> Void) -> [Range<Int>]? {
    change()
    return application.showFrame() ? driver.frames.last.map { Array($0.changedRows.ranges) } : nil
  }

  @Test func `only a changed row is redrawn`() throws {
    let view = CountingView()
    try launch(view)
    #expect(view.drawn == [0..<20])
    view.drawn = []
    view.words = "changed"
    #expect(changedRows { view.setNeedsDisplay(rows: 7..<8) } == [7..<8])
    #expect(view.drawn == [7..<8])
    #expect(driver.row(6) == "row 6" && driver.row(7) == "changed 7" && driver.row(8) == "row 8")
  }

  @Test func `rows between two changed rows are not redrawn`() throws {
    let view = CountingView()
    try launch(view)
    view.drawn = []
    let rows = changedRows {
      view.setNeedsDisplay(rows: 2..<3)
      view.setNeedsDisplay(rows: 17..<19)
    }
    #expect(rows == [2..<3, 17..<19])
    #expect(view.drawn == [2..<3, 17..<19])
  }

  @Test func `an overlapping view redraws only the changed row`() throws {
    let (below, above) = (CountingView(), CountingView())
    try launch(below)
    above.words = "above"
    above.frame = Rect(row: 5, column: 2, rows: 10, columns: 20)
    below.addSubview(above)
    #expect(changedRows {} == [5..<15])
    above.drawn = []
    #expect(changedRows { below.setNeedsDisplay(rows: 6..<7) } == [6..<7])
    #expect(above.drawn == [1..<2])
    #expect(driver.row(6) == "roabove 1")
  }

  @Test func `moving or hiding a view redraws its old and new rows`() throws {
    let (below, above) = (CountingView(), CountingView())
    try launch(below)
    above.frame = Rect(row: 1, column: 0, rows: 1, columns: 20)
    below.addSubview(above)
    _ = changedRows {}
    #expect(changedRows { above.frame.origin.row = 12 } == [1..<2, 12..<13])
    #expect(changedRows { above.isHidden = true } == [12..<13])
    #expect(changedRows { above.isHidden = false } == [12..<13])
    #expect(changedRows { above.removeFromSuperview() } == [12..<13])
    #expect(driver.text == (0..<20).map { "row \($0)" }.joined(separator: "\n"))
  }

  @Test func `typing redraws only the edited lines and a cursor move redraws none`() throws {
    let editor = TextEditor()
    editor.text = (0..<12).map { "line \($0)" }.joined(separator: "\n")
    try launch(editor)
    #expect(changedRows { driver.press("Up") } == nil, "the key has shown its frame")
    #expect(driver.frames.last?.changedRows.isEmpty == true)
    driver.type("x")
    #expect(driver.frames.last.map { Array($0.changedRows.ranges) } == [10..<11])
    driver.press("Enter")
    #expect(driver.frames.last.map { Array($0.changedRows.ranges) } == [10..<13], "what is below moves down")
    #expect(driver.row(10) == "line 10x" && driver.row(11) == "" && driver.row(12) == "line 11")
  }

  @Test func `a placeholder is shown only while the text is empty`() throws {
    let editor = TextEditor()
    editor.placeholder = "say something"
    try launch(editor)
    for (key, text) in [("x", "x"), ("BS", "say something")] {
      driver.press(key)
      #expect(driver.row(0) == text)
      #expect(driver.frames.last.map { Array($0.changedRows.ranges) } == [0..<1])
    }
  }

  @Test func `resizing redraws all rows`() throws {
    let view = CountingView()
    try launch(view)
    driver.resize(rows: 9, columns: 30)
    #expect(driver.frames.last.map { Array($0.changedRows.ranges) } == [0..<9])
  }
}
