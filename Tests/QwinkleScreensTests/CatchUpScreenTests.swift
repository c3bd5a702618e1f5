import FoundationEssentials
import HTTPTypes
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Catching up with Home: the views of the list, their order, the posts that were seen, and loading.
@MainActor
@Suite(.bounded) struct CatchUpScreenTests {
  /// Returns a screen whose Home has these posts, read up to post 10.
  private func screen(
    _ home: [Qwink], rows: Int = 40, columns: Int = 80, server: ScriptedTimeline = ScriptedTimeline([3, 2, 1]),
    in folder: TemporaryFolder = TemporaryFolder()
  ) async throws -> Screen {
    server.add(home, to: "home")
    let screen = try await Screen.settled(server, rows: rows, columns: columns, in: folder)
    read(10, on: screen)
    return screen
  }

  private func read(_ number: Int, on screen: Screen, at date: Date? = nil) {
    screen.account.readPositions.read(
      .timeline(.home), upTo: ReadMark(ScriptedTimeline.qwink(number), readAt: date ?? ScriptedTimeline.start))
  }

  private func qwinks(_ numbers: ClosedRange<Int>) -> [Qwink] { numbers.reversed().map(ScriptedTimeline.qwink) }

  private func qwink(_ number: Int, _ change: (inout Qwink) -> Void) -> Qwink {
    var qwink = ScriptedTimeline.qwink(number)
    change(&qwink)
    return qwink
  }

  private func boost(_ number: Int, by name: String, id: Int) -> Qwink {
    qwink(number) { boost in
      boost.originalID = boost.id
      boost.id = Qwink.ID("\(id)")
      boost.booster = .sample(name)
      boost.boostedAt = ScriptedTimeline.qwink(id).createdAt
    }
  }

  private func mark(_ screen: Screen) -> String? { screen.account.readPositions.mark(in: .timeline(.home))?.id }

  /// Quits and saves the read positions, as the program does.
  private func quit(_ screen: Screen) async {
    screen.strike("^C", "^C")
    screen.account.readPositions.flush()
    await screen.settle()
    screen.account.outgoing?.close()
  }

  /// Whether the first characters of the row with `text` are dim.
  private func isDim(_ text: String, on screen: Screen) -> Bool? {
    guard let grid = screen.driver.frames.last?.grid, let row = screen.lines.firstIndex(where: { $0.contains(text) })
    else { return nil }
    let dim = screen.application.window.theme[.dim]
    let cells = grid.row(row).filter { !$0.text.allSatisfy(\.isWhitespace) && $0.text != "▌" }
    return cells.first.map { $0.style == dim }
  }

  // MARK: The list

  @Test func `gu lists the posts above the read position, oldest first`() async throws {
    let screen = try await screen(qwinks(1...40))
    await screen.press("g", "u")
    #expect(screen.visible.prefix(4) == [11, 12, 13, 14] && screen.selected == 11, "\(screen.text)")
    #expect(screen.way.contains(CatchUpWords.title) && screen.way.contains("30 left"), "\(screen.way)")
    #expect(screen.way.contains("1/30"), "\(screen.way)")
    // One line names the views with their keys.
    #expect(screen.text.contains("T time  @ users  C threads"), "\(screen.text)")
    await screen.press("G")
    #expect(screen.selected == 40 && screen.text.contains(PlaceholderWords.endOfList), "\(screen.text)")
    await screen.press("Enter")
    #expect(screen.way.contains("Catch up ›"), "\(screen.way)")
  }

  @Test func `the prompt command takes a number of hours or days`() async throws {
    let screen = try await screen(qwinks(451...500))
    // Post 440 is an hour old.
    await screen.command("catchup 30h")
    #expect(screen.visible.first == 451, "\(screen.text)")
    await screen.press("q")
    screen.account.catchUp.discard()
    for wrong in ["catchup soon", "catchup 0h", "catchup 8d", "catchup -3"] {
      await screen.command(wrong)
      #expect(screen.text.contains("is not a time"), "\(wrong)\n\(screen.text)")
      await screen.press("Esc")
    }
    #expect(screen.account.catchUp.state == .idle)
  }

