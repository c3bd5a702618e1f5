import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Rows that panes hide: muted and blocked accounts, boosts, and replies.
@MainActor
@Suite(.bounded) struct HidingTests {
  /// Qwinks 1 to 5 by five authors. If `boosting`, home also has two replies, and alice's boost of a qwink by dana.
  private func server(boosting: Bool = true) -> ScriptedTimeline {
    let server = ScriptedTimeline([5, 4, 3, 2, 1], home: [5, 4, 3, 2, 1])
    guard boosting else { return server }
    var boost = Qwink.sample(id: "8", text: "Qwink 8", author: .sample("dana"))
    boost.booster = .sample("alice")
    boost.originalID = "7"
    var reply = Qwink.sample(id: "6", text: "Qwink 6", author: .sample("erin"))
    reply.inReplyTo = "2"
    reply.inReplyToAuthor = "carol-id"
    var answer = Qwink.sample(id: "9", text: "Qwink 9", author: .sample("erin"))
    answer.inReplyTo = "own-1"
    answer.inReplyToAuthor = "mara-id"
    server.add([answer, boost, reply], to: "home")
    return server
  }

  private func run(_ line: String, on screen: Screen) async {
    await screen.press(":")
    screen.type(line)
    await screen.press("Enter")
  }

  private func handle(_ verb: String, _ id: Qwinker.ID, on server: ScriptedTimeline, gate: Gate? = nil, fails: Bool) {
    server.handle(.post, "/api/v1/accounts/\(id)/\(verb)") { _ in
      await gate?.whenOpen()
      guard !fails else { return .json(WireEncoder.error("Not now"), status: 503) }
      var relationship = Relationship(id: id)
      relationship.isMuting = verb == "mute"
      relationship.mutesNotifications = verb == "mute"
      relationship.isBlocking = verb == "block"
      return .json(WireEncoder.relationship(relationship))
    }
  }

  @Test(arguments: [false, true])
  func `a muted author's rows disappear at once and return if muting fails`(fails: Bool) async throws {
    let server = server(boosting: false)
    let gate = Gate()
    handle("mute", "erin-id", on: server, gate: gate, fails: fails)
    let screen = try await Screen.settled(server)
    await screen.press("j")
    #expect(screen.selected == 4)
    screen.strike("M")
    await screen.turn()
    #expect(screen.visible == [5, 3, 2, 1], "\(screen.text)")
    #expect(screen.selected != nil)
    gate.open()
    await screen.settle()
    #expect(screen.visible == (fails ? [5, 4, 3, 2, 1] : [5, 3, 2, 1]), "\(screen.text)")
  }

  @Test(
    arguments: [("muted", "mutes", "M", "mute"), ("blocked", "blocks", "B", "block")], [true, false])
  func `a key in the list of muted or blocked accounts ends the mute or block`(
    list: (command: String, path: String, key: String, verb: String), isKnown: Bool
  ) async throws {
    let server = server(boosting: false)
    let dana = Qwinker.sample("dana")
    server.handle(.get, "/api/v1/\(list.path)") { _ in .json(WireEncoder.qwinkers([dana])) }
    var known = Relationship(id: dana.id, isMuting: list.verb == "mute", isBlocking: list.verb == "block")
    known.muteEndsAt = ScriptedTimeline.start.addingTimeInterval(86_400)
    let answer = WireEncoder.relationships([known])
    server.handle(.get, "/api/v1/accounts/relationships") { _ in isKnown ? .json(answer) : .text("", status: 503) }
    handle("un\(list.verb)", dana.id, on: server, fails: false)
    let screen = try await Screen.settled(server, columns: 100)
    let isMute = list.verb == "mute"
    func word(_ isOn: Bool) -> String { isMute ? QwinkerListWords.mutes(isOn) : QwinkerListWords.blocks(isOn) }
    let ended = isMute ? ActionWords.muted(dana, false, seconds: 0) : ActionWords.blocked(dana, false)
    let mutedUntil = "\(QwinkerWords.isMuted) \(QwinkerWords.until)"
    await run(list.command, on: screen)
    #expect(screen.status.contains("\(list.key) \(word(false))"), "\(screen.status)")
    #expect(screen.text.contains(mutedUntil) == (isKnown && isMute), "\(screen.text)")
    await screen.press(list.key)
    #expect(screen.status.contains(ended), "\(screen.text)")
    // The unmuted or unblocked account stays in the list, so that the key can undo it.
    #expect(screen.status.contains("\(list.key) \(word(true))") && screen.text.contains("@dana"), "\(screen.text)")
    #expect(!screen.text.contains(mutedUntil))
  }

