import PaneKit
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@MainActor
@Suite struct ResponderTests {
  private func application(_ keymap: String, rows: Int = 4) throws -> (Application, MemoryDriver) {
    let driver = MemoryDriver(rows: rows, columns: 30)
    let application = Application(
      driver: driver, clock: VirtualClock(), keymap: try Keymap(text: keymap), theme: Theme([:]))
    return (application, driver)
  }

  @Test func `an action is performed by the first responder in the chain that can`() throws {
    let (application, driver) = try application("view  do  x  do: do")
    let view = View()
    view.acceptsFirstResponder = true
    view.keyContext = "view"
    let controller = ViewController(view: view)
    application.window.rootViewController = controller
    var done: [String] = []
    application.on("do") { done.append("application") }
    try application.launch()
    driver.press("x")
    controller.on("do") { done.append("controller") }
    driver.press("x")
    view.on("do", when: { false }, perform: { done.append("view") })
    driver.press("x")
    #expect(done == ["application", "controller", "controller"])
  }

  @Test func `a key sequence waits for its last key and a wrong key discards it`() throws {
    let (application, driver) = try application(
      """
      all  top   gg   top: top
      all  left  ^Wh  left: left
      """)
    var done: [String] = []
    application.keyContext = "all"
    application.on("top") { done.append("top") }
    application.on("left") { done.append("left") }
    try application.launch()
    driver.press("g", "g", "^W", "h", "g", "x", "g")
    #expect(done == ["top", "left"])
    #expect(application.pendingKeys == [.character("g")])
  }

  @Test func `a sheet blocks keys until it is dismissed`() throws {
    let (application, driver) = try application("root  hit  x  hit: hit")
    let root = ViewController()
    root.keyContext = "root"
    var hits = 0
    root.on("hit") { hits += 1 }
    application.window.rootViewController = root
    try application.launch()
    let sheet = ViewController()
    root.present(sheet)
    driver.press("x")
    #expect(hits == 0)
    sheet.dismiss()
    driver.press("x")
    #expect(hits == 1)
  }

  @Test func `pasted text is never handled as keys`() throws {
    let (application, driver) = try application("root  hit  x  hit: hit")
    let root = PasteTarget()
    root.keyContext = "root"
    var hits = 0
    root.on("hit") { hits += 1 }
    application.window.rootViewController = root
    try application.launch()
    let pastes = TestPasteDelegate()
    application.pasteDelegate = pastes
    driver.paste("xxx")
    #expect(hits == 0 && pastes.ignored == 1)
    root.takesPaste = true
    driver.paste("xxx")
    #expect(hits == 0 && pastes.ignored == 1)
  }

  @Test func `one frame is shown per turn and none without changes`() throws {
    let (application, driver) = try application("root  hit  x  hit: hit")
    let view = TestView()
    view.text = "here"
    application.window.rootViewController = ViewController(view: view)
    try application.launch()
    #expect(driver.frames.count == 1)
    driver.type("abc")
    #expect(driver.frames.count == 1)
    view.setNeedsDisplay()
    driver.type("abc")
    #expect(driver.frames.count == 2)
  }

  @Test func `repeated hangups end the program once and restore the terminal`() throws {
    let (application, driver) = try application("root  hit  x  hit: hit")
    let process = TestProcess()
    application.process = process
    try application.launch()
    driver.hangUp()
    driver.hangUp()
    #expect(process.statuses == [1])
    #expect(driver.calls == ["start", "stop"])
  }

  @Test func `suspending releases the terminal and continuing restores it`() throws {
    let (application, driver) = try application("root  hit  x  hit: hit")
    try application.launch()
    application.suspend()
    #expect(driver.calls == ["start"], "no process to stop")
    let process = TestProcess()
    application.process = process
    process.stopping = { #expect(application.phase == .background) }
    application.suspend()
    #expect(process.stops == 1)
    #expect(driver.calls == ["start", "suspend", "resume"])
    #expect(application.phase == .active)
  }

  @Test func `back references are weak`() throws {
    final class Delegate: ApplicationDelegate {
      func applicationShouldSaveApplicationState(_ application: Application) -> Bool { true }
      func applicationShouldRestoreApplicationState(_ application: Application) -> Bool { true }
    }
    final class Observer: ApplicationObserver {
      func application(_ application: Application, didChangeTo phase: ApplicationPhase) {}
    }
    final class Source: ListViewDataSource, ListViewDelegate {
      func numberOfItems(in listView: ListView) -> Int { 0 }
      func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell { NoCell() }
      func listView(_ listView: ListView, didSelectItemAt index: Int?) {}
      func listView(_ listView: ListView, didShowItemsIn range: Range<Int>) {}
      func listView(_ listView: ListView, stopsAtItem index: Int) -> Bool { false }
    }
    struct NoCell: ListCell {
      func rows(forColumns columns: Int) -> Int { 1 }
      func draw(in canvas: Canvas, selection: ListSelection) {}
    }
    let (application, driver) = try application("root  hit  x  hit: hit")
    let list = ListView()
    weak var delegate: Delegate?
    weak var observer: Observer?
    weak var source: Source?
    weak var sheet: ViewController?
    do {
      let made = (Delegate(), Observer(), Source(), ViewController())
      (delegate, observer, source, sheet) = made
      application.delegate = made.0
      application.addObserver(made.1)
      list.dataSource = made.2
      list.delegate = made.2
      application.window.makeFirstResponder(made.3)
    }
    #expect(delegate == nil && observer == nil && source == nil && sheet == nil)
    #expect(driver.delegate === application)
  }
}

private final class PasteTarget: ViewController {
  var takesPaste = false
  override func pasteText(_ text: String) -> Bool { takesPaste }
}
