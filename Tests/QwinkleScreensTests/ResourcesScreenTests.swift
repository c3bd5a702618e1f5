import OnDemandResources
import PaneKit
import Pictures
import QwinkleModel
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

/// The list of cached pictures.
@MainActor
@Suite(.bounded) struct ResourcesScreenTests {
  @MainActor
  private struct World {
    let bench: Bench
    let files: PictureFiles
    let manager: ResourceManager
    let tag = ResourceTag("avatar @bob")
    /// Retained here, because the screen under test gets only its resource manager.
    let shelf: PictureShelf

    let notHere = ResourceWords.state(.notHere)
    let here = ResourceWords.state(.here)
    let loading = PictureWords.loading(0.4)
    let paused = ResourceWords.state(.paused(0.4))

    func row(_ words: String) -> Bool { bench.lines.contains { $0.contains("avatar @bob  \(words)") } }
  }

  private func world(gate: Gate? = nil, rows: Int = 24, columns: Int = 80) async throws -> World {
    let bench = try Bench(rows: rows, columns: columns)
    let files = PictureFiles([UInt8](repeating: 7, count: 2048), gate: gate)
    let shelf = files.shelf(for: bench)
    let world = World(bench: bench, files: files, manager: shelf.resources, shelf: shelf)
    shelf.resources.setResources(["https://tilde.example/bob.png"], for: world.tag)
    let screen = ResourcesViewController(account: bench.account, managers: [shelf.resources])
    screen.navigator = bench.navigator
    await bench.show(screen)
    return world
  }

  @Test func `Enter loads a missing picture and d purges it`() async throws {
    let world = try await world()
    #expect(world.row(world.notHere))
    world.manager.isMetered = true
    await world.bench.press("Enter")
    #expect(world.files.asked == ["https://tilde.example/bob.png"])
    #expect(world.row(world.here) && world.bench.text.contains(ResourceWords.size(2048)))
    #expect(world.bench.navigator.words == [ResourceWords.loaded])
    // It is cached but not in use.
    #expect(world.manager.bytesOnDisk == 2048 && world.manager.bytesInUse == 0)
    await world.bench.press("Enter")
    #expect(world.bench.navigator.words.last == ResourceWords.isHere)
    await world.bench.press("d")
    #expect(world.row(world.notHere) && world.bench.navigator.words.last == ResourceWords.purged(2048))
  }

  @Test func `the totals include the size limit`() async throws {
    let world = try await world()
    let sums = ResourceWords.sums(count: 1, onDisk: 0, inUse: 0, limit: 200 << 20)
    #expect(world.bench.text.contains(sums), "\(world.bench.text)")
    let screen = ResourcesViewController(account: world.bench.account, managers: [world.manager, world.manager])
    #expect(screen.footer.map(\.text).joined().contains(sums.split(separator: " · ")[1]))
  }

  @Test func `the purge hint is shown only if a picture is cached`() async throws {
    let world = try await world()
    func hints() throws -> [Action] {
      try #require(world.bench.application.window.rootViewController as? any QwinkleScreens.Screen).status.hints
    }
    #expect(try !hints().contains(.purgeResources))
    await world.bench.press("Enter")
    #expect(try hints().contains(.purgeResources))
  }

  @Test func `the progress is shown whole in a narrow window`() async throws {
    let gate = Gate()
    let world = try await world(gate: gate, rows: 12, columns: 40)
    #expect(world.bench.text.contains("avatar @bob  \(world.notHere)"), "\(world.bench.text)")
    world.bench.driver.press("Enter")
    try await world.bench.wait(for: "loading") { world.bench.text.contains(world.loading) }
    world.bench.driver.press("p")
    try await world.bench.wait(for: "a pause") { world.bench.text.contains(world.paused) }
    gate.open()
    await world.bench.settle()
  }

