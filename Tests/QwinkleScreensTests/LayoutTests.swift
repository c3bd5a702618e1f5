import HTTPTypes
import PaneKit
import PaneTrees
import QwinkleConfig
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Named arrangements of panes, with a server that has one list.
@MainActor
@Suite(.bounded) struct LayoutTests {
  private static let config = """
    [layouts]
    garden = "home*60 | (messages / #garden)*40"
    friends = "public | list/Friends"
    people = "@bob | chat/@bob"
    gone = "home | list/Nobody"
    many = "home | #a | #b | #c | #d | #e"
    """

  private func server() -> ScriptedTimeline {
    let server = ScriptedTimeline([3, 2, 1])
    Talk.begin(on: server)
    server.handle(.get, "/api/v1/lists") { _ in
      .json(WireEncoder.lists([PersonalList(id: "5", title: "Friends")]))
    }
    server.handle(.get, "/api/v1/accounts/lookup") { _ in .json(WireEncoder.qwinker(Talk.bob)) }
    return server
  }

  private func screen(
    _ config: String = config, rows: Int = 40, columns: Int = 160, in folder: TemporaryFolder = TemporaryFolder(),
    isSignedIn: Bool = true, isLinear: Bool = false, server: ScriptedTimeline? = nil
  ) async throws -> Screen {
    try folder.write(config: config)
    return try await Screen.settled(
      server ?? self.server(), rows: rows, columns: columns, in: folder, isSignedIn: isSignedIn, isLinear: isLinear)
  }

  private func command(_ line: String, _ screen: Screen) async {
    await screen.press(":")
    screen.type(line)
    await screen.press("Enter")
    await screen.settle()
  }

  /// The names of the visible panes.
  private func panes(_ screen: Screen) -> String {
    let router = screen.main.router
    let names = router.panes.shownTree.map { router.contents[$0]?.name(in: screen.account)?.word ?? "?" }
    return names.text
  }

  nonisolated private static let usual = "public*758 | messages*242"

  @Test(arguments: [
    ("garden", "home*60 | (messages / #garden)*40", "Layout garden"),
    ("Garden", "home*60 | (messages / #garden)*40", "Layout garden"),
    ("friends", "public | list/5/Friends", "Layout friends"),
    ("people", "@bob | chat/@bob", "Layout people"),
    ("gone", "home", "Layout gone, incomplete: There is no list Nobody."),
    ("single", "public", "Layout single"),
    ("messages", usual, "Layout messages"),
    ("auto", usual, "Layout auto"),
    ("gardn", usual, "Did you mean garden?"),
    ("save", usual, "No layout “save”"),
    ("save auto", usual, "A layout's name has"), ("save Auto", usual, "A layout's name has"),
    ("save a b", usual, "A layout's name has"),
  ])
  func `a layout is shown by name`(name: String, expected: String, words: String) async throws {
    let screen = try await screen()
    await command("layout \(name)", screen)
    #expect(panes(screen) == expected, "\(screen.text)")
    #expect(screen.status.contains(words), "\(screen.text)")
    #expect(screen.main.focus.hasKeys == true)
  }

  @Test func `each pane without parameters can be part of a layout`() async throws {
    let words = PaneName.words.filter { $0 != "views" }
    let config = "[layouts]\n" + words.map { "x\($0) = \"\($0) / #garden\"" }.joined(separator: "\n")
    let screen = try await screen(config)
    for word in words {
      await command("layout x\(word)", screen)
      #expect(panes(screen) == "\(word) / #garden", "\(screen.text)")
      #expect(screen.main.focus.hasKeys == true)
    }
  }

  @Test func `a layout without an account has the panes that need none`() async throws {
    let screen = try await screen(isSignedIn: false)
    await command("layout garden", screen)
    #expect(panes(screen) == "#garden" && screen.status.contains("incomplete"), "\(screen.text)")
  }

