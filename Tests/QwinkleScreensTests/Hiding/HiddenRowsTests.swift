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

/// Rows that timelines hide by rule or because they were read, and the key that shows them.
@MainActor
@Suite(.bounded) struct HiddenRowsTests {
  private func use(_ config: String, on screen: Screen) async {
    screen.main.factory.settings.use(ConfigReader(config).config)
    await screen.settle()
  }

  // MARK: Read rows

  @Test func `read rows are hidden, and rows read in this visit stay until a refresh`() async throws {
    let server = ScriptedTimeline([5, 4, 3, 2, 1])
    let screen = try await Screen.settled(server, rows: 40)
    await screen.press("j")
    await screen.command("hide read")
    #expect(screen.visible == [4], "the selected row stays:\n\(screen.text)")
    #expect(screen.way.contains(HidingWords.title([.read])) && screen.way.contains(HidingWords.count(4)))
    server.add([7, 6])
    await screen.press("R")
    #expect(screen.visible == [7, 6, 4], "\(screen.text)")
    await screen.press("j", "k")
    #expect(screen.visible == [7, 6, 4], "\(screen.text)")
    await screen.press("R")
    #expect(screen.visible == [7] && screen.selected == 7, "\(screen.text)")
    await screen.press("g", "h")
    #expect(screen.visible == [7, 6, 5, 4, 3, 2, 1] && screen.way.contains(HidingWords.isLifted), "\(screen.text)")
    await screen.press("g", "h")
    #expect(screen.visible == [7] && screen.way.contains(HidingWords.count(6)), "\(screen.text)")
    await screen.command("show")
    #expect(screen.visible == [7, 6, 5, 4, 3, 2, 1] && !screen.way.contains(HidingWords.title([])))
  }

  @Test func `read rows are not fetched while they are hidden`() async throws {
    let server = ScriptedTimeline(Array((1...300).reversed()))
    let screen = try await Screen.settled(server)
    await screen.press("j")
    await screen.command("hide read")
    let count = server.paths.count
    for _ in 0..<3 { await screen.press("G", "j") }
    #expect(server.paths.count == count, "\(server.paths.suffix(3))")
    #expect(screen.visible == [299], "\(screen.text)")
  }

  @Test func `read rows contain neither skipped nor spared rows`() {
    let rows = (1...5).reversed().map { Timeline.Row.qwink(ScriptedTimeline.qwink($0)) }
    let mark = ReadMark(ScriptedTimeline.qwink(4), readAt: nil)
    let read = ReadRows(
      rows, mark: mark, skipped: [SkippedRow(ScriptedTimeline.qwink(3))], spared: [ScriptedTimeline.qwink(2).rowID])
    #expect(rows.indices.filter { read?.contains(rows[$0], at: $0) == true } == [1, 4])
    #expect(ReadRows(rows, mark: nil, skipped: [], spared: []) == nil)
  }

  // MARK: Rules

  @Test func `a rule of the configuration hides rows, and a key shows them`() async throws {
    let server = ScriptedTimeline([5, 4, 3, 2, 1])
    let screen = try await Screen.settled(server)
    await use("[hide-rules]\ndana = \"from:@dana\"", on: screen)
    #expect(screen.visible == [5, 4, 2, 1] && screen.way.contains(HidingWords.count(1)), "\(screen.text)")
    await screen.press("g", "h")
    #expect(screen.visible == [5, 4, 3, 2, 1], "\(screen.text)")
    #expect(screen.status.contains(HidingWords.lifted(1)), "\(screen.status)")
    await screen.press("g", "h")
    #expect(screen.visible == [5, 4, 2, 1], "\(screen.text)")
    await use("", on: screen)
    #expect(screen.visible == [5, 4, 3, 2, 1] && !screen.way.contains("hidden"), "\(screen.text)")
  }

  @Test func `rows hidden by a rule don't count as unread`() async throws {
    let server = ScriptedTimeline([5, 4, 3, 2, 1], home: [5, 4, 3, 2, 1])
    let folder = TemporaryFolder()
    let screen = try await Screen.settled(server, in: folder)
    await use("[hide-rules]\ndana = \"from:@dana\"", on: screen)
    await screen.press("j")
    // 8 is by dana.
    server.add([8, 7])
    await screen.pass(.seconds(70))
    #expect(screen.visible.first == 7, "\(screen.text)")
    #expect(screen.header.contains("1 Public •1"), "\(screen.header)")
    await screen.press("2", "j")
    #expect(screen.header.contains("1 Public •1"), "\(screen.header)")
  }

  @Test func `a typed rule applies until the end of the visit and never to the user's own posts`() async throws {
    let server = ScriptedTimeline([5, 4, 3, 2, 1])
    server.add([.sample(id: "6", text: "Qwink 6", author: .sample("mara"))])
    let screen = try await Screen.settled(server)
    await screen.command("hide 'Qwink'")
    #expect(screen.visible == [6], "\(screen.text)")
    #expect(screen.status.contains(HidingWords.chosen("'Qwink'")), "\(screen.status)")
    await screen.press("2", "1")
    #expect(screen.visible == [6, 5, 4, 3, 2, 1], "\(screen.text)")
    await screen.command("hide from:@bob or from:@carol")
    #expect(screen.visible == [6, 5, 4, 3], "\(screen.text)")
    await screen.command("show")
    #expect(screen.visible == [6, 5, 4, 3, 2, 1], "\(screen.text)")
    await screen.command("hide from:@bob bost")
    #expect(screen.text.contains("No “bost” in rules"), "\(screen.text)")
  }

  @Test func `a timeline with only rows that a rule hides names the key that shows them`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]))
    await use("[hide-rules]\nall = \"public\"", on: screen)
    #expect(screen.text.contains(HidingWords.onlyHidden), "\(screen.text)")
    await screen.press("g", "h")
    #expect(screen.visible == [3, 2, 1], "\(screen.text)")
  }

  @Test func `profiles and bookmarks show posts that match a rule`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    server.handle(.get, "/api/v1/bookmarks") { _ in .json(WireEncoder.qwinks([ScriptedTimeline.qwink(3)])) }
    let screen = try await Screen.settled(server)
    await use("[hide-rules]\nall = \"public\"", on: screen)
    await screen.press("5")
    #expect(screen.visible == [3], "\(screen.text)")
  }

  @Test func `a view leaves out posts that match a rule`() async throws {
    let bench = try Bench()
    let qwinks = [ScriptedTimeline.qwink(8), ScriptedTimeline.qwink(7)]
    bench.cache.merge(Page(items: qwinks), at: .newest, in: .public)
    await bench.ledger.settle()
    let settings = ReaderSettings(ConfigReader("[hide-rules]\ndana = \"from:@dana\"").config)
    let view = try OwnView(name: "mine", text: "'qwink'")
    let screen = SavedSearchViewController(view, account: bench.account, settings: settings)
    screen.navigator = bench.navigator
    await bench.show(screen)
    #expect(screen.rows.map(\.id) == ["7"] && screen.hidingWords == HidingWords.count(1), "\(bench.text)")
    await bench.press("g", "h")
    #expect(screen.rows.map(\.id) == ["8", "7"] && screen.hidingWords == HidingWords.isLifted, "\(bench.text)")
  }
}
