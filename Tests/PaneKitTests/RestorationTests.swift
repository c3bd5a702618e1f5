import Foundation
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import PaneKit

/// What controllers keep from run to run, by the paths of their identifiers.
@MainActor
@Suite struct RestorationTests {
  /// A controller that makes its children while the program runs.
  private final class Lazy: ViewController {
    var made: [ViewController] = []

    override init(view: View = View()) {
      super.init(view: view)
      restorationIdentifier = "main"
      makesChildrenLater = true
    }

    func make(_ child: ViewController) {
      made.append(child)
      restoreChild(child)
    }

    override var restorationChildren: [ViewController] { made }
  }

  @Test func `state is kept by the path of identifiers, also of what is not on screen`() throws {
    func tree() -> (ViewController, KeepingController, KeepingController) {
      let root = ViewController()
      root.restorationIdentifier = "main"
      let (below, top) = (KeepingController("list", words: "below"), KeepingController("list", words: "top"))
      let stack = NavigationController<ViewController>(root: below, controller: { $0 })
      // Without an identifier of its own it is no part of the path.
      let plain = ViewController()
      plain.addChild(top)
      let other = NavigationController<ViewController>(root: plain, controller: { $0 })
      other.restorationIdentifier = "side"
      stack.push(KeepingController(words: "unnamed"))
      root.addChild(stack)
      root.addChild(other)
      return (root, below, top)
    }
    var archive = tree().0.archive()
    #expect(archive == ["main/list": ["words": "below"], "main/side/list": ["words": "top"]])
    archive["main/list"] = ["words": "kept"]
    archive["list"] = ["words": "another's"]
    let (root, below, top) = tree()
    root.restore(from: archive)
    #expect(below.restored == "kept" && top.restored == "top")
  }

  @Test func `a child that is made later gets its state then, and keeps the rest waiting`() {
    let archive: StateArchive = ["main/a": ["words": "A"], "main/b/c": ["words": "C"], "other": ["words": "no"]]
    let first = Lazy()
    first.restore(from: archive)
    // A run in which nobody looks at them loses nothing.
    #expect(first.archive() == ["main/a": ["words": "A"], "main/b/c": ["words": "C"]])
    let a = KeepingController("a", words: "new")
    first.make(a)
    #expect(a.restored == "A")
    #expect(first.archive() == ["main/a": ["words": "new"], "main/b/c": ["words": "C"]])
    let b = ViewController()
    b.restorationIdentifier = "b"
    let c = KeepingController("c")
    b.addChild(c)
    first.make(b)
    #expect(c.restored == "C")
    // It has nothing to keep now.
    #expect(first.archive() == ["main/a": ["words": "new"]])
  }

  @Test func `what has gone is forgotten, and of two with one path the first counts`() {
    let root = Lazy()
    root.restore(from: ["main/a": ["words": "A"]])
    root.make(KeepingController("a", words: "first"))
    root.make(KeepingController("a", words: "second"))
    #expect(root.archive() == ["main/a": ["words": "first"]])
    root.made = []
    #expect(root.archive().isEmpty)
  }

  @Test func `an identifier may look like a path`() {
    let root = Lazy()
    let (slash, plain) = (KeepingController("a/b", words: "slash"), KeepingController("a", words: "plain"))
    root.make(slash)
    root.make(plain)
    let archive = root.archive()
    let other = Lazy()
    other.restore(from: archive)
    let (newSlash, newPlain) = (KeepingController("a/b"), KeepingController("a"))
    other.make(newSlash)
    other.make(newPlain)
    #expect(newSlash.restored == "slash" && newPlain.restored == "plain")
  }

  // MARK: Stacks

  private func stack(
    _ pushed: [KeepingController] = [], known: [String] = ["one", "two"]
  ) -> NavigationController<KeepingController> {
    let stack = NavigationController(root: KeepingController("root", words: "root")) {
      $0
    } restored: { identifier, _ in
      known.contains(identifier) ? KeepingController(identifier) : nil
    }
    stack.restorationIdentifier = "stack"
    for controller in pushed { stack.push(controller) }
    return stack
  }

  @Test func `a stack is what it was, with the state of each in it`() {
    let archive = stack([KeepingController("one", words: "1"), KeepingController("two", words: "2")]).archive()
    let restored = stack()
    restored.restore(from: archive)
    #expect(restored.stack.map(\.restorationIdentifier) == ["root", "one", "two"])
    #expect(restored.stack.map(\.restored) == ["root", "1", "2"])
    restored.pop()
    #expect(restored.archive()["stack/two"] == nil)
  }

  @Test func `what stands above something that cannot be made again is left out`() {
    let pushed = ["one", "gone", "two"].map { KeepingController($0, words: $0) }
    let archive = stack(pushed).archive()
    let restored = stack()
    restored.restore(from: archive)
    #expect(restored.stack.map(\.restorationIdentifier) == ["root", "one"])
    // Nothing of the others stays behind.
    #expect(restored.archive().keys.sorted() == ["stack", "stack/root"])
    // Nor is what stands above something without an identifier kept.
    let nameless = stack([KeepingController(), KeepingController("two", words: "2")])
    #expect(nameless.archive() == ["stack/root": ["words": "root"]])
  }

