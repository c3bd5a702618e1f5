import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

@testable import PaneKit
@testable import QwinkleAccount
@testable import QwinkleScreens

/// Each key and command that some servers don't support, on a server that does and on one that doesn't.
@MainActor
@Suite(.bounded) struct AbilityTableTests {
  /// A key or command for a feature that some servers lack.
  struct Way: Sendable, CustomTestStringConvertible {
    var ability: Ability
    /// Keys or command that start the action.
    var begin: Begin
    /// Text typed next.
    var text = ""
    /// Keys pressed after the text.
    var then: [String] = []
    /// Whether the action applies to the user's own qwink rather than alice's.
    var isOwn = false
    /// API call that the server may lack, without its prefix.
    var call: String
    /// Expected first message, if it isn't the usual one.
    var said: String?
    /// Whether the call names a qwink, poll, account or report, so that "not found" may refer only to that.
    var isOfObject: Bool { ["statuses/", "polls/", "accounts/", "reports"].contains { call.contains($0) } }

    enum Begin: Sendable {
      case keys([String], Action)
      case command(String)
    }

    var testDescription: String {
      switch begin {
      case .keys(let keys, _): keys.joined(separator: " ")
      case .command(let line): ":\(line)"
      }
    }
  }

  nonisolated private static let ways: [Way] = [
    Way(ability: .pins, begin: .keys(["P"], .pin), isOwn: true, call: "POST statuses/own/pin"),
    Way(ability: .threadMutes, begin: .keys(["g", "m"], .muteThread), isOwn: true, call: "POST statuses/own/mute"),
    Way(ability: .bookmarks, begin: .keys(["m"], .bookmark), isOwn: true, call: "POST statuses/own/bookmark"),
    Way(ability: .bookmarks, begin: .keys(["5"], .sectionBookmarks), call: "GET bookmarks"),
    Way(
      ability: .deletion, begin: .keys(["d"], .delete), then: ["y"], isOwn: true, call: "DELETE statuses/own",
      said: MainWords.cannotDelete),
    Way(ability: .deletion, begin: .keys(["D"], .redraft), then: ["y"], isOwn: true, call: "DELETE statuses/own"),
    Way(
      ability: .edits, begin: .keys(["e"], .edit), text: " Mended", then: ["^D"], isOwn: true, call: "PUT statuses/own"),
    Way(ability: .editHistory, begin: .keys(["g", "e"], .history), isOwn: true, call: "GET statuses/own/history"),
    Way(ability: .editHistory, begin: .command("history"), isOwn: true, call: "GET statuses/own/history"),
    Way(ability: .translation, begin: .keys(["g", "t"], .translate), call: "POST statuses/other/translate"),
    Way(ability: .translation, begin: .command("translate fr"), call: "POST statuses/other/translate"),
    Way(ability: .collections, begin: .keys(["g", "c"], .collections), call: "GET accounts/alice-id/collections"),
    Way(ability: .collections, begin: .command("collections alice"), call: "GET accounts/alice-id/collections"),
    Way(ability: .collections, begin: .command("featured-in alice"), call: "GET accounts/alice-id/in_collections"),
    Way(ability: .quotes, begin: .keys(["g", "Q"], .quotes), isOwn: true, call: "GET statuses/own/quotes"),
    Way(ability: .quotes, begin: .command("quotes"), isOwn: true, call: "GET statuses/own/quotes"),
    Way(
      ability: .quotes, begin: .command("quote-policy nobody"), isOwn: true,
      call: "PUT statuses/own/interaction_policy"),
    Way(
      ability: .quotes, begin: .command("revoke-quote"), then: ["y"],
      call: "POST statuses/own/quotes/other/revoke"),
    Way(ability: .polls, begin: .keys(["x"], .vote), text: "1", then: ["Enter"], call: "POST polls/9/votes"),
    Way(ability: .polls, begin: .command("vote 1"), call: "POST polls/9/votes"),
    Way(ability: .mutes, begin: .keys(["M"], .mute), call: "POST accounts/alice-id/mute"),
    Way(ability: .mutes, begin: .command("mute alice 8h"), call: "POST accounts/alice-id/mute"),
    Way(ability: .blocks, begin: .keys(["B"], .block), then: ["y"], call: "POST accounts/alice-id/block"),
    Way(ability: .blocks, begin: .command("block alice"), then: ["y"], call: "POST accounts/alice-id/block"),
    Way(ability: .reports, begin: .keys(["!"], .report), text: "spam Ten a day", then: ["Enter"], call: "POST reports"),
    Way(ability: .reports, begin: .command("report Ten a day"), call: "POST reports"),
    Way(ability: .notes, begin: .command("note Sells tea"), call: "POST accounts/alice-id/note"),
    Way(ability: .serverBlocks, begin: .command("block-server kiosk.example"), then: ["y"], call: "POST domain_blocks"),
    Way(ability: .followedTags, begin: .command("follow-tag garden"), call: "POST tags/garden/follow"),
    Way(ability: .featuredTags, begin: .command("feature-tag garden"), call: "GET featured_tags"),
    Way(ability: .featuredTags, begin: .command("unfeature-tag garden"), call: "GET featured_tags"),
    Way(ability: .followRequests, begin: .command("requests"), call: "GET follow_requests"),
    Way(ability: .mutedList, begin: .command("muted"), call: "GET mutes"),
    Way(ability: .blockedList, begin: .command("blocked"), call: "GET blocks"),
    Way(
      ability: .filteredNotifications, begin: .command("filtered-notifications"), call: "GET notifications/requests"),
    Way(
      ability: .filteredNotifications, begin: .command("notification-policy"), call: "GET v2/notifications/policy"),
  ]

