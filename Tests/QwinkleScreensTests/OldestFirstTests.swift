import FoundationEssentials
import HTTPTypes
import QwinkleConfig
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Timelines with the option `order = "oldest"`: they are read from top to bottom, and newer rows are below.
@MainActor
@Suite(.bounded) struct OldestFirstTests {
  /// Shows the public timeline, oldest first, with the newest row selected.
  private func screen(
    _ server: ScriptedTimeline, rows: Int = 24, in folder: TemporaryFolder = TemporaryFolder()
  ) async throws -> Screen {
    let screen = try await Screen.settled(server, rows: rows, in: folder)
    await screen.command("set order oldest")
    return screen
  }

  private func numbers(_ newest: Int) -> [Int] { Array((1...newest).reversed()) }

  @Test func `the option turns a timeline over and keeps the selection`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([5, 4, 3, 2, 1]))
    await screen.press("j")
    await screen.command("set order oldest")
    #expect(screen.visible == [1, 2, 3, 4, 5] && screen.selected == 4, "\(screen.text)")
    #expect(screen.way.contains("4/5"), "\(screen.way)")
    await screen.press("j")
    #expect(screen.selected == 5 && screen.way.contains("5/5"), "\(screen.way)")
    await screen.command("set order newest")
    #expect(screen.visible == [5, 4, 3, 2, 1] && screen.selected == 5 && screen.way.contains("1/5"), "\(screen.text)")
  }

  @Test func `bookmarks and profiles stay newest first`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    server.handle(.get, "/api/v1/bookmarks") { _ in .json(WireEncoder.qwinks([3, 2, 1].map(ScriptedTimeline.qwink))) }
    let screen = try await screen(server)
    await screen.press("5")
    #expect(screen.visible == [3, 2, 1], "\(screen.text)")
  }

  // MARK: Opening

  /// Shows a timeline of cached rows whose read mark is at the qwink with number `read`.
  private func opened(
    at read: Int?, of newest: Int, rows: Int = 24
  ) async throws -> (Bench, TimelineViewController) {
    let bench = try Bench(rows: rows)
    let page = Page(items: numbers(newest).map(ScriptedTimeline.qwink))
    bench.cache.merge(page, at: .newest, in: .public)
    await bench.ledger.settle()
    if let read {
      let mark = ReadMark(ScriptedTimeline.qwink(read), readAt: ScriptedTimeline.start)
      bench.account.readPositions.read(.timeline(.public), upTo: mark)
    }
    let settings = ReaderSettings(ConfigReader("order = \"oldest\"").config)
    let timeline = TimelineViewController(name: .public, account: bench.account, settings: settings)
    timeline.navigator = bench.navigator
    await bench.show(timeline)
    return (bench, timeline)
  }

  private func visible(_ bench: Bench) -> [Int] {
    bench.lines.compactMap { line in
      line.firstRange(of: "Qwink ").flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
    }
  }

  @Test(arguments: [24, 45]) func `a timeline opens at its first unread row, with the last read row above it`(rows: Int)
    async throws
  {
    let (bench, timeline) = try await opened(at: 220, of: 400, rows: rows)
    #expect(timeline.selectedQwink?.id == "221", "\(bench.text)")
    #expect(visible(bench).prefix(4) == [220, 221, 222, 223], "\(bench.text)")
    #expect(bench.text.contains(TimelineWords.newSinceStart), "\(bench.text)")
  }

  @Test func `a timeline with few unread rows shows more read rows above them`() async throws {
    let (bench, timeline) = try await opened(at: 58, of: 60)
    #expect(timeline.selectedQwink?.id == "59", "\(bench.text)")
    #expect(visible(bench).suffix(3) == [58, 59, 60], "\(bench.text)")
  }

  @Test func `a timeline without unread rows or without a read position opens at its newest row`() async throws {
    for read in [60, nil] {
      let (bench, timeline) = try await opened(at: read, of: 60)
      #expect(timeline.selectedQwink?.id == "60" && visible(bench).last == 60, "\(bench.text)")
    }
  }

  @Test func `a read position that isn't cached is searched for in older pages`() async throws {
    let bench = try Bench()
    bench.api.pages("GET /api/v1/timelines/public", of: numbers(200).map(ScriptedTimeline.qwink)) {
      WireEncoder.qwinks($0)
    }
    bench.account.readPositions.read(
      .timeline(.public), upTo: ReadMark(ScriptedTimeline.qwink(90), readAt: ScriptedTimeline.start))
    let settings = ReaderSettings(ConfigReader("order = \"oldest\"").config)
    let timeline = TimelineViewController(name: .public, account: bench.account, settings: settings)
    timeline.navigator = bench.navigator
    await bench.show(timeline)
    #expect(timeline.selectedQwink?.id == "91", "\(bench.text)")
    #expect(visible(bench).prefix(3) == [90, 91, 92], "\(bench.text)")
  }

  // MARK: New rows

  @Test func `new rows arrive below the visible ones without moving them`() async throws {
    let server = ScriptedTimeline(numbers(30))
    let screen = try await screen(server)
    #expect(screen.selected == 30 && screen.visible.last == 30, "\(screen.text)")
    await screen.press("k", "j")
    let visible = screen.visible
    server.add([32, 31])
    await screen.pass(.seconds(70))
    #expect(screen.visible == visible && screen.selected == 30, "\(screen.text)")
    #expect(screen.status.contains(StatusWords.newCount(2, isBelow: true)), "\(screen.status)")
    #expect(screen.header.contains("1 Public •2"), "\(screen.header)")
    await screen.press("j")
    #expect(screen.selected == 31, "\(screen.text)")
    let line = try #require(screen.lines.firstIndex { $0.contains(TimelineWords.newSinceStart) }, "\(screen.text)")
    let first = try #require(screen.lines.firstIndex { $0.contains("Qwink 31") })
    let last = try #require(screen.lines.firstIndex { $0.contains("Qwink 30") })
    #expect(last < line && line < first, "\(screen.text)")
    await screen.press("G")
    #expect(screen.selected == 32 && !screen.status.contains(StatusWords.newBelow), "\(screen.text)")
    #expect(!screen.header.contains("1 Public •"), "\(screen.header)")
  }

  @Test func `a refresh doesn't move the rows, and moving on at the end fetches new ones`() async throws {
    let server = ScriptedTimeline(numbers(30))
    let screen = try await screen(server)
    server.add([31])
    await screen.press("R")
    #expect(screen.selected == 30 && screen.status.contains(StatusWords.newCount(1, isBelow: true)), "\(screen.text)")
    await screen.press("j")
    server.add([32])
    await screen.pass(.seconds(20))
    let count = server.refreshCount()
    await screen.press("j")
    #expect(server.refreshCount() == count + 1 && screen.selected == 31, "\(screen.text)")
    await screen.press("j")
    #expect(server.refreshCount() == count + 1 && screen.selected == 32, "\(screen.text)")
  }

  @Test func `Tab selects the oldest unread row, which is the next one below`() async throws {
    let server = ScriptedTimeline(numbers(30))
    let screen = try await screen(server)
    await screen.press("k", "k")
    server.add(Array((31...50).reversed()))
    await screen.pass(.seconds(70))
    await screen.press("Tab")
    #expect(screen.selected == 31, "\(screen.text)")
  }

  @Test func `the user's own post is shown if the newest row was selected`() async throws {
    let screen = try await screen(ScriptedTimeline(numbers(30)))
    let own = Qwink.sample(id: "31", text: "Qwink 31", author: .sample("mara"), at: ScriptedTimeline.start)
    screen.account.timelines.insertOwn(own, in: .public)
    await screen.settle()
    #expect(screen.selected == 31 && screen.visible.last == 31, "\(screen.text)")
    await screen.press("k", "k")
    let visible = screen.visible
    let next = Qwink.sample(id: "32", text: "Qwink 32", author: .sample("mara"), at: ScriptedTimeline.start)
    screen.account.timelines.insertOwn(next, in: .public)
    await screen.settle()
    #expect(screen.visible == visible && screen.selected == 29, "\(screen.text)")
  }

  // MARK: Older rows

  @Test func `scrolling to the top loads older rows above without moving the visible ones`() async throws {
    let screen = try await screen(ScriptedTimeline(numbers(100)))
    await screen.press("g", "g")
    #expect(screen.selected == 61 && screen.visible.first == 61, "\(screen.text)")
    await screen.press("k")
    #expect(screen.selected == 60 && screen.visible.first == 60, "\(screen.text)")
    for _ in 0..<3 { await screen.press("g", "g") }
    #expect(screen.selected == 1 && screen.visible.first == 1 && screen.way.contains("1/100"), "\(screen.way)")
    await screen.press("G")
    #expect(screen.selected == 100 && screen.visible.last == 100 && screen.way.contains("100/100"), "\(screen.way)")
  }

  @Test func `gg and G jump to the ends of the cache`() async throws {
    let folder = TemporaryFolder()
    try Screen.keep(numbers(900), in: folder)
    let screen = try await screen(ScriptedTimeline(numbers(900)), in: folder)
    await screen.press("g", "g")
    #expect(screen.selected == 1 && screen.visible.first == 1, "\(screen.text)")
    #expect(screen.way.contains("1/900"), "\(screen.way)")
    for _ in 0..<60 { await screen.press("^F") }
    #expect(screen.visible == screen.visible.sorted() && screen.selected ?? 0 > 200, "\(screen.text)")
    await screen.press("G")
    #expect(screen.selected == 900 && screen.visible.last == 900, "\(screen.text)")
  }

  @Test(arguments: [ScriptedTimeline.Links.next, .both])
  func `a gap is filled from its older end`(links: ScriptedTimeline.Links) async throws {
    let server = ScriptedTimeline(numbers(30))
    server.sendLinks(links)
    let screen = try await screen(server)
    server.add(Array((31...170).reversed()))
    await screen.press("R")
    await screen.press("j")
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains(TimelineWords.notLoaded) }, "\(screen.text)")
    await screen.press("Enter")
    #expect(screen.selected == 31, "\(screen.text)")
    #expect(screen.visible == screen.visible.sorted() && !screen.text.contains(TimelineWords.notLoaded))
    await screen.press("j")
    #expect(screen.selected == 32, "\(screen.text)")
  }

  // MARK: Restoration, hiding and finding

  @Test func `the position is the same after a restart`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(numbers(100))
    let first = try await screen(server, in: folder)
    await first.press("k", times: 20)
    let (visible, selected) = (first.visible, first.selected)
    first.strike("^C", "^C")
    await first.settle()
    server.add([102, 101])
    let second = try Screen(server, in: folder)
    #expect(second.visible == visible && second.selected == selected, "the first frame:\n\(second.text)")
    await second.settle()
    #expect(second.visible == visible && second.selected == selected, "\(second.text)")
  }

  @Test func `with read rows hidden only the unread ones are listed, oldest first`() async throws {
    let server = ScriptedTimeline(numbers(30))
    let screen = try await screen(server)
    await screen.press("k", "j")
    await screen.command("hide read")
    server.add([32, 31])
    await screen.press("R")
    #expect(screen.visible == [30, 31, 32] && screen.selected == 30, "\(screen.text)")
  }

  @Test func `n finds the next row below`() async throws {
    let screen = try await screen(ScriptedTimeline(numbers(20)))
    await screen.press("g", "g")
    await screen.press("/")
    screen.type("alice")
    await screen.press("Enter")
    // alice wrote 5, 10, 15 and 20.
    #expect(screen.selected == 5, "\(screen.text)")
    await screen.press("n")
    #expect(screen.selected == 10, "\(screen.text)")
    await screen.press("N")
    #expect(screen.selected == 5, "\(screen.text)")
  }
}
