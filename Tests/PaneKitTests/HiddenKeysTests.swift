import PaneKit
import Terminal
import TerminalTesting
import Testing
import Timekeeping

/// Hidden views receive no keys.
@MainActor
@Suite struct HiddenKeysTests {
  private final class Side: ViewController {
    let noting: TestView
    var keys: [Key] { noting.keys }

    init() {
      noting = TestView(acceptsFirstResponder: true)
      super.init(view: noting)
    }
  }

  private let driver = MemoryDriver(rows: 10, columns: 120)
  private let left = Side()
  private let right = Side()

  private func split() throws -> (SplitViewController, Application) {
    let application = Application(
      driver: driver, clock: VirtualClock(), keymap: try Keymap(text: ""), theme: Theme([:]))
    let split = SplitViewController(primary: left, secondary: right, minimumColumns: 120)
    application.window.rootViewController = split
    try application.launch()
    return (split, application)
  }

  @Test func `a narrowed window shows the focused side`() throws {
    let (split, application) = try split()
    driver.mouse(.press, row: 3, column: 100)
    driver.resize(rows: 10, columns: 100)
    #expect(!right.view.isHidden && left.view.isHidden)
    #expect(application.window.firstResponder === right.view)
    driver.press("x")
    #expect(right.keys.count == 1 && left.keys.isEmpty)
    split.showPrimary()
    driver.press("x")
    #expect(left.keys.count == 1 && !left.view.isHidden)
  }

  @Test func `a narrowed window shows the focused side even if the other opened last`() throws {
    let (split, application) = try split()
    split.showSecondary()
    driver.mouse(.press, row: 3, column: 3)
    driver.resize(rows: 10, columns: 100)
    #expect(right.view.isHidden && !left.view.isHidden)
    driver.press("x")
    #expect(left.keys.count == 1 && application.window.firstResponder === left.view)
  }

  @Test func `hiding the first responder moves focus to a visible view`() throws {
    let (_, application) = try split()
    application.window.makeFirstResponder(right.view)
    right.view.isHidden = true
    driver.press("F9")
    #expect(application.window.firstResponder === left.view)
  }

  @Test func `hiding an ancestor or removing the first responder moves focus`() throws {
    let (_, application) = try split()
    let (outer, inner) = (View(), TestView(acceptsFirstResponder: true))
    outer.addSubview(inner)
    right.view.addSubview(outer)
    application.window.makeFirstResponder(inner)
    outer.isHidden = true
    driver.press("x")
    #expect(inner.keys.isEmpty && application.window.firstResponder === left.view)
    outer.isHidden = false
    application.window.makeFirstResponder(inner)
    outer.removeFromSuperview()
    driver.press("x")
    #expect(inner.keys.isEmpty && left.keys.count == 2)
  }

  @Test func `a sheet with a hidden field still blocks keys from the views behind it`() throws {
    let (_, application) = try split()
    let sheet = Side()
    let field = TestView(acceptsFirstResponder: true)
    sheet.view.addSubview(field)
    sheet.preferredFirstResponder = field
    application.window.rootViewController?.present(sheet)
    driver.press("x")
    #expect(field.keys.count == 1)
    field.isHidden = true
    driver.press("y")
    #expect(field.keys.count == 1 && left.keys.isEmpty && right.keys.isEmpty)
    sheet.dismiss()
    driver.press("z")
    #expect(left.keys.count == 1)
  }

  @Test func `a hidden root view ignores keys until it is shown again`() throws {
    let (_, application) = try split()
    let root = try #require(application.window.rootViewController)
    root.view.isHidden = true
    driver.press("x")
    #expect(right.keys.isEmpty)
    root.view.isHidden = false
    driver.press("y")
    #expect(left.keys.last == .character("y"))
  }
}

@MainActor
@Suite struct ObserverListTests {
  @Test func `an observer added several times is notified once`() {
    final class Ear { var heard = 0 }
    let ear = Ear()
    let other = Ear()
    var list = ObserverList<Ear>()
    for _ in 0..<3 {
      list.add(ear) { $0 }
      list.add(other) { $0 }
    }
    list.forEach { $0.heard += 1 }
    #expect(ear.heard == 1 && other.heard == 1)
  }
}
