@testable import PaneKit
import PaneTrees
import QwinkleModel
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// The panes that Qwinkle arranges by the window's size, and the panes that the user arranges.
@MainActor
@Suite(.bounded) struct PaneArrangingTests {
  private func screen(
    rows: Int = 24, columns: Int = 160, in folder: TemporaryFolder = TemporaryFolder()
  ) async throws -> Screen {
    let server = ScriptedTimeline([3, 2, 1])
    Talk.begin(on: server)
    return try await Screen.settled(server, rows: rows, columns: columns, in: folder)
  }

  /// The contents of the visible panes, in the text form of a tree.
  private func panes(_ screen: Screen) -> String {
    let router = screen.main.router
    return router.panes.shownTree.map { pane in
      switch router.contents[pane] {
      case .section(let section): section.rawValue
      case .place(let stack): PaneContent.placeIdentifier(inFrontOf: stack) ?? "?"
      case nil: "?"
      }
    }.withEqualShares.text
  }

  private func focus(_ screen: Screen) -> String {
    let router = screen.main.router
    return router.contents[router.panes.current].map {
      switch $0 {
      case .section(let section): section.rawValue
      case .place(let stack): PaneContent.placeIdentifier(inFrontOf: stack) ?? "?"
      }
    } ?? "?"
  }

  // MARK: By the window's size

  @Test(arguments: [
    (24, 99, "public"), (24, 100, "public | messages"), (24, 160, "public | messages"), (31, 79, "public"),
    (29, 80, "public"), (30, 80, "public / messages"), (30, 100, "public | messages"),
  ])
  func `the messages are visible where they fit`(rows: Int, columns: Int, expected: String) async throws {
    #expect(panes(try await screen(rows: rows, columns: columns)) == expected)
  }

  @Test(arguments: [(100, false), (120, false), (159, false), (160, true), (200, true)])
  func `an opened thread is next to the messages or in their place`(columns: Int, showsBoth: Bool) async throws {
    let screen = try await screen(rows: 30, columns: columns)
    await screen.press("Enter")
    #expect(panes(screen) == (showsBoth ? "public | messages" : "public"))
    #expect(screen.way.contains("┬── \(ThreadWords.title)"))
    await screen.press("^W", "h")
    #expect(panes(screen) == (showsBoth ? "public | messages" : "public"))
    await screen.press("Esc", "Esc")
    #expect(panes(screen) == "public | messages")
  }

  @Test func `the timeline has at least 60 columns and a full row of text next to the messages`() async throws {
    for columns in 100...220 {
      let size = Size(rows: 30, columns: columns)
      let tree = AutomaticPanes().tree(in: size, of: size)
      let frames = tree.frames(in: size)
      let width = try #require(frames.frame(of: .main)).size.columns
      #expect(width >= 60 && (columns < 160 || width >= 120))
    }
  }

  @Test func `^W m hides and shows the messages and survives a restart`() async throws {
    let folder = TemporaryFolder()
    let first = try await screen(columns: 120, in: folder)
    await first.press("^W", "m")
    #expect(panes(first) == "public")
    await first.press("q", "q")
    let second = try await screen(columns: 120, in: folder)
    #expect(panes(second) == "public")
    await second.press("^W", "m")
    #expect(panes(second) == "public | messages")
  }

  @Test func `messages keep their chat while they are hidden or a section`() async throws {
    let screen = try await screen(columns: 120)
    await screen.press("^W", "l", "Enter")
    #expect(screen.way.contains("\(MessagesWords.title) › Bob"))
    await screen.press("Esc", "^W", "m", "^W", "m")
    #expect(screen.way.contains("\(MessagesWords.title) › Bob"), "\(screen.way)")
    await screen.press("3")
    #expect(panes(screen) == "messages" && screen.text.contains("Bring coffee."))
  }

  // MARK: By the user

