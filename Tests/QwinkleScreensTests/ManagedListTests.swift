import FoundationEssentials
import HTTPTypes
import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

/// Screens for data that the server stores for the user: scheduled posts, lists and their members, filters, followed
/// hashtags, announcements, trends, and server information.
@MainActor
@Suite(.bounded) struct ManagedListTests {
  private func open(_ command: String, on server: ScriptedTimeline, rows: Int = 24) async throws -> Screen {
    let screen = try await Screen.settled(server, rows: rows, columns: 100)
    await screen.press(":")
    screen.type(command)
    await screen.press("Enter")
    return screen
  }

  private func enter(_ text: String, after key: String, on screen: Screen) async {
    await screen.press(key)
    screen.type(text)
    await screen.press("Enter")
  }

  // MARK: Lists

  nonisolated private static let kiosks = PersonalList(id: "5", title: "Kiosks")

  private func lists() -> ScriptedTimeline {
    let server = ScriptedTimeline([1])
    server.api.answer("GET /api/v1/lists") { _ in .json(WireEncoder.lists([Self.kiosks])) }
    server.api.answer("POST /api/v1/lists") { _ in .json(WireEncoder.list(PersonalList(id: "6", title: "Boats"))) }
    server.api.answer("PUT /api/v1/lists/5") { _ in .json(WireEncoder.list(PersonalList(id: "5", title: "Shops"))) }
    server.api.answer("DELETE /api/v1/lists/5") { _ in .json(Array("{}".utf8)) }
    return server
  }

  @Test func `lists are created, renamed and deleted`() async throws {
    let server = lists()
    let screen = try await open("lists", on: server)
    #expect(screen.way.contains(ManagedListWords.lists) && screen.text.contains("Kiosks"), "\(screen.text)")
    await enter("Boats", after: "c", on: screen)
    #expect(server.api.bodies(of: "POST /api/v1/lists").first?.contains("Boats") == true)
    let created = try Screen.naming(ManagedListWords.listCreated)
    #expect(screen.text.contains("Boats") && screen.status.contains(created), "\(screen.text)")
    await screen.press("G", "e")
    #expect(screen.text.contains("\(ManagedListWords.listName) Kiosks"), "\(screen.text)")
    await screen.press("^U")
    screen.type("Shops")
    await screen.press("Enter")
    #expect(server.api.bodies(of: "PUT /api/v1/lists/5").first?.contains("Shops") == true)
    #expect(screen.text.contains("Shops") && !screen.text.contains("Kiosks"), "\(screen.text)")
    await screen.press("d")
    let question = ManagedListWords.deleteQuestion(PersonalList(id: "5", title: "Shops"))
    #expect(screen.text.contains(question), "\(screen.text)")
    await screen.press("y")
    #expect(!screen.text.contains("Shops") && screen.text.contains("Boats"), "\(screen.text)")
  }

  @Test func `Enter opens a list, and its members are shown, added and removed`() async throws {
    let server = lists()
    server.api.answer("GET /api/v1/lists/5/accounts") { _ in .json(WireEncoder.qwinkers([.sample("bob")])) }
    server.api.answer("GET /api/v1/accounts/lookup") { _ in .json(WireEncoder.qwinker(.sample("dana"))) }
    for method in ["POST", "DELETE"] {
      server.api.answer("\(method) /api/v1/lists/5/accounts") { _ in .json(Array("{}".utf8)) }
    }
    let screen = try await open("lists", on: server)
    await screen.press("m")
    let title = QwinkerListWords.title(of: .members("5"), qwinker: nil)
    #expect(screen.way.contains(title) && screen.text.contains("@bob"), "\(screen.text)")
    await enter("dana", after: "c", on: screen)
    #expect(server.api.bodies(of: "POST /api/v1/lists/5/accounts") == [#"{"account_ids":["dana-id"]}"#])
    let added = withKeys(ActionWords.undoable(QwinkerListWords.member(.sample("dana"), isOn: true)))
    #expect(screen.text.contains("@dana") && screen.status.contains(added), "\(screen.text)")
    await screen.press("G", "d")
    #expect(server.api.bodies(of: "DELETE /api/v1/lists/5/accounts") == [#"{"account_ids":["bob-id"]}"#])
    let removed = QwinkerListWords.member(.sample("bob"), isOn: false)
    #expect(!screen.text.contains("@bob  ") && screen.status.contains(removed), "\(screen.text)")
    await screen.press("u")
    #expect(server.api.bodies(of: "POST /api/v1/lists/5/accounts").count == 2)
    await screen.press("e")
    #expect(screen.status.contains(ManagedListWords.cannot(.edit)), "\(screen.status)")
    await screen.press("q")
    server.setAnswer(WireEncoder.qwinks([.sample(id: "8", text: "The kiosk is open.")]), of: "/api/v1/timelines/list")
    server.handle(.get, "/api/v1/timelines/list/5") { _ in
      .json(WireEncoder.qwinks([.sample(id: "8", text: "The kiosk is open.")]))
    }
    await screen.press("Enter")
    #expect(screen.text.contains("The kiosk is open."), "\(screen.text)")
  }

