import HTTPTypes
import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// The form of a follow's options, and their effects.
@MainActor
@Suite(.bounded) struct FollowOptionsTests {
  private static let follow = "POST /api/v1/accounts/bob-id/follow"
  private static let unfollow = "POST /api/v1/accounts/bob-id/unfollow"
  nonisolated private static let bob = Qwinker.sample("bob", displayName: "Bob")

  nonisolated private static func followed(_ options: FollowOptions = .usual) -> Relationship {
    var relationship = Relationship(id: "bob-id", isFollowing: true)
    relationship.followOptions = options
    return relationship
  }

  /// A server where mara has a relationship to bob. It adopts the options in `adopts` only.
  private func screen(
    _ before: Relationship = followed(), adopts: Set<String> = ["reblogs", "notify", "languages"], columns: Int = 100
  ) async throws -> Screen {
    let server = ScriptedTimeline([1])
    server.api.answer("GET /api/v1/accounts/bob-id") { _ in .json(WireEncoder.qwinker(Self.bob)) }
    server.api.answer("GET /api/v1/accounts/lookup") { _ in .json(WireEncoder.qwinker(Self.bob)) }
    server.api.pages("GET /api/v1/accounts/bob-id/statuses", of: [Qwink]()) { WireEncoder.qwinks($0) }
    server.api.answer("GET /api/v1/accounts/relationships") { _ in .json(WireEncoder.relationships([before])) }
    server.api.answer(Self.follow) { request in
      var now = before
      now.isFollowing = true
      let body = String(decoding: request.body, as: UTF8.self)
      if adopts.contains("reblogs"), body.contains(#""reblogs":"#) {
        now.showsBoosts = body.contains(#""reblogs":true"#)
      }
      if adopts.contains("notify"), body.contains(#""notify":"#) { now.isNotifying = body.contains(#""notify":true"#) }
      if adopts.contains("languages"), body.contains(#""languages":"#) {
        now.languages = ["en", "de"].filter { body.contains("\"\($0)\"") }
      }
      return .json(WireEncoder.relationship(now))
    }
    server.api.answer(Self.unfollow) { _ in .json(WireEncoder.relationship(Relationship(id: "bob-id"))) }
    let screen = try await Screen.settled(server, columns: columns, hidesMessages: true)
    screen.main.show(.qwinker(Self.bob))
    await screen.settle()
    return screen
  }

  private func bodies(_ screen: Screen) -> [String] { screen.server.api.bodies(of: Self.follow) }

  @Test func `the form changes only the changed options, and u restores them`() async throws {
    let screen = try await screen()
    await screen.press("g", "F")
    #expect(screen.text.contains(FollowOptionsWords.title(Self.bob, isFollowed: true)), "\(screen.text)")
    await screen.press("Space", "Tab", "y", "^D")
    #expect(bodies(screen) == [#"{"reblogs":false,"notify":true}"#])
    #expect(
      screen.status.contains("Following @bob · boosts hidden · notifications on · u: undo"), "\(screen.status)")
    let bell = QwinkSign.notifies.rawValue
    #expect(
      screen.text.contains("\(QwinkerWords.youFollow) · \(bell) notifications on · boosts hidden"), "\(screen.text)")
    await screen.press("u")
    #expect(bodies(screen).last == #"{"reblogs":true,"notify":false}"#)
    #expect(screen.server.api.asked.filter { $0.hasPrefix("POST") } == [Self.follow, Self.follow])
    #expect(!screen.text.contains("boosts hidden"), "\(screen.text)")
  }

  @Test func `languages are typed as codes, and a wrong code is refused`() async throws {
    let screen = try await screen()
    await screen.press("g", "F", "Tab", "Tab", "^U")
    screen.type("english")
    await screen.press("^D")
    #expect(screen.text.contains(FollowOptionsWords.noLanguage("english")), "\(screen.text)")
    #expect(bodies(screen).isEmpty)
    await screen.press("^U")
    screen.type("en, de")
    await screen.press("^D")
    #expect(bodies(screen) == [#"{"languages":["en","de"]}"#])
    #expect(screen.text.contains("\(QwinkerWords.youFollow) · only en, de"), "\(screen.text)")
  }

