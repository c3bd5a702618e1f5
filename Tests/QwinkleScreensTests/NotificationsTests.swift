import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct NotificationsTests {
  private static let call = "GET /api/v1/notifications"
  private static let markers = "GET /api/v1/markers"
  private static let setMarkers = "POST /api/v1/markers"
  private static let favourited = NotificationWords.verb(of: .favourite)
  private static let boosted = NotificationWords.verb(of: .boost)
  private static let mentionedYou = NotificationWords.verb(of: .mention)
  private static let followsYou = NotificationWords.verb(of: .follow)
  private static let asksToFollow = NotificationWords.verb(of: .followRequest)

  nonisolated private static let mine = Qwink.sample(id: "m1", text: "The chard survives.", author: .sample("mara"))

  nonisolated private static func notification(
    _ id: String, _ kind: AccountNotification.Kind, by name: String, minutes: Double = 1, qwink: Qwink? = nil
  ) -> AccountNotification {
    AccountNotification(
      id: AccountNotification.ID(id), kind: kind, createdAt: ScriptedTimeline.start.addingTimeInterval(-60 * minutes),
      qwinker: .sample(name, displayName: name.prefix(1).uppercased() + name.dropFirst()), qwink: qwink)
  }

  private func bench(
    _ notifications: [AccountNotification], read: String? = nil, at date: Date? = nil, rows: Int = 24,
    columns: Int = 80,
    in folder: TemporaryFolder = TemporaryFolder()
  ) throws -> (Bench, NotificationsViewController) {
    let bench = try Bench(rows: rows, columns: columns, in: folder)
    set(notifications, in: bench.api)
    bench.api.answer(Self.markers) { _ in
      .json(
        WireEncoder.readPositions(
          read.map { [ReadPosition(place: .notifications, lastReadID: $0, updatedAt: date)] } ?? []))
    }
    bench.api.answer(Self.setMarkers) { _ in .json(WireEncoder.readPositions([])) }
    let screen = NotificationsViewController(account: bench.account)
    screen.navigator = bench.navigator
    return (bench, screen)
  }

  private func set(_ notifications: [AccountNotification], in api: ScriptedAPI) {
    api.pages(Self.call, of: notifications) { WireEncoder.notifications($0) }
  }

  @Test func `each kind shows its author, action, time and text`() async throws {
    var answer = Qwink.sample(id: "a1", text: "@mara Which chard?", author: .sample("dana"))
    answer.inReplyToAuthor = "mara-id"
    var secret = Qwink.sample(id: "a2", text: "@mara Come at nine.", author: .sample("frank"))
    secret.visibility = .direct
    let reply = Self.notification("6", .mention, by: "dana", minutes: 80, qwink: answer)
    let message = Self.notification("5", .mention, by: "frank", minutes: 90, qwink: secret)
    let (bench, screen) = try bench(
      [
        Self.notification("9", .favourite, by: "bob", minutes: 2, qwink: Self.mine),
        Self.notification("8", .boost, by: "carol", minutes: 14, qwink: Self.mine),
        Self.notification("7", .follow, by: "erin", minutes: 70), reply, message,
        Self.notification("4", .signUp, by: "gil", minutes: 100),
        Self.notification("3", .followRequest, by: "hana", minutes: 110),
      ], rows: 30)
    bench.account.identity.identify()
    await bench.show(screen)
    let text = bench.text
    let replied = NotificationWords.verb(of: reply, me: "mara-id")
    let sent = NotificationWords.verb(of: message, me: "mara-id")
    let audience = try #require(QwinkCellData.audience(of: secret))
    for words in [
      "★↻ Bob \(Self.favourited) · Carol \(Self.boosted)", "+  Erin \(Self.followsYou)  @erin", "@  Dana \(replied)",
      "@  Frank \(sent)", audience, "·  Gil signed up on your server", "?  Hana \(Self.asksToFollow)",
      "The chard survives.", "@mara Which chard?",
    ] { #expect(text.contains(words), "“\(words)” is missing") }
    #expect(bench.rows[0].hasSuffix("  2m"))
    #expect(bench.rows[3].hasSuffix("  1h"))
  }

  @Test(arguments: [40, 80])
  func `notifications without a qwink show names, counts and the moderators' text`(columns: Int) async throws {
    let details: [(kind: AccountNotification.Kind, detail: NotificationDetail?, words: [String])] = [
      (
        .report,
        .report(target: .sample("carol"), category: "spam", comment: "Only ads.", qwinks: ["4", "5"], rules: ["1"]),
        ["Gil reported an account", "@carol · spam · 1 rule · 2 posts: Only ads."]
      ),
      (
        .report,
        .report(id: "9", target: .sample("carol"), category: "other", comment: "", qwinks: [], isResolved: true),
        ["@carol · other · resolved"]
      ),
      (.signUp, nil, ["Gil signed up on your server"]),
      (
        .severance,
        .severance(cause: "domain_block", target: "x.example", followersCount: 3, followingCount: 1),
        [
          "·  Some of your follows have ended",
          "Your server blocked x.example: 3 followers and 1 followed account lost",
        ]
      ),
      (
        .warning, .warning(action: "silence", text: "Be kind."),
        ["!  A message from your moderators", "Your account is limited. Be kind."]
      ),
      (
        .warning, .warning(action: "none", text: "", qwinks: ["7"], appeal: "rejected"),
        ["It is about 1 of your posts. Your appeal was rejected."]
      ),
      (
        .collectionAdd, .collection(name: "Growers", description: "People with leeks"),
        ["Gil added you to a collection", "“Growers”: People with leeks"]
      ),
      (.annualReport, .annualReport(year: 2025), ["·  Your year in review is ready", "2025"]),
      (.collectionEdit, nil, ["Gil changed a collection that lists you"]),
      (.quotedEdit, nil, ["Gil edited a post that you quoted"]),
      (.other("garden_party"), nil, ["New notification from @gil (type garden_party)"]),
      (
        .other("garden_party"), .fallback(title: "Gil invites you", summary: "See the web app."),
        ["·  Gil invites you", "See the web app."]
      ),
    ]
    let notifications = details.enumerated().map { index, detail -> AccountNotification in
      var notification = Self.notification("\(20 - index)", detail.kind, by: "gil", minutes: Double(2 + index))
      notification.detail = detail.detail
      return notification
    }
    let (bench, screen) = try bench(notifications, rows: 100, columns: columns)
    await bench.show(screen)
    for (kind, _, words) in details {
      // A long sentence has two rows.
      // Times are at the end of a first row, and the selection bar is at the start of each row.
      let all = bench.rows.flatMap { $0.split(separator: " ") }.filter { word in
        word != "▌" && !(word.hasSuffix("m") && Int(word.dropLast()) != nil)
      }.joined(separator: " ")
      for text in words {
        let words = text.split(separator: " ").joined(separator: " ")
        #expect(all.contains(words), "\(kind): “\(text)” is missing")
      }
    }
  }

  @Test func `a mention omits the reader's handle`() async throws {
    var open = Qwink.message("a2", by: Talk.bob, to: [Talk.me], "Come at nine.", at: Talk.at(-90))
    open.visibility = .public
    let (bench, screen) = try bench([Self.notification("5", .mention, by: "bob", minutes: 90, qwink: open)])
    bench.account.identity.identify()
    await bench.show(screen)
    #expect(bench.text.contains("@  Bob \(Self.mentionedYou)") && bench.text.contains("▌         Come at nine."))
    #expect(!bench.text.contains("@mara"))
  }

  @Test func `a private message omits the reader's handle`() async throws {
    let secret = Qwink.message("a2", by: Talk.bob, to: [Talk.me, Talk.dana], "Come at nine.", at: Talk.at(-90))
    let (bench, screen) = try bench([Self.notification("5", .mention, by: "bob", minutes: 90, qwink: secret)])
    bench.account.identity.identify()
    await bench.show(screen)
    #expect(bench.text.contains("  @dana Come at nine."))
    #expect(!bench.text.contains("@mara"))
  }

  @Test func `consecutive reactions to a qwink share a row`() async throws {
    let other = Qwink.sample(id: "m2", text: "Another one.", author: .sample("mara"))
    let (bench, screen) = try bench([
      Self.notification("9", .favourite, by: "bob", qwink: Self.mine),
      Self.notification("8", .favourite, by: "carol", qwink: Self.mine),
      Self.notification("7", .favourite, by: "dana", qwink: Self.mine),
      Self.notification("6", .favourite, by: "erin", qwink: Self.mine),
      Self.notification("5", .favourite, by: "frank", qwink: Self.mine),
      Self.notification("4", .boost, by: "gil", qwink: Self.mine),
      Self.notification("3", .boost, by: "bob", qwink: Self.mine),
      Self.notification("2", .boost, by: "bob", qwink: other),
    ])
    await bench.show(screen)
    let others = NotificationWords.others(3)
    #expect(bench.text.contains("★↻ Bob, Carol\(others) \(Self.favourited) · Gil and Bob \(Self.boosted)"))
    #expect(bench.text.contains("↻  Bob \(Self.boosted)"))
    #expect(!bench.text.contains("Dana"))
  }

  @Test func `reactions are grouped by qwink and followers by day`()
    async throws
  {
    let follow = Self.notification("8", .follow, by: "carol")
    let (bench, screen) = try bench([
      Self.notification("9", .favourite, by: "bob", qwink: Self.mine), follow,
      Self.notification("7", .boost, by: "dana", minutes: 2, qwink: Self.mine),
      Self.notification("6", .follow, by: "erin", minutes: 3),
      Self.notification("5", .favourite, by: "gil", minutes: 60 * 26, qwink: Self.mine),
    ])
    bench.account.identity.identify()
    await bench.show(screen)
    #expect(bench.lines.filter { $0.contains("•") }.count == 3)
    #expect(bench.rows[0].contains("★↻ Bob \(Self.favourited) · Dana \(Self.boosted)"))
    #expect(bench.text.contains("+  Carol and Erin \(NotificationWords.verb(of: follow, me: nil, count: 2))"))
    #expect(bench.text.contains("     @carol  @erin"))
    #expect(bench.text.contains("★  Gil \(Self.favourited)"))
    await bench.press("j", "Enter")
    #expect(bench.navigator.places == [.qwinkers(.followers("mara-id"), of: bench.account.identity.me)])
  }

  @Test func `quotes and replies are shortened and a warning replaces its text`() async throws {
    let long = String(repeating: "The chard survives. ", count: 20)
    let mine = Qwink.sample(id: "m1", text: long, author: .sample("mara"))
    let reply = Qwink.sample(id: "r1", text: long, author: .sample("dana"))
    var warned = Qwink.sample(id: "m3", text: "The end of it.", author: .sample("mara"))
    warned.contentWarning = "ending of Dune"
    let (bench, screen) = try bench([
      Self.notification("9", .favourite, by: "bob", qwink: mine),
      Self.notification("8", .mention, by: "dana", qwink: reply),
      Self.notification("7", .boost, by: "erin", qwink: warned),
    ])
    await bench.show(screen)
    #expect(bench.rows[1].hasSuffix("…") && bench.rows[2].allSatisfy { $0 == " " })
    #expect(bench.rows[4...6].allSatisfy { $0.contains("chard") } && bench.rows[6].hasSuffix("…"))
    #expect(bench.rows[9].contains("⚠ ending of Dune"))
    #expect(!bench.text.contains("The end of it"))
  }

  @Test func `paging continues while pages only extend existing groups`() async throws {
    let all =
      (2...100).reversed().map { Self.notification("\($0)", .favourite, by: "p\($0)", qwink: Self.mine) }
      + [Self.notification("1", .followRequest, by: "zoe")]
    let (bench, screen) = try bench(all)
    await bench.show(screen)
    #expect(bench.rows[0].contains("★  P100, P99\(NotificationWords.others(97)) \(Self.favourited)"))
    #expect(bench.text.contains("Zoe \(Self.asksToFollow)"))
    #expect(bench.text.contains(PlaceholderWords.endOfList))
  }

  @Test func `a compact row is one line with aligned texts`() async throws {
    let reply = Qwink.sample(id: "r1", text: "Which chard?", author: .sample("dana"))
    let settings = ReaderSettings()
    let (bench, _) = try bench(
      ["bob", "carol", "erin", "frank"].enumerated().map { index, name in
        Self.notification("\(9 - index)", .favourite, by: name, qwink: Self.mine)
      } + [
        Self.notification("4", .boost, by: "gil", qwink: Self.mine),
        Self.notification("3", .mention, by: "dana", qwink: reply), Self.notification("2", .follow, by: "hana"),
      ])
    let screen = NotificationsViewController(account: bench.account, settings: settings)
    screen.navigator = bench.navigator
    await bench.show(screen)
    settings.density = .compact
    await bench.settle()
    #expect(bench.rows[0].contains("★↻ Bob, Carol\(NotificationWords.others(3))  "))
    #expect(bench.rows[1].contains("@  Dana \(Self.mentionedYou)"))
    #expect(bench.rows[2].contains("+  Hana \(Self.followsYou)  @hana"))
    let places = [(0, "The chard"), (1, "Which")].map { row, word in
      bench.rows[row].firstRange(of: word).map { bench.rows[row][..<$0.lowerBound].count }
    }
    #expect(places[0] != nil && places[0] == places[1])
    settings.density = .comfortable
    await bench.settle()
    let others = NotificationWords.others(2)
    #expect(bench.rows[0].contains("★↻ Bob, Carol\(others) \(Self.favourited) · Gil \(Self.boosted)"))
  }

  @Test func `a new reaction joins an older row only once the reader is at the top`() async throws {
    let old =
      (11...30).reversed().map { Self.notification("\($0)", .followRequest, by: "p\($0)") }
      + [Self.notification("10", .favourite, by: "bob", minutes: 2, qwink: Self.mine)]
    let (bench, screen) = try bench(old, read: "30")
    bench.notifications.start()
    await bench.show(screen)
    await bench.press("G")
    let before = bench.rows.map { $0.dropLast(4) }
    #expect(bench.selected.first?.contains("Bob \(Self.favourited)") ?? false)
    set([Self.notification("31", .boost, by: "zoe", qwink: Self.mine)] + old, in: bench.api)
    await bench.pass(.seconds(61))
    #expect(bench.rows.map { $0.dropLast(4) } == before)
    #expect(screen.status.newCount == 1)
    await bench.press("g", "g")
    #expect(bench.rows[0].contains("↻★ Zoe \(Self.boosted) · Bob \(Self.favourited)"))
    await bench.press("G")
    #expect(bench.selected.first?.contains("P11") ?? false)
  }

  @Test func `a group extended by an older page stays selected and unread`() async throws {
    let all =
      [
        Self.notification("100", .followRequest, by: "zoe"),
        Self.notification("99", .boost, by: "erin", qwink: Self.mine),
      ] + (2..<99).reversed().map { Self.notification("\($0)", .followRequest, by: "p\($0)") }
      + [Self.notification("1", .favourite, by: "bob", minutes: 2, qwink: Self.mine)]
    let (bench, screen) = try bench(all, read: "98")
    await bench.show(screen)
    await bench.press("j")
    #expect(bench.selected.first?.contains("•↻  Erin \(Self.boosted) ") ?? false)
    screen.loadOlder()
    await bench.settle()
    screen.loadOlder()
    await bench.settle()
    #expect(bench.selected.first?.contains("•↻★ Erin \(Self.boosted) · Bob \(Self.favourited)") ?? false)
    #expect(bench.lines.filter { $0.contains("•") }.count == 2)
    #expect(screen.status.newCount == 0)
  }

  @Test func `names that don't fit are replaced by their count`() async throws {
    let (bench, screen) = try bench(
      ["bob", "carol", "dana", "erin"].enumerated().map { index, name in
        Self.notification("\(9 - index)", .favourite, by: name, qwink: Self.mine)
      } + [
        Self.notification("3", .boost, by: "wilhelm", qwink: Self.mine),
        Self.notification("2", .boost, by: "maximilian", qwink: Self.mine),
      ], rows: 12, columns: 40)
    await bench.show(screen)
    #expect(bench.rows[0].contains("★  Bob\(NotificationWords.others(3)) \(Self.favourited) "))
    #expect(bench.rows[1].contains("↻  Wilhelm and Maximilian \(Self.boosted)"))
    #expect(bench.rows[2].contains("The chard survives."))
  }

  @Test func `names are truncated before their action`() async throws {
    let long = Qwinker.sample("bob", displayName: "Bob of the very long name who gardens by night")
    let notification = AccountNotification(
      id: "1", kind: .favourite, createdAt: ScriptedTimeline.start, qwinker: long, qwink: Self.mine)
    let (bench, screen) = try bench([notification], rows: 12, columns: 40)
    await bench.show(screen)
    #expect(bench.rows[0].contains("… \(Self.favourited)"))
    #expect(bench.rows[0].hasSuffix(" now"))
  }

  @Test func `unread marks stay until the reader leaves and the read position is sent`()
    async throws
  {
    let all = [
      Self.notification("9", .followRequest, by: "bob"), Self.notification("8", .followRequest, by: "carol"),
      Self.notification("7", .followRequest, by: "dana"),
    ]
    let (bench, screen) = try bench(all, read: "7")
    bench.notifications.start()
    await bench.settle()
    #expect(bench.notifications.countedUnread == 2)
    await bench.show(screen)
    #expect(bench.lines.filter { $0.contains("•") }.count == 2)
    #expect(bench.notifications.countedUnread == 0)
    #expect(bench.api.bodies(of: Self.setMarkers).isEmpty)
    await bench.pass(.seconds(5))
    #expect(bench.api.bodies(of: Self.setMarkers).count == 1)
    #expect(bench.api.bodies(of: Self.setMarkers).first?.contains("\"9\"") ?? false)
    await bench.show(NotificationsViewController(account: bench.account))
    #expect(!bench.text.contains("•"))
  }

  @Test func `Tab selects each unread notification before it reports that nothing is unread`() async throws {
    let server = ScriptedTimeline([1])
    server.api.pages(
      Self.call,
      of: [Self.notification("9", .followRequest, by: "bob"), Self.notification("8", .followRequest, by: "carol")]
    ) {
      WireEncoder.notifications($0)
    }
    let screen = try await Screen.settled(server)
    await screen.press("Tab")
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains("Bob") })
    #expect(!screen.status.contains(MainWords.nothingUnread))
    await screen.press("Tab")
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains("Carol") })
    await screen.press("Tab")
    #expect(screen.status.contains(MainWords.nothingUnread))
  }

  @Test func `a notification read elsewhere is not marked even if it loads first`() async throws {
    let (bench, screen) = try bench([Self.notification("9", .follow, by: "bob")], read: "9")
    let gate = Gate()
    bench.api.hold(Self.markers, by: gate)
    bench.application.window.rootViewController = screen
    try await bench.wait(for: "Bob") { bench.text.contains("Bob") }
    #expect(bench.api.bodies(of: Self.setMarkers).isEmpty)
    gate.open()
    await bench.settle()
    #expect(!bench.text.contains("•"))
    #expect(bench.api.bodies(of: Self.setMarkers).isEmpty)
  }

  @Test func `the read position's time determines new notifications if its ID is missing`() async throws {
    let all = [
      Self.notification("9", .followRequest, by: "bob", minutes: 1),
      Self.notification("8", .followRequest, by: "carol", minutes: 5),
    ]
    let (bench, _) = try bench(all, read: "gone", at: ScriptedTimeline.start.addingTimeInterval(-180))
    bench.notifications.start()
    await bench.settle()
    #expect(bench.notifications.countedUnread == 1)
  }

  /// snac sends such a time.
  @Test func `a read position's time may be in Unix seconds`() async throws {
    let (bench, _) = try bench([
      Self.notification("9", .followRequest, by: "bob", minutes: 1),
      Self.notification("8", .followRequest, by: "carol", minutes: 5),
    ])
    let seconds = ScriptedTimeline.start.timeIntervalSince1970 - 180
    let body = #"{"notifications":{"last_read_id":"gone","version":0,"updated_at":"\#(seconds)"}}"#
    bench.api.answer(Self.markers) { _ in .json(Array(body.utf8)) }
    bench.notifications.start()
    await bench.settle()
    #expect(bench.notifications.countedUnread == 1)
  }

  @Test func `cached notifications and the read position are restored without a request`() async throws {
    let folder = TemporaryFolder()
    let (first, screen) = try bench(
      [
        Self.notification("9", .followRequest, by: "bob"),
        Self.notification("8", .favourite, by: "carol", qwink: Self.mine),
      ],
      in: folder)
    await first.show(screen)
    first.account.readPositions.flush()
    first.outgoing.close()
    let second = try Bench(in: folder)
    #expect(second.notifications.notifications.map(\.id.rawValue) == ["9", "8"])
    #expect(second.notifications.notifications.last?.qwink?.text.plainText == "The chard survives.")
    #expect(second.notifications.countedUnread == 0)
    #expect(second.api.asked.isEmpty)
    second.account.readPositions.start()
    await second.settle()
    #expect(second.account.readPositions.mark(in: .notifications)?.id == "9")
  }

  @Test func `new notifications are added on top each minute without moving the reader`() async throws {
    let old = (1...30).reversed().map { Self.notification("\($0)", .followRequest, by: "p\($0)") }
    let (bench, screen) = try bench(old, read: "30")
    bench.notifications.start()
    await bench.show(screen)
    await bench.press("j", "j", "j", "G")
    await bench.pass(.seconds(59))
    let before = bench.rows.map { $0.dropLast(4) }
    set([Self.notification("31", .followRequest, by: "zoe")] + old, in: bench.api)
    await bench.pass(.seconds(1))
    #expect(bench.rows.map { $0.dropLast(4) } == before)
    #expect(screen.status.newCount == 1)
    #expect(bench.notifications.countedUnread == 1)
    await bench.press("g", "g")
    #expect(bench.rows[0].contains("Zoe"))
    #expect(bench.rows[0].contains("•"))
    #expect(screen.status.newCount == 0)
    #expect(bench.notifications.countedUnread == 0)
  }

  @Test func `the reader's position is restored on return`() async throws {
    let old = (1...30).reversed().map { Self.notification("\($0)", .followRequest, by: "p\($0)") }
    let (bench, screen) = try bench(old, read: "30")
    bench.notifications.start()
    await bench.show(screen)
    await bench.press("j", "j", "j", "j")
    let before = bench.rows.map { $0.dropLast(4) }
    await bench.show(ViewController(view: View()))
    set([Self.notification("31", .followRequest, by: "zoe")] + old, in: bench.api)
    await bench.show(screen)
    #expect(bench.selected.first?.contains("P26") == true)
    #expect(bench.rows.map { $0.dropLast(4) } == before)
  }

  @Test func `a new favourite joins the existing row of its qwink`() async throws {
    let old = [
      Self.notification("2", .favourite, by: "bob", qwink: Self.mine), Self.notification("1", .follow, by: "carol"),
    ]
    let (bench, screen) = try bench(old)
    bench.notifications.start()
    await bench.show(screen)
    await bench.press("j")
    set([Self.notification("3", .favourite, by: "dana", qwink: Self.mine)] + old, in: bench.api)
    await bench.pass(.seconds(61))
    #expect(bench.rows[0].contains("★  Dana and Bob \(Self.favourited)"))
    #expect(bench.selected.first?.contains("Carol") ?? false)
  }

  @Test func `the detail pane shows the current text of the selected notification's qwink`() async throws {
    let server = ScriptedTimeline([1])
    server.api.answer(Self.markers) { _ in .json(WireEncoder.readPositions([])) }
    server.api.answer(Self.setMarkers) { _ in .json(WireEncoder.readPositions([])) }
    let old = [Self.notification("1", .favourite, by: "bob", qwink: Self.mine)]
    set(old, in: server.api)
    let screen = try await Screen.settled(server, columns: 140, hidesMessages: true)
    await screen.press("4")
    #expect(screen.detail.contains("The chard survives."))

    var edited = Self.mine
    edited.text = RichText(plain: "The basil does not.")
    set([Self.notification("2", .favourite, by: "dana", qwink: edited)] + old, in: server.api)
    await screen.press("R")
    #expect(screen.detail.contains("The basil does not."))

    let answer = Qwink.sample(id: "a1", text: "Which chard?", author: .sample("dana"))
    set([Self.notification("3", .mention, by: "dana", qwink: answer)] + old, in: server.api)
    await screen.press("1", "4")
    #expect(screen.detail.contains("Which chard?"))
  }

  @Test func `older notifications load to the end while the reader moves down`() async throws {
    let all = (1...100).reversed().map { Self.notification("\($0)", .followRequest, by: "p\($0)") }
    let (bench, screen) = try bench(all)
    await bench.show(screen)
    for _ in 0..<4 { await bench.press("G") }
    #expect(bench.selected.first?.contains("P1 \(Self.asksToFollow)") ?? false)
    #expect(bench.text.contains(PlaceholderWords.endOfList))
    #expect(bench.api.asked.count { $0.contains("offset=") } == 2)
  }

  @Test func `the hints offer a reply to a mention but not to a favourite`() async throws {
    let reply = Qwink.sample(id: "r1", text: "Which chard?", author: .sample("dana"))
    let (bench, screen) = try bench([
      Self.notification("2", .mention, by: "dana", qwink: reply),
      Self.notification("1", .favourite, by: "bob", qwink: Self.mine),
    ])
    await bench.show(screen)
    #expect(screen.status.hints.contains(.reply))
    await bench.press("j")
    #expect(!screen.status.hints.contains(.reply))
  }

  @Test func `Enter opens the thread of a qwink or the profile of a follower`() async throws {
    let (bench, screen) = try bench([
      Self.notification("2", .favourite, by: "bob", qwink: Self.mine), Self.notification("1", .follow, by: "carol"),
    ])
    await bench.show(screen)
    await bench.press("Enter", "j", "Enter")
    #expect(bench.navigator.places == [.thread(Self.mine), .qwinker(.sample("carol", displayName: "Carol"))])
  }

  @Test func `an empty, failed or signed-out list shows a message with keys`() async throws {
    let (empty, emptyScreen) = try bench([])
    await empty.show(emptyScreen)
    #expect(empty.unwrapped.contains(NotificationWords.none))
    #expect(empty.text.contains(keyHint(TimelineWords.findsPeople)))

    let (failed, failedScreen) = try bench([])
    failed.api.fail(Self.call, with: .refused(host: ScriptedAPI.host))
    failed.notifications.start()
    await failed.show(failedScreen)
    #expect(failed.text.contains(ScriptedTimeline.unreachable))
    #expect(failed.text.contains(keyHint(PlaceholderWords.retries)))
    #expect(failedScreen.status.state.offlineSince != nil)
    #expect(failedScreen.status.nextAttempt != nil)

    let out = try Bench(isSignedIn: false)
    await out.show(NotificationsViewController(account: out.account))
    #expect(out.text.contains(NotificationWords.needsAccount))
    #expect(out.api.asked.isEmpty)
  }

  @Test func `a failed refresh leaves the list unchanged and R retries`() async throws {
    let (bench, screen) = try bench([Self.notification("1", .follow, by: "carol")])
    await bench.show(screen)
    bench.api.fail(Self.call, with: .timedOut(host: ScriptedAPI.host))
    await bench.press("R")
    #expect(bench.text.contains("Carol \(Self.followsYou)"))
    #expect(screen.status.state.error != nil)
    bench.api.fail(Self.call, with: nil)
    await bench.press("R")
    #expect(screen.status.state.error == nil)
  }

  @Test func `a read position that could not be sent is sent with the next refresh`() async throws {
    let (bench, screen) = try bench([Self.notification("1", .follow, by: "carol")])
    bench.api.fail(Self.setMarkers, with: .timedOut(host: ScriptedAPI.host))
    bench.notifications.start()
    await bench.show(screen)
    await bench.pass(.seconds(5))
    #expect(bench.api.bodies(of: Self.setMarkers).count == 1)
    bench.api.fail(Self.setMarkers, with: nil)
    await bench.press("R")
    #expect(bench.api.bodies(of: Self.setMarkers).count == 2)
    await bench.press("R")
    #expect(bench.api.bodies(of: Self.setMarkers).count == 2)
  }

  // MARK: Direct messages

  /// A server with two new notifications; the older one is for Bob's new message.
  private func messaging() -> ScriptedTimeline {
    let server = ScriptedTimeline()
    Talk.begin(on: server)
    server.api.pages(
      Self.call,
      of: [
        Self.notification("9", .follow, by: "dana", minutes: 9),
        Self.notification("8", .mention, by: "bob", minutes: 10, qwink: Talk.withBob.last),
        Self.notification("7", .follow, by: "erin", minutes: 11),
      ]
    ) { WireEncoder.notifications($0) }
    server.api.answer(Self.markers) { _ in
      .json(WireEncoder.readPositions([ReadPosition(place: .notifications, lastReadID: "7", updatedAt: nil)]))
    }
    server.api.answer(Self.setMarkers) { _ in .json(WireEncoder.readPositions([])) }
    return server
  }

  @Test func `Enter on a direct message opens its chat`() async throws {
    let screen = try await Screen.settled(messaging())
    await screen.press("4", "j", "Enter")
    #expect(screen.way.contains("\(NotificationWords.title) › Bob") && screen.cursor != nil)
    #expect(!screen.header.contains("3 Messages •"))
    await screen.press("Esc", "Esc")
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains("Bob") })
  }

  @Test func `a message read in its chat is not new among notifications`() async throws {
    let server = messaging()
    let screen = try await Screen.settled(server)
    await screen.press("3", "Enter")
    await screen.pass(.seconds(5))
    let bodies = server.api.bodies(of: Self.setMarkers)
    #expect(bodies.count == 1 && bodies.first?.contains("\"8\"") ?? false, "\(bodies)")
    await screen.press("Esc", "Esc", "4")
    #expect(screen.lines.filter { $0.contains("•") && $0.contains("Dana") }.count == 1, "\(screen.text)")
    #expect(!screen.lines.contains { $0.contains("•") && $0.contains("Bob") }, "\(screen.text)")
  }

  @Test func `a private message counts as a message but not as a notification`() async throws {
    let server = ScriptedTimeline()
    Talk.begin(on: server)
    server.api.pages(
      Self.call,
      of: [
        AccountNotification(
          id: "9", kind: .mention, createdAt: Talk.at(-10), qwinker: Talk.bob, qwink: Talk.withBob.last),
        AccountNotification(id: "8", kind: .follow, createdAt: Talk.at(-11), qwinker: Talk.dana),
      ]
    ) { WireEncoder.notifications($0) }
    let screen = try await Screen.settled(server, columns: 120)
    #expect(screen.header.contains("3 Messages •1") && screen.header.contains("4 Notifications •1"), "\(screen.header)")
  }
}