  @Test func `catching up needs an account`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]), isSignedIn: false)
    await screen.press("g", "u")
    #expect(screen.status.contains(MainWords.thisNeedsAccount), "\(screen.text)")
  }

  @Test func `a list without posts names the keys that help`() async throws {
    let screen = try await screen(qwinks(1...10))
    await screen.press("g", "u")
    #expect(screen.text.contains("No new posts since"), "\(screen.text)")
    #expect(screen.text.contains(keyHint(CatchUpWords.opensHome)), "\(screen.text)")
  }

  // MARK: Views

  /// Two posts by carol, a reply, two posts with the same link, a picture, and a post boosted twice.
  private var variety: [Qwink] {
    let link = "https://example.org/leeks"
    func sharing(_ number: Int) -> Qwink {
      qwink(number) {
        $0.card = Qwink.Card(url: link, title: "All about leeks")
        $0.text = RichText([.init([.init("Qwink \(number) "), .init("leeks", kind: .link(url: link))])])
      }
    }
    return [
      boost(30, by: "dana", id: 22), boost(30, by: "erin", id: 21), sharing(20), sharing(18),
      qwink(17) { $0.inReplyTo = "12" },
      qwink(15) { $0.attachments = [Attachment(id: "p", kind: .image, url: "https://tilde.example/p.png")] },
    ] + qwinks(10...13)
  }

  @Test func `each view has a key`() async throws {
    let screen = try await screen(variety)
    await screen.press("g", "u")
    #expect(screen.visible == [11, 12, 13, 15, 17, 18, 20, 30], "\(screen.text)")
    #expect(screen.text.contains("boosted by dana and erin"), "\(screen.text)")
    await screen.press("I")
    #expect(screen.visible == [15], "\(screen.text)")
    await screen.press("-")
    #expect(!screen.visible.contains(17) && screen.visible.count == 7, "\(screen.text)")
    await screen.press("H")
    #expect(screen.visible == [30], "\(screen.text)")
    await screen.press("C", "g", "g")
    #expect(screen.text.contains("Thread with") && screen.text.contains("2 posts"), "\(screen.text)")
    let thread = screen.visible.drop { $0 != 12 }.prefix(2)
    #expect(Array(thread) == [12, 17], "\(screen.text)")
    await screen.press("K")
    #expect(screen.text.contains("All about leeks") && screen.text.contains("example.org"), "\(screen.text)")
    #expect(screen.text.contains("shared by"), "\(screen.text)")
    await screen.press("@")
    // Posts 12 and 17 are by carol, the others by users with one or two posts.
    #expect(screen.text.contains("@carol · 2 posts"), "\(screen.text)")
    await screen.press("T")
    #expect(screen.visible == [11, 12, 13, 15, 17, 18, 20, 30], "\(screen.text)")
    await screen.press(")")
    #expect(screen.text.contains("@carol · 2 posts"), "\(screen.text)")
    await screen.press("(", "(")
    #expect(screen.visible == [30], "\(screen.text)")
  }

  @Test func `a view without rows names the view with all posts`() async throws {
    let screen = try await screen(qwinks(1...14))
    await screen.press("g", "u", "I")
    #expect(screen.text.contains(CatchUpWords.nothing(in: .pictures)), "\(screen.text)")
    #expect(screen.text.contains(keyHint(CatchUpWords.showsAll)), "\(screen.text)")
  }

  @Test func `a link opens the post that shared it, and o opens the page`() async throws {
    let screen = try await screen(variety)
    await screen.press("g", "u", "K", "o")
    #expect(screen.opener.opened == ["https://example.org/leeks"], "\(screen.status)")
    await screen.press("Enter")
    #expect(screen.text.contains("Qwink 18"), "\(screen.text)")
  }

  @Test func `the key of post actions acts on the selected post`() async throws {
    let screen = try await screen(qwinks(1...14))
    await screen.press("g", "u", "j", "f")
    #expect(screen.server.paths.contains { $0.hasSuffix("/statuses/12/favourite") }, "\(screen.server.paths)")
    await screen.press("r")
    #expect(screen.text.contains("Qwink 12") && screen.application.window.topSheet != nil, "\(screen.text)")
  }

  @Test func `s sorts, and the selected post stays selected in each view and order`() async throws {
    let screen = try await screen([
      qwink(16) { $0.boostsCount = 3 }, qwink(15) { $0.repliesCount = 9 }, qwink(14) { $0.favouritesCount = 7 },
      qwink(13) { $0.boostsCount = 8 }, ScriptedTimeline.qwink(12), ScriptedTimeline.qwink(10),
    ])
    await screen.press("g", "u", "j")
    #expect(screen.visible == [12, 13, 14, 15, 16] && screen.selected == 13, "\(screen.text)")
    await screen.press("s")
    #expect(screen.visible.first == 15 && screen.selected == 13 && screen.text.contains("s by replies"))
    await screen.press("s")
    #expect(screen.visible.prefix(2) == [13, 16] && screen.selected == 13, "\(screen.text)")
    await screen.press("@")
    #expect(screen.selected == 13, "\(screen.text)")
    await screen.press("s", "s", "s", "T")
    #expect(screen.visible == [12, 13, 14, 15, 16] && screen.selected == 13, "\(screen.text)")
  }

  @Test func `the list is limited while the user types`() async throws {
    let screen = try await screen(qwinks(1...40))
    await screen.press("g", "u", "j", "&")
    screen.type("wink 3")
    await screen.settle()
    #expect(screen.visible.prefix(3) == [13, 23, 30], "\(screen.text)")
    screen.type("9")
    await screen.settle()
    #expect(screen.visible == [39], "\(screen.text)")
    await screen.press("Esc")
    #expect(screen.visible.count > 3 && screen.selected == 12, "\(screen.text)")
    await screen.press("&")
    screen.type("wink 4")
    await screen.press("Enter")
    #expect(screen.visible == [14, 24, 34, 40] && screen.way.contains("& wink 4"), "\(screen.text)")
    await screen.press("q")
    #expect(screen.visible.prefix(2) == [11, 12] && screen.way.contains(CatchUpWords.title), "\(screen.text)")
  }

  // MARK: Reading

  @Test func `rows that the selection passed are seen and dim`() async throws {
    let screen = try await screen(qwinks(1...40))
    await screen.press("g", "u")
    #expect(screen.way.contains("30 left"))
    await screen.press("j")
    #expect(screen.way.contains("28 left"), "\(screen.way)")
    #expect(isDim("Qwink 11", on: screen) == true && isDim("Qwink 12", on: screen) == false)
    #expect(isDim("Qwink 14", on: screen) == false)
    await screen.press("j", "k")
    #expect(screen.way.contains("27 left") && isDim("Qwink 13", on: screen) == true, "\(screen.way)")
    // A jump to the end passes rows that weren't visible.
    await screen.press("G")
    let left = 30 - screen.account.catchUp.items.count { screen.account.catchUp.isSeen($0.rowID) }
    #expect(left > 0 && left < 27 && screen.way.contains("\(left) left"), "\(screen.way)")
    #expect(!screen.account.catchUp.isSeen(ScriptedTimeline.qwink(26).rowID))
    // Going back and returning preserves what was seen.
    await screen.press("q", "g", "u")
    #expect(screen.way.contains("\(left) left"), "\(screen.way)")
  }

  @Test func `a full stop moves Home's read position to the selected post`() async throws {
    let screen = try await screen(qwinks(1...40))
    await screen.press("g", "u", "j", "j", ".")
    #expect(mark(screen) == "13" && screen.status.contains("Home is read to"), "\(screen.status)")
    #expect(screen.way.contains("27 left"), "\(screen.way)")
    await screen.press("k", ".")
    #expect(mark(screen) == "13" && screen.status.contains("already read"), "\(screen.status)")
    await screen.press("G", ".")
    #expect(mark(screen) == "40" && screen.way.contains("all seen"), "\(screen.way)")
    await screen.press("2")
    #expect(!screen.header.contains("•"), "\(screen.header)")
  }

  // MARK: Loading

  @Test func `w pauses and resumes, and the selection stays while older posts arrive above`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await screen(qwinks(1...60), server: server)
    server.limitRows(to: 10)
    let gate = Gate()
    server.holdTimelines(by: gate)
    screen.strike("g", "u")
    try await screen.wait(for: "the request") { server.refreshCount(of: "home") == 1 }
    #expect(screen.text.contains("Loading posts"), "\(screen.text)")
    screen.strike("w")
    await screen.turn()
    gate.open()
    await screen.settle()
    #expect(screen.account.catchUp.state == .paused && screen.visible.first == 51, "\(screen.text)")
    #expect(screen.status.contains("paused: 10 posts"), "\(screen.status)")
    await screen.press("j")
    #expect(screen.selected == 52)
    let row = screen.lines.firstIndex { $0.contains("Qwink 52") }
    await screen.press("w")
    #expect(screen.account.catchUp.state == .finished(.complete), "\(screen.account.catchUp.state)")
    #expect(screen.selected == 52 && screen.way.contains("42/50"), "\(screen.text)")
    #expect(screen.lines.firstIndex { $0.contains("Qwink 52") } == row)
    await screen.press("g", "g")
    #expect(screen.selected == 11, "\(screen.text)")
  }

  @Test func `before the first key, the list stays at its beginning`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await screen(qwinks(1...60), server: server)
    server.limitRows(to: 10)
    await screen.press("g", "u")
    #expect(screen.selected == 11 && screen.visible.first == 11, "\(screen.text)")
  }

  @Test func `^C cancels loading, and R starts again`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await screen(qwinks(1...60), server: server)
    server.limitRows(to: 10)
    let gate = Gate()
    server.holdTimelines(by: gate)
    screen.strike("g", "u")
    try await screen.wait(for: "the request") { server.refreshCount(of: "home") == 1 }
    screen.strike("^C")
    gate.open()
    await screen.settle()
    #expect(screen.account.catchUp.state == .finished(.cancelled), "\(screen.text)")
    #expect(screen.text.contains(CatchUpWords.cancelled), "\(screen.text)")
    await screen.press("R")
    #expect(screen.account.catchUp.state == .finished(.complete) && screen.selected == 11, "\(screen.text)")
  }

  @Test func `offline, the cached posts are listed, and R continues`() async throws {
    let folder = TemporaryFolder()
    try Screen.keep(Array((21...40).reversed()), of: .home, olderThan: 21, in: folder)
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await screen(qwinks(1...40), server: server, in: folder)
    server.setReachable(false)
    await screen.press("g", "u")
    #expect(screen.visible.first == 21, "\(screen.text)")
    #expect(screen.status.contains(ScriptedTimeline.unreachable), "\(screen.status)")
    server.setReachable(true)
    await screen.press("R")
    #expect(screen.account.catchUp.state == .finished(.complete) && screen.selected == 21, "\(screen.text)")
    await screen.press("g", "g")
    #expect(screen.selected == 11, "\(screen.text)")
  }

  @Test func `the view and the order return after a restart`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await screen(variety, server: server, in: folder)
    await screen.press("g", "u", "-", "s", "s")
    await quit(screen)
    let again = try await Screen.settled(server, rows: 40, in: folder)
    #expect(again.way.contains(CatchUpWords.title) && again.text.contains("s by boosts"), "\(again.text)")
    #expect(!again.visible.contains(17) && again.visible.count == 7, "\(again.text)")
  }

  // MARK: The offer

  @Test func `after hours away, catching up is offered once`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await screen(qwinks(1...40), server: server, in: folder)
    let offer = withKeys(CatchUpWords.offer(hours: 9))
    #expect(!screen.status.contains(offer))
    read(12, on: screen, at: ScriptedTimeline.start.addingTimeInterval(-9.5 * 3600))
    await quit(screen)
    let second = try await Screen.settled(server, columns: 100, in: folder)
    #expect(second.status.contains(offer), "\(second.text)")
    await second.press("g", "u")
    #expect(second.visible.first == 13, "\(second.text)")
    await second.press("q")
    await quit(second)
    let third = try await Screen.settled(server, columns: 100, in: folder)
    #expect(!third.status.contains(offer), "\(third.text)")
  }

  @Test(arguments: [0, 3.5])
  func `after a short time or without a read position, nothing is offered`(hours: Double) async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await Screen.settled(server, in: folder)
    if hours > 0 { read(10, on: screen, at: ScriptedTimeline.start.addingTimeInterval(-hours * 3600)) }
    await quit(screen)
    let second = try await Screen.settled(server, columns: 100, in: folder)
    #expect(!second.status.contains("Away for"), "\(second.text)")
  }
}