  @Test func `saving also follows a user`() async throws {
    let screen = try await screen(Relationship(id: "bob-id"))
    await screen.press("g", "F")
    #expect(screen.text.contains(FollowOptionsWords.title(Self.bob, isFollowed: false)), "\(screen.text)")
    await screen.press("^D")
    #expect(bodies(screen) == [""])
    await screen.press("u")
    #expect(screen.server.api.asked.contains(Self.unfollow))
  }

  @Test func `an unchanged form sends nothing`() async throws {
    let screen = try await screen(Self.followed(FollowOptions(showsBoosts: false, notifies: true, languages: ["en"])))
    await screen.press("g", "F")
    #expect(screen.line(of: "Boosts").hasSuffix("hidden") && screen.line(of: "Languages").hasSuffix("en"))
    await screen.press("^D")
    #expect(bodies(screen).isEmpty && screen.application.window.topSheet == nil)
  }

  @Test func `options that the server ignores are named`() async throws {
    let screen = try await screen(adopts: ["reblogs"])
    await screen.press("g", "F", "Space", "Tab", "Space", "Tab", "^U")
    screen.type("en")
    await screen.press("^D")
    let words = "Following @bob · boosts hidden. Your server ignored these options: notifications, languages"
    #expect(screen.status.contains(words), "\(screen.status)")
    #expect(!screen.text.contains("notifications on"), "\(screen.text)")
  }

  @Test func `undoing an unfollow restores the options`() async throws {
    let screen = try await screen(Self.followed(FollowOptions(showsBoosts: false, notifies: true, languages: ["en"])))
    await screen.press("F")
    #expect(screen.server.api.asked.contains(Self.unfollow))
    await screen.press("u")
    #expect(bodies(screen) == [#"{"reblogs":false,"notify":true,"languages":["en"]}"#])
  }

  @Test func `the command opens the form for a named user`() async throws {
    let screen = try await screen()
    await screen.press("1", ":")
    screen.type("follow-options bob")
    await screen.press("Enter")
    #expect(screen.text.contains(FollowOptionsWords.title(Self.bob, isFollowed: true)), "\(screen.text)")
  }

  @Test func `a failed change shows the former options again`() async throws {
    let screen = try await screen()
    screen.server.api.answer(Self.follow) { _ in .json(WireEncoder.error("Not today"), status: 422) }
    await screen.press("g", "F", "Space", "^D")
    #expect(screen.status.contains("Not today"), "\(screen.status)")
    #expect(!screen.text.contains("boosts hidden"), "\(screen.text)")
    await screen.press("u")
    #expect(screen.status.contains(MainWords.nothingToUndo), "\(screen.status)")
  }

  @Test func `lists mark users whose posts cause notifications`() async throws {
    let screen = try await screen(Self.followed(FollowOptions(notifies: true)))
    screen.server.api.pages("GET /api/v1/accounts/mara-id/following", of: [Self.bob]) { WireEncoder.qwinkers($0) }
    screen.main.show(.qwinkers(.following("mara-id")))
    await screen.settle()
    #expect(screen.text.contains("\(QwinkerWords.youFollow)  \(QwinkSign.notifies.rawValue)"), "\(screen.text)")
  }

  @Test func `hidden boosts leave the home timeline at once and return with undo`() async throws {
    let screen = try await screen()
    var boost = Qwink.sample(id: "5", text: "Boosted by bob", author: .sample("cora"))
    boost.booster = Self.bob
    let others = [boost, Qwink.sample(id: "4", text: "By bob", author: Self.bob)]
    screen.server.api.pages("GET /api/v1/timelines/home", of: others) { WireEncoder.qwinks($0) }
    await screen.press("2")
    #expect(screen.text.contains("Boosted by bob") && screen.text.contains("By bob"), "\(screen.text)")
    screen.account.follows.follow(Self.bob, isOn: true, options: FollowOptions(showsBoosts: false))
    await screen.settle()
    #expect(!screen.text.contains("Boosted by bob") && screen.text.contains("By bob"), "\(screen.text)")
    await screen.press("u")
    #expect(screen.text.contains("Boosted by bob"), "\(screen.text)")
  }
}
