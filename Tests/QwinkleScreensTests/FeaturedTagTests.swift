import HTTPTypes
import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Hashtags on profiles, and the facts that profiles state.
@MainActor
@Suite(.bounded) struct FeaturedTagTests {
  private static let ofBob = "GET /api/v1/accounts/bob-id/featured_tags"
  private static let own = "GET /api/v1/featured_tags"
  private static let feature = "POST /api/v1/featured_tags"
  nonisolated private static let url = "https://tilde.example/@bob"
  nonisolated private static let tags = [
    FeaturedTag(id: "1", name: "garden", qwinksCount: 1204), FeaturedTag(id: "2", name: "tea"),
  ]

  private func screen(
    _ tags: [FeaturedTag]? = tags, bob: Qwinker = .sample("bob", displayName: "Bob"), columns: Int = 100
  ) async throws -> Screen {
    let server = ScriptedTimeline([1])
    server.api.answer("GET /api/v1/accounts/bob-id") { _ in .json(WireEncoder.qwinker(bob)) }
    server.api.pages("GET /api/v1/accounts/bob-id/statuses", of: [Qwink]()) { WireEncoder.qwinks($0) }
    server.api.answer("GET /api/v1/accounts/relationships") { _ in
      .json(WireEncoder.relationships([Relationship(id: "bob-id")]))
    }
    server.api.answer(Self.ofBob) { _ in
      tags.map { .json(WireEncoder.featuredTags($0, url: Self.url)) } ?? .text("<h1>Nothing here</h1>", status: 404)
    }
    let screen = try await Screen.settled(server, columns: columns, hidesMessages: true)
    screen.main.show(.qwinker(bob))
    await screen.settle()
    return screen
  }

  @Test func `a profile shows its hashtags, and o opens them`() async throws {
    let screen = try await screen()
    #expect(screen.text.contains("#garden 1,204   #tea"), "\(screen.text)")
    await screen.press("o")
    #expect(screen.text.contains("#garden") && screen.text.contains(LinkWords.title), "\(screen.text)")
    await screen.press("1")
    #expect(screen.way.contains("#garden"), "\(screen.text)")
  }

  @Test func `a server without featured hashtags is asked only once`() async throws {
    let screen = try await screen(nil)
    #expect(screen.account.connection.abilities[.featuredTags] == false)
    await screen.press("R")
    #expect(screen.server.api.asked.filter { $0 == Self.ofBob }.count == 1, "\(screen.server.api.asked)")
    await screen.press(":")
    screen.type("feature-tag garden")
    await screen.press("Enter")
    #expect(screen.status.contains(ScriptedTimeline.lack(of: .featuredTags)), "\(screen.status)")
  }

  @Test func `the commands add and remove a hashtag, and u reverses them`() async throws {
    let screen = try await screen()
    screen.server.api.answer("GET /api/v1/accounts/mara-id/featured_tags") { _ in .json(Array("[]".utf8)) }
    screen.server.api.answer(Self.own) { _ in .json(WireEncoder.featuredTags([Self.tags[1]], url: Self.url)) }
    screen.server.api.answer(Self.feature) { _ in .json(WireEncoder.featuredTag(Self.tags[0], url: Self.url)) }
    screen.server.api.answer("DELETE /api/v1/featured_tags/2") { _ in .json(Array("{}".utf8)) }
    func run(_ line: String) async {
      await screen.press(":")
      screen.type(line)
      await screen.press("Enter")
    }
    await run("feature-tag #garden")
    #expect(screen.server.api.bodies(of: Self.feature) == [#"{"name":"garden"}"#])
    #expect(screen.status.contains("#garden is on your profile · u: undo"), "\(screen.status)")
    await run("feature-tag Tea")
    #expect(screen.status.contains("#Tea is on your profile already"), "\(screen.status)")
    await run("unfeature-tag tea")
    #expect(screen.status.contains("#tea removed from your profile · u: undo"), "\(screen.status)")
    #expect(screen.server.api.asked.contains("DELETE /api/v1/featured_tags/2"))
    screen.server.api.answer(Self.own) { _ in .json(Array("[]".utf8)) }
    await screen.press("u")
    #expect(screen.server.api.bodies(of: Self.feature).last == #"{"name":"tea"}"#)
  }

  @Test func `a profile states what matters before following`() async throws {
    var bob = Qwinker.sample("bob", displayName: "Bob")
    bob.traits = [.group, .memorial, .hidesFollows]
    bob.isLimited = true
    bob.fields = [.init(name: "Site", value: RichText(plain: "example.org"), verifiedAt: ScriptedTimeline.start)]
    let screen = try await screen(bob: bob)
    for words in [QwinkerWords.isGroup, QwinkerWords.isMemorial, QwinkerWords.isLimited, "hides follows"] {
      #expect(screen.text.contains(words), "\(words): \(screen.text)")
    }
    #expect(screen.text.contains("example.org ✓ Jan 2026"), "\(screen.text)")
  }

  @Test func `the new account of a moved user is the first link`() async throws {
    var bob = Qwinker.sample("bob", displayName: "Bob")
    bob.movedTo = "bob@new.example"
    bob.fields = [.init(name: "Tag", value: RichText([.init([.init("#tea", kind: .tag(name: "tea"))])]))]
    let screen = try await screen(bob: bob)
    var new = Qwinker.sample("bob2", displayName: "Bob the second")
    new.handle = "bob@new.example"
    let answer = WireEncoder.qwinker(new)
    screen.server.api.answer("GET /api/v1/accounts/lookup") { _ in .json(answer) }
    screen.server.api.answer("GET /api/v1/accounts/bob2-id") { _ in .json(answer) }
    screen.server.api.pages("GET /api/v1/accounts/bob2-id/statuses", of: [Qwink]()) { WireEncoder.qwinks($0) }
    await screen.press("O")
    #expect(screen.text.contains("Bob the second"), "\(screen.text)")
  }
}
