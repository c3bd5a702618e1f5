import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

/// Differences between Pleroma or Akkoma and Mastodon, over real connections.
@MainActor
@Suite(.bounded) struct PleromaHabitTests {
  private nonisolated static let server: ServerScript = { HabitServer.pleroma($0) }

  private func home() async throws -> Page<Qwink> {
    let (bench, _) = try await ask(Self.server, AnyRequest(.timeline(.home, limit: 40)))
    return try #require(bench.delegate.qwinkPages.first)
  }

  // MARK: The server

  @Test func `instance info with a URL as its domain and other limit names is read`() async throws {
    let (bench, sent) = try await ask(Self.server, AnyRequest(.serverInfo))
    let info = try #require(bench.delegate.answer(ServerInfo.self))
    #expect(info.isFirstVersion && sent.map(\.path) == ["/api/v2/instance", "/api/v1/instance"])
    #expect(info.domain == "pl.example" && info.title == "Layers" && info.summary == "A tea house")
    #expect(info.limits.characters == 5000 && info.limits.charactersPerLink == 23)
    #expect(info.limits.polls.options == 20 && info.limits.polls.charactersPerOption == 200)
    #expect(info.limits.polls.seconds == 1...31_536_000)
    #expect(info.streamingURL?.hasPrefix("wss://127.0.0.1:") == true)
    #expect(info.limits.lacking.isEmpty)
  }

  @Test func `an account with extra fields is read with its default visibility`() async throws {
    let (bench, _) = try await ask(Self.server, AnyRequest(.ownAccount), AnyRequest(.ownProfile))
    let account = try #require(bench.delegate.answer(OwnAccount.self))
    #expect(account.qwinker.id == "9hmxhmxhmxhm0pBLCk" && account.qwinker.handle == "lain")
    #expect(account.qwinker.note.plainText == "Layer\n12" && account.usualVisibility == .unlisted)
    #expect(bench.delegate.answer(OwnProfile.self)?.note == "Layer\n12")
  }

  @Test func `a refused post shows the reason`() async throws {
    let (bench, _) = try await ask(Self.server, AnyRequest(.post(.sample(""))))
    let sentence = bench.delegate.errors.first?.sentenceForPost ?? ""
    #expect(sentence.hasPrefix("Not posted.") && sentence.contains("Cannot post an empty status"), "\(sentence)")
  }

  // MARK: Rows

  @Test func `statuses with non-numeric ids are rows and their pages continue`() async throws {
    let (pages, sent) = try await allPages(Self.server, .timeline(.home, limit: 40)) { .timelinePage(.home, $0) }
    let ids = HabitServer.pleromaHome.map(\.id)
    #expect(pages.map { $0.items.map(\.id.rawValue) } == [ids, ["AhOlderFlakeIdAaaa"]])
    #expect(pages.allSatisfy { $0.damagedCount == 0 })
    #expect(sent.last?.parameter("max_id") == ids[3])
    var timeline = Timeline()
    timeline.mergeNewest(pages[0])
    timeline.appendOlder(pages[1])
    #expect(timeline.rows.count == 5)
  }

  @Test func `text with line break elements is read and extra fields are ignored`() async throws {
    let qwink = try #require(try await home().items.first)
    #expect(qwink.text.plainText == "Tea?\n\nNow & hot")
    #expect(qwink.url == "https://pl.example/notice/AiStatusFlakeIdAaa" && qwink.attachments.count == 1)
    #expect(qwink.attachments.first?.url == "https://pl.example/media/1.png")
    #expect(qwink.language == nil && qwink.poll == nil && qwink.card == nil && qwink.quote == nil)
  }

  @Test func `a local-only post is read as private`() async throws {
    let qwink = try #require(try await home().items.first { $0.id == "AiLocalFlakeIdAaaa" })
    #expect(qwink.visibility == .private)
  }

  @Test func `a boost shows its original and a quote is read from its status`() async throws {
    let items = try await home().items
    #expect(items[2].originalID == "AiBoostedFlakeIdA" && items[2].author.userName == "alice")
    #expect(items[2].booster?.userName == "lain")
    #expect(items[3].quote?.text.plainText == "Tea is a drink." && items[3].quote?.id == "AiQuotedFlakeIdAaa")
  }

  @Test func `a status can be opened and a post is sent without a content type`() async throws {
    let status = Array(HabitServer.pleromaStatus("AiStatusFlakeIdAaa").utf8)
    let (bench, sent) = try await ask(
      { $0.place == "/api/v1/statuses/AiStatusFlakeIdAaa" ? .json(status) : HabitServer.pleroma($0) },
      AnyRequest(.qwink("AiStatusFlakeIdAaa")), AnyRequest(.post(.sample("Tea"))))
    #expect(bench.delegate.answer(Qwink.self)?.id == "AiStatusFlakeIdAaa")
    // Pleroma treats text without a type as plain.
    let posted = sent.last { $0.member("status") != nil }
    #expect(posted?.member("content_type") == nil && posted?.member("status") as? String == "Tea")
  }

  // MARK: Notifications and messages

  @Test func `Pleroma's own kinds of notifications are rows`() async throws {
    let (bench, _) = try await ask(Self.server, AnyRequest(.notifications(limit: 40)))
    let page = try #require(bench.delegate.answer(Page<AccountNotification>.self))
    #expect(
      page.items.map(\.kind) == [
        .reaction("☕"), .move, .other("pleroma:report"), .other("pleroma:chat_mention"),
        .favourite, .follow,
      ])
    #expect(page.damagedCount == 0 && page.items.allSatisfy { $0.qwinker.userName == "alice" })
    #expect(page.items[0].qwink?.id == "AiStatusFlakeIdAaa" && page.items[1].qwink == nil)
  }

  @Test func `a conversation without people or messages does not affect the others`() async throws {
    let (bench, _) = try await ask(Self.server, AnyRequest(.conversations(limit: 40)))
    let page = try #require(bench.delegate.answer(Page<Conversation>.self))
    #expect(page.items.map(\.id) == ["12", "11"] && page.items[0].lastQwink?.visibility == .direct)
  }
}
