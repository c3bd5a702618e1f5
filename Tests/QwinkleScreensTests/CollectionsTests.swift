import HTTPTypes
import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Collections of accounts that a user recommends.
@MainActor
@Suite(.bounded) struct CollectionsTests {
  private static let gardeners = QwinkerCollection(
    id: "9", name: "Gardeners", description: RichText(plain: "People who grow things"), tag: "leeks", count: 2,
    url: "https://tilde.example/collections/9")
  private static let hidden = QwinkerCollection(
    id: "10", name: "Others", description: RichText(plain: "Something shocking"), isSensitive: true, count: 1)

  private func screen() async throws -> Screen {
    let server = ScriptedTimeline([5])
    let author = ScriptedTimeline.qwink(5).author
    let list =
      Array(#"{"collections":"#.utf8) + WireEncoder.collections([Self.gardeners, Self.hidden]) + Array("}".utf8)
    server.handle(.get, "/api/v1/accounts/\(author.id)/collections") { _ in .json(list) }
    let relationships = WireEncoder.relationships([Relationship(id: "carol-id"), Relationship(id: "bob-id")])
    server.handle(.get, "/api/v1/accounts/relationships") { _ in .json(relationships) }
    server.handle(.post, "/api/v1/accounts/carol-id/follow") { _ in
      .json(WireEncoder.relationship(Relationship(id: "carol-id", isFollowing: true)))
    }
    let accounts = String(decoding: WireEncoder.qwinkers([author, .sample("bob"), .sample("carol")]), as: UTF8.self)
    server.handle(.get, "/api/v1/collections/9") { _ in
      .json(
        Array(
          """
          {"accounts":\(accounts),"collection":{"id":"9","items":[{"account_id":"carol-id","state":"accepted"},
          {"account_id":"bob-id","state":"accepted"}]}}
          """.utf8))
    }
    return try await Screen.settled(server, rows: 30)
  }

  @Test func `gc lists an author's collections, and Enter lists accounts that F follows`() async throws {
    let screen = try await screen()
    await screen.press("g", "c")
    for words in ["Collections by @alice", "Gardeners  #leeks", "2 accounts", "People who grow things"] {
      #expect(screen.text.contains(words), "\(words)\n\(screen.text)")
    }
    await screen.press("Enter")
    #expect(screen.way.contains("Gardeners"), "\(screen.text)")
    let rows = screen.lines.filter { $0.contains("@carol") || $0.contains("@bob") }
    #expect(rows.count == 2 && rows[0].contains("@carol"), "\(screen.text)")
    #expect(!screen.text.contains("@alice  "), "the owner isn't a member\n\(screen.text)")
    await screen.press("F")
    #expect(screen.server.paths.contains("/api/v1/accounts/carol-id/follow"), "\(screen.server.paths)")
  }

  @Test func `the description of a sensitive collection is covered until z`() async throws {
    let screen = try await screen()
    await screen.press("g", "c", "j")
    #expect(screen.text.contains(CollectionWords.sensitive) && !screen.text.contains("shocking"), "\(screen.text)")
    await screen.press("z")
    #expect(screen.text.contains("Something shocking"), "\(screen.text)")
    await screen.press("z")
    #expect(!screen.text.contains("shocking"), "\(screen.text)")
  }

  @Test func `the screens return after a restart`() async throws {
    let qwinker = Qwinker.sample("bob")
    let account = try await screen().account
    for place in [
      Place.collections(of: qwinker), .collections(of: qwinker, isFeatured: true),
      .qwinkers(.collection("9", title: "Two words")),
    ] {
      let restored = Place(
        restorationIdentifier: place.restorationIdentifier, state: place.restorationContext, in: account)
      #expect(restored == place)
    }
  }
}
