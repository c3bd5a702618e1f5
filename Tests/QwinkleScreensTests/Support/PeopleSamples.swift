import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import QwinkleWire

/// People with everything that they can have, and what they did.
enum PeopleSamples {
  static let notices = "GET /api/v1/notifications"
  static let search = "GET /api/v2/search"
  static let account = "GET /api/v1/accounts/bob-id"
  static let qwinks = "GET /api/v1/accounts/bob-id/statuses"
  static let followers = "GET /api/v1/accounts/bob-id/followers"
  static let versions = "GET /api/v1/statuses/boat/history"

  /// Has `api` know all of it.
  static func tell(_ api: ScriptedAPI) {
    api.pages(notices, of: happened) { WireEncoder.notices($0) }
    api.answer("GET /api/v1/markers") { _ in
      .json(WireEncoder.readPositions([ReadPosition(place: .notifications, lastReadID: "n6")]))
    }
    api.answer("POST /api/v1/markers") { _ in .json(WireEncoder.readPositions([])) }
    api.answer(search) { _ in .json(WireEncoder.searchResults(found)) }
    api.answer(account) { _ in .json(WireEncoder.qwinker(bob)) }
    api.pages(qwinks, of: [kiosk, boat]) { WireEncoder.qwinks($0) }
    api.answer("GET /api/v1/accounts/relationships") { _ in
      .json(WireEncoder.relationships([Relationship(id: bob.id, isFollowing: true, isFollowedBy: true)]))
    }
    api.pages(followers, of: [alice, kaito, mona, robot]) { WireEncoder.qwinkers($0) }
    api.answer(versions) { _ in .json(WireEncoder.versions(history, by: bob)) }
    api.answer("GET /api/v1/accounts/mara-id") { _ in .json(WireEncoder.qwinker(.sample("mara", displayName: "Mara"))) }
    api.pages("GET /api/v1/accounts/mara-id/statuses", of: [mine]) { WireEncoder.qwinks($0) }
    api.pages("GET /api/v1/bookmarks", of: [Qwink]()) { WireEncoder.qwinks($0) }
    api.pages("GET /api/v1/timelines/tag/garden", of: [Qwink]()) { WireEncoder.qwinks($0) }
    api.answer("GET /api/v1/accounts/verify_credentials") { _ in
      .json(
        WireEncoder.qwinker(
          .sample("mara", displayName: "Mara"), ownNote: "I grow chard.\nSometimes basil, until the first frost."))
    }
  }

  // MARK: People

  static var bob: Qwinker {
    var bob = Qwinker.sample("bob", displayName: "Bob")
    bob.handle = "bob@example.org"
    bob.note = RichText([
      .init([
        .init("Builds kiosks, one at a time. Talks about "), .init("#trains", kind: .tag(name: "trains")),
        .init(" and about what it takes to start in 40 ms."),
      ]),
      .init([.init("Not a shop. Not a café either.")]),
    ])
    bob.followersCount = 1204
    bob.followingCount = 31
    bob.qwinksCount = 5012
    bob.url = "https://example.org/@bob"
    bob.createdAt = ago(days: 1000)
    bob.fields = [
      .init(
        name: "Site",
        value: RichText([.init([.init("example.org/kiosk", kind: .link(url: "https://example.org/kiosk"))])]),
        verifiedAt: ago(days: 20)),
      .init(name: "Pronouns", value: RichText(plain: "he/him")),
    ]
    return bob
  }

  /// What others' qwinks tell of him.
  static var bobElsewhere: Qwinker {
    var bob = Qwinker.sample("bob", displayName: "Bob")
    bob.handle = "bob@example.org"
    return bob
  }

  static var alice: Qwinker {
    var alice = Qwinker.sample("alice", displayName: "Alice Liddell")
    alice.note = RichText(plain: "Allotment 14, by the railway. Chard, basil, opinions.")
    alice.followersCount = 1
    return alice
  }

  private static var kaito: Qwinker {
    var kaito = Qwinker.sample("kaito", displayName: "海斗 🌊")
    kaito.handle = "kaito@例え.example"
    kaito.note = RichText(plain: "古池や蛙飛びこむ水の音 — ひらがなも漢字も、きちんと並ぶはずです。")
    kaito.followersCount = 82
    kaito.isLocked = true
    return kaito
  }

