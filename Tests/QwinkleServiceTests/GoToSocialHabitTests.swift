import Foundation
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

/// Differences between GoToSocial and Mastodon, over real connections.
@MainActor
@Suite(.bounded) struct GoToSocialHabitTests {
  private nonisolated static let server: ServerScript = { HabitServer.goToSocial($0) }

  private func json(_ request: ScriptedServer.Request?) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(request?.body ?? [])) as? [String: Any])
  }

  // MARK: Requests

  @Test func `requests send the user agent that GoToSocial requires`() async throws {
    let (bench, sent) = try await ask(Self.server, AnyRequest(.serverInfo))
    #expect(bench.delegate.errors.isEmpty)
    #expect(sent.first?.field("User-Agent")?.hasPrefix("Qwinkle") == true)
  }

  @Test func `posts always send their visibility because the default is unlisted`() async throws {
    let (_, sent) = try await ask(Self.server, AnyRequest(.post(Entry(text: "Tea", idempotencyKey: "k"))))
    #expect(try json(sent.first)["visibility"] as? String == "public")
  }

  @Test func `numbers and flags are sent as JSON numbers and Booleans`() async throws {
    var entry = Entry(text: "Tea?", isSensitive: true, idempotencyKey: "k")
    entry.poll = EntryPoll(options: ["Yes", "No"], seconds: 3600)
    let (_, sent) = try await ask(
      Self.server, AnyRequest(.post(entry)), AnyRequest(.mute("01CE", seconds: 60)),
      AnyRequest(.vote(in: "9", for: [1])))
    let post = try json(sent[0])
    #expect(post["sensitive"] as? Bool == true)
    let poll = try #require(post["poll"] as? [String: Any])
    #expect(poll["expires_in"] as? Int == 3600 && poll["multiple"] as? Bool == false)
    #expect(try json(sent[1])["duration"] as? Int == 60)
    #expect(try json(sent[2])["choices"] as? [Int] == [1])
  }

  @Test func `following a locked account sends a follow request`() async throws {
    let (bench, _) = try await ask(Self.server, AnyRequest(.follow("01CE", isOn: true)))
    let relationship = try #require(bench.delegate.answer(Relationship.self))
    #expect(relationship.isRequested && !relationship.isFollowing)
  }

  @Test(arguments: [
    (String(repeating: "a", count: 5001), "text with spoiler exceed max chars (5000)"),
    ("", "no text, media or poll provided"), ("<b></b>", "no text, media or poll provided"),
  ])
  func `a post that is too long or empty is refused with its reason`(
    text: String, reason: String
  ) async throws {
    let (bench, _) = try await ask(Self.server, AnyRequest(.post(Entry(text: text, idempotencyKey: "k"))))
    let sentence = bench.delegate.errors.first?.sentenceForPost ?? ""
    #expect(sentence.hasPrefix("Not posted.") && sentence.contains(reason), "\(sentence)")
  }

  @Test func `missing features are reported as missing`() async throws {
    let (bench, _) = try await ask(
      Self.server, AnyRequest(.blockedDomains(limit: 40)), AnyRequest(.announcements))
    let sentences = bench.delegate.errors.map(\.sentence)
    #expect(sentences.count == 2)
    #expect(sentences[0].hasSuffix("does not support listing blocked servers."))
    #expect(sentences[1].hasSuffix("does not support announcements."))
  }

  // MARK: Pages

  @Test func `a clamped page has a next page although it is shorter than requested`() async throws {
    let all = HabitServer.goToSocialStatuses(60).map(\.id)
    let most = try await allPages(Self.server, .timeline(.public, limit: 100)) { .timelinePage(.public, $0) }
    #expect(most.pages.map(\.items.count) == [40, 20])
    #expect(most.pages.flatMap(\.items).map(\.id.rawValue) == all)
    let fewest = try await allPages(Self.server, .timeline(.public, limit: 0)) { .timelinePage(.public, $0) }
    #expect(fewest.pages.map(\.items.count) == [20, 20, 20])
    #expect(fewest.pages.flatMap(\.items).map(\.id.rawValue) == all)
  }

  @Test func `a home timeline with repeated and unordered rows shows each once`() async throws {
    let (pages, _) = try await allPages(
      { HabitServer.goToSocialDisorder($0) }, .timeline(.home, limit: 40), then: { .timelinePage(.home, $0) })
    let given = pages.map { $0.items.map(\.id.rawValue) }
    #expect(given.count == 3 && given.allSatisfy { Set($0).count < $0.count && $0 != $0.sorted(by: >) })
    #expect(!Set(given[0]).isDisjoint(with: given[1]) && !Set(given[1]).isDisjoint(with: given[2]))
    var timeline = Timeline()
    timeline.mergeNewest(pages[0])
    for page in pages.dropFirst() { timeline.appendOlder(page) }
    let shown = timeline.rows.map { $0.qwink?.id.rawValue ?? "gap" }
    #expect(shown.count == 24 && Set(shown) == Set(HabitServer.goToSocialStatuses(24).map(\.id)))
    // Merging the same page again changes nothing.
    timeline.mergeNewest(pages[0])
    #expect(timeline.rows.map { $0.qwink?.id.rawValue ?? "gap" } == shown)
  }

  @Test func `an empty page of one notification without a link is not the last`() async throws {
    let (pages, sent) = try await allPages(
      Self.server, .notifications(limit: 1), then: { .notificationsPage($0) })
    #expect(pages.flatMap(\.items).count == RecordedAnswers(of: "gotosocial").items("notifications_alice").count)
    #expect(sent.map(\.path) == ["/api/v1/notifications?limit=1", "/api/v1/notifications?limit=20"])
  }

  @Test func `an empty page with a link is not the last`() async throws {
    let (pages, _) = try await allPages(
      { request in
        guard request.parameter("max_id") == nil else { return HabitServer.goToSocial(request) }
        let list = "http://\(request.field("Host") ?? "")/api/v1/notifications"
        let way = "<\(list)?limit=40&max_id=01M7XWWDYZTZF0BJNV8TBHFSJ8>; rel=\"next\""
        return .json(Array("[]".utf8), fields: [("Link", way)])
      }, .notifications(limit: 40), then: { .notificationsPage($0) })
    #expect(pages.map(\.items.count) == [0, 13])
  }

  @Test func `conversations are paged by the id of their last status`() async throws {
    let (pages, sent) = try await allPages(Self.server, .conversations(limit: 40), then: { .conversationsPage($0) })
    #expect(pages.map(\.items.count) == [2, 1])
    let last = try #require(pages[0].items.last)
    #expect(sent.last?.parameter("max_id") == last.lastQwink?.id.rawValue)
    #expect(sent.last?.parameter("max_id") != last.id.rawValue)
  }

  @Test func `several threads with one person form one conversation group`() async throws {
    let (pages, _) = try await allPages(Self.server, .conversations(limit: 40), then: { .conversationsPage($0) })
    let conversations = pages.flatMap(\.items)
    #expect(conversations.count { $0.participants.map(\.userName) == ["bob"] } == 2)
    #expect(ConversationGroups(conversations).items.count { $0.participants.map(\.userName) == ["bob"] } == 1)
  }

  // MARK: Reading

  @Test func `times have milliseconds and the last post has only a date`() async throws {
    let (bench, _) = try await ask(
      Self.server, AnyRequest(.timeline(.home, limit: 40)), AnyRequest(.qwinker("bob")))
    let page = try #require(bench.delegate.qwinkPages.first)
    let second = page.items[0].createdAt.timeIntervalSince1970
    #expect(abs(second.truncatingRemainder(dividingBy: 1) - 0.493) < 0.001)
    let bob = RecordedAnswers(of: "gotosocial").body("account_bob")
    #expect(String(decoding: bob, as: UTF8.self).contains(#""last_status_at": "2026-11-21""#))
    #expect(bench.delegate.answer(Qwinker.self)?.userName == "bob")
  }

  @Test func `direct and private posts appear in the home timeline with their visibility`() async throws {
    let (bench, _) = try await ask(Self.server, AnyRequest(.timeline(.home, limit: 40)))
    let page = try #require(bench.delegate.qwinkPages.first)
    var timeline = Timeline()
    timeline.mergeNewest(page)
    let audiences = timeline.rows.compactMap(\.qwink?.visibility)
    #expect(audiences.count == 20)
    #expect(audiences[3] == .private && audiences.count { $0 == .private } == 1)
    #expect(audiences.count { $0 == .direct } == 4)
    // GoToSocial states every post's visibility, so no audience is unclear.
    #expect(page.items.allSatisfy { !$0.isAudienceUnclear })
  }
}