  @Test func `the list of muted accounts refreshes outdated relationships`() async throws {
    let server = server(boosting: false)
    let dana = Qwinker.sample("dana")
    let before = WireEncoder.relationships([Relationship(id: dana.id)])
    let now = WireEncoder.relationships([Relationship(id: dana.id, isMuting: true)])
    server.handle(.get, "/api/v1/accounts/relationships") { _ in .json(before) }
    server.handle(.get, "/api/v1/mutes") { _ in .json(WireEncoder.qwinkers([dana])) }
    server.setAnswer(WireEncoder.qwinks([]), of: "/api/v1/accounts/dana-id/statuses")
    let screen = try await Screen.settled(server, columns: 100)
    screen.main.show(.qwinker(dana))
    await screen.settle()
    #expect(screen.status.contains("F \(Relationship(id: dana.id).followWord)"), "\(screen.status)")
    server.handle(.get, "/api/v1/accounts/relationships") { _ in .json(now) }
    await run("muted", on: screen)
    #expect(screen.status.contains("M \(QwinkerListWords.mutes(false))"), "\(screen.text)")
    #expect(screen.text.contains(QwinkerWords.isMuted), "\(screen.text)")
  }

  @Test func `u restores the rows of a muted author`() async throws {
    let server = server(boosting: false)
    handle("mute", "erin-id", on: server, fails: false)
    handle("unmute", "erin-id", on: server, fails: false)
    let screen = try await Screen.settled(server)
    await screen.press("j", "M")
    #expect(screen.visible == [5, 3, 2, 1])
    await screen.press("u")
    #expect(screen.visible == [5, 4, 3, 2, 1])
  }

