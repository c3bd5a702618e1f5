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

  private func world(gate: Gate? = nil) async throws -> World {
    let bench = try Bench()
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
