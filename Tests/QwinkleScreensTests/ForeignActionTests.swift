import PaneKit
import QwinkleModel
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Actions on posts of another server. Ids of that server mean other posts on the user's server, so no request may
/// contain them.
@MainActor
@Suite(.bounded) struct ForeignActionTests {
  /// Opens the timeline of social.example, whose only post is selected.
  private func opened(
    _ server: ForeignServer = ForeignServer(), isSignedIn: Bool = true
  ) async throws -> Screen {
    let screen = try await Screen.settled(server.own, rows: 40, isSignedIn: isSignedIn, hidesMessages: true)
    screen.main.show(.remote(try #require(RemoteTimeline(word: "social.example/local"))))
    await screen.settle()
    try #require(screen.main.focus.foreignQwink != nil, "\(screen.text)")
    return screen
  }

  /// Completes the prompt, question or entry that an action has opened.
  private func complete(_ screen: Screen) async {
    switch screen.application.window.topSheet {
    case is CommandPrompt:
      screen.type("1")
      await screen.press("Enter")
    case is ConfirmViewController: await screen.press("y")
    case is EntryViewController:
      screen.type("Hello")
      screen.perform(.entrySend)
      await screen.settle()
    default: break
    }
    await screen.pass(.seconds(10))
  }

  /// Actions that need nothing from a server.
  nonisolated private static let local: Set<Action> = [.viewPictures, .reveal, .openLink, .openFirstLink, .copyLink]

  nonisolated private static let actions = (QwinkCommand.all.map(\.action) + QwinkerCommand.all.map(\.action))
    .map(\.rawValue)

  @Test(arguments: Set(actions).sorted())
  func `no action sends an id of another server`(name: String) async throws {
    let server = ForeignServer()
    let screen = try await opened(server)
    screen.perform(Action(rawValue: name))
    await screen.settle()
    await complete(screen)
    #expect(server.leaks == [], "\(name)")
    // An ability that the server lacks is refused without a search.
    let isRefused = Action(rawValue: name).ability.flatMap { screen.account.connection.refusal(of: $0) } != nil
    if !Self.local.contains(Action(rawValue: name)), !isRefused {
      #expect(server.searches.count == 1, "\(name): \(server.here)")
    }
  }

  /// Commands that end the program, replace the account, or run other programs.
  nonisolated private static let outside: Set<String> = ["quit", "sign-in", "account", "pipe", "reload"]

  /// A line for each command, without a name where it is optional.
  nonisolated private static let lines = PromptCommand.all.filter { !outside.contains($0.name) }
    .flatMap { command -> [String] in
      let words =
        switch command.argument?.kind {
        case .report: "spam Ten times a day"
        case .setting: "density compact"
        case .timeline: "local"
        case .url: "https://example.org/page"
        case .hidden: "boosts"
        case .notifications: "mentions"
        case .quotePolicy: "nobody"
        case .picture: "none"
        case .words where command.name == "vote": "1"
        case .words where command.name == "translate": "de"
        case .words where command.name.hasSuffix("-server"): "third.example"
        case .qwinker where command.name == "mute": "1h"
        case nil: ""
        default: "garden"
        }
      guard let argument = command.argument else { return [command.name] }
      return (argument.isOptional ? [command.name] : []) + ["\(command.name) \(words)"]
    }

  @Test(arguments: lines)
  func `no command of the prompt sends an id of another server`(line: String) async throws {
    let server = ForeignServer()
    let screen = try await opened(server)
    await screen.command(line)
    await screen.settle()
    await complete(screen)
    #expect(server.leaks == [], "\(line)")
  }

  @Test(arguments: [
    "vote 1", "note Kind", "report spam Ten times a day", "boosted-by", "favourited-by", "history", "boost", "author",
    "mute", "mute 1h",
  ])
  func `a command about the selected post acts on the user's server's copy`(line: String) async throws {
    let server = ForeignServer()
    let screen = try await opened(server)
    let before = server.here.count
    await screen.command(line)
    await screen.settle()
    await complete(screen)
    #expect(server.searches.count == 1)
    // The ids of the copy, its author and its poll.
    let ids = ["/statuses/5", "/accounts/21", "/polls/31", "/reports"]
    let asked = server.here.dropFirst(before)
    #expect(asked.contains { request in ids.contains { request.contains($0) } }, "\(line): \(asked)")
  }

  @Test func `a boost boosts the copy, shows at once in the row, and can be undone`() async throws {
    let server = ForeignServer()
    let screen = try await opened(server)
    await screen.press("b")
    #expect(server.own.reactions.seen == ["POST 5/reblog"], "\(server.own.reactions.seen)")
    #expect(screen.main.focus.selectedQwink?.id == "5" && screen.main.focus.selectedQwink?.isBoosted == true)
    #expect(screen.main.focus.foreignQwink == nil)
    await screen.press("u")
    #expect(server.own.reactions.seen == ["POST 5/reblog", "POST 5/unreblog"])
    // The second action uses the copy that the first one found.
    #expect(server.searches.count == 1 && server.leaks == [])
  }

  @Test func `Enter shows the thread of the copy`() async throws {
    let server = ForeignServer()
    let screen = try await opened(server)
    await screen.press("Enter")
    let thread = try #require(screen.main.focus as? ThreadViewController)
    #expect(thread.qwink?.id == "5")
    await screen.pass(.seconds(1))
    #expect(server.here.contains("GET /api/v1/statuses/5/context") && server.leaks == [])
  }

  @Test(arguments: ["Enter", "b", "r", "M"])
  func `a post that the user's server can't find is reported`(key: String) async throws {
    let server = ForeignServer(copies: [])
    let screen = try await opened(server)
    await screen.press(key)
    #expect(screen.status.contains(OwnCopyError.notFound.sentence), "\(screen.status)")
    #expect(screen.main.focus is RemoteTimelineViewController && screen.application.window.topSheet == nil)
    #expect(server.own.reactions.seen == [] && server.leaks == [])
  }

  @Test func `a command about a post that the user's server can't find is refused`() async throws {
    let server = ForeignServer(copies: [])
    let screen = try await opened(server)
    await screen.command("vote 1")
    #expect(screen.status.contains(OwnCopyError.notFound.sentence), "\(screen.status)")
    #expect(server.leaks == [])
  }

  @Test func `the search is shown, and a reader who moves on isn't interrupted`() async throws {
    let (server, gate) = (ForeignServer(), Gate())
    server.holdSearches(by: gate)
    let screen = try await opened(server)
    screen.strike("Enter")
    try await screen.wait(for: "the message") { screen.status.contains(RemoteTimelineWords.finding) }
    screen.main.show(.timeline(.local))
    gate.open()
    await screen.settle()
    #expect((screen.main.focus as? TimelineViewController)?.name == .local, "\(screen.text)")
    #expect(!screen.status.contains(RemoteTimelineWords.finding), "\(screen.status)")
  }

  @Test func `actions need an account before anything is searched for`() async throws {
    let server = ForeignServer()
    let screen = try await opened(server, isSignedIn: false)
    await screen.press("b")
    #expect(screen.status.contains(MainWords.thisNeedsAccount), "\(screen.status)")
    #expect(!server.here.contains { $0.hasPrefix("GET /api/v2/search") } && server.leaks == [])
  }

  @Test func `pictures of a post of another server are shown without the user's server`() async throws {
    let server = ForeignServer()
    let screen = try await opened(server)
    screen.perform(.viewPictures)
    await screen.settle()
    #expect(screen.main.focus is PictureViewController && server.searches.isEmpty)
    #expect(screen.main.focus.selectedQwink == nil && screen.main.focus.foreignQwink != nil)
    screen.perform(.boost)
    await screen.settle()
    #expect(server.own.reactions.seen == ["POST 5/reblog"] && server.leaks == [])
    #expect(screen.main.focus.selectedQwink?.id == "5")
  }

  @Test func `changes to the user's server's post with the same id don't touch a row`() async throws {
    let far = ForeignServer.far(3, "Far away")
    let server = ForeignServer([far], copies: [])
    let screen = try await opened(server)
    var changed = ScriptedTimeline.qwink(3)
    changed.text = RichText(plain: "Changed here")
    screen.account.timelines.merge(changed)
    await screen.settle()
    #expect(screen.text.contains("Far away") && !screen.text.contains("Changed here"), "\(screen.text)")
    screen.account.timelines.remove("3")
    await screen.settle()
    #expect(screen.text.contains("Far away"), "\(screen.text)")
    #expect(screen.account.timelines.timeline(.public).rows.count == 2)
  }
}