  @Test func `a stack that comes back gives its top the keys if it has them`() throws {
    let archive = stack([KeepingController("one")]).archive()
    let driver = MemoryDriver(rows: 5, columns: 40)
    let application = Application(driver: driver, clock: VirtualClock(), keymap: Keymap([]), theme: Theme([:]))
    let (left, right) = (stack(), stack())
    right.restorationIdentifier = "right"
    let root = ViewController()
    root.addChild(left)
    root.addChild(right)
    root.preferredFirstResponder = left.top.view
    application.window.rootViewController = root
    let all = archive.map { ($0.key.replacingOccurrences(of: "stack", with: "right"), $0.value) }
    application.restoration = TestRestoration([archive.merging(all) { first, _ in first }])
    try application.launch()
    #expect(left.stack.count == 2 && right.stack.count == 2)
    driver.press("x")
    #expect(left.top.keys.count == 1 && right.top.keys.isEmpty)
    left.pop()
    driver.press("y")
    #expect(left.top.keys.count == 1)
  }

  // MARK: Applications

  @Test func `an application keeps the state when it ends or is suspended, unless its delegate says no`() throws {
    final class Delegate: ApplicationDelegate {
      var keeps = true
      func applicationShouldSaveApplicationState(_ application: Application) -> Bool { keeps }
      func applicationShouldRestoreApplicationState(_ application: Application) -> Bool { keeps }
    }
    let store = TestRestoration()
    let process = TestProcess()
    func launch(_ delegate: Delegate) throws -> (Application, KeepingController) {
      let application = Application(
        driver: MemoryDriver(rows: 5, columns: 40), clock: VirtualClock(), keymap: Keymap([]), theme: Theme([:]))
      let root = KeepingController("main", words: "words \(store.kept.count)")
      application.window.rootViewController = root
      application.delegate = delegate
      application.process = process
      application.restoration = store
      try application.launch()
      return (application, root)
    }
    let delegate = Delegate()
    let (first, root) = try launch(delegate)
    #expect(root.restored == nil)
    first.suspend()
    #expect(store.kept == [["main": ["words": "words 0"]]])
    first.terminate()
    #expect(store.kept.count == 2 && process.stops == 1)
    let (second, restored) = try launch(delegate)
    #expect(restored.restored == "words 0")
    delegate.keeps = false
    second.terminate()
    #expect(store.kept.count == 2)
    #expect(try launch(delegate).1.restored == nil)
  }

  // MARK: While it runs

  @MainActor
  private struct Running {
    let application: Application
    let driver = MemoryDriver(rows: 5, columns: 40)
    let clock = VirtualClock()
    let root = KeepingController("main", words: "first")
    let store = TestRestoration()

    init() throws {
      application = Application(driver: driver, clock: clock, keymap: Keymap([]), theme: Theme([:]))
      application.window.rootViewController = root
      application.restoration = store
      store.save(root.archive())
      try application.launch()
    }

    /// What was saved since the start.
    var saved: [String?] { store.kept.dropFirst().map { $0["main"]?["words"] } }
  }

  @Test func `a change is saved within five seconds, and only one`() throws {
    let running = try Running()
    #expect(running.store.firstFrames == 1)
    // Steady typing does not put it off.
    for number in 1...9 {
      running.root.words = "words \(number)"
      running.root.view.setNeedsDisplay()
      running.driver.press("x")
      running.clock.advance(by: .seconds(1))
    }
    #expect(running.saved.count == 2 || running.saved.count == 3)
    running.clock.advance(by: .seconds(5))
    #expect(running.saved.last == "words 9")
    // Keys that change nothing write nothing.
    let count = running.saved.count
    running.root.view.setNeedsDisplay()
    running.driver.press("x")
    running.clock.advance(by: .seconds(5))
    #expect(running.saved.count == count && running.clock.nextDue == nil)
  }

  @Test func `an idle program does not wake up to save, but what comes by itself is saved`() throws {
    let running = try Running()
    for _ in 1...3 {
      running.root.view.setNeedsDisplay()
      #expect(running.application.showFrame())
    }
    #expect(running.clock.nextDue == nil)
    running.root.words = "come by itself"
    running.root.view.setNeedsDisplay()
    #expect(running.application.showFrame())
    running.clock.advance(by: .seconds(5))
    #expect(running.saved == ["come by itself"])
  }

  @Test func `the last to leave saves its state, changed or not, and waits for the disk`() throws {
    let running = try Running()
    running.store.save(["main": ["words": "another program's"]])
    #expect(running.store.flushes == 0)
    running.application.terminate()
    #expect(running.saved.last == "first" && running.store.flushes == 1)
  }
}
