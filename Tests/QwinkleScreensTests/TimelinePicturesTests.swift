import Foundation
import OnDemandResources
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

/// Pictures and avatars in a timeline.
@MainActor
@Suite(.bounded) struct TimelinePicturesTests {
  /// A timeline in which each qwink has a picture and an avatar.
  private struct World {
    let bench: Bench
    let files: PictureFiles
    let manager: ResourceManager
    let settings: ReaderSettings
    let timeline: TimelineViewController

    /// Requested picture addresses, without avatars.
    var pictures: [String] { files.asked.filter { $0.contains("/media/") } }
  }

  private func world(
    _ count: Int = 60, isSensitive: Bool = false, gate: Gate? = nil, setting: (ReaderSettings) -> Void = { _ in }
  ) async throws -> World {
    let bench = try Bench()
    let rows = (1...count).reversed().map { number in
      var qwink = ScriptedTimeline.qwink(number)
      qwink.isSensitive = isSensitive
      qwink.attachments = [
        Attachment(
          id: .init("a\(number)"), kind: .image, url: "https://tilde.example/media/large-\(number).png",
          previewURL: "https://tilde.example/media/\(number).png", altText: "Leek \(number)", width: 96, height: 64)
      ]
      qwink.author.avatarURL = "https://tilde.example/faces/\(qwink.author.userName).png"
      return TimelineCache.Row(.qwink(qwink))
    }
    bench.cache.replace(rows, of: .public, older: nil)
    bench.cache.flush()
    let files = PictureFiles(try PictureFiles.gradient(), gate: gate)
    let shelf = files.shelf(for: bench)
    let manager = shelf.resources
    let settings = ReaderSettings()
    setting(settings)
    let timeline = TimelineViewController(name: .public, account: bench.account, settings: settings, shelf: shelf)
    await bench.show(timeline)
    return World(bench: bench, files: files, manager: manager, settings: settings, timeline: timeline)
  }

