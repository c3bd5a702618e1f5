import FoundationEssentials
import HTTPTypes
import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct QwinkerPageTests {
  private static let account = "GET /api/v1/accounts/bob-id"
  private static let statuses = "GET /api/v1/accounts/bob-id/statuses"
  private static let relationships = "GET /api/v1/accounts/relationships"
  private static let follow = "POST /api/v1/accounts/bob-id/follow"
  private static let unfollow = "POST /api/v1/accounts/bob-id/unfollow"

  nonisolated private static let stranger = Relationship(id: "bob-id")
  nonisolated private static let followed = Relationship(id: "bob-id", isFollowing: true)
  nonisolated private static let requested = Relationship(id: "bob-id", isRequested: true)
  private static let followKey = "F \(stranger.followWord)"
  private static let unfollowKey = "F \(followed.followWord)"
  private static let unfollowed = FollowOutcome(of: bob, isOn: false, now: stranger).sentence
  private static let showAll = "Enter \(QwinkerWords.showAll)"
  private static let showLess = "Enter \(QwinkerWords.showLess)"

  /// The message shown after a follow whose response was `relationship`.
  private static func words(ofFollow relationship: Relationship) -> String {
    FollowOutcome(of: bob, isOn: true, now: relationship).sentence
  }

  nonisolated private static var bob: Qwinker {
    var bob = Qwinker.sample("bob", displayName: "Bob")
    bob.note = RichText(plain: "Builds kiosks.\n\nOne at a time.")
    bob.followersCount = 1204
    bob.followingCount = 31
    bob.qwinksCount = 5012
    bob.url = "https://tilde.example/@bob"
    bob.createdAt = ScriptedTimeline.start.addingTimeInterval(-1000 * 86_400)
    bob.fields = [.init(name: "Site", value: RichText(plain: "example.org"), verifiedAt: ScriptedTimeline.start)]
    return bob
  }

  /// Scripts responses with Bob, Mara's relationship to him, and his qwinks.
  private static func say(_ relationship: Relationship, qwinks: Int = 3, bob: Qwinker = bob, to api: ScriptedAPI) {
    api.answer(account) { _ in .json(WireEncoder.qwinker(bob)) }
    api.pages(
      statuses, of: (0..<qwinks).map { Qwink.sample(id: Qwink.ID("q\($0)"), text: "Kiosk \($0)", author: bob) },
      encode: { WireEncoder.qwinks($0) })
    api.answer(relationships) { _ in .json(WireEncoder.relationships([relationship])) }
    for (call, isOn) in [(follow, true), (unfollow, false)] {
      api.answer(call) { _ in
        .json(
          WireEncoder.relationship(
            Relationship(
              id: "bob-id", isFollowing: isOn && !bob.isLocked, isRequested: isOn && bob.isLocked,
              isFollowedBy: relationship.isFollowedBy)))
      }
    }
  }

  private func page(
    _ relationship: Relationship = Relationship(id: "bob-id"), qwinks: Int = 3, bob: Qwinker = bob, rows: Int = 24,
    columns: Int = 80
  ) async throws -> Screen {
    let server = ScriptedTimeline([1])
    Self.say(relationship, qwinks: qwinks, bob: bob, to: server.api)
    let screen = try await Screen.settled(server, rows: rows, columns: columns, hidesMessages: true)
    // Other screens know less about a qwinker than their page does.
    screen.main.show(.qwinker(.sample("bob", displayName: "Bob")))
    await screen.settle()
    return screen
  }

  /// The description of a relationship whose mute has no end.
  private static func words(_ relationship: Relationship) -> String {
    QwinkerWords.words(relationship, mute: relationship.isMuting ? QwinkerWords.isMuted : nil)
  }

  @Test func `a profile page shows the user, the relationship and the posts`() async throws {
    let relationship = Relationship(id: "bob-id", isFollowing: true, isFollowedBy: true)
    let screen = try await page(relationship)
    for words in [
      "BO  Bob  @bob", Self.words(relationship), "Builds kiosks.", "One at a time.", "Site  example.org ✓",
      "tilde.example/@bob · \(QwinkerWords.joined("Apr 2023"))", "\(QwinkerWords.followers(1204)) L",
      "\(QwinkerWords.following(31)) W", QwinkerWords.qwinks(5012), "Kiosk 0", "Kiosk 2", "› @bob",
    ] { #expect(screen.text.contains(words), "“\(words)” is missing in\n\(screen.text)") }
  }

  @Test(arguments: [
    stranger, followed, Relationship(id: "bob-id", isFollowedBy: true), requested,
    Relationship(id: "bob-id", isMuting: true, isBlocking: true),
  ])
  func `a profile page describes the relationship in words`(relationship: Relationship) async throws {
    let words = Self.words(relationship)
    #expect(try await page(relationship).text.contains(words.isEmpty ? Self.followKey : words))
  }

  // MARK: The user's own note

  nonisolated private static func noted(_ note: String) -> Relationship {
    var relationship = Relationship(id: "bob-id", isFollowing: true)
    relationship.note = note
    return relationship
  }

  @Test(arguments: [40, 80, 110])
  func `a private note is shown with its audience on its account's page`(columns: Int) async throws {
    let screen = try await page(Self.noted("Met at the quay."), columns: columns)
    let words = screen.text.split { $0.isWhitespace || $0 == "▌" }.joined(separator: " ")
    #expect(words.contains("\(QwinkerWords.privateNote) Met at the quay."), "\(screen.text)")
    #expect(try await !page(columns: columns).text.contains(QwinkerWords.privateNote))
  }

  @Test func `the note command saves a note and removes it if the text is empty`() async throws {
    let screen = try await page()
    screen.server.api.answer("POST /api/v1/accounts/bob-id/note") { request in
      let isEmpty = String(decoding: request.body, as: UTF8.self).contains(#""comment":"""#)
      return .json(WireEncoder.relationship(Self.noted(isEmpty ? "" : "Sells tea.")))
    }
    for (line, isThere) in [("note Sells tea.", true), ("note", false)] {
      await screen.press(":")
      screen.type(line)
      await screen.press("Enter")
      #expect(screen.text.contains("\(QwinkerWords.privateNote)  Sells tea.") == isThere, "\(screen.text)")
      #expect(screen.status.contains(isThere ? PromptActions.noteSaved : PromptActions.noteRemoved), "\(screen.status)")
    }
  }

  @Test func `a long note is truncated until the profile is expanded`() async throws {
    let words = (10..<60).map { "word\($0)" }
    let screen = try await page(Self.noted(words.joined(separator: " ")), rows: 40)
    #expect(screen.text.contains("word10") && !screen.text.contains("word59"), "\(screen.text)")
    #expect(screen.status.contains(Self.showAll), "\(screen.status)")
    await screen.press("Enter")
    #expect(words.allSatisfy(screen.text.contains), "\(screen.text)")
  }

  @Test func `following shows at once and u undoes it`() async throws {
    let screen = try await page()
    let gate = Gate()
    screen.server.api.hold(Self.follow, by: gate)
    screen.strike("F")
    #expect(screen.text.contains(QwinkerWords.youFollow))
    #expect(screen.status.contains(FollowOutcome.activity(Self.bob, isOn: true)))
    gate.open()
    await screen.settle()
    #expect(screen.status.contains(withKeys(ActionWords.undoable(Self.words(ofFollow: Self.followed)))))
    // The hint shows the key's current effect.
    #expect(screen.status.contains(Self.unfollowKey) && !screen.status.contains(Self.followKey))
    #expect(screen.text.contains(QwinkerWords.youFollow))
    await screen.press("u")
    #expect(!screen.text.contains("\(QwinkerWords.youFollow) "))
    #expect(screen.status.contains(Self.unfollowed))
    #expect(screen.server.api.asked.filter { $0.hasPrefix("POST") } == [Self.follow, Self.unfollow])
  }

  @Test(arguments: [
    ("F", "follow", followed), ("M", "mute", Relationship(id: "bob-id", isMuting: true)),
    ("B", "block", Relationship(id: "bob-id", isBlocking: true)), (":note Tea", "note", noted("Tea")),
  ])
  func `a relationship requested before a change does not undo the change`(
    keys: String, verb: String, changed: Relationship
  ) async throws {
    let screen = try await page()
    let api = screen.server.api
    api.answer("POST /api/v1/accounts/bob-id/\(verb)") { _ in .json(WireEncoder.relationship(changed)) }
    let gate = Gate()
    api.hold(Self.relationships, by: gate)
    let before = api.asked.count
    screen.strike("R")
    try await screen.wait(for: "the relationship's request") {
      api.asked[before...].contains { $0.hasPrefix(Self.relationships) }
    }
    screen.type(keys)
    if verb == "note" { screen.strike("Enter") }
    if verb == "block" { screen.type("y") }
    let words = Self.words(changed)
    try await screen.wait(for: "the change") {
      api.asked.contains("POST /api/v1/accounts/bob-id/\(verb)") && screen.text.contains(words)
    }
    try await screen.wait(for: "its answer") { !screen.status.contains("…") }
    let status = screen.status
    gate.open()
    await screen.settle()
    #expect(screen.text.contains(verb == "note" ? "Tea" : words), "\(screen.text)")
    #expect(screen.status == status)
  }

  @Test func `the follower count is fetched again after a follow`() async throws {
    let screen = try await page()
    #expect(screen.text.contains(QwinkerWords.followers(1204)))
    var followed = Self.bob
    followed.followersCount = 1205
    let answer = WireEncoder.qwinker(followed)
    screen.server.api.answer(Self.account) { _ in .json(answer) }
    await screen.press("F")
    #expect(screen.text.contains(QwinkerWords.followers(1205)), "\(screen.text)")
  }

  @Test func `a failed follow is reverted and shows its reason`() async throws {
    let screen = try await page(columns: 160)
    screen.server.api.fail(Self.follow, with: .local(reason: "No room."))
    await screen.press("F")
    #expect(!screen.text.contains(QwinkerWords.youFollow))
    #expect(screen.status.contains(FailureWords.failed(FailureWords.following(isOn: true))))
    await screen.press("u")
    #expect(screen.status.contains(MainWords.nothingToUndo))
  }

  @Test func `unfollowing before the first response ends without a follow`() async throws {
    let screen = try await page()
    let gate = Gate()
    screen.server.api.hold(Self.follow, by: gate)
    screen.strike("F")
    try await screen.wait(for: "the request") { screen.server.api.asked.contains(Self.follow) }
    screen.strike("F")
    #expect(!screen.text.contains(QwinkerWords.youFollow))
    gate.open()
    await screen.settle()
    #expect(!screen.text.contains(QwinkerWords.youFollow))
    #expect(screen.server.api.asked.filter { $0.hasPrefix("POST") } == [Self.follow, Self.unfollow])
  }

  @Test func `following an account that approves followers sends a request`() async throws {
    var bob = Self.bob
    bob.isLocked = true
    let screen = try await page(bob: bob)
    await screen.press("F")
    #expect(screen.text.contains(QwinkerWords.followRequested))
    #expect(screen.status.contains(withKeys(ActionWords.undoable(Self.words(ofFollow: Self.requested)))))
  }

  @Test func `the detail pane shows the thread of a selected profile's newest qwink`() async throws {
    let screen = try await page(rows: 40, columns: 140)
    #expect(!screen.text.contains(ThreadWords.nothingSelected), "\(screen.text)")
    #expect(screen.detail.contains("Kiosk 0"), "\(screen.text)")
  }

  @Test func `a request that is accepted at once is shown as a follow`() async throws {
    var bob = Self.bob
    bob.isLocked = true
    let screen = try await page(bob: bob)
    screen.server.api.answer(Self.follow) { _ in
      .json(WireEncoder.relationship(Relationship(id: "bob-id", isFollowing: true)))
    }
    await screen.press("F")
    #expect(screen.text.contains(QwinkerWords.youFollow) && !screen.text.contains(QwinkerWords.followRequested))
    #expect(screen.status.contains(withKeys(ActionWords.undoable(Self.words(ofFollow: Self.followed)))))
  }

  @Test func `a follow that unexpectedly needs approval is shown as a request`() async throws {
    let screen = try await page()
    screen.server.api.answer(Self.follow) { _ in
      .json(WireEncoder.relationship(Relationship(id: "bob-id", isRequested: true)))
    }
    await screen.press("F")
    #expect(screen.text.contains(QwinkerWords.followRequested))
    #expect(screen.status.contains(Self.words(ofFollow: Self.requested)))
  }

  @Test func `withdrawing a follow request is not reported as unfollowing`() async throws {
    let screen = try await page(Self.requested)
    #expect(screen.status.contains("F \(Self.requested.followWord)"))
    await screen.press("F")
    let outcome = FollowOutcome(
      qwinker: Self.bob, isOn: false, before: Self.requested, now: Self.stranger, isUndo: false)
    #expect(screen.status.contains(outcome.sentence))
    #expect(!screen.status.contains(Self.unfollowed))
  }

  @Test func `a follow request is accepted on the requester's page`() async throws {
    let asking = Relationship(id: "bob-id", isAskingToFollow: true)
    let screen = try await page(asking, columns: 100)
    screen.server.api.answer("POST /api/v1/follow_requests/bob-id/authorize") { _ in
      .json(WireEncoder.relationship(Relationship(id: "bob-id", isFollowedBy: true)))
    }
    #expect(screen.text.contains(Self.words(asking)))
    let hint = try Screen.hint(for: .acceptFollow)
    #expect(screen.status.contains(hint))
    await screen.press("A")
    #expect(screen.status.contains(MainWords.requestAnswered(of: Self.bob, accepted: true)))
    let follower = Self.words(Relationship(id: "bob-id", isFollowedBy: true))
    #expect(screen.text.contains(follower) && !screen.text.contains(Self.words(asking)))
    let count = screen.server.api.asked.count
    await screen.press("A")
    #expect(screen.server.api.asked.count == count)
  }

  @Test func `F in a list requests the relationship first`() async throws {
    let server = ScriptedTimeline([1])
    Self.say(Relationship(id: "bob-id", isFollowing: true), to: server.api)
    server.api.pages("GET /api/v1/accounts/x/followers", of: [Self.bob]) { WireEncoder.qwinkers($0) }
    let screen = try await Screen.settled(server)
    screen.main.show(.qwinkers(.followers("x")))
    await screen.settle()
    await screen.press("F")
    #expect(screen.status.contains(Self.unfollowed))
    #expect(server.api.asked.last == Self.unfollow)
  }

  @Test func `the user's own page offers e to edit the profile instead of F`() async throws {
    let server = ScriptedTimeline([1])
    server.api.pages("GET /api/v1/accounts/mara-id/statuses", of: [Qwink](), encode: { WireEncoder.qwinks($0) })
    let screen = try await Screen.settled(server)
    screen.main.show(.qwinker(.sample("mara")))
    await screen.settle()
    #expect(screen.text.contains(QwinkerWords.isMe))
    #expect(screen.text.contains(TimelineWords.nothingPosted))
    #expect(screen.text.contains(keyHint(TimelineWords.writes)))
    let edit = try Screen.hint(for: .edit)
    #expect(screen.status.contains(edit) && !screen.status.contains(Self.followKey))
    await screen.press("F")
    #expect(screen.status.contains(ActionWords.cannotFollowYourself))
    await screen.press("e")
    #expect(screen.text.contains(ProfileWords.title))
    #expect(!server.api.asked.contains { $0.hasPrefix(Self.relationships) })
  }

  @Test func `pinned qwinks are at the top of a page and are listed once`() async throws {
    let server = ScriptedTimeline([1])
    Self.say(Relationship(id: "bob-id"), to: server.api)
    let all = (0..<3).map { Qwink.sample(id: Qwink.ID("q\($0)"), text: "Kiosk \($0)", author: Self.bob) }
    Self.answer(pinned: [all[2]], all: all, server.api)
    let screen = try await Screen.settled(server)
    screen.main.show(.qwinker(Self.bob))
    await screen.settle()
    #expect(Self.kiosks(screen) == ["Kiosk 2", "Kiosk 0", "Kiosk 1"])
    #expect(screen.lines.filter { $0.contains(QwinkerWords.pinned) }.count == 1)
    await screen.press("j")
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains(QwinkerWords.pinned) })
    // Reactions to it are shown.
    server.api.answer("POST /api/v1/statuses/q2/favourite") { _ in
      var favourite = all[2]
      favourite.isFavourite = true
      favourite.favouritesCount = 1
      return .json(WireEncoder.qwink(favourite))
    }
    await screen.press("f")
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains(QwinkerWords.pinned) && $0.contains(" ★1 ") })
    // An unpinned qwink returns to its place.
    Self.answer(pinned: [], all: all, server.api)
    await screen.press("R")
    #expect(Self.kiosks(screen) == ["Kiosk 0", "Kiosk 1", "Kiosk 2"])
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains("Kiosk 2") })
  }

  @Test func `the newest post is marked as pinned even if the pins change later`() async throws {
    let server = ScriptedTimeline([1])
    Self.say(Relationship(id: "bob-id"), to: server.api)
    let all = (0..<3).map { Qwink.sample(id: Qwink.ID("q\($0)"), text: "Kiosk \($0)", author: Self.bob) }
    Self.answer(pinned: [], all: all, server.api)
    let screen = try await Screen.settled(server)
    screen.main.show(.qwinker(Self.bob))
    await screen.settle()
    for pinned in [[all[0]], []] {
      Self.answer(pinned: pinned, all: all, server.api)
      await screen.press("R")
      #expect(screen.lines.filter { $0.contains(QwinkerWords.pinned) }.count == pinned.count, "\(screen.text)")
      #expect(Self.kiosks(screen) == ["Kiosk 0", "Kiosk 1", "Kiosk 2"])
    }
  }

  @Test func `nothing is pinned if the server ignores the pinned parameter`() async throws {
    let server = ScriptedTimeline([1])
    Self.say(Relationship(id: "bob-id"), to: server.api)
    let all = (0..<3).map { Qwink.sample(id: Qwink.ID("q\($0)"), text: "Kiosk \($0)", author: Self.bob) }
    Self.answer(pinned: all, all: all, server.api)
    let screen = try await Screen.settled(server)
    screen.main.show(.qwinker(Self.bob))
    await screen.settle()
    #expect(Self.kiosks(screen) == ["Kiosk 0", "Kiosk 1", "Kiosk 2"])
    #expect(!screen.text.contains(QwinkerWords.pinned))
  }

  /// The texts of the visible qwinks, in order. Each is "Kiosk" and one digit.
  private static func kiosks(_ screen: Screen) -> [String] {
    screen.lines.compactMap { line in
      line.firstRange(of: "Kiosk ").map { String(line[$0.lowerBound...].prefix(7)) }
    }
  }

  private static func answer(pinned: [Qwink], all: [Qwink], _ api: ScriptedAPI) {
    api.answer(statuses) { request in
      .json(WireEncoder.qwinks(request.head.path?.contains("pinned=true") == true ? pinned : all))
    }
  }

  @Test func `fields are aligned and account flags are shown`() async throws {
    var bob = Self.bob
    bob.isBot = true
    bob.isLocked = true
    bob.movedTo = "bob@new.example"
    bob.fields = [
      .init(name: "Site", value: RichText(plain: "example.org"), verifiedAt: ScriptedTimeline.start),
      .init(name: "Pronouns", value: RichText(plain: "he")),
    ]
    let screen = try await page(Relationship(id: "bob-id", isFollowing: true, isFollowedBy: true), bob: bob)
    let signs = "\(QwinkerWords.isBot) · \(QwinkerWords.approvesFollowers)"
    let moved = QwinkerWords.moved(to: "bob@new.example")
    for words in [signs, moved, "Site      example.org ✓", "Pronouns  he"] {
      #expect(screen.text.contains(words), "“\(words)” is missing in\n\(screen.text)")
    }
    screen.resize(rows: 24, columns: 60)
    #expect(screen.text.contains(signs))
  }

  @Test func `the hints of a page show their keys' current effect`() async throws {
    let gate = Gate()
    let server = ScriptedTimeline([1])
    Self.say(Relationship(id: "bob-id", isFollowing: true), to: server.api)
    server.api.hold(Self.relationships, by: gate)
    let screen = try await Screen.settled(server, columns: 100)
    screen.main.show(.qwinker(Self.bob))
    try await screen.wait(for: "the profile") { screen.text.contains("Builds kiosks.") }
    #expect(!screen.status.contains("F "))
    gate.open()
    await screen.settle()
    #expect(screen.status.contains(Self.unfollowKey))
    // The whole profile is visible.
    #expect(!screen.status.contains("Enter"))
    // Only layout determines whether the profile fits.
    var bob = Self.bob
    bob.note = RichText(plain: (1...9).map { "Line \($0)" }.joined(separator: "\n"))
    let long = try await page(bob: bob, columns: 100)
    #expect(long.status.contains(Self.showAll))
    await long.press("Enter")
    #expect(long.status.contains(Self.showLess))
    screen.resize(rows: 24, columns: 59)
    #expect(screen.text.contains(Self.showAll))
    await screen.press("Enter")
    #expect(screen.text.contains(Self.showLess))
  }

  @Test func `L opens the followers and W the followed accounts`() async throws {
    let screen = try await page()
    screen.server.api.pages("GET /api/v1/accounts/bob-id/followers", of: [Qwinker.sample("erin")]) {
      WireEncoder.qwinkers($0)
    }
    screen.server.api.pages("GET /api/v1/accounts/bob-id/following", of: [Qwinker.sample("dana")]) {
      WireEncoder.qwinkers($0)
    }
    await screen.press("L")
    #expect(screen.text.contains("@erin"))
    await screen.press("q", "W")
    #expect(screen.text.contains("@dana"))
    await screen.press("q")
    #expect(screen.text.contains("Kiosk 0"))
  }

  @Test func `the bar shows hints for the selection and for going back`() async throws {
    let screen = try await page()
    let (back, reply) = (try Screen.hint(for: .back), try Screen.hint(for: .reply))
    #expect(screen.status.contains(back) && screen.status.contains(Self.followKey))
    await screen.press("j")
    #expect(screen.status.contains(back) && screen.status.contains(reply))
    #expect(!screen.status.contains(Self.followKey))
    await screen.press("k")
    #expect(screen.status.contains(Self.followKey))
    await screen.press("q")
    #expect(!screen.status.contains(back))
  }

  @Test func `the header shows a lost connection on lists that are not polled`() async throws {
    let server = ScriptedTimeline([1])
    server.api.pages("GET /api/v1/accounts/x/followers", of: [Self.bob]) { WireEncoder.qwinkers($0) }
    let screen = try await Screen.settled(server, columns: 120)
    await screen.press("6")
    #expect(screen.header.hasSuffix("● 00:00"))
    screen.main.show(.qwinkers(.followers("x")))
    await screen.settle()
    #expect(screen.header.hasSuffix("● 00:00"))
    server.messages.fail(with: .refused(host: ScriptedTimeline.host))
    await screen.pass(.seconds(61))
    #expect(screen.header.hasSuffix("○ \(StatusWords.offlineSince) 00:01"))
    server.messages.fail(with: nil)
    server.api.fail("GET /api/v1/accounts/x/followers", with: .refused(host: ScriptedTimeline.host))
    await screen.press("R")
    #expect(screen.header.hasSuffix("○ \(StatusWords.offlineSince) 00:01"))
  }

  @Test func `a small screen shows the first lines of a profile and Enter expands it`()
    async throws
  {
    var bob = Self.bob
    bob.note = RichText(plain: (1...12).map { "Line \($0) of what Bob says of himself." }.joined(separator: "\n"))
    let screen = try await page(bob: bob, rows: 14, columns: 40)
    #expect(screen.text.contains("Line 2"))
    #expect(!screen.text.contains("Line 3 "))
    #expect(!screen.text.contains("Site"))
    #expect(screen.text.contains(Self.showAll))
    await screen.press("j")
    #expect(screen.text.contains("Kiosk 0"))
    await screen.press("k", "Enter")
    #expect(screen.text.contains("Line 3 "))
    await screen.press("j", times: 8)
    #expect(screen.text.contains("Line 12"))
  }

  @Test func `a truncated profile text ends in … even if its last row is full`() async throws {
    var bob = Self.bob
    let word = String(repeating: "m", count: 37)
    bob.note = RichText(plain: "\(word) \(word) \(word)")
    let screen = try await page(bob: bob, columns: 40)
    #expect(screen.lines.contains("▌ \(word.dropLast())…"))
  }

  @Test func `a profile shows as many key hints as fit`() async throws {
    let screen = try await page(Relationship(id: "bob-id", isFollowing: true), rows: 20, columns: 41)
    await screen.press("Enter")
    #expect(screen.text.contains("\(Self.unfollowKey)  p \(QwinkerWords.message)  \(Self.showLess)"))
    screen.resize(rows: 20, columns: 30)
    let end = " \(Self.unfollowKey)  p \(QwinkerWords.message)"
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.hasSuffix(end) })
  }

  @Test func `a failed page shows its reason and the account's name`() async throws {
    let server = ScriptedTimeline([1])
    let screen = try await Screen.settled(server, columns: 100)
    for call in [Self.account, Self.statuses] {
      server.api.fail(call, with: .refused(host: ScriptedTimeline.host))
    }
    screen.main.show(.qwinker(.sample("bob", displayName: "Bob")))
    await screen.settle()
    #expect(screen.text.contains("Bob  @bob"))
    #expect(screen.text.contains(ScriptedTimeline.unreachable))
    server.api.fail(Self.account, with: nil)
    server.api.fail(Self.statuses, with: nil)
    Self.say(Relationship(id: "bob-id"), to: server.api)
    await screen.press("R")
    #expect(screen.text.contains("Builds kiosks."))
    #expect(screen.text.contains("Kiosk 0"))
    #expect(!screen.text.contains(ScriptedTimeline.unreachable))
  }

  @Test func `a page without qwinks shows a message below the profile`() async throws {
    let screen = try await page(qwinks: 0)
    #expect(screen.text.contains("Builds kiosks."))
    #expect(screen.text.contains(TimelineWords.nothingToShow))
  }

  @Test func `a signed-out reader's page requests no relationship`() async throws {
    let server = ScriptedTimeline([1])
    Self.say(Relationship(id: "bob-id"), to: server.api)
    let screen = try await Screen.settled(server, isSignedIn: false)
    screen.main.show(.qwinker(Self.bob))
    await screen.settle()
    #expect(!server.api.asked.contains { $0.hasPrefix(Self.relationships) })
    await screen.press("F")
    #expect(screen.status.contains(MainWords.thisNeedsAccount))
  }

  @Test func `o opens a link in the profile text`() async throws {
    var bob = Self.bob
    bob.note = RichText([.init([.init("example.org", kind: .link(url: "https://example.org/"))])])
    bob.fields = []
    let screen = try await page(bob: bob)
    await screen.press("o")
    #expect(screen.opener.opened == ["https://example.org/"])
  }
}