  // MARK: Scheduled

  @Test func `a scheduled post is rescheduled or cancelled after a question`() async throws {
    let server = ScriptedTimeline([1])
    let post = ScheduledPost(id: "9", publishAt: ScriptedTimeline.start.addingTimeInterval(7200), text: "Later, leek.")
    var moved = post
    moved.publishAt = ScriptedTimeline.start.addingTimeInterval(86_400)
    let new = moved
    server.api.answer("GET /api/v1/scheduled_statuses") { _ in .json(WireEncoder.scheduledPosts([post])) }
    server.api.answer("PUT /api/v1/scheduled_statuses/9") { _ in .json(WireEncoder.scheduledPost(new)) }
    server.api.answer("DELETE /api/v1/scheduled_statuses/9") { _ in .json(Array("{}".utf8)) }
    let screen = try await open("scheduled", on: server)
    #expect(screen.text.contains("Later, leek."), "\(screen.text)")
    await enter("yesterday", after: "e", on: screen)
    #expect(screen.status.contains(EntryWords.noTime("yesterday")), "\(screen.status)")
    await enter("1d", after: "e", on: screen)
    #expect(server.api.bodies(of: "PUT /api/v1/scheduled_statuses/9").count == 1)
    let time = RelativeTime.full(new.publishAt, in: screen.account.timeZone)
    #expect(screen.status.contains(ManagedListWords.publishedAt(time)), "\(screen.status)")
    await screen.press("d")
    #expect(screen.text.contains(ManagedListWords.unscheduleQuestion), "\(screen.text)")
    await screen.press("y")
    #expect(screen.text.contains(withKeys(ManagedListWords.nothingScheduled)), "\(screen.text)")
    await screen.press("c")
    #expect(screen.status.contains(ManagedListWords.cannot(.add)), "\(screen.status)")
  }

  // MARK: Filters

  nonisolated private static let filter = ContentFilter(
    id: "3", title: "Spoilers", contexts: [.home], keywords: [.init(id: "31", text: "butler")])

  @Test func `filters are created, changed and deleted`() async throws {
    let server = ScriptedTimeline([1])
    server.api.answer("GET /api/v2/filters") { _ in .json(WireEncoder.filters([Self.filter])) }
    server.api.answer("POST /api/v2/filters") { _ in
      .json(WireEncoder.filter(ContentFilter(id: "4", title: "Cats", keywords: [.init(id: "41", text: "cat")])))
    }
    server.api.answer("PUT /api/v2/filters/3") { _ in
      var changed = Self.filter
      changed.hides = true
      return .json(WireEncoder.filter(changed))
    }
    server.api.answer("DELETE /api/v2/filters/3") { _ in .json(Array("{}".utf8)) }
    let screen = try await open("filters", on: server, rows: 30)
    let warns = ManagedListWords.effect(of: Self.filter)
    #expect(screen.text.contains("Spoilers  \(warns)") && screen.text.contains("butler"), "\(screen.text)")
    await screen.press("Enter")
    let fields = FilterForm(Self.filter, zone: .gmt).fields
    let columns = (fields.map(\.label.count).max() ?? 0) + 2
    for (field, text) in [(fields[0], "Spoilers"), (fields[3], "warn")] {
      let line = field.label + String(repeating: " ", count: columns - field.label.count) + text
      #expect(screen.text.contains(line), "\(screen.text)")
    }
    await screen.press("Tab", "Tab", "Tab", "^U")
    screen.type("hide")
    await screen.press("^D")
    let body = server.api.bodies(of: "PUT /api/v2/filters/3").first ?? ""
    #expect(body.contains("hide") && !body.contains("expires_in"), "\(body)")
    var hiding = Self.filter
    hiding.hides = true
    #expect(screen.text.contains("Spoilers  \(ManagedListWords.effect(of: hiding))"), "\(screen.text)")
    #expect(screen.status.contains(ManagedListWords.filterSaved), "\(screen.status)")
    await screen.press("c", "^D")
    #expect(screen.text.contains(ManagedListWords.titleMissing), "\(screen.text)")
    screen.type("Cats")
    await screen.press("Tab")
    screen.type("cat*, black dog")
    await screen.press("Tab", "Tab", "Tab", "^U")
    screen.type("8h")
    await screen.press("^D")
    let sent = server.api.bodies(of: "POST /api/v2/filters").first ?? ""
    #expect(sent.contains("black dog") && sent.contains("28800") && sent.contains("warn"), "\(sent)")
    #expect(screen.text.contains("Cats  \(warns)"), "\(screen.text)")
    await screen.press("G", "d", "y")
    #expect(!screen.text.contains("Spoilers"), "\(screen.text)")
  }

