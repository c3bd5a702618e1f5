import OnDemandResources
import PaneKit
import QwinkleModel
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

/// The list of what is kept of pictures.
@MainActor
@Suite(.timeLimit(.minutes(60))) struct ResourcesScreenTests {
  @MainActor
  private struct World {
    let bench: Bench
    let files: PictureFiles
    let manager: ResourceManager
    let tag = ResourceTag("avatar @bob")
    /// Only here: screens hold it.
    let shelf: PictureShelf

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

  @Test func `what is not here is loaded by a key, and purged by another`() async throws {
    let world = try await world()
    #expect(world.row("not here"))
    world.manager.isMetered = true
    await world.bench.press("Enter")
    #expect(world.files.asked == ["https://tilde.example/bob.png"])
    #expect(world.row("here") && world.bench.text.contains("2 KB"))
    #expect(world.bench.navigator.words == ["Loaded"])
    // It is kept, and in nobody's way.
    #expect(world.manager.bytesOnDisk == 2048 && world.manager.bytesInUse == 0)
    await world.bench.press("Enter")
    #expect(world.bench.navigator.words.last == "It is here")
    await world.bench.press("d")
    #expect(world.row("not here") && world.bench.navigator.words.last == "Purged 2 KB")
  }

  @Test func `the sum has the limit of pictures, and says nothing where there is nothing`() async throws {
    let world = try await world()
    #expect(world.bench.text.contains("1 tag · nothing of 200.0 MB on disk · nothing in use"), "\(world.bench.text)")
    let screen = ResourcesViewController(account: world.bench.account, managers: [world.manager, world.manager])
    #expect(screen.footer.map(\.text).joined().contains("nothing of 200.0 MB on disk"))
  }

  @Test func `purging all is a hint where something is here`() async throws {
    let world = try await world()
    func hints() throws -> [Action] {
      try #require(world.bench.application.window.rootViewController as? any QwinkleScreens.Screen).status.hints
    }
    #expect(try !hints().contains(.purgeResources))
    await world.bench.press("Enter")
    #expect(try hints().contains(.purgeResources))
  }

  @Test func `how far something is stays whole in a narrow window`() async throws {
    let gate = Gate()
    let world = try await world(gate: gate, rows: 12, columns: 40)
    #expect(world.bench.text.contains("avatar @bob  not here"), "\(world.bench.text)")
    world.bench.driver.press("Enter")
    try await world.bench.wait(for: "loading") { world.bench.text.contains("loading 40 %") }
    world.bench.driver.press("p")
    try await world.bench.wait(for: "a pause") { world.bench.text.contains("paused at 40 %") }
    gate.open()
    await world.bench.settle()
  }

  @Test func `a thread is called by its author and first words, not by a number`() {
    let qwink = Qwink.sample(id: "70", text: "Which font?", author: .sample("bob"), at: ScriptedTimeline.start)
    #expect(ResourceTag.thread(of: qwink).threadID == "70" && ResourceTag.pictures(of: qwink).threadID == nil)
    #expect(ResourceWords.thread(qwink) == "thread of @bob “Which font?”")
    #expect(ResourceWords.thread(nil) == "a thread")
  }

  @Test func `what loads is paused, resumed and cancelled by keys`() async throws {
    let gate = Gate()
    let world = try await world(gate: gate)
    world.bench.driver.press("Enter")
    try await world.bench.wait(for: "loading") { world.row("loading 40 %") }
    world.bench.driver.press("p")
    try await world.bench.wait(for: "a pause") { world.row("paused at 40 %") }
    world.bench.driver.press("p")
    try await world.bench.wait(for: "going on") { world.row("loading 40 %") }
    world.bench.driver.press("x")
    try await world.bench.wait(for: "the end") { world.row("not here") }
    #expect(world.bench.navigator.words == ["Paused", "Loading again", "Cancelled"])
    world.bench.driver.press("Enter")
    try await world.bench.wait(for: "loading") { world.row("loading 40 %") }
    gate.open()
    await world.bench.settle()
    #expect(world.row("here") && world.bench.navigator.words.last == "Loaded")
  }

  @Test func `the foot line names the keys for what is selected`() async throws {
    let gate = Gate()
    let world = try await world(gate: gate)
    func hints() throws -> ScreenStatus {
      try #require(world.bench.application.window.rootViewController as? any QwinkleScreens.Screen).status
    }
    #expect(try hints().hints.first == .loadResource)
    world.bench.driver.press("Enter")
    try await world.bench.wait(for: "loading") { world.row("loading 40 %") }
    #expect(try hints().hints.prefix(2) == [.pauseResource, .cancelResource])
    #expect(try hints().progress == "loading 40 %")
    world.bench.driver.press("p")
    try await world.bench.wait(for: "a pause") { world.row("paused") }
    #expect(try hints().words[.pauseResource] == "resume" && hints().progress == nil)
    world.bench.driver.press("p")
    gate.open()
    await world.bench.settle()
    #expect(try hints().hints.first == .purgeResource)
  }
}
