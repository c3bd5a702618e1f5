import Foundation
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import Testing

/// What GoToSocial and snac do otherwise than Mastodon, over real connections.
@MainActor
@Suite(.timeLimit(.minutes(60))) struct HabitTests {
  private typealias ServerScript = @Sendable (ScriptedServer.Request) -> Script

  /// The answers, or errors, to requests that are sent one after another, and what the server was sent.
  private func ask(
    _ script: @escaping ServerScript, _ requests: AnyRequest...
  ) async throws -> (bench: Bench, sent: [ScriptedServer.Request]) {
    try await withServer(script: script) { server in
      try await withTransport { transport in
        let bench = await Bench(transport, at: server.url, token: "t")
        for request in requests { await request.run(bench) }
        return (bench, server.requests)
      }
    }
  }

  private func json(_ request: ScriptedServer.Request?) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(request?.body ?? [])) as? [String: Any])
  }

  private static let toSocial: ServerScript = { HabitServer.goToSocial($0) }
  private static let snac: ServerScript = { HabitServer.snac($0) }

  // MARK: GoToSocial

  @Test func `GoToSocial is told who asks, or it refuses`() async throws {
    let (bench, sent) = try await ask(Self.toSocial, AnyRequest(.serverInfo))
    #expect(bench.delegate.errors.isEmpty)
    #expect(sent.first?.field("User-Agent")?.hasPrefix("Qwinkle") == true)
  }

  @Test func `GoToSocial's home that repeats items shows each once`() async throws {
    let (bench, _) = try await ask(Self.toSocial, AnyRequest(.timeline(.home, limit: 40)))
    let page = try #require(bench.delegate.answer(Page<Qwink>.self))
    var timeline = Timeline()
    _ = timeline.mergeNewest(page)
    var again = page
    again.items = Array((page.items.suffix(5) + page.items.prefix(3)).reversed())
    _ = timeline.appendOlder(again)
    let ids = timeline.rows.compactMap(\.qwink?.id)
    #expect(Set(ids).count == ids.count && Set(ids) == Set(page.items.map(\.id)))
  }

  @Test func `an empty page of GoToSocial's that leads on is not the end`() async throws {
    let (bench, _) = try await ask(Self.toSocial, AnyRequest(.notifications(limit: 1)))
    let page = try #require(bench.delegate.answer(Page<AccountNotification>.self))
    #expect(page.items.isEmpty && page.older != nil)
  }

  @Test func `GoToSocial is always told who may read, as its default is unlisted`() async throws {
    let (_, sent) = try await ask(Self.toSocial, AnyRequest(.post(Entry(text: "Tea", idempotencyKey: "k"))))
    #expect(try json(sent.first)["visibility"] as? String == "public")
  }

  @Test func `a follow of a locked account is asked for`() async throws {
    let (bench, _) = try await ask(Self.toSocial, AnyRequest(.follow("01CE", isOn: true)))
    let relationship = try #require(bench.delegate.answer(Relationship.self))
    #expect(relationship.isRequested && !relationship.isFollowing)
  }

  @Test func `numbers and flags go as numbers and flags, which GoToSocial insists on`() async throws {
    var entry = Entry(text: "Tea?", isSensitive: true, idempotencyKey: "k")
    entry.poll = EntryPoll(options: ["Yes", "No"], seconds: 3600)
    let (_, sent) = try await ask(
      Self.toSocial, AnyRequest(.post(entry)), AnyRequest(.mute("01CE", seconds: 60)),
      AnyRequest(.vote(in: "9", for: [1])))
    let post = try json(sent[0])
    #expect(post["sensitive"] as? Bool == true)
    let poll = try #require(post["poll"] as? [String: Any])
    #expect(poll["expires_in"] as? Int == 3600 && poll["multiple"] as? Bool == false)
    #expect(try json(sent[1])["duration"] as? Int == 60)
    #expect(try json(sent[2])["choices"] as? [Int] == [1])
  }

  @Test func `GoToSocial's times have milliseconds, and its last post a date alone`() async throws {
    let (bench, _) = try await ask(
      Self.toSocial, AnyRequest(.timeline(.home, limit: 40)), AnyRequest(.qwinker("bob")))
    let page = try #require(bench.delegate.answers.compactMap { $0 as? Page<Qwink> }.first)
    let second = page.items[0].createdAt.timeIntervalSince1970
    #expect(abs(second.truncatingRemainder(dividingBy: 1) - 0.493) < 0.001)
    #expect(bench.delegate.answers.contains { $0 is Qwinker })
  }

  @Test func `what GoToSocial lacks is said to be lacking`() async throws {
    let (bench, _) = try await ask(
      Self.toSocial, AnyRequest(.blockedDomains(limit: 40)), AnyRequest(.announcements))
    let sentences = bench.delegate.errors.map(\.sentence)
    #expect(sentences.count == 2)
    #expect(sentences[0].hasSuffix("has no blocks of whole servers."))
    #expect(sentences[1].hasSuffix("has no announcements."))
  }

  @Test func `conversations go on by the id of their last status, as the link says`() async throws {
    let (bench, _) = try await ask(Self.toSocial, AnyRequest(.conversations(limit: 40)))
    let page = try #require(bench.delegate.answer(Page<Conversation>.self))
    let last = try #require(page.items.last)
    #expect(page.older?.url.hasSuffix("max_id=\(last.lastQwink?.id.rawValue ?? "")") == true)
    #expect(!(page.older?.url.contains(last.id.rawValue) ?? true))
  }

  @Test func `GoToSocial's conversations are by thread, and one person has several`() async throws {
    let (bench, _) = try await ask(Self.toSocial, AnyRequest(.conversations(limit: 40)))
    let page = try #require(bench.delegate.answer(Page<Conversation>.self))
    #expect(page.items.filter { $0.participants.contains { $0.userName == "bob" } }.count == 2)
  }

  @Test func `a text that is too long for GoToSocial is refused with its reason`() async throws {
    let long = Entry(text: String(repeating: "a", count: 5001), idempotencyKey: "k")
    let (bench, _) = try await ask(Self.toSocial, AnyRequest(.post(long)))
    let sentence = bench.delegate.errors.first?.sentenceForPost ?? ""
    #expect(sentence.hasPrefix("Not posted.") && sentence.contains("exceed max chars (5000)"), "\(sentence)")
  }

  // MARK: snac

  @Test func `a connection that snac closes without a word costs no answer`() async throws {
    let (bench, sent) = try await ask(
      Self.snac, AnyRequest(.timeline(.public, limit: 40)), AnyRequest(.timeline(.home, limit: 40)),
      AnyRequest(.notifications(limit: 40)))
    #expect(bench.delegate.errors.isEmpty && bench.delegate.answers.count == 3)
    #expect(Set(sent.map(\.connection)).count == 3)
  }

  @Test func `snac's errors are web pages or empty, and told by their status`() async throws {
    let (bench, _) = try await ask(
      Self.snac, AnyRequest(.timeline(.bookmarks, limit: 40)), AnyRequest(.vote(in: "9", for: [0])),
      AnyRequest(.qwinker("nobody")))
    let errors = bench.delegate.errors
    #expect(errors.count == 3)
    if case .signInExpired = errors[0] {} else { Issue.record("\(errors[0])") }
    if case .rejected(_, "") = errors[1] {} else { Issue.record("\(errors[1])") }
    if case .notFound(_, "") = errors[2] {} else { Issue.record("\(errors[2])") }
  }

  @Test func `a deletion, which snac can't do, fails with a sentence`() async throws {
    let (bench, _) = try await ask(Self.snac, AnyRequest(.delete("1")))
    #expect(bench.delegate.errors.first?.sentence.hasPrefix("Not found at") == true)
  }

  @Test func `snac describes itself in the first version only`() async throws {
    let (bench, sent) = try await ask(Self.snac, AnyRequest(.serverInfo))
    #expect(bench.delegate.answer(ServerInfo.self)?.isFirstVersion == true)
    #expect(sent.map(\.path) == ["/api/v2/instance", "/api/v1/instance"])
  }

  @Test func `snac lists no conversations, and that is no error`() async throws {
    let (bench, _) = try await ask(Self.snac, AnyRequest(.conversations(limit: 40)))
    #expect(bench.delegate.answer(Page<Conversation>.self)?.items.isEmpty == true)
  }

  @Test func `a poll that is null in snac's qwinks costs nothing`() async throws {
    let (bench, _) = try await ask(Self.snac, AnyRequest(.qwink("1")))
    let qwink = try #require(bench.delegate.answer(Qwink.self))
    #expect(qwink.poll == nil && !qwink.text.plainText.isEmpty)
  }

  @Test func `more than was asked for is taken from snac, which knows no limit`() async throws {
    let (bench, _) = try await ask(Self.snac, AnyRequest(.timeline(.home, limit: 2)))
    #expect(bench.delegate.answer(Page<Qwink>.self)?.items.count == 20)
  }

  @Test func `snac's pages without a link go on after their last item`() async throws {
    let (bench, _) = try await ask(
      Self.snac, AnyRequest(.timeline(.public, limit: 40)), AnyRequest(.notifications(limit: 20)))
    let page = try #require(bench.delegate.answers.compactMap { $0 as? Page<Qwink> }.first)
    let last = try #require(page.items.last)
    #expect(page.older?.url == "/api/v1/timelines/public?limit=40&max_id=\(last.id)")
  }

  @Test func `boosts and originals of one id are two rows`() async throws {
    let (bench, _) = try await ask(Self.snac, AnyRequest(.timeline(.public, limit: 40)))
    let page = try #require(bench.delegate.answer(Page<Qwink>.self))
    var timeline = Timeline()
    _ = timeline.mergeNewest(page)
    #expect(timeline.rows.compactMap(\.qwink).count == Set(page.items.map(\.rowID)).count)
  }

  @Test func `snac's times of markers are seconds in a string`() async throws {
    let (bench, _) = try await ask(Self.snac, AnyRequest(.readPositions))
    let positions = try #require(bench.delegate.answer([ReadPosition].self))
    #expect(positions.first?.updatedAt.map { Int($0.timeIntervalSince1970) } == 1_795_226_028)
  }
}