  @Test(arguments: [
    (["^Wv"], "(public | home) | messages", "home"),
    (["^Ws"], "(public / home) | messages", "home"),
    (["^Wv", "^Wh"], "(public | home) | messages", "public"),
    (["^Wv", "4"], "(public | notifications) | messages", "notifications"),
    (["^Wv", "3"], "(public | home) | messages", "messages"),
    (["^Ws", "^Wk"], "(public / home) | messages", "public"),
    (["^Ws", "^Wk", "^Wj"], "(public / home) | messages", "home"),
    (["^Wv", "^Wl"], "(public | home) | messages", "messages"),
    (["^Wv", "^Ww", "^Ww"], "(public | home) | messages", "public"),
    (["^Wv", "^Wc"], "public | messages", "messages"),
    (["^Wl", "^Wl", "^Wc"], "public", "public"),
    (["^Wo"], "public", "public"),
    (["^Wl", "^Wl", "^Wo"], "messages", "messages"),
    (["^Wo", "^Wm"], "public | messages", "public"),
    (["^Wv", "^Wm"], "public | home", "home"),
    (["^Wx"], "messages | public", "public"),
    (["^Ws", "^Wx"], "(public / messages) | home", "home"),
    (["^Wv", "^Wz"], "home", "home"),
    (["^Wv", "^Wz", "^Wz"], "(public | home) | messages", "home"),
    (["^Wv", "^Wz", "1"], "(public | home) | messages", "public"),
    (["^Wo", "^Wc"], "public", "public"),
    (["^Wz", "^Wm"], "public | messages", "public"),
    (["^Wz", "^Ww", "^Ww"], "public | messages", "messages"),
    (["^Wm", "^Wv", "^Wc", "^Wm"], "public | messages", "public"),
  ])
  func `keys arrange the panes`(keys: [String], expected: String, focused: String) async throws {
    let screen = try await screen(rows: 40)
    for key in keys {
      if key.hasPrefix("^W") { await screen.press("^W", String(key.dropFirst(2))) } else { await screen.press(key) }
    }
    #expect(panes(screen) == expected, "\(screen.text)")
    #expect(focus(screen) == focused)
    #expect(screen.main.focus.hasKeys == true)
  }

  @Test func `a split moves an opened place to the new pane`() async throws {
    let screen = try await screen()
    await screen.press(":")
    screen.type("tag garden")
    await screen.press("Enter", "^W", "v")
    #expect(panes(screen) == #"(public | "timeline #garden") | messages"#)
    #expect(screen.way.hasPrefix("── Public ──") && screen.way.contains("── #garden"), "\(screen.way)")
  }

  @Test func `going back from a section returns to the place of the pane`() async throws {
    let screen = try await screen()
    await screen.press(":")
    screen.type("tag garden")
    await screen.press("Enter", "^W", "v", "4")
    #expect(focus(screen) == "notifications")
    await screen.press("Esc")
    #expect(focus(screen) == "timeline #garden")
    await screen.press(":")
    screen.type("tag garden")
    await screen.press("Enter")
    #expect(screen.main.router.panes.focused.panes.count == 1)
  }

  @Test func `a focused place has the keys after a restart`() async throws {
    let folder = TemporaryFolder()
    let first = try await screen(in: folder)
    await first.press(":")
    first.type("tag garden")
    await first.press("Enter", "^W", "v", "q", "q")
    let second = try await screen(in: folder)
    #expect(focus(second) == "timeline #garden" && second.main.focus.hasKeys == true)
    #expect(second.main.focus.isOnScreen)
  }

  @Test func `a long notice doesn't hide the messages`() async throws {
    let screen = try await screen(rows: 30, columns: 80)
    screen.main.say(String(repeating: "A long notice. ", count: 12), .warning)
    await screen.settle()
    #expect(panes(screen) == "public / messages", "\(screen.text)")
  }

  @Test func `^W o without other panes leaves the messages to the window's size`() async throws {
    let screen = try await screen(rows: 24, columns: 80)
    await screen.press("^W", "o")
    #expect(screen.status.contains(MainWords.isOnlyPane))
    screen.resize(rows: 30, columns: 120)
    await screen.settle()
    #expect(panes(screen) == "public | messages")
  }

  @Test func `returning from a profile to an open thread leaves the messages hidden`() async throws {
    let screen = try await screen(rows: 30, columns: 120)
    await screen.press("Enter", "a")
    #expect(panes(screen) == "public | messages")
    await screen.press("Esc")
    #expect(panes(screen) == "public" && screen.way.contains("┬── \(ThreadWords.title)"), "\(screen.text)")
  }