  /// Calls received by a server.
  private final class Calls: Sendable {
    private let calls = Mutex<[String]>([])
    func note(_ call: String) { calls.withLock { $0.append(call) } }
    func count(_ call: String) -> Int { calls.withLock { $0.count { $0 == call } } }
  }

  /// A server with a qwink by mara and one by alice. It responds to the call `missing`, if any, with `status`.
  private func server(missing: String? = nil, status: Int = 404, _ calls: Calls = Calls()) -> ScriptedTimeline {
    var own = Qwink.sample(id: "own", text: "Mine", author: .sample("mara"))
    own.editedAt = ScriptedTimeline.start
    var other = Qwink.sample(id: "other", text: "Theirs", author: .sample("alice"))
    let poll = Poll(id: "9", options: [Poll.Option(title: "Tea", votesCount: 3), Poll.Option(title: "Coffee")])
    other.poll = poll
    other.quote = Qwink.Quote(id: "own", author: own.author, text: own.text)
    let server = ScriptedTimeline()
    server.add([own, other])
    let (mine, nothing) = (WireEncoder.qwink(own), Array("{}".utf8))
    let relationship = WireEncoder.relationship(Relationship(id: "alice-id"))
    var answers = [
      "GET statuses/own": mine, "PUT statuses/own": mine, "DELETE statuses/own": mine,
      "GET bookmarks": Array("[]".utf8),
      "GET statuses/own/source": WireEncoder.source(QwinkSource(id: "own", text: "Mine")),
      "GET statuses/own/history": WireEncoder.versions(
        [QwinkVersion(createdAt: ScriptedTimeline.start, text: RichText(plain: "Mine"))], by: own.author),
      "GET statuses/other": WireEncoder.qwink(other), "POST polls/9/votes": WireEncoder.poll(poll),
      "GET accounts/alice-id": WireEncoder.qwinker(.sample("alice")), "POST reports": nothing,
      "GET statuses/own/quotes": Array("[]".utf8), "PUT statuses/own/interaction_policy": mine,
      "POST statuses/own/quotes/other/revoke": WireEncoder.qwink(other),
      "GET accounts/lookup": WireEncoder.qwinker(.sample("alice")), "POST domain_blocks": nothing,
      "GET tags/garden": WireEncoder.tag(Tag(name: "garden", isFollowed: false), base: "https://tilde.example"),
    ]
    answers["POST statuses/other/translate"] = WireEncoder.translation(Translation(text: RichText(plain: "Leurs")))
    for list in ["collections", "in_collections"] {
      answers["GET accounts/alice-id/\(list)"] = Array(#"{"collections":[]}"#.utf8)
    }
    answers["GET v2/filters"] = Array("[]".utf8)
    answers["GET v2/notifications/policy"] = WireEncoder.notificationPolicy(
      NotificationPolicy(treatments: [.privateMentions: .filter]))
    answers["POST featured_tags"] = WireEncoder.featuredTag(
      FeaturedTag(id: "1", name: "garden"), url: "https://tilde.example")
    let lists = [
      "follow_requests", "mutes", "blocks", "notifications/requests", "featured_tags", "accounts/mara-id/featured_tags",
    ]
    for list in lists {
      answers["GET \(list)"] = Array("[]".utf8)
    }
    answers["POST tags/garden/follow"] = answers["GET tags/garden"]
    for verb in ["pin", "mute", "bookmark"] { answers["POST statuses/own/\(verb)"] = mine }
    for verb in ["mute", "block", "note"] { answers["POST accounts/alice-id/\(verb)"] = relationship }
    for (call, body) in answers {
      let words = call.split(separator: " ").map(String.init)
      guard let method = HTTPRequest.Method(rawValue: words[0]) else { continue }
      let isNewer = words[1].hasPrefix("v2/")
      server.handle(method, isNewer ? "/api/\(words[1])" : "/api/v1/\(words[1])") { _ in
        calls.note(call)
        return call == missing ? .text("<h1>Nothing here</h1>", status: status) : .json(body)
      }
    }
    return server
  }

  private func begin(_ way: Way, on screen: Screen) async {
    switch way.begin {
    case .keys(let keys, _): for key in keys { await screen.press(key) }
    case .command(let line):
      await screen.press(":")
      screen.type(line)
      await screen.press("Enter")
    }
  }

  private func perform(_ way: Way, on screen: Screen) async {
    await select(way, on: screen)
    await begin(way, on: screen)
    screen.type(way.text)
    await screen.settle()
    for key in way.then { await screen.press(key) }
  }

  /// Selects the first row, which is mara's, or the last, which is alice's.
  private func select(_ way: Way, on screen: Screen) async {
    if way.isOwn { await screen.press("g", "g") } else { await screen.press("G") }
  }

  /// Closes any screen that the action opened.
  private func goBack(on screen: Screen) async {
    if screen.application.window.topSheet != nil { await screen.press("Esc") }
    await screen.press("1")
    // The first key may only close a screen above the timeline.
    await screen.press("1")
  }

  /// Returns the action's text in the help.
  private func helpWords(of way: Way) throws -> String {
    switch way.begin {
    case .keys(_, let action):
      return try Screen.summary(of: action)
    case .command(let line): return try #require(PromptCommand.named(PromptLine(line).name)).usage
    }
  }

  private func isInHelp(_ words: String, on screen: Screen) async throws -> Bool {
    await screen.press("?")
    defer { screen.strike("q") }
    let boost = try Screen.summary(of: .boost)
    #expect(screen.text.contains(boost), "the help isn't there")
    // The spaces exclude matches inside other help texts. A narrow column may wrap the rest.
    return screen.text.contains("  \(words.prefix(40))")
  }

  @Test(arguments: ways)
  func `a supported action is in the help and sends one request`(way: Way) async throws {
    let calls = Calls()
    let screen = try await Screen.settled(server(calls), rows: 480, columns: 90)
    let words = try helpWords(of: way)
    #expect(try await isInHelp(words, on: screen), "\(words)")
    await perform(way, on: screen)
    #expect(calls.count(way.call) == 1, "\(screen.status)")
    #expect(!screen.text.contains(ScriptedTimeline.lack(of: way.ability)), "\(screen.status)")
    await goBack(on: screen)
    #expect(try await isInHelp(words, on: screen), "\(words) is gone")
    #expect(screen.account.connection.abilities.missing.isEmpty)
  }

  /// Each way with the status of the missing call.
  nonisolated private static let lacks = Soak.sample(
    ways.flatMap { way in [404, 405, 501].map { (way, $0) } }, of: 3)

  @Test(arguments: lacks)
  func `an unsupported action explains why and disappears from the help`(
    way: Way, status: Int
  ) async throws {
    let calls = Calls()
    let server = server(missing: way.call, status: status, calls)
    let screen = try await Screen.settled(server, rows: 480, columns: 140)
    let words = try helpWords(of: way)
    #expect(try await isInHelp(words, on: screen), "\(words)")
    await perform(way, on: screen)
    let sentence = ScriptedTimeline.lack(of: way.ability)
    guard !way.isOfObject || status != 404 else {
      let refusal = ScriptedTimeline.refusal(of: way.ability)
      #expect(screen.text.contains(way.said ?? refusal), "\(screen.status)")
      #expect(screen.account.connection.abilities.missing.isEmpty)
      await goBack(on: screen)
      #expect(try await isInHelp(words, on: screen), "\(words) is gone")
      return
    }
    #expect(screen.text.contains(way.said ?? sentence), "\(screen.status)")
    #expect(screen.account.connection.abilities.missing == [way.ability])
    await goBack(on: screen)
    let count = calls.count(way.call)
    await select(way, on: screen)
    await begin(way, on: screen)
    #expect(screen.text.contains(sentence), "\(screen.status)")
    // A section still opens, because it is in the header.
    if way.testDescription != "5" { #expect(calls.count(way.call) == count, "asked again") }
    await goBack(on: screen)
    #expect(try await !isInHelp(words, on: screen), "\(words) is still there")
  }

  @Test(arguments: [("A", Action.acceptFollow), ("X", .refuseFollow)])
  func `follow requests can't be answered on a server without them`(key: String, action: Action) async throws {
    let hint = try Screen.hint(for: action)
    let server = server(missing: "GET follow_requests")
    let hana = Qwinker.sample("hana")
    server.api.pages(
      "GET /api/v1/notifications",
      of: [AccountNotification(id: "3", kind: .followRequest, createdAt: ScriptedTimeline.start, qwinker: hana)]
    ) { WireEncoder.notifications($0) }
    let screen = try await Screen.settled(server, rows: 480, columns: 90)
    await screen.press("4")
    #expect(screen.status.contains(hint), "\(screen.status)")
    await screen.press(":")
    screen.type("requests")
    await screen.press("Enter", "q", "4")
    #expect(!screen.status.contains(hint), "\(screen.status)")
    await screen.press(key)
    #expect(screen.status.contains(ScriptedTimeline.lack(of: .followRequests)), "\(screen.status)")
    #expect(try await !isInHelp(Screen.summary(of: action), on: screen))
    #expect(!server.paths.contains { $0.hasPrefix("/api/v1/follow_requests/hana") })
  }

  @Test(arguments: [405, 501])
  func `an unsupported answer to a follow request is reported`(status: Int) async throws {
    let server = server()
    let hana = Qwinker.sample("hana")
    server.api.pages(
      "GET /api/v1/notifications",
      of: [AccountNotification(id: "3", kind: .followRequest, createdAt: ScriptedTimeline.start, qwinker: hana)]
    ) { WireEncoder.notifications($0) }
    server.handle(.post, "/api/v1/follow_requests/hana-id/authorize") { _ in .text("", status: status) }
    let screen = try await Screen.settled(server, columns: 100)
    await screen.press("4", "A")
    #expect(screen.status.contains(ScriptedTimeline.lack(of: .followRequests)), "\(screen.status)")
    #expect(screen.account.connection.abilities.missing == [.followRequests])
  }

  // MARK: In the entry

  @Test(arguments: [
    ("a", Ability.uploads, Action.entryAttach), ("p", .polls, .entryPoll), ("t", .scheduledPosts, .entryTime),
  ])
  func `an unsupported part of an entry is refused at once and not in the help`(
    key: String, ability: Ability, action: Action
  ) async throws {
    let summary = try Screen.summary(of: action)
    let visibility = try Screen.summary(of: .entryVisibility)
    let sentence = ScriptedTimeline.lack(of: ability)
    for isLacking in [false, true] {
      let screen = try await Screen.settled(server(), rows: 480, columns: 90)
      if isLacking { screen.account.connection.abilities.note(ability, false) }
      await screen.press("c", "F1")
      #expect(screen.text.contains(visibility), "the help isn't there")
      #expect(screen.text.contains(summary) == !isLacking)
      await screen.press("q", "^X", key)
      #expect(screen.text.contains(sentence) == isLacking, "\(screen.text)")
      // If no field opened, the keys go to the text.
      screen.type("Leeks")
      await screen.press("Esc")
      #expect((screen.application.window.topSheet == nil) == isLacking, "\(screen.text)")
    }
  }
}
