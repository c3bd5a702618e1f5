import Foundation
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import PaneKit

/// State that controllers save between launches, by the paths of their restoration identifiers.
@MainActor
@Suite struct RestorationTests {
  /// A controller that creates its children later.
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

  @Test func `state is saved and restored by identifier path even off screen`() throws {
    func tree() -> (ViewController, KeepingController, KeepingController) {
      let root = ViewController()
      root.restorationIdentifier = "main"
      let (below, top) = (KeepingController("list", words: "below"), KeepingController("list", words: "top"))
      let stack = NavigationController<ViewController>(root: below, controller: { $0 })
      // A controller without an identifier isn't part of the path.
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

  @Test func `a child created later restores its state and other state is preserved`() {
    let archive: StateArchive = ["main/a": ["words": "A"], "main/b/c": ["words": "C"], "other": ["words": "no"]]
    let first = Lazy()
    first.restore(from: archive)
    // Saving before the children exist loses nothing.
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
    // `c` has no state to save now.
    #expect(first.archive() == ["main/a": ["words": "new"]])
  }

  @Test func `state of removed children is discarded and the first of equal paths wins`() {
    let root = Lazy()
    root.restore(from: ["main/a": ["words": "A"]])
    root.make(KeepingController("a", words: "first"))
    root.make(KeepingController("a", words: "second"))
    #expect(root.archive() == ["main/a": ["words": "first"]])
    root.made = []
    #expect(root.archive().isEmpty)
  }

  @Test func `an identifier may contain a slash`() {
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

  @Test func `a restored stack has the same controllers with their state`() {
    let archive = stack([KeepingController("one", words: "1"), KeepingController("two", words: "2")]).archive()
    let restored = stack()
    restored.restore(from: archive)
    #expect(restored.stack.map(\.restorationIdentifier) == ["root", "one", "two"])
    #expect(restored.stack.map(\.restored) == ["root", "1", "2"])
    restored.pop()
    #expect(restored.archive()["stack/two"] == nil)
  }

  @Test func `controllers above one that cannot be restored are omitted`() {
    let pushed = ["one", "gone", "two"].map { KeepingController($0, words: $0) }
    let archive = stack(pushed).archive()
    let restored = stack()
    restored.restore(from: archive)
    #expect(restored.stack.map(\.restorationIdentifier) == ["root", "one"])
    // The state of omitted controllers is discarded.
    #expect(restored.archive().keys.sorted() == ["stack", "stack/root"])
    // Controllers above one without an identifier aren't saved either.
    let nameless = stack([KeepingController(), KeepingController("two", words: "2")])
    #expect(nameless.archive() == ["stack/root": ["words": "root"]])
  }

  @Test func `the top of a restored stack has focus only if the stack has`() throws {
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

  @Test func `an application saves state on suspend and exit unless its delegate declines`() throws {
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

    /// Text of each save since launch.
    var saved: [String?] { store.kept.dropFirst().map { $0["main"]?["words"] } }
  }

  @Test func `a change is saved within five seconds despite steady typing`() throws {
    let running = try Running()
    #expect(running.store.firstFrames == 1)
    for number in 1...9 {
      running.root.words = "words \(number)"
      running.root.view.setNeedsDisplay()
      running.driver.press("x")
      running.clock.advance(by: .seconds(1))
    }
    #expect(running.saved.count == 2 || running.saved.count == 3)
    running.clock.advance(by: .seconds(5))
    #expect(running.saved.last == "words 9")
    // Keys without changes save nothing.
    let count = running.saved.count
    running.root.view.setNeedsDisplay()
    running.driver.press("x")
    running.clock.advance(by: .seconds(5))
    #expect(running.saved.count == count && running.clock.nextDue == nil)
  }

  @Test func `showing a frame schedules a save only if the state has changed`() throws {
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

  @Test func `terminating saves the state even if unchanged and flushes it`() throws {
    let running = try Running()
    running.store.save(["main": ["words": "another program's"]])
    #expect(running.store.flushes == 0)
    running.application.terminate()
    #expect(running.saved.last == "first" && running.store.flushes == 1)
  }
}
