import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import PaneKit

/// A list and its detail in windows of different widths.
@MainActor
@Suite struct SplitTests {
  private let driver = MemoryDriver(rows: 10, columns: 200)
  private let application: Application
  private let list = KeepingController()
  private let detail = KeepingController()
  private let split: SplitViewController

  init() throws {
    application = Application(driver: driver, clock: VirtualClock(), keymap: Keymap([]), theme: Theme([:]))
    split = SplitViewController(primary: list, secondary: detail, minimumColumns: 120)
    split.restorationIdentifier = "split"
    application.window.rootViewController = split
    try application.launch()
  }

  private var rule: View? { split.view.subviews.first { $0 is RuleView } }

  private func drag(from: Int, to: Int) {
    driver.mouse(.press, row: 4, column: from)
    driver.mouse(.drag, row: 4, column: to)
    driver.mouse(.release, row: 4, column: to)
  }

  @Test(arguments: [1, 2, 40, 59, 60, 80, 119, 120, 121, 200, 500])
  func `a wide window shows both sides with a rule and a narrow one a single side`(columns: Int) throws {
    driver.resize(rows: 10, columns: columns)
    let all = Rect(row: 0, column: 0, rows: 10, columns: columns)
    #expect(split.isSideBySide == (columns >= 120))
    guard split.isSideBySide else {
      #expect(list.view.frame == all && !list.view.isHidden && detail.view.isHidden)
      #expect(rule?.isHidden == true)
      return
    }
    let line = try #require(rule).frame
    #expect(list.view.frame.columns == 0..<line.origin.column && line.size == Size(rows: 10, columns: 1))
    #expect(detail.view.frame.columns == line.origin.column + 1..<columns)
    #expect(!list.view.isHidden && !detail.view.isHidden && rule?.isHidden == false)
  }

  @Test func `a change of the display mode is reported once`() {
    final class Count { var value = 0 }
    let count = Count()
    split.didChangeDisplayMode.add(count) { $0.value += 1 }
    driver.resize(rows: 10, columns: 150)
    #expect(count.value == 0)
    driver.resize(rows: 10, columns: 100)
    driver.resize(rows: 10, columns: 50)
    #expect(count.value == 1)
    driver.resize(rows: 10, columns: 120)
    #expect(count.value == 2)
  }

  @Test func `the visible side has focus at every width`() {
    split.showSecondary()
    for columns in [200, 100, 40, 130, 59, 200] {
      driver.resize(rows: 10, columns: columns)
      let before = detail.keys.count
      driver.press("x")
      #expect(detail.keys.count == before + 1 && !detail.view.isHidden, "\(columns)")
    }
    driver.resize(rows: 10, columns: 80)
    split.showPrimary()
    for columns in [80, 40, 200, 100] {
      driver.resize(rows: 10, columns: columns)
      driver.press("y")
      #expect(!list.view.isHidden, "\(columns)")
    }
    #expect(list.keys.count == 4)
  }

  @Test func `the divider can be dragged to a quarter of the width and scales on resize`() {
    #expect(list.view.frame.size.columns == 110)
    drag(from: 110, to: 80)
    #expect(list.view.frame.size.columns == 80)
    drag(from: 80, to: 2)
    #expect(list.view.frame.size.columns == 50)
    drag(from: 50, to: 199)
    #expect(list.view.frame.size.columns == 150)
    drag(from: 150, to: 100)
    driver.resize(rows: 10, columns: 80)
    driver.resize(rows: 10, columns: 160)
    #expect(list.view.frame.size.columns == 80)
  }

  @Test func `the divider position is saved and restored`() throws {
    #expect(split.archive().isEmpty)
    drag(from: 110, to: 70)
    let archive = split.archive()
    let other = SplitViewController(primary: KeepingController(), secondary: KeepingController(), minimumColumns: 120)
    other.restorationIdentifier = "split"
    other.restore(from: archive)
    #expect(other.primaryFraction == split.primaryFraction)
    for nonsense in ["", "x", "nan", "-1", "7"] {
      other.restore(from: ["split": ["fraction": nonsense]])
      #expect(other.primaryFraction == split.primaryFraction)
    }
  }
}