  @Test func `linear form has no messages next to the timeline`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    Talk.begin(on: server)
    let screen = try await Screen.settled(server, rows: 40, columns: 99, isLinear: true)
    #expect(panes(screen) == "public")
  }

  @Test func `panes, places and focus return after a restart`() async throws {
    let folder = TemporaryFolder()
    let first = try await screen(rows: 40, columns: 200, in: folder)
    await first.press(":")
    first.type("tag garden")
    await first.press("Enter", "^W", "v", "^W", "s", "^W", ">", "^W", "+")
    let (before, way) = (panes(first), first.way)
    #expect(before.contains("#garden"))
    await first.press("q", "q")
    let second = try await screen(rows: 40, columns: 200, in: folder)
    #expect(
      panes(second) == before && focus(second) == focus(first) && second.way == way, "\(first.text)\n\(second.text)")
  }

  @Test func `a pane without room is refused`() async throws {
    let screen = try await screen(rows: 20, columns: 60)
    await screen.press("^W", "v", "^W", "v")
    #expect(panes(screen) == "public | home" && screen.status.contains(MainWords.noRoomForPane))
    await screen.press("^W", "s", "^W", "s", "^W", "s", "^W", "s")
    #expect(screen.status.contains(MainWords.noRoomForPane))
  }

  @Test func `a small window shows the focused pane, and a large one all panes again`() async throws {
    let screen = try await screen(rows: 40, columns: 200)
    await screen.press("^W", "v", "^W", "s")
    let all = panes(screen)
    let focused = focus(screen)
    screen.resize(rows: 12, columns: 40)
    #expect(panes(screen) == focused)
    screen.resize(rows: 40, columns: 200)
    #expect(panes(screen) == all)
  }

  @Test func `keys and the mouse change sizes`() async throws {
    let screen = try await screen(rows: 40)
    await screen.press("^W", "v", "^W", "h")
    func width() -> Int { screen.main.router.panes.focused.view.frame.size.columns }
    func height() -> Int { screen.main.router.panes.focused.view.frame.size.rows }
    let columns = width()
    await screen.press("^W", ">")
    #expect(width() == columns + 4)
    await screen.press("^W", "<", "^W", "<")
    #expect(width() == columns - 4)
    await screen.press("^W", "=")
    #expect((52...53).contains(width()))
    await screen.press("^W", "s", "^W", "+")
    let rows = height()
    await screen.press("^W", "-")
    #expect(height() == rows - 2)
    let top = screen.main.router.panes.focused.view.originInWindow
    screen.driver.mouse(.press, row: top.row, column: top.column + 5)
    screen.driver.mouse(.drag, row: top.row - 3, column: top.column + 5)
    await screen.settle()
    #expect(height() == rows + 1)
  }

  @Test func `random panes never overlap and one always has focus`() async throws {
    for seed in Soak.seeds(4) {
      var random = SplitMix(seed: seed)
      let screen = try await screen(rows: 50, columns: 200)
      let keys = ["v", "s", "c", "o", "x", "z", "m", "h", "j", "k", "l", "w", "<", ">", "+", "-", "="]
      for _ in 0..<60 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: await screen.press(String(Int.random(in: 1...6, using: &random)))
        case 1: await screen.press(["Enter", "Esc", "j", "a"].randomElement(using: &random) ?? "j")
        case 2:
          screen.resize(rows: .random(in: 1...60, using: &random), columns: .random(in: 1...220, using: &random))
        default: await screen.press("^W", keys.randomElement(using: &random) ?? "v")
        }
        let root = screen.application.window.rootView
        let isTiny = root.frame.size.rows < 12 || root.frame.size.columns < 40
        let allowed: Set<LayoutIssue> = isTiny ? [.cut, .tooSmall] : []
        #expect(Set(root.layoutIssues).isSubset(of: allowed), "seed \(seed)\n\(root.layoutTrace)\n\(screen.text)")
        #expect(screen.main.focus.isOnScreen && screen.main.focus.hasKeys == true, "seed \(seed)\n\(screen.text)")
      }
    }
  }
}

extension PaneTree {
  /// The tree with equal shares, so that its text has no weights.
  fileprivate var withEqualShares: PaneTree {
    guard case .split(let axis, _, let first, let second) = self else { return self }
    return .split(axis, share: 0.5, first.withEqualShares, second.withEqualShares)
  }
}