  @Test func `a narrow window shows a part of a layout and reports that`() async throws {
    let screen = try await screen(columns: 100)
    await command("layout many", screen)
    #expect(screen.main.router.panes.tree.panes.count == 6)
    let count = screen.main.router.panes.shownTree.panes.count
    #expect((2...5).contains(count) && screen.status.contains("Layout many: \(count) of 6 panes fit"), "\(screen.text)")
    screen.resize(rows: 40, columns: 220)
    #expect(screen.main.router.panes.shownTree.panes.count == 6)
  }

  @Test func `a place that is in both layouts keeps its screen, and focus stays`() async throws {
    let folder = TemporaryFolder()
    let config = "[layouts]\na = \"home | #garden\"\nb = \"#garden / public\"\n"
    let screen = try await screen(config, in: folder)
    await command("layout a", screen)
    await screen.press("^W", "l")
    await command("tag boats", screen)
    let front = screen.main.focus
    await command("layout b", screen)
    #expect(panes(screen) == "#garden / public" && screen.main.focus === front, "\(screen.text)")
    screen.strike("^C", "^C")
    await screen.settle()
    let again = try await self.screen(config, in: folder)
    #expect(panes(again) == "#garden / public" && again.main.focus.title == "#boats", "\(again.text)")
  }

  @Test func `names of the same place are one pane`() async throws {
    let screen = try await screen("[layouts]\na = \"list/Friends | list/5/Friends | home\"\n")
    for _ in 0..<2 {
      await command("layout a", screen)
      #expect(panes(screen).hasPrefix("list/5/Friends") && panes(screen).contains("home"))
      #expect(screen.main.router.panes.tree.panes.count == 2 && screen.status.contains("is there twice"))
    }
  }

  @Test func `a layout that is chosen during a fetch replaces the layout that waits for it`() async throws {
    let (server, gate) = (server(), Gate())
    server.handle(.get, "/api/v1/lists") { _ in
      await gate.whenOpen()
      return .json(WireEncoder.lists([PersonalList(id: "5", title: "Friends")]))
    }
    let screen = try await screen(server: server)
    screen.strike(":")
    screen.type("layout friends")
    screen.strike("Enter")
    screen.strike(":")
    screen.type("layout single")
    screen.strike("Enter")
    gate.open()
    await screen.settle()
    #expect(panes(screen) == "public", "\(screen.text)")
  }

  @Test func `a layout of the width that could not be fetched is fetched at the next start`() async throws {
    let folder = TemporaryFolder()
    let broken = server()
    broken.handle(.get, "/api/v1/lists") { _ in .text("", status: 500) }
    let first = try await screen(Self.widths, columns: 200, in: folder, server: broken)
    #expect(panes(first) == "public" && first.status.contains("incomplete"), "\(first.text)")
    first.strike("^C", "^C")
    await first.settle()
    let second = try await screen(Self.widths, columns: 200, in: folder)
    #expect(panes(second) == "public | list/5/Friends", "\(second.text)")
  }

  @Test func `a new width waits until the user leaves a text field`() async throws {
    let config = "[layouts]\na = \"home | #garden\"\n[layouts.width]\n80 = \"messages\"\n130 = \"a\"\n"
    let screen = try await screen(config, columns: 120)
    await screen.press("^W", "l", "Enter")
    screen.type("See")
    screen.resize(rows: 40, columns: 140)
    await screen.settle()
    screen.type(" you")
    await screen.settle()
    #expect(screen.text.contains("See you") && panes(screen).contains("messages"), "\(screen.text)")
    await screen.press("Esc")
    await screen.settle()
    #expect(panes(screen) == "home | #garden" && screen.main.focus.hasKeys == true, "\(screen.text)")
  }