  // MARK: Hashtags

  @Test func `hashtags are followed, unfollowed and opened`() async throws {
    let server = ScriptedTimeline([1])
    server.api.answer("GET /api/v1/followed_tags") { _ in
      .json(WireEncoder.tags([Tag(name: "garden", isFollowed: true)], base: "https://tilde.example"))
    }
    for (name, verb) in [("kiosk", "follow"), ("garden", "unfollow"), ("garden", "follow")] {
      server.api.answer("POST /api/v1/tags/\(name)/\(verb)") { _ in
        .json(WireEncoder.tag(Tag(name: name, isFollowed: verb == "follow"), base: "https://tilde.example"))
      }
    }
    let screen = try await open("followed-tags", on: server)
    #expect(screen.text.contains("#garden"), "\(screen.text)")
    await enter("#kiosk", after: "c", on: screen)
    let followed = ManagedListWords.followed("kiosk", isOn: true)
    #expect(screen.text.contains("#kiosk") && screen.status.contains(followed), "\(screen.text)")
    await screen.press("G", "d")
    let unfollowed = withKeys(ActionWords.undoable(ManagedListWords.followed("garden", isOn: false)))
    #expect(screen.status.contains(unfollowed), "\(screen.status)")
    #expect(!screen.lines.dropLast(3).joined().contains("#garden"), "\(screen.text)")
    await screen.press("u")
    #expect(screen.lines.dropLast(3).joined().contains("#garden"), "\(screen.text)")
    await screen.press("g", "g", "Enter")
    #expect(screen.way.contains("› #"), "\(screen.way)")
  }

  // MARK: Announcements and trends