  @Test func `a thread is named by its author and first words instead of its ID`() {
    let qwink = Qwink.sample(id: "70", text: "Which font?", author: .sample("bob"), at: ScriptedTimeline.start)
    #expect(ResourceTag.thread(of: qwink).threadID == "70" && ResourceTag.pictures(of: qwink).threadID == nil)
    let words = ResourceWords.thread(qwink, under: nil)
    #expect(words.contains("@bob") && words.hasSuffix(OutboxWords.quoted("Which font?")))
    #expect(!ResourceWords.thread(nil, under: nil).isEmpty)
  }

  @Test func `keys pause, resume and cancel a download`() async throws {
    let gate = Gate()
    let world = try await world(gate: gate)
    world.bench.driver.press("Enter")
    try await world.bench.wait(for: "loading") { world.row(world.loading) }
    world.bench.driver.press("p")
    try await world.bench.wait(for: "a pause") { world.row(world.paused) }
    world.bench.driver.press("p")
    try await world.bench.wait(for: "going on") { world.row(world.loading) }
    world.bench.driver.press("x")
    try await world.bench.wait(for: "the end") { world.row(world.notHere) }
    #expect(world.bench.navigator.words == [ResourceWords.paused, ResourceWords.resumed, ResourceWords.cancelled])
    world.bench.driver.press("Enter")
    try await world.bench.wait(for: "loading") { world.row(world.loading) }
    gate.open()
    await world.bench.settle()
    #expect(world.row(world.here) && world.bench.navigator.words.last == ResourceWords.loaded)
  }

  @Test func `a list's download continues on this screen and can be paused`() async throws {
    let bench = try Bench(rows: 24, columns: 80)
    let gate = Gate()
    let files = PictureFiles([UInt8](repeating: 7, count: 2048), gate: gate)
    let shelf = files.shelf(for: bench)
    let list = Viewer()
    let wish = PictureWish(
      address: "https://tilde.example/bob.png", tag: ResourceTag("avatar @bob"),
      order: PictureOrder(room: CellPictures.avatarSize))
    shelf.look(at: [wish], for: list) {}
    let screen = ResourcesViewController(account: bench.account, managers: [shelf.resources], shelf: shelf)
    screen.navigator = bench.navigator
    shelf.lookAway(list)
    let world = World(bench: bench, files: files, manager: shelf.resources, shelf: shelf)
    bench.application.window.rootViewController = screen
    try await bench.wait(for: "loading") { world.row(world.loading) }
    bench.driver.press("p")
    try await bench.wait(for: "a pause") { world.row(world.paused) }
    bench.driver.press("p")
    try await bench.wait(for: "going on") { world.row(world.loading) }
    gate.open()
    await bench.settle()
    #expect(world.row(world.here) && shelf.resources.bytesInUse == 0)
  }

  private final class Viewer {}

  @Test func `the bar shows the keys for the selected row`() async throws {
    let gate = Gate()
    let world = try await world(gate: gate)
    func hints() throws -> ScreenStatus {
      try #require(world.bench.application.window.rootViewController as? any QwinkleScreens.Screen).status
    }
    #expect(try hints().hints.first == .loadResource)
    world.bench.driver.press("Enter")
    try await world.bench.wait(for: "loading") { world.row(world.loading) }
    #expect(try hints().hints.prefix(2) == [.pauseResource, .cancelResource])
    #expect(try hints().progress == world.loading)
    world.bench.driver.press("p")
    try await world.bench.wait(for: "a pause") { world.row(world.paused) }
    #expect(try hints().words[.pauseResource] == ResourceWords.resume && hints().progress == nil)
    world.bench.driver.press("p")
    gate.open()
    await world.bench.settle()
    #expect(try hints().hints.first == .purgeResource)
  }

  @Test func `a full disk is reported at most every ten minutes`() async throws {
    let world = try await world()
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    for (wait, isReported) in [(0, true), (61, false), (540, true)] {
      await screen.pass(.seconds(wait))
      screen.main.reporter.resourcesDidFindLowDiskSpace(world.manager)
      await screen.settle()
      #expect(screen.status.contains(PictureWords.diskIsFull) == isReported, "after \(wait) s")
    }
  }
}
