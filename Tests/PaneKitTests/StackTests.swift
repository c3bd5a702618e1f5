import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import PaneKit

@MainActor
@Suite struct StackTests {
  private let driver = MemoryDriver(rows: 5, columns: 40)
  private let application: Application
  private let root = KeepingController()
  private let stack: NavigationController<KeepingController>

  init() throws {
    application = Application(driver: driver, clock: VirtualClock(), keymap: Keymap([]), theme: Theme([:]))
    stack = NavigationController(root: root) { $0 }
    application.window.rootViewController = stack
    try application.launch()
  }

  @Test func `the top fills the stack and has focus`() {
    let next = KeepingController()
    stack.push(next)
    driver.press("x")
    #expect(next.keys.count == 1 && root.keys.isEmpty)
    #expect(next.view.frame == stack.view.bounds && next.view.frame.size == Size(rows: 5, columns: 40))
    #expect(next.isOnScreen && !root.isOnScreen && root.view.window == nil)
    driver.resize(rows: 8, columns: 60)
    #expect(next.view.frame.size == Size(rows: 8, columns: 60))
    stack.pop()
    driver.press("y")
    #expect(root.view.frame.size == Size(rows: 8, columns: 60) && root.keys.count == 1)
  }

  @Test func `popping restores focus to the previous responder`() {
    let other = TestView(acceptsFirstResponder: true)
    root.view.addSubview(other)
    application.window.makeFirstResponder(other)
    stack.push(KeepingController())
    stack.push(KeepingController())
    stack.popToRoot()
    #expect(application.window.firstResponder === other)
    stack.push(KeepingController())
    // Removed while it is off screen.
    other.removeFromSuperview()
    stack.pop()
    driver.press("x")
    #expect(application.window.effectiveFirstResponder === root.view && root.keys.count == 1)
  }

  @Test func `changes of the top are reported and the root cannot be popped`() {
    final class Count { var value = 0 }
    let count = Count()
    stack.didChangeTop.add(count) { $0.value += 1 }
    #expect(!stack.pop())
    stack.popToRoot()
    #expect(count.value == 0 && stack.top === root)
    stack.push(KeepingController())
    stack.push(KeepingController())
    #expect(count.value == 2)
    stack.popToRoot()
    #expect(count.value == 3 && stack.stack.count == 1)
  }

  @Test func `a controller pushed behind a sheet has focus once the sheet is dismissed`() {
    let sheet = KeepingController()
    application.window.present(sheet)
    let next = KeepingController()
    stack.push(next)
    driver.press("x")
    #expect(sheet.keys.count == 1 && next.keys.isEmpty)
    sheet.dismiss()
    driver.press("y")
    #expect(next.keys.count == 1)
  }

  @Test func `an off-screen stack changes without taking focus`() {
    let hidden = NavigationController(root: KeepingController()) { $0 }
    let next = KeepingController()
    hidden.push(next)
    #expect(application.window.firstResponder === root.view && !next.isOnScreen)
    stack.removeFromParent()
    application.window.rootViewController = hidden
    driver.press("x")
    #expect(next.isOnScreen && next.keys.count == 1)
  }

  @Test func `a popped controller is released`() {
    weak var weakNext: KeepingController?
    do {
      let next = KeepingController()
      weakNext = next
      stack.push(next)
    }
    #expect(weakNext != nil)
    stack.pop()
    driver.press("x")
    #expect(weakNext == nil)
  }
}