  @Test func `announcements are shown and marked as read`() async throws {
    let server = ScriptedTimeline([1])
    server.api.answer("GET /api/v1/announcements") { _ in
      .json(Array(#"[{"id":"7","content":"<p>We move on Sunday.</p>"}]"#.utf8))
    }
    server.api.answer("POST /api/v1/announcements/7/dismiss") { _ in .json(Array("{}".utf8)) }
    let screen = try await open("announcements", on: server)
    #expect(screen.text.contains("We move on Sunday.") && screen.text.contains("•"), "\(screen.text)")
    await screen.press("d")
    #expect(server.api.asked.contains { $0.hasPrefix("POST /api/v1/announcements/7/dismiss") })
    #expect(!screen.text.contains("•"), "\(screen.text)")
    await screen.press("d")
    #expect(screen.status.contains(ManagedListWords.alreadyRead), "\(screen.status)")
  }

  @Test func `trends open qwinks, hashtags and links`() async throws {
    let server = ScriptedTimeline([1])
    server.api.answer("GET /api/v1/trends/tags") { _ in
      .json(WireEncoder.tags([Tag(name: "leek")], base: "https://tilde.example"))
    }
    server.api.answer("GET /api/v1/trends/links") { _ in
      .json(WireEncoder.cards([Qwink.Card(url: "https://example.org/leeks", title: "All about leeks")]))
    }
    server.setAnswer(WireEncoder.qwinks([.sample(id: "8", text: "A leek.")]), of: "/api/v1/trends/statuses")
    let screen = try await open("trends", on: server)
    #expect(screen.text.contains("#leek") && screen.text.contains("All about leeks"), "\(screen.text)")
    await screen.press("Enter")
    #expect(screen.text.contains("A leek."), "\(screen.text)")
    await screen.press("q", "j", "Enter")
    #expect(screen.way.contains("#leek"), "\(screen.way)")
    await screen.press("q", "G", "Enter")
    #expect(screen.opener.opened == ["https://example.org/leeks"])
  }

  @Test func `an empty trends page shows a message and a missing endpoint hides no other`() async throws {
    let server = ScriptedTimeline([1])
    server.api.answer("GET /api/v1/trends/tags") { _ in .json(Array("[]".utf8)) }
    let screen = try await open("trends", on: server)
    #expect(screen.text.contains(TimelineWords.nothingTrending))
    #expect(!screen.text.contains(ManagedListWords.trendingQwinks))
    #expect(screen.account.connection.abilities[.trends] == true)
    server.api.answer("GET /api/v1/trends/tags") { _ in .json(WireEncoder.error("Not found"), status: 404) }
    server.setAnswer(WireEncoder.qwinks([.sample(id: "8", text: "A leek.")]), of: "/api/v1/trends/statuses")
    await screen.press("R")
    #expect(screen.text.contains(ManagedListWords.trendingQwinks), "\(screen.text)")
    #expect(screen.account.connection.abilities[.trends] == true)
  }

  @Test func `the server page shows its description, facts and rules`() async throws {
    let server = ScriptedTimeline([1])
    var info = ServerInfo(title: "Tilde", domain: "tilde.example", version: "4.5.2", summary: "A garden.")
    info.rules = [ServerRule(id: "40", text: "Be kind.", hint: "Always."), ServerRule(id: "90", text: "No adverts.")]
    let body = WireEncoder.serverInfoV2(info)
    server.handle(.get, "/api/v2/instance") { _ in .json(body) }
    let screen = try await open("server", on: server)
    #expect(info.facts.contains { $0.contains("4.5.2") })
    let rules = [ManagedListWords.rule(1), "Be kind.", "Always.", ManagedListWords.rule(2), "No adverts."]
    for words in ["Tilde  tilde.example", "A garden."] + info.facts + rules {
      #expect(screen.text.contains(words), "\(words)\n\(screen.text)")
    }
  }

  @Test(arguments: ["server", "lists"])
  func `the screen in front is not opened again`(command: String) async throws {
    let screen = try await open(command, on: lists())
    let way = screen.way
    await screen.press(":")
    screen.type(command)
    await screen.press("Enter")
    #expect(screen.way == way, "\(screen.way)")
  }

  @Test func `a search with edited text can be opened again`() async throws {
    let server = ScriptedTimeline([1])
    server.api.answer("GET /api/v2/search") { _ in .json(WireEncoder.searchResults(SearchResults())) }
    let screen = try await open("search tea", on: server)
    await screen.press("/", "^U")
    screen.type("coffee")
    await screen.press("Enter", ":")
    screen.type("search tea")
    await screen.press("Enter")
    let words = server.api.asked.filter { $0.hasPrefix("GET /api/v2/search") }
    #expect(words.count == 3 && words[2].contains("q=tea"), "\(words)")
  }

  // MARK: Servers without

  @Test(arguments: [
    ("lists", Ability.lists), ("filters", .filters), ("scheduled", .scheduledPosts), ("followed-tags", .followedTags),
    ("announcements", .announcements), ("trends", .trends),
  ])
  func `a missing feature is reported and its command is removed from the help`(
    command: String, ability: Ability
  ) async throws {
    let screen = try await open(command, on: ScriptedTimeline([1]), rows: 480)
    #expect(screen.text.contains(ScriptedTimeline.lack(of: ability)), "\(screen.text)")
    await screen.press("?")
    #expect(!screen.text.contains(":\(command) ") && !screen.text.contains(":\(command)\n"), "\(screen.text)")
  }

  @Test func `the position in a list is restored after a restart`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline([1])
    server.api.answer("GET /api/v1/lists") { _ in
      .json(WireEncoder.lists((1...9).map { PersonalList(id: .init("\($0)"), title: "List number \($0)") }))
    }
    let first = try await Screen.settled(server, columns: 100, in: folder)
    await first.press(":")
    first.type("lists")
    await first.press("Enter", "j", "j")
    first.strike("^C", "^C")
    await first.settle()
    let second = try await Screen.settled(server, columns: 100, in: folder)
    #expect(second.lines.contains { $0.hasPrefix("▌") && $0.contains("List number 3") }, "\(second.text)")
  }

  // MARK: Reading a form

  @Test func `a filter's form is parsed and its errors are reported`() throws {
    let clock = ScriptedTimeline.start
    let form = FilterForm(Self.filter, zone: .gmt)
    #expect(form.words == "butler" && form.places == "home" && form.effect == "warn" && form.end == "never")
    func change(_ edit: (inout FilterForm) -> Void) throws(FilterForm.Refusal) -> FilterForm.Change {
      var typed = form
      edit(&typed)
      return try typed.change(of: Self.filter, from: form, at: clock, zone: .gmt)
    }
    let changed = try change { $0.words = "maid, butler*" }
    #expect(changed.removed == ["31"] && changed.seconds == nil)
    #expect(changed.filter.keywords == [.init(text: "maid"), .init(text: "butler", isWhole: false)])
    #expect(try change { $0.end = "1h" }.seconds == 3600)
    let contexts = ContentFilter.Context.allCases.map(\.rawValue).joined(separator: ", ")
    let wrong: [(String, (inout FilterForm) -> Void)] = [
      (ManagedListWords.titleMissing, { $0.title = "" }), (ManagedListWords.wordsMissing, { $0.words = " , " }),
      (ManagedListWords.noContext(known: contexts), { $0.places = "moon" }),
      (ManagedListWords.noEffect("delete"), { $0.effect = "delete" }),
      (ManagedListWords.noEnd("soon"), { $0.end = "soon" }),
    ]
    for (sentence, edit) in wrong {
      let error = #expect(throws: FilterForm.Refusal.self) { try change(edit) }
      #expect(error?.sentence == sentence)
    }
  }
}
