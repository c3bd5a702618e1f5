import Foundation
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

/// Differences between snac and Mastodon, over real connections.
@MainActor
@Suite(.bounded) struct SnacHabitTests {
  private nonisolated static let server: ServerScript = { HabitServer.snac($0) }

  // MARK: Connections and errors

  @Test func `a connection that snac closes unannounced loses no response`() async throws {
    let (bench, sent) = try await ask(
      Self.server, AnyRequest(.timeline(.public, limit: 40)), AnyRequest(.timeline(.home, limit: 40)),
      AnyRequest(.notifications(limit: 40)))
    #expect(bench.delegate.errors.isEmpty && bench.delegate.answers.count == 3)
    #expect(Set(sent.map(\.connection)).count == 3)
  }

  @Test func `a GET is retried once after a reset of a reused connection`() async throws {
    let used = Mutex<Set<Int>>([])
    let requests = (0..<6).map { _ in AnyRequest(.timeline(.home, limit: 40)) }
    let (bench, sent) = try await ask(
      { request in
        used.withLock { $0.insert(request.connection).inserted } ? HabitServer.snacAnswer(request) : .reset
      }, requests)
    #expect(bench.delegate.errors.isEmpty && bench.delegate.qwinkPages.count == 6)
    #expect(sent.count > 6, "no connection was used again")
    let (failed, again) = try await ask(
      { $0.place.hasSuffix("/home") ? .reset : HabitServer.snacAnswer($0) },
      AnyRequest(.timeline(.public, limit: 40)), AnyRequest(.timeline(.home, limit: 40)))
    #expect(failed.delegate.errors.count == 1 && again.count == 3)
  }

  @Test func `a POST is not retried after a reset`() async throws {
    let (bench, sent) = try await ask(
      { $0.method == "POST" ? .reset : HabitServer.snacAnswer($0) },
      AnyRequest(.timeline(.public, limit: 40)), AnyRequest(.post(.sample())))
    #expect(sent.map(\.method) == ["GET", "POST"])
    #expect(bench.delegate.errors.first?.mayHaveArrived == true)
  }

  @Test func `an error with a web page or an empty body is classified by its status`() async throws {
    let (bench, _) = try await ask(
      Self.server, AnyRequest(.timeline(.favourites, limit: 40)), AnyRequest(.vote(in: "9", for: [0])),
      AnyRequest(.qwinker("nobody")))
    let errors = bench.delegate.errors
    #expect(errors.count == 3)
    // snac answers 401 although the token is valid.
    if case .forbidden = errors[0] {} else { Issue.record("\(errors[0])") }
    if case .rejected(_, "") = errors[1] {} else { Issue.record("\(errors[1])") }
    if case .notFound(_, "") = errors[2] {} else { Issue.record("\(errors[2])") }
  }

  @Test func `an unsupported deletion fails with a message`() async throws {
    let (bench, _) = try await ask(Self.server, AnyRequest(.delete("1")))
    #expect(bench.delegate.errors.first?.sentence.hasPrefix("Not found at") == true)
  }

  @Test func `instance info is read from v1`() async throws {
    let (bench, sent) = try await ask(Self.server, AnyRequest(.serverInfo))
    #expect(bench.delegate.answer(ServerInfo.self)?.isFirstVersion == true)
    #expect(sent.map(\.path) == ["/api/v2/instance", "/api/v1/instance"])
  }

  // MARK: Pages

  @Test func `an empty list of conversations is not an error`() async throws {
    let (bench, _) = try await ask(Self.server, AnyRequest(.conversations(limit: 40)))
    #expect(bench.delegate.answer(Page<Conversation>.self)?.items.isEmpty == true)
  }

  @Test func `a page longer than the requested limit is accepted`() async throws {
    let (bench, _) = try await ask(Self.server, AnyRequest(.timeline(.home, limit: 2)))
    #expect(bench.delegate.qwinkPages.first?.items.count == 20)
  }

  @Test(arguments: [
    (TimelineName.public, "/api/v1/timelines/public"), (.tag("filler"), "/api/v1/timelines/tag/filler"),
    (.bookmarks, "/api/v1/bookmarks"),
    (.qwinker(Qwinker.ID(SnacServer.me)), "/api/v1/accounts/\(SnacServer.me)/statuses"),
  ])
  func `a list of posts without a link is paged by its last id to the end`(
    name: TimelineName, place: String
  ) async throws {
    let all = try #require(HabitServer.snacList(at: place)?.map(\.id))
    let (pages, sent) = try await allPages(Self.server, .timeline(name, limit: 40)) { .timelinePage(name, $0) }
    #expect(pages.count > 1 && pages.flatMap(\.items).map(\.id.rawValue) == all)
    let end = name.isProfile ? "&exclude_direct=true" : ""
    #expect(sent[1].path == "\(place)?limit=40\(end)&max_id=\(all[19])")
  }

  @Test func `notifications without a link are paged by their last id to the end`() async throws {
    let all = try #require(HabitServer.snacList(at: "/api/v1/notifications")?.map(\.id))
    let (pages, sent) = try await allPages(Self.server, .notifications(limit: 40), then: { .notificationsPage($0) })
    #expect(pages.map(\.items.count) == [20, 20, 5] && pages.flatMap(\.items).map(\.id.rawValue) == all)
    #expect(sent[1].path == "/api/v1/notifications?limit=40&max_id=\(all[19])")
  }

  // MARK: Rows

