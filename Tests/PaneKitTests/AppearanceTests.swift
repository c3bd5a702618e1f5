import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import PaneKit

/// A controller that records when it appears and disappears.
@MainActor
private final class Noting: ViewController {
  let name: String
  private let note: (String) -> Void
  private(set) var updates = 0

  init(_ name: String, note: @escaping (String) -> Void = { _ in }) {
    self.name = name
    self.note = note
    super.init(view: TestView(acceptsFirstResponder: true))
  }

  var keys: [Key] { (view as? TestView)?.keys ?? [] }

  override func viewDidAppear() { note("+\(name)") }
  override func viewWillDisappear() { #expect(isOnScreen) }
  override func viewDidDisappear() { note("-\(name)") }

  override func updateProperties() { updates += 1 }
}

@MainActor
@Suite struct AppearanceTests {
  private let driver = MemoryDriver(rows: 10, columns: 100)
  private let application: Application
  private final class Log { var lines: [String] = [] }
  private let log = Log()

  init() throws {
    application = Application(driver: driver, clock: VirtualClock(), keymap: Keymap([]), theme: Theme([:]))
  }

  private func noting(_ name: String) -> Noting {
    Noting(name) { [log] in log.lines.append($0) }
  }

  /// Entries logged since the last access.
  private var news: [String] {
    defer { log.lines = [] }
    return log.lines
  }

  private func launch(_ root: ViewController) throws {
    application.window.rootViewController = root
    try application.launch()
  }

  // MARK: Appearing

  @Test func `the hidden side of a split view appears once the terminal is wide enough`() throws {
    let split = SplitViewController(primary: noting("list"), secondary: noting("detail"), minimumColumns: 120)
    try launch(split)
    #expect(news == ["+list"])
    split.showSecondary()
    #expect(news == ["+detail", "-list"])
    split.showPrimary()
    #expect(news == ["+list", "-detail"])
    driver.resize(rows: 10, columns: 150)
    #expect(news == ["+detail"])
    driver.resize(rows: 10, columns: 80)
    #expect(news == ["-detail"])
  }

  @Test func `only the top of a stack is on screen`() throws {
    let stack = NavigationController<ViewController>(root: noting("root")) { $0 }
    try launch(stack)
    stack.push(noting("next"))
    stack.push(noting("last"))
    #expect(news == ["+root", "-root", "+next", "-next", "+last"])
    stack.popToRoot()
    #expect(news == ["-last", "+root"])
    #expect(!stack.pop())
  }

  @Test func `a sheet appears and disappears`() throws {
    let root = noting("root")
    let sheet = noting("sheet")
    try launch(root)
    root.present(sheet)
    #expect(sheet.isOnScreen && root.isOnScreen)
    sheet.dismiss()
    #expect(news == ["+root", "+sheet", "-sheet"])
  }

  @Test func `children appear and disappear with their parent`() throws {
    let parent = noting("parent")
    parent.addChild(noting("child"))
    let root = ViewController()
    root.addChild(parent)
    try launch(root)
    parent.view.isHidden = true
    parent.view.isHidden = false
    #expect(news == ["+parent", "+child", "-child", "-parent", "+parent", "+child"])
  }

  // MARK: Keys

  @Test func `a removed or hidden view passes focus on before the next key`() throws {
    let root = ViewController()
    let (first, second) = (noting("first"), noting("second"))
    root.addChild(first)
    root.addChild(second)
    root.preferredFirstResponder = second.view
    try launch(root)
    application.window.makeFirstResponder(first.view)
    application.terminalDriver(driver, didReceive: [.key(.character("a"))])
    first.removeFromParent()
    driver.press("b")
    #expect(first.keys == [.character("a")] && second.keys == [.character("b")])
    root.addChild(first)
    second.view.isHidden = true
    driver.press("c")
    #expect(first.keys == [.character("a"), .character("c")])
  }

  @Test func `focus requested behind a sheet is granted after its dismissal`() throws {
    let root = ViewController()
    let (first, second) = (noting("first"), noting("second"))
    root.addChild(first)
    root.addChild(second)
    try launch(root)
    application.window.makeFirstResponder(first.view)
    let sheet = noting("sheet")
    root.present(sheet)
    var changes = 0
    application.window.firstResponderDidChange.add(sheet) { _ in changes += 1 }
    application.window.makeFirstResponder(second.view)
    #expect(application.window.firstResponder === sheet.view && changes == 1)
    #expect(application.window.rootResponder === second.view)
    sheet.dismiss()
    driver.press("x")
    #expect(second.keys.count == 1 && sheet.keys.isEmpty && first.keys.isEmpty)
  }

  @Test func `a narrowed split view shows the side focused last`() throws {
    driver.resize(rows: 10, columns: 150)
    let (list, detail) = (noting("list"), noting("detail"))
    let split = SplitViewController(primary: list, secondary: detail, minimumColumns: 120)
    try launch(split)
    application.window.makeFirstResponder(detail.view)
    driver.resize(rows: 10, columns: 80)
    #expect(list.view.isHidden && !detail.view.isHidden)
    #expect(application.window.effectiveFirstResponder === detail.view)
    driver.resize(rows: 10, columns: 150)
    application.window.makeFirstResponder(list.view)
    driver.resize(rows: 10, columns: 80)
    #expect(!list.view.isHidden && detail.view.isHidden)
  }

  // MARK: The step before layout

  @Test func `properties are updated once per frame and after resizing`() throws {
    let root = noting("root")
    try launch(root)
    let before = root.updates
    root.view.setNeedsUpdateProperties()
    root.view.setNeedsUpdateProperties()
    #expect(root.updates == before)
    driver.press("x")
    #expect(root.updates == before + 1)
    driver.resize(rows: 5, columns: 50)
    #expect(root.updates == before + 2)
  }

  @Test func `layout that never settles is reported`() throws {
    final class Restless: View {
      override func layoutSubviews() { setNeedsLayout() }
    }
    var reports: [String] = []
    let report = ProgrammingError.report
    ProgrammingError.report = { reports.append($0) }
    defer { ProgrammingError.report = report }
    try launch(ViewController(view: Restless()))
    #expect(reports == ["layout does not settle"])
  }
}
