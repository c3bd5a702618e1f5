import PaneKit
import Pictures
import QwinkleConfig
import QwinkleModel
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import OnDemandResources
@testable import QwinkleScreens

/// The list of cached pictures.
@MainActor
@Suite(.bounded) struct ResourcesScreenTests {
  private func world(gate: Gate? = nil, rows: Int = 24, columns: Int = 80) async throws -> PictureBench {
    let world = try PictureBench(PictureBench.file, gate: gate, rows: rows, columns: columns)
    world.manager.setResources(["https://tilde.example/bob.png"], for: world.tag)
    let screen = ResourcesViewController(account: world.bench.account, managers: [world.manager])
    screen.navigator = world.bench.navigator
    await world.bench.show(screen)
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

  @Test func `pictures of a post are named by its author and first words instead of its ID`() throws {
    let qwink = Qwink.sample(id: "70", text: "Which font?", author: .sample("bob"), at: ScriptedTimeline.start)
    let tags: [(ResourceTag, ResourceTag.QwinkPart)] = [
      (.pictures(of: qwink), .pictures), (.thumbnail(1, of: qwink), .picture(2)), (.picture(0, of: qwink), .picture(1)),
      (.thread(of: qwink), .thread),
    ]
    for (tag, expected) in tags {
      let (part, id) = try #require(tag.qwink, "\(tag.name)")
      #expect(part == expected && id == "70", "\(tag.name)")
      let words = ResourceWords.name(part, of: qwink, under: nil)
      #expect(words.contains("@bob") && words.hasSuffix(OutboxWords.quoted("Which font?")))
      #expect(!words.contains("70") && !ResourceWords.name(part, of: nil, under: nil).contains("70"))
      // A notice and the reason have no room for the text.
      #expect(words.hasPrefix(ResourceWords.name(part, of: qwink)))
      #expect(ResourceWords.name(part, of: qwink).hasSuffix("of @bob"))
    }
    for tag in [ResourceTag.ownAvatar, .avatar(of: qwink.author), .page(of: .home), .emoji(at: "https://a/b.png")] {
      #expect(tag.qwink == nil, "\(tag.name)")
    }
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
    let gate = Gate()
    let world = try PictureBench(PictureBench.file, gate: gate)
    let (bench, shelf) = (world.bench, world.shelf)
    let list = Viewer()
    let wish = PictureWish(
      address: "https://tilde.example/bob.png", tag: world.tag, order: PictureOrder(room: CellPictures.avatarSize))
    shelf.look(at: [wish], for: list) {}
    let screen = ResourcesViewController(account: bench.account, managers: [shelf.resources], shelf: shelf)
    screen.navigator = bench.navigator
    shelf.lookAway(list)
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

  @Test func `plus and minus change the priority of a tag, also in the next run`() async throws {
    let world = try await world()
    func level() -> Int { ResourceWords.level(world.manager.preservationPriority(of: world.tag)) }
    #expect(level() == 8)
    await world.bench.press("+")
    #expect(level() == 9 && world.bench.text.contains(ResourceWords.priority(0.9)))
    #expect(world.bench.navigator.words.last == ResourceWords.chosen(world.tag.name, 0.9))
    await world.bench.press("+", "+")
    #expect(level() == 10 && world.bench.navigator.words.last == ResourceWords.isHighest)
    for _ in 0..<10 { await world.bench.press("-") }
    #expect(level() == 0)
    await world.bench.press("-")
    #expect(world.bench.navigator.words.last == ResourceWords.isLowest)
    let next = ResourceManager(
      index: world.manager.index, fetcher: world.files, clock: world.bench.clock, ledger: world.bench.ledger)
    await next.loaded()
    #expect(next.preservationPriority(of: world.tag) == 0)
  }

  @Test func `a file's row names the screens that use it, then the tag that retains it`() async throws {
    let world = try await world()
    await world.bench.press("Enter")
    #expect(world.bench.text.contains(ResourceWords.isNext))
    let users = ["Home", "thread of @bob"].map { world.manager.request([world.tag], owner: $0) }
    for user in users { user.begin() }
    await world.bench.settle()
    #expect(world.bench.text.contains("in use by Home, thread of @bob"))
    // Another file has a lower priority, so this one isn't next any more.
    let other = ResourceTag("picture 1 of qwink 7")
    world.manager.setResources(["https://tilde.example/other.png"], for: other)
    let request = world.manager.request([other])
    request.begin()
    await world.bench.settle()
    request.end()
    for user in users { user.end() }
    await world.bench.settle()
    #expect(world.bench.text.contains("kept: priority 8/10") && !world.bench.text.contains("in use by"))
    world.manager.setResources(["https://tilde.example/bob.png"], for: .ownAvatar)
    world.manager.load()
    await world.bench.settle()
    #expect(world.bench.text.contains("kept: own avatar, priority 9/10"))
  }

  @Test func `a list and a thread that show a picture are named`() async throws {
    let bench = try Bench()
    let shelf = PictureFiles(try PictureFiles.gradient()).shelf(for: bench)
    var qwink = Qwink.sample(id: "7", text: "The leek survives.", author: .sample("bob"))
    qwink.author.avatarURL = "https://tilde.example/faces/bob-own.png"
    let thread = ThreadViewController(account: bench.account, shelf: shelf)
    thread.show(qwink)
    await bench.show(thread)
    await bench.pass(.milliseconds(150))
    #expect(shelf.resources.status(of: .avatar(of: qwink.author)).owners == [ResourceWords.thread(by: qwink.author)])
  }

  @Test func `each kind of tag has the priority that the option sets`() throws {
    let qwink = Qwink.sample(id: "7", author: .sample("bob"))
    let tags: [(ResourceTag, ResourceKind)] = [
      (.ownAvatar, .ownAvatar), (.avatar(of: qwink.author), .avatars), (.emoji(at: "https://a/b.png"), .emoji),
      (.pictures(of: qwink), .posts), (.picture(0, of: qwink), .pictures), (.page(of: .home), .home),
      (.page(of: .bookmarks), .bookmarks), (.page(of: .public), .timelines), (.thread(of: qwink), .threads),
      (ResourceTag("theme https://a/b.txt"), .themes), (ResourceTag("keymap https://a/b.txt"), .themes),
    ]
    #expect(Set(tags.map(\.1)) == Set(ResourceKind.allCases))
    for (tag, kind) in tags {
      #expect(tag.kind == kind)
      #expect(tag.priority(by: Preservation([])) == Double(kind.standardPriority) / 10, "\(kind)")
      #expect(tag.priority(by: Preservation(["\(kind.rawValue)=2"])) == 0.2, "\(kind)")
    }
    #expect(ResourceTag("something new").kind == nil)
  }

  @Test func `dropped pictures are reported with their size`() async throws {
    let world = try await world()
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    screen.main.reporter.resources(world.manager, didDropForDiskSpace: 12 << 20)
    await screen.settle()
    #expect(screen.status.contains(ResourceWords.dropped(12 << 20)))
  }

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

extension PictureBench {
  fileprivate static let file = [UInt8](repeating: 7, count: 2048)

  fileprivate var tag: ResourceTag { ResourceTag("avatar @bob") }
  fileprivate var notHere: String { ResourceWords.state(.notHere) }
  fileprivate var here: String { ResourceWords.state(.here) }
  fileprivate var loading: String { PictureWords.loading(0.4) }
  fileprivate var paused: String { ResourceWords.state(.paused(0.4)) }

  fileprivate func row(_ words: String) -> Bool { bench.lines.contains { $0.contains("avatar @bob  \(words)") } }
}