  @Test func `a search that shows something else is another pane`() async throws {
    let screen = try await screen("[layouts]\na = \"home | search/leek\"\nb = \"search/leek / home\"\n")
    await command("layout a", screen)
    let search = screen.main.router.contents.values.compactMap { $0.stack(of: .search("leek")) }.first
    let root = try #require(search?.panes[0].main as? SearchViewController)
    await screen.press("^W", "l", "/")
    await screen.press("^U")
    screen.type("carrot")
    await screen.press("Enter")
    await screen.press("Esc")
    #expect(root.query == "carrot", "\(screen.text)")
    await screen.press("^W", "h")
    await command("layout b", screen)
    #expect(panes(screen) == "search/leek / home", "\(screen.text)")
  }

  @Test func `an arrangement is saved, listed and restored by its name`() async throws {
    let folder = TemporaryFolder()
    let screen = try await screen("# mine\n", in: folder)
    await command("tag garden", screen)
    await screen.press("^W", "v")
    await command("layout save mine", screen)
    #expect(screen.status.contains("Layout mine saved"), "\(screen.text)")
    let before = panes(screen)
    await command("layout single", screen)
    #expect(panes(screen) == "public")
    await command("layout mine", screen)
    #expect(panes(screen) == before && before.contains("#garden"))
    await command("layout", screen)
    #expect(screen.text.contains("mine") && screen.text.contains("auto"), "\(screen.text)")
  }

  @Test func `a pane that layouts can't have is named when saving`() async throws {
    let screen = try await screen()
    await command("followers bob", screen)
    await screen.press("^W", "v")
    await command("layout save mine", screen)
    #expect(screen.status.contains("can't be part of a saved layout"), "\(screen.text)")
  }

  // MARK: By the window's width

  private static let widths = config + "\n[layouts.width]\n80 = \"single\"\n120 = \"garden\"\n180 = \"friends\"\n"

  @Test func `the width of the window chooses a layout when it changes`() async throws {
    let screen = try await screen(Self.widths, columns: 100)
    #expect(panes(screen) == "public")
    screen.resize(rows: 40, columns: 130)
    await screen.settle()
    #expect(panes(screen) == "home*60 | (messages / #garden)*40", "\(screen.text)")
    await screen.press("^W", "o")
    screen.resize(rows: 40, columns: 140)
    await screen.settle()
    #expect(panes(screen) == "home", "the user's change stays at the same layout")
    screen.resize(rows: 40, columns: 200)
    await screen.settle()
    #expect(panes(screen) == "public | list/5/Friends")
    screen.resize(rows: 40, columns: 79)
    await screen.settle()
    #expect(screen.main.router.panes.isAutomatic && screen.main.focus.hasKeys == true)
  }

  @Test func `a restart keeps the user's changes to the layout of the width`() async throws {
    let folder = TemporaryFolder()
    let first = try await screen(Self.widths, columns: 130, in: folder)
    await first.press("^W", "j", "^W", "c")
    let before = panes(first)
    await first.press("q", "q")
    let second = try await screen(Self.widths, columns: 130, in: folder)
    #expect(panes(second) == before, "\(second.text)")
    await second.press("q", "q")
    let third = try await screen(Self.widths, columns: 200, in: folder)
    #expect(panes(third) == "public | list/5/Friends")
  }

  @Test func `an entry keeps its text and the keys while a new width arranges the panes`() async throws {
    let screen = try await screen(Self.widths, columns: 100)
    await screen.press("c")
    screen.type("A draft")
    screen.resize(rows: 40, columns: 130)
    await screen.settle()
    screen.type(" goes on")
    await screen.settle()
    #expect(screen.text.contains("A draft goes on"), "\(screen.text)")
  }

  @Test func `the option messages-pane chooses a layout at once`() async throws {
    let screen = try await screen()
    await command("set messages-pane hide", screen)
    #expect(panes(screen) == "public")
    await command("set messages-pane show", screen)
    #expect(panes(screen) == Self.usual)
  }

  @Test func `linear form shows one pane`() async throws {
    let screen = try await screen(Self.widths, columns: 130, isLinear: true)
    #expect(panes(screen) == "public")
    await command("layout garden", screen)
    #expect(panes(screen) == "public")
  }
}