  @Test func `visible pictures load once the reader rests and appear below their descriptions`() async throws {
    let world = try await world()
    #expect(world.files.asked.isEmpty)
    await world.bench.pass(.milliseconds(150))
    // 24 rows fit two cells and part of a third.
    #expect(
      Set(world.pictures) == ["60", "59"].reduce(into: []) { $0.insert("https://tilde.example/media/\($1).png") })
    let place = try #require(world.bench.lines.firstIndex { $0.contains("▣ 1 picture: Leek 60") })
    let below = world.bench.lines[(place + 1)...].prefix(8).joined()
    #expect(below.blockCount > 40)
    #expect(world.bench.text.blockCount > 80)
  }

  @Test func `no picture is fetched for rows that were scrolled past`() async throws {
    let world = try await world()
    await world.bench.press("^F", "^F", "^F", "^F", "^F", "G")
    #expect(world.files.asked.isEmpty)
    await world.bench.pass(.milliseconds(150))
    #expect(!world.pictures.isEmpty && world.pictures.count <= 3)
    #expect(world.pictures.contains("https://tilde.example/media/1.png"))
  }

  /// Numbers of the requested pictures.
  private func numbers(_ world: World) -> [Int] {
    world.pictures.compactMap { Int($0.dropFirst("https://tilde.example/media/".count).dropLast(4)) }
  }

  @Test func `after a longer rest the next page is fetched in reading direction`() async throws {
    let world = try await world()
    await world.bench.pass(.milliseconds(150))
    let seen = numbers(world)
    await world.bench.pass(.milliseconds(600))
    #expect(Array(numbers(world).prefix(seen.count)) == seen)
    let ahead = Array(numbers(world).dropFirst(seen.count))
    #expect(!ahead.isEmpty && ahead.count <= 4)
    #expect(ahead.first == 58 && Set(ahead) == Set((59 - ahead.count)..<59), "\(ahead)")
    #expect(Set(world.files.asked).count == world.files.asked.count)
    // After turning back from the end, pictures above are fetched, not those below.
    await world.bench.press("G")
    await world.bench.pass(.milliseconds(150))
    await world.bench.press("^B")
    await world.bench.pass(.milliseconds(150))
    let before = Set(numbers(world))
    let lowest = try #require(numbers(world).suffix(2).max())
    await world.bench.pass(.milliseconds(600))
    let above = Set(numbers(world)).subtracting(before)
    #expect(!above.isEmpty && above.allSatisfy { $0 > lowest })
  }

  @Test func `nothing is prefetched while the reader keeps scrolling`() async throws {
    let world = try await world()
    for key in ["^F", "^B", "^F", "^B", "^F", "^B"] {
      await world.bench.press(key)
      await world.bench.pass(.milliseconds(500))
    }
    let seen = Set(numbers(world))
    #expect(seen.count <= 8 && seen.allSatisfy { $0 > 52 })
    world.manager.isMetered = true
    await world.bench.pass(.seconds(5))
    #expect(Set(numbers(world)) == seen)
  }

  @Test func `pictures that scroll out of view are released`() async throws {
    let world = try await world()
    await world.bench.pass(.milliseconds(150))
    let first = world.manager.bytesInUse
    #expect(first > 0)
    for _ in 0..<10 {
      await world.bench.press("^F")
      await world.bench.pass(.milliseconds(150))
      #expect(world.manager.bytesInUse <= 2 * first)
    }
  }

  /// Whether all resources of a tag are in use.
  private func isHeld(_ tag: ResourceTag, _ world: World) -> Bool {
    if case .inUse = world.manager.status(of: tag).state { true } else { false }
  }

  @Test func `a page retains its visible resources until the reader leaves`() async throws {
    let world = try await world()
    let tag = ResourceTag("timeline public")
    await world.bench.pass(.milliseconds(150))
    let first = world.manager.resources(of: tag)
    #expect(Set(first) == Set(world.files.asked) && isHeld(tag, world))
    await world.bench.press("G")
    await world.bench.pass(.milliseconds(150))
    let last = world.manager.resources(of: tag)
    #expect(last.contains("https://tilde.example/media/1.png") && isHeld(tag, world))
    #expect(Set(last).isDisjoint(with: first.filter { $0.contains("/media/") }))
    world.bench.application.window.rootViewController = ViewController()
    await world.bench.settle()
    #expect(world.manager.status(of: tag).state == .here && world.manager.bytesInUse == 0)
  }

  @Test func `avatars are cached longest and full-size pictures shortest`() async throws {
    let world = try await world()
    let qwink = try #require(world.timeline.selectedQwink)
    let tags: [ResourceTag] = [.avatar(of: qwink.author), .pictures(of: qwink), .picture(0, of: qwink)]
    let priorities = tags.map(world.manager.preservationPriority)
    #expect(priorities[0] > priorities[1] && priorities[1] > priorities[2])
    #expect(world.manager.preservationPriority(of: .page(of: .public)) == priorities[1])
  }

  @Test func `an avatar replaces its letters once it has loaded`() async throws {
    let world = try await world()
    let letters = world.bench.lines.filter { $0.contains("@") }.map { $0.dropFirst(2).prefix(2) }
    #expect(letters.allSatisfy { $0.allSatisfy(\.isLetter) })
    await world.bench.pass(.milliseconds(150))
    let avatars = Set(world.files.asked.filter { $0.contains("/faces/") })
    #expect(!avatars.isEmpty && world.files.asked.filter { $0.contains("/faces/") }.count == avatars.count)
    let faces = world.bench.lines.filter { $0.contains("@") }.map { $0.dropFirst(2).prefix(3) }
    #expect(faces.allSatisfy { $0.unicodeScalars.allSatisfy { (0x2580...0x259F).contains($0.value) || $0 == " " } })
  }

  @Test func `a sensitive picture is covered and isn't fetched until it is revealed`() async throws {
    let world = try await world(isSensitive: true)
    await world.bench.pass(.milliseconds(150))
    #expect(world.pictures.isEmpty)
    #expect(world.bench.text.contains(withKeys(PictureWords.covered)))
    world.bench.account.timelines.toggleReveal(try #require(world.timeline.selectedQwink))
    await world.bench.pass(.milliseconds(150))
    #expect(world.pictures == ["https://tilde.example/media/60.png"])
  }

  @Test func `progress is shown in place of a loading picture`() async throws {
    let gate = Gate()
    let world = try await world(gate: gate)
    world.bench.clock.advance(by: .milliseconds(150))
    try await world.bench.wait(for: "progress") { world.bench.text.contains(PictureWords.loading(0.4)) }
    gate.open()
    await world.bench.settle()
    #expect(!world.bench.text.contains(PictureWords.loading(nil)))
  }

  @Test func `nothing is fetched when pictures are off or the list is compact`() async throws {
    let off = try await world { $0.pictures = .off }
    await off.bench.pass(.seconds(1))
    #expect(off.files.asked.isEmpty)
    let compact = try await world { $0.density = .compact }
    await compact.bench.pass(.seconds(1))
    #expect(compact.files.asked.isEmpty)
    off.settings.pictures = .cells
    await off.bench.pass(.seconds(1))
    #expect(!off.files.asked.isEmpty)
  }

  @Test func `a metered connection shows a hint in place of the picture`() async throws {
    let world = try await world()
    world.manager.isMetered = true
    await world.bench.pass(.milliseconds(150))
    #expect(world.files.asked.isEmpty)
    #expect(world.bench.text.contains(ResourceError.needsKey.sentence))
  }

  @Test func `a server's default avatar doesn't count as an avatar`() {
    var qwinker = Qwinker.sample("bob")
    for address in ["https://m.example/avatars/original/missing.png", "http://local/avatars/bob.png", ""] {
      qwinker.avatarURL = address
      #expect(qwinker.ownAvatar == nil)
    }
    qwinker.avatarURL = "https://m.example/accounts/avatars/1/bob.png"
    #expect(qwinker.ownAvatar != nil)
  }

  // MARK: Layout

  @Test func `pictures are laid out side by side within the text column`() {
    func slot(_ width: Int, _ height: Int) -> PictureSlot {
      PictureSlot(
        address: "a", tag: ResourceTag("t"), width: width, height: height, blurhash: nil, isCovered: false)
    }
    let one = PictureRow.places([slot(96, 64)], columns: 60)
    #expect(one.map(\.size) == [Size(rows: 8, columns: 24)])
    let two = PictureRow.places([slot(96, 64), slot(1000, 100)], columns: 60)
    #expect(two.map(\.column) == [0, 25])
    #expect(two.allSatisfy { $0.size.rows <= 8 && $0.column + $0.size.columns <= 60 })
    for columns in 1...80 {
      let places = PictureRow.places(Array(repeating: slot(100, 100), count: 4), columns: columns)
      #expect(places.allSatisfy { $0.column + $0.size.columns <= columns })
    }
  }
}