  @Test(arguments: [false, true])
  func `a muted author's search results disappear and return if muting fails`(fails: Bool) async throws {
    let server = server(boosting: false)
    let gate = Gate()
    handle("mute", "erin-id", on: server, gate: gate, fails: fails)
    let found = SearchResults(
      qwinkers: [.sample("erin")],
      qwinks: [("81", "alice"), ("82", "erin"), ("83", "bob"), ("84", "erin")].map { id, name in
        .sample(id: .init(id), text: "Kiosk of \(name)", author: .sample(name))
      })
    server.setAnswer(WireEncoder.searchResults(found), of: "/api/v2/search")
    let screen = try await Screen.settled(server, rows: 40)
    await run("search kiosk", on: screen)
    #expect(screen.text.contains(SearchWords.found(5)), "\(screen.text)")
    await screen.press("j", "j")
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains("Kiosk of erin") }, "\(screen.text)")
    screen.strike("M")
    await screen.turn()
    let count = { screen.lines.count { $0.contains("Kiosk of erin") } }
    #expect(count() == 0 && screen.text.contains(SearchWords.found(3)), "\(screen.text)")
    #expect(screen.text.contains("Kiosk of alice") && screen.text.contains("Kiosk of bob"), "\(screen.text)")
    #expect(screen.text.contains(SearchWords.people), "who was found stays:\n\(screen.text)")
    gate.open()
    await screen.settle()
    #expect(count() == (fails ? 2 : 0) && screen.text.contains(SearchWords.found(fails ? 5 : 3)), "\(screen.text)")
    #expect(screen.lines.count { $0.contains(SearchWords.qwinks) } == 1, "\(screen.text)")
  }

  @Test(arguments: [false, true])
  func `a muted account's conversations disappear and return if muting fails`(fails: Bool) async throws {
    let server = ScriptedTimeline()
    let gate = Gate()
    handle("mute", Talk.bob.id, on: server, gate: gate, fails: fails)
    let both = [Talk.bob, Talk.dana]
    server.messages.add("both", with: both, [.message("1", by: Talk.dana, to: [Talk.me], "All of us", at: Talk.at(-9))])
    server.messages.add(
      "bob", with: [Talk.bob], isUnread: true,
      [.message("2", by: Talk.bob, to: [Talk.me], "Just you", at: Talk.at(-2))])
    let screen = try await Screen.settled(server)
    await screen.press("3")
    #expect(screen.header.contains("3 Messages •1") && screen.text.contains("Just you"), "\(screen.text)")
    screen.strike("M")
    await screen.turn()
    #expect(!screen.text.contains("Just you") && screen.text.contains("All of us"), "\(screen.text)")
    #expect(!screen.header.contains("3 Messages •"), "\(screen.header)")
    gate.open()
    await screen.settle()
    #expect(screen.text.contains("Just you") == fails, "\(screen.text)")
    #expect(screen.header.contains("3 Messages •1") == fails, "\(screen.header)")
  }

  @Test func `muting also hides the account's boosts and notifications`() async throws {
    let server = server()
    handle("mute", "alice-id", on: server, fails: false)
    let notification = AccountNotification(
      id: "n1", kind: .follow, createdAt: ScriptedTimeline.start, qwinker: .sample("alice"))
    let other = AccountNotification(
      id: "n0", kind: .follow, createdAt: ScriptedTimeline.start, qwinker: .sample("bob"))
    server.handle(.get, "/api/v1/notifications") { _ in .json(WireEncoder.notifications([notification, other])) }
    var reply = ScriptedTimeline.qwink(70)
    reply.author = .sample("alice")
    reply.inReplyTo = "5"
    server.setThread(QwinkThread(descendants: [reply, ScriptedTimeline.qwink(71)]), of: 5)
    let screen = try await Screen.settled(server)
    await screen.press("2")
    #expect(screen.visible.contains(8))
    await run("mute alice", on: screen)
    // The command requests the account by name.
    server.setAnswer(WireEncoder.qwinker(.sample("alice")), of: "/api/v1/accounts/lookup")
    await run("mute alice", on: screen)
    #expect(screen.status.contains(ActionWords.muted(.sample("alice"), true, seconds: 0)), "\(screen.text)")
    #expect(!screen.visible.contains(8) && screen.visible.contains(9), "\(screen.text)")
    #expect(!screen.visible.contains(5), "5 is by alice")
    await screen.press("4")
    #expect(screen.text.contains("bob") && !screen.text.contains("alice"), "\(screen.text)")
  }

  @Test func `hidden boosts and replies are named in the title of the pane`() async throws {
    let screen = try await Screen.settled(server(), rows: 40)
    // The common prefix of such titles.
    let without = HidingWords.title([])
    await screen.press("2")
    #expect(screen.visible == [9, 8, 6, 5, 4, 3, 2, 1], "\(screen.text)")
    await run("hide boosts", on: screen)
    #expect(screen.visible == [9, 6, 5, 4, 3, 2, 1], "\(screen.text)")
    #expect(screen.way.contains(HidingWords.title([.boosts])), "\(screen.text)")
    #expect(screen.status.contains(HidingWords.chosen([.boosts])), "\(screen.text)")
    await run("hide replies", on: screen)
    #expect(screen.visible == [9, 5, 4, 3, 2, 1], "replies to me stay:\n\(screen.text)")
    #expect(screen.way.contains(HidingWords.title([.boosts, .replies])), "\(screen.way)")
    await run("show boosts", on: screen)
    #expect(screen.visible == [9, 8, 5, 4, 3, 2, 1], "\(screen.text)")
    await run("show", on: screen)
    #expect(screen.visible.count == 8 && !screen.way.contains(without), "\(screen.text)")
    await screen.press("1")
    #expect(!screen.way.contains(without), "another pane has its own")
  }

  @Test func `a pane hides the same types after a restart`() async throws {
    let folder = TemporaryFolder()
    let server = server()
    let first = try await Screen.settled(server, rows: 40, in: folder)
    await first.press("2")
    await run("hide boosts", on: first)
    first.strike("^C", "^C")
    await first.settle()
    let second = try await Screen.settled(server, rows: 40, in: folder)
    #expect(second.visible == [9, 6, 5, 4, 3, 2, 1], "\(second.text)")
    #expect(second.way.contains(HidingWords.title([.boosts])), "\(second.text)")
  }

  @Test func `the hide option applies to all timelines unless a pane overrides it`() async throws {
    let screen = try await Screen.settled(server(), rows: 40)
    await screen.press("2")
    await run("set hide boosts replies", on: screen)
    #expect(screen.visible == [9, 5, 4, 3, 2, 1] && screen.way.contains(HidingWords.title([.boosts, .replies])))
    await run("show replies", on: screen)
    await run("set hide none", on: screen)
    #expect(screen.visible == [9, 6, 5, 4, 3, 2, 1], "\(screen.text)")
    #expect(screen.way.contains(HidingWords.title([.boosts])), "\(screen.text)")
  }

  @Test func `a pane with only hidden rows shows a placeholder and stops fetching`() async throws {
    let server = ScriptedTimeline()
    let boosts = (1...900).reversed().map { number in
      var boost = ScriptedTimeline.qwink(number)
      boost.booster = .sample("alice")
      boost.originalID = Qwink.ID("original-\(number)")
      return boost
    }
    server.add(boosts, to: "home")
    let screen = try await Screen.settled(server)
    await screen.press("2")
    await run("hide boosts", on: screen)
    #expect(screen.text.contains(HidingWords.nothing([.boosts])), "\(screen.text)")
    let pages = server.paths.count { $0.contains("/home?") && $0.contains("max_id") }
    #expect((1...10).contains(pages), "\(pages) pages were fetched")
  }

  @Test func `the selected notification types are grouped as usual and saved over a restart`() async throws {
    let server = server()
    let mine = Qwink.sample(id: "own-1", text: "My chard", author: .sample("mara"))
    func notification(_ id: String, _ kind: AccountNotification.Kind, _ name: String) -> AccountNotification {
      AccountNotification(
        id: AccountNotification.ID(id), kind: kind, createdAt: ScriptedTimeline.start, qwinker: .sample(name),
        qwink: kind == .follow ? nil : mine)
    }
    let all = [
      notification("n5", .favourite, "alice"), notification("n4", .mention, "bob"),
      notification("n3", .favourite, "carol"), notification("n2", .boost, "dana"), notification("n1", .follow, "erin"),
    ]
    server.handle(.get, "/api/v1/notifications") { _ in .json(WireEncoder.notifications(all)) }
    let folder = TemporaryFolder()
    let screen = try await Screen.settled(server, rows: 40, in: folder)
    await screen.press("4")
    let favourited = "alice and carol \(NotificationWords.verb(of: .favourite))"
    let boosted = "dana \(NotificationWords.verb(of: .boost))"
    #expect(screen.text.contains("\(favourited) · \(boosted)"), "\(screen.text)")
    await run("only favourites", on: screen)
    let onlyFavourites = NotificationWords.only([.favourites])
    #expect(screen.text.contains(favourited) && !screen.text.contains("dana"), "\(screen.text)")
    #expect(!screen.text.contains("bob") && screen.way.contains(onlyFavourites), "\(screen.text)")
    screen.strike("^C", "^C")
    await screen.settle()
    let second = try await Screen.settled(server, rows: 40, in: folder)
    #expect(second.way.contains(onlyFavourites) && !second.text.contains("bob"), "\(second.text)")
    await second.press("@")
    #expect(second.text.contains("bob") && !second.text.contains("alice"), "\(second.text)")
    await second.press("@")
    #expect(second.text.contains("alice and carol"), "\(second.text)")
    #expect(!second.way.contains(NotificationWords.only([.mentions])), "\(second.text)")
    await run("only polls follows", on: second)
    #expect(second.text.contains("erin"), "\(second.text)")
    #expect(second.way.contains(NotificationWords.only([.follows, .polls])), "\(second.text)")
    await run("only posts", on: second)
    #expect(second.text.contains(NotificationWords.noneOf([.posts])), "\(second.text)")
    await run("only boats", on: second)
    let types = NotificationType.list(Set(NotificationType.allCases), "or")
    #expect(second.unwrapped.contains(PromptWords.usage(":only TYPES", types)), "\(second.text)")
  }

  @Test func `the hide command reports its arguments and where it doesn't apply`() async throws {
    let screen = try await Screen.settled(server())
    await run("hide pictures", on: screen)
    #expect(screen.text.contains(":hide boosts|replies"), "\(screen.text)")
    await screen.press("Esc", "6")
    await screen.press("Esc")
    await run("hide boosts", on: screen)
    #expect(screen.text.contains(HidingWords.refusal(of: .hide([.boosts]))), "\(screen.text)")
  }
}
