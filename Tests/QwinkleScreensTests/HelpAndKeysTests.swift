import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct HelpAndKeysTests {
  @Test func `the help lists every binding`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]), rows: 480, columns: 90)
    screen.strike("?")
    for binding in try Screen.keymap().bindings {
      let keys = binding.sequences.map(Keymap.name(of:))
      #expect(
        screen.lines.contains { line in line.contains(binding.summary) && keys.allSatisfy(line.contains) },
        "\(binding.context.rawValue) \(binding.action) is missing")
    }
  }

  @Test func `the bottom bar names a help key that works in the current context`() async throws {
    let screen = try await Screen.settled()
    let (help, always) = (try Screen.hint(for: .help, in: .global), try Screen.hint(for: .help, in: .always))
    #expect(screen.status.hasSuffix(help))
    await screen.press("6")
    #expect(screen.status.hasSuffix(always))
    await screen.press("Esc")
    #expect(screen.status.hasSuffix(help))
    await screen.press("/", "F1")
    #expect(screen.text.contains("─ \(HelpWords.title) ─"))
  }

  @Test func `the bottom bar shows the keys that can follow a prefix`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    let before = screen.status
    let actions: [Action] = [.showDrafts, .catchUp, .showOutbox, .toggleDensity, .parent, .boosters]
    let hints = try actions.map { try Screen.hint(for: $0).dropFirst("g".count) }
    screen.strike("g")
    #expect(screen.status.contains("g …  " + hints.joined(separator: "  ")))
    screen.strike("g")
    #expect(screen.status == before)
    screen.strike("^W")
    let panes = try [Action.nextPane, .previousPane, .paneAbove].map {
      try Screen.hint(for: $0).dropFirst("^W ".count)
    }
    #expect(screen.status.contains("^W …  " + panes.joined(separator: "  ")))
    screen.strike("y")
    #expect(screen.status.contains(IgnoredKeyWords.nothing("^W y", help: nil)))
    await screen.press("3")
    screen.strike("g")
    #expect(!screen.status.contains(hints[4]))
  }

  @Test func `the help scrolls to its end and closes with each of its keys`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    let before = screen.lines
    let heading = try Screen.helpHeading(of: .list)
    for leave in ["q", "Esc", "?", "F1"] {
      screen.strike("?")
      #expect(screen.text.contains(heading))
      screen.strike("G")
      #expect(screen.text.contains(HelpWords.always))
      screen.strike("g", "g")
      #expect(screen.text.contains(heading))
      screen.strike(leave)
      #expect(screen.lines == before, "\(leave) should close the help")
      if screen.lines != before { screen.strike("q") }
    }
  }

  @Test func `a slash finds text in the help and n and N wrap around the ends`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    let (boost, redraw) = (try Screen.summary(of: .boost), try Screen.summary(of: .redraw))
    screen.strike("?", "/")
    screen.type(boost.uppercased())
    screen.strike("Enter")
    #expect(screen.text.contains(boost))
    screen.strike("/")
    screen.type(redraw)
    screen.strike("Enter")
    #expect(screen.text.contains(redraw))
    screen.strike("n")
    #expect(screen.text.contains(FindWords.wrapped))
    screen.strike("/")
    // Two bindings have summaries that begin with this.
    screen.type("half a page")
    screen.strike("Enter")
    #expect(screen.text.contains("half a page down"))
    screen.strike("N")
    #expect(screen.text.contains("half a page up"))
    #expect(screen.text.contains(FindWords.wrapped))
    screen.strike("/")
    screen.type("kohlrabi")
    screen.strike("Enter")
    #expect(screen.text.contains(FindWords.notFound("kohlrabi")))
    #expect(screen.text.contains("half a page"))
    screen.strike("q")
    #expect(!screen.text.contains("─ \(HelpWords.title) ─"))
  }

  @Test func `every action of the keymap is performed where its key applies`() async throws {
    let places: [(KeyContext, [String])] = [
      ("list", []), ("qwink", ["&", "q", "Enter"]), ("global", []), ("reading", ["?"]), ("entry", ["c"]),
      ("always", []), ("outbox", ["g", "o"]), ("accounts", ["A"]), ("notifications", ["4"]),
      ("thread", ["Enter"]),
    ]
    // The test presents these itself.
    let sheets: [(KeyContext, (Screen) throws -> ViewController)] = [
      ("links", Self.linkSheet), ("prompt", Self.prompt),
      ("form", { ProfileViewController(account: $0.account, keymap: try Screen.keymap()) }),
      (
        "sign-in",
        { _ in
          let sheet = SignInSheet(IdleSignIn(), keymap: try Screen.keymap(), server: "", finished: { _ in })
          sheet.show(SignInPage(address: "https://tilde.example/authorize", isOpen: false))
          return sheet
        }
      ),
      ("search", { SearchViewController(query: "chard", account: $0.account) }),
      ("finding", { SearchViewController(account: $0.account) }),
    ]
    let bindings = try Screen.keymap().bindings
    // ChatScreenTests presses the keys of a conversation.
    let conversation: [KeyContext] = ["chat", "chat-messages"]
    let shown: [KeyContext] = ["picture", "resources", "records", "filtered", "catchup", "tag"]
    #expect(Set(bindings.map(\.context)) == Set(places.map(\.0) + sheets.map(\.0) + conversation + shown))
    let viewer = try await Screen.settled(ScriptedTimeline([2, 1], home: [4, 3]))
    var qwink = ScriptedTimeline.qwink(1)
    qwink.isSensitive = true
    qwink.attachments = ["a", "b"].map { .init(id: .init($0), kind: .image, url: "https://tilde.example/\($0)") }
    viewer.main.show(.pictures(qwink))
    viewer.strike()
    expectAll(of: bindings, in: "picture", on: viewer)
    viewer.main.show(.records(.lists))
    expectAll(of: bindings, in: "records", on: viewer)
    viewer.main.show(.timeline(.tag("garden")))
    expectAll(of: bindings, in: "tag", on: viewer)
    viewer.server.api.answer("GET /api/v1/notifications/requests") { _ in
      let start = ScriptedTimeline.start
      let dana = NotificationRequest(id: "1", qwinker: .sample("dana"), createdAt: start, updatedAt: start)
      return .json(WireEncoder.notificationRequests([dana]))
    }
    viewer.main.show(.records(.filtered))
    await viewer.settle()
    expectAll(of: bindings, in: "filtered", on: viewer)
    viewer.main.show(.catchUp)
    await viewer.settle()
    // Only loading can be paused.
    viewer.account.catchUp.start(.sinceRead)
    expectAll(of: bindings, in: "catchup", on: viewer)
    await viewer.settle()
    for (context, keys) in places {
      let server = ScriptedTimeline([2, 1])
      server.api.pages(
        "GET /api/v1/notifications",
        of: [
          AccountNotification(id: "3", kind: .follow, createdAt: ScriptedTimeline.start, qwinker: .sample("dana"))
        ]
      ) { WireEncoder.notifications($0) }
      let screen = try await Screen.settled(server)
      for key in keys { screen.strike(key) }
      await screen.settle()
      // An action is pending.
      screen.account.pendingActions.seconds = 6
      screen.account.holdDeletion(of: ScriptedTimeline.qwink(1))
      // The selected qwinker has asked to follow the user.
      screen.account.follows.merge(Relationship(id: "carol-id", isAskingToFollow: true))
      expectAll(of: bindings, in: context, on: screen)
    }
    for (context, sheet) in sheets {
      let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
      screen.main.present(try sheet(screen))
      expectAll(of: bindings, in: context, on: screen)
    }
  }

  private func expectAll(of bindings: [Keymap.Binding], in context: KeyContext, on screen: Screen) {
    let chain = screen.application.window.effectiveFirstResponder.chain
    #expect(chain.contains { $0.keyContext == context })
    for binding in bindings where binding.context == context {
      #expect(
        chain.contains { $0.canPerform(binding.action) }, "nobody performs \(binding.action) in \(context.rawValue)")
    }
  }

  private static func linkSheet(_ screen: Screen) throws -> ViewController {
    LinkSheet(links: QwinkLinks(Qwink.sample()), keymap: try Screen.keymap(), choose: { _ in }, copy: { _ in })
  }

  private static func prompt(_ screen: Screen) throws -> ViewController {
    let keymap = try Screen.keymap()
    let links = LinkActions(account: screen.account, opener: RecordingOpener(), keymap: keymap)
    return CommandPrompt(navigator: RecordingNavigator(), account: screen.account, links: links)
  }

  @Test(arguments: [[], ["Enter"], ["c"], ["?"], ["q"]])
  func `keys of the always context work on every screen`(keys: [String]) async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    for key in keys { screen.strike(key) }
    let chain = screen.application.window.effectiveFirstResponder.chain
    let always = try Screen.keymap().bindings.filter { $0.context == "always" }
    #expect(!always.isEmpty)
    for binding in always {
      #expect(chain.contains { $0.canPerform(binding.action) }, "nobody performs \(binding.action) after \(keys)")
    }
  }

  @Test func `every binding has readable keys, a hint and a summary`() throws {
    let bindings = try Screen.keymap().bindings
    #expect(bindings.count > 50)
    for binding in bindings {
      #expect(!binding.sequences.isEmpty)
      #expect(!binding.word.isEmpty)
      #expect(!binding.summary.isEmpty)
      for sequence in binding.sequences { #expect(!Keymap.name(of: sequence).isEmpty) }
    }
  }

  @Test func `an unbound key changes only the status`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    let before = screen.lines.dropLast()
    for key in ["9", "~", "F9", "M-x", "Ins", "^Q", "é", "g", "x", "^W", "x"] { await screen.press(key) }
    #expect(screen.lines.dropLast() == before)
  }

  @Test func `^L redraws the screen`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    let count = screen.frameCount
    screen.strike("^L")
    #expect(screen.frameCount == count + 1)
  }

  @Test func `a list moves by items, half pages, pages and to its ends`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline(Array((1...30).reversed())))
    for (there, back) in [("j", "k"), ("Down", "Up"), ("^D", "^U"), ("^F", "^B"), ("PgDn", "PgUp"), ("G", "Home")] {
      screen.strike(there)
      #expect(screen.selected ?? 30 < 30)
      screen.strike(back, back)
      #expect(screen.selected == 30)
    }
    screen.strike("End", "g", "g", "^E", "^E", "^E")
    #expect(screen.selected == 29)
    screen.strike("^Y", "^Y", "^Y", "^Y")
    #expect(screen.visible.first == 30)
  }
}

/// A sign-in that does nothing.
@MainActor
private final class IdleSignIn: SignInSteps {
  func begin(at server: String) async throws(SignInTrouble) -> SignInPage { SignInPage(address: "", isOpen: false) }
  func redirected() async -> String? { nil }
  func finish(code: String) async throws(SignInTrouble) -> SignedInAccount { throw SignInTrouble("") }
  func end() {}
}