  /// The recorded public timeline, with a boost's original inserted above it under the same id.
  private nonisolated static let boosted: ServerScript = { request in
    var items = RecordedAnswers(of: "snac").items("timelines_public")
    if let index = items.firstIndex(where: { $0.id == boostID }), let original = items[index].item("reblog") {
      items.insert(original, at: index)
    }
    return .json(items.list).then(.close)
  }

  private nonisolated static let boostID = "1795226000610980d41bd6c4b9986dc731235084dc"

  @Test func `a boost and its original with the same id are two rows`() async throws {
    let (bench, _) = try await ask(Self.boosted, AnyRequest(.timeline(.public, limit: 40)))
    let page = try #require(bench.delegate.qwinkPages.first)
    var timeline = Timeline()
    timeline.mergeNewest(page)
    #expect(timeline.rows.count == 32 && Set(page.items.map(\.id)).count == 31)
    let rows = timeline.rows.compactMap(\.qwink).filter { $0.id.rawValue == Self.boostID }
    #expect(rows.map(\.booster?.userName) == [nil, "carol"])
    #expect(rows.map(\.author.userName) == ["bob", "bob"])
    let (original, boost) = (try #require(rows.first), try #require(rows.last))
    #expect(timeline.index(of: original.rowID).map { $0 + 1 } == timeline.index(of: boost.rowID))
    // Merging the page again and changing the original affect both rows.
    timeline.mergeNewest(page)
    timeline.update(by: original.setting(.favourite, to: true))
    #expect(timeline.rows.count == 32)
    #expect(timeline[original.rowID]?.isFavourite == true && timeline[boost.rowID]?.isFavourite == true)
    #expect(timeline[boost.rowID]?.booster?.userName == "carol")
    timeline.remove(original.id)
    #expect(timeline.rows.count == 30)
  }

  @Test func `an original is a separate row below its boost on the previous page`() async throws {
    let (bench, _) = try await ask(Self.boosted, AnyRequest(.timeline(.public, limit: 40)))
    let page = try #require(bench.delegate.qwinkPages.first)
    let boost = try #require(page.items.firstIndex { $0.booster != nil && $0.id.rawValue == Self.boostID })
    var timeline = Timeline()
    timeline.mergeNewest(Page(items: [page.items[boost]], older: PageCursor(url: "/older")))
    timeline.appendOlder(Page(items: [page.items[boost - 1]]))
    #expect(timeline.rows.compactMap(\.qwink?.booster?.userName) == ["carol"] && timeline.rows.count == 2)
  }

  @Test func `a null poll is ignored`() async throws {
    let (bench, _) = try await ask(Self.server, AnyRequest(.qwink("1")))
    let qwink = try #require(bench.delegate.answer(Qwink.self))
    #expect(qwink.poll == nil && !qwink.text.plainText.isEmpty)
  }

  @Test func `times with and without milliseconds are read`() async throws {
    let (bench, _) = try await ask(
      Self.server, AnyRequest(.timeline(.home, limit: 40)), AnyRequest(.notifications(limit: 40)))
    let qwink = try #require(bench.delegate.qwinkPages.first?.items.first)
    let notification = try #require(bench.delegate.answer(Page<AccountNotification>.self)?.items.first)
    // Recorded as 2026-11-21T01:53:48.000Z, 2026-11-21T01:53:12Z and 2026-11-21T01:53:53Z.
    #expect(qwink.createdAt == Date(timeIntervalSince1970: 1_795_226_028))
    #expect(qwink.author.createdAt == Date(timeIntervalSince1970: 1_795_225_992))
    #expect(notification.createdAt == Date(timeIntervalSince1970: 1_795_226_033))
  }

  @Test func `marker times are read as seconds in a string`() async throws {
    let (bench, _) = try await ask(Self.server, AnyRequest(.readPositions))
    let positions = try #require(bench.delegate.answer([ReadPosition].self))
    #expect(positions.first?.updatedAt.map { Int($0.timeIntervalSince1970) } == 1_795_226_028)
  }

  // MARK: Media

  @Test func `media ids that are URLs are escaped in paths and posted unchanged`() async throws {
    let id = "https://snac.example/alice/s/tea.png?v=1"
    let attachment = #"{"id":"\#(id)","type":"image","url":"\#(id)","preview_url":"\#(id)","description":""}"#
    let script: ServerScript = { request in
      request.place.hasPrefix("/api/v1/media/") || request.place == "/api/v2/media"
        ? .json(Array(attachment.utf8)) : HabitServer.snac(request)
    }
    let file = Upload(name: "tea.png", type: "image/png", content: .bytes([1, 2]))
    let (bench, sent) = try await ask(
      script, AnyRequest(.upload(file, boundary: "b")), AnyRequest(.describe(.init(id), as: "Tea")),
      AnyRequest(.uploadState(.init(id))),
      AnyRequest(.post(Entry(text: "Tea", attachmentIDs: [id], idempotencyKey: "k"))))
    let upload = try #require(bench.delegate.answer(UploadState.self))
    #expect(upload.attachment.id.rawValue == id && upload.isReady)
    let escaped = "/api/v1/media/https%3A%2F%2Fsnac.example%2Falice%2Fs%2Ftea.png%3Fv%3D1"
    #expect(sent.dropFirst().prefix(2).map(\.path) == [escaped, escaped])
    #expect(sent.last?.member("media_ids") as? [String] == [id])
  }
}