  private static var mona: Qwinker { .sample("mona", displayName: "منى") }

  private static var robot: Qwinker {
    var robot = Qwinker.sample("frost", displayName: "Frost warnings for the whole of the valley")
    robot.handle = "frost@weather.services.example.org"
    robot.isBot = true
    robot.followersCount = 12_040
    return robot
  }

  // MARK: What they wrote and did

  private static func qwink(_ id: Qwink.ID, _ text: String, by author: Qwinker, minutes: Double) -> Qwink {
    .sample(id: id, text: text, author: author, at: ago(minutes: minutes))
  }

  static var kiosk: Qwink {
    var kiosk = qwink("kiosk", "Rebuilt the kiosk. It starts in 40 ms instead of 3 s.", by: bob, minutes: 14)
    kiosk.favouritesCount = 2
    return kiosk
  }

  static var boat: Qwink {
    var boat = qwink("boat", "The boat leaves at ten, not at nine. Bring a coat.", by: bob, minutes: 300)
    boat.editedAt = ago(minutes: 200)
    return boat
  }

  private static var mine: Qwink {
    qwink(
      "mine", "First frost on the allotment this morning. The chard survives, the basil does not.",
      by: .sample("mara", displayName: "Mara"), minutes: 400)
  }

  private static var history: [QwinkVersion] {
    let texts = [
      ("The boat leaves at nine. Bring a coat.", 300.0), ("The boat leaves at ten. Bring a coat.", 250),
      ("The boat leaves at ten, not at nine. Bring a coat.", 200),
    ]
    return texts.map { QwinkVersion(createdAt: ago(minutes: $1), text: RichText(plain: $0)) }
  }

  private static var found: SearchResults {
    var chard = qwink("chard", "Chard again. Nobody wants it, everybody gets it.", by: alice, minutes: 90)
    chard.tags = ["chard"]
    return SearchResults(
      qwinkers: [alice, kaito], qwinks: [chard, mine],
      tags: [Tag(name: "chard", usesCount: 12), Tag(name: "chardonnay")])
  }

  private static var happened: [Notice] {
    var answer = qwink("a1", "@mara Which chard? The red one took over my whole bed.", by: alice, minutes: 33)
    answer.inReplyToAuthor = "mara-id"
    var secret = qwink("a2", "@mara Come at nine, the others come at ten.", by: bob, minutes: 50)
    secret.visibility = .direct
    var long = qwink(
      "a3", Array(repeating: "@mara what do you make of this?", count: 12).joined(separator: " "), by: kaito,
      minutes: 80)
    long.contentWarning = ""
    var film = qwink("a4", "@mara It was the butler.", by: mona, minutes: 90)
    film.contentWarning = "Film spoilers"
    let people = ["carol", "dana", "erin", "frank"].map { Qwinker.sample($0, displayName: $0.capitalizedFirst) }
    let favourites = ([bob] + people).enumerated().map { index, qwinker in
      notice("n\(index)", .favourite, qwinker, minutes: Double(2 + index), mine)
    }
    return favourites + [
      notice("n5", .boost, alice, minutes: 20, mine), notice("n6", .mention, alice, minutes: 33, answer),
      notice("n7", .mention, bob, minutes: 50, secret), notice("n8", .follow, kaito, minutes: 70),
      notice("n9", .mention, kaito, minutes: 80, long), notice("n10", .mention, mona, minutes: 90, film),
      notice("n11", .followRequest, robot, minutes: 100), notice("n12", .edit, bob, minutes: 200, boat),
      notice("n13", .poll, .sample("mara", displayName: "Mara"), minutes: 300, mine),
      notice("n14", .other("admin.sign_up"), mona, minutes: 4000),
    ]
  }

  private static func notice(
    _ id: String, _ kind: Notice.Kind, _ qwinker: Qwinker, minutes: Double, _ qwink: Qwink? = nil
  ) -> Notice {
    Notice(id: Notice.ID(id), kind: kind, createdAt: ago(minutes: minutes), qwinker: qwinker, qwink: qwink)
  }

  private static func ago(minutes: Double = 0, days: Double = 0) -> Date {
    ScriptedTimeline.start.addingTimeInterval(-60 * minutes - 86_400 * days)
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
