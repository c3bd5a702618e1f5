import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

/// Cursors to the next page.
@MainActor
@Suite(.bounded) struct PageWayTests {
  private nonisolated static func qwinks(_ count: Int) -> [UInt8] {
    WireEncoder.qwinks((0..<count).map { .sample(id: Qwink.ID("q\($0)")) })
  }

  private func page(
    _ request: Request<Page<Qwink>>, _ body: [UInt8], link: String? = nil
  ) async -> Page<Qwink>? {
    var fields = HTTPFields()
    if let link, let name = HTTPField.Name("Link") { fields[name] = link }
    let answer = TransportResponse.json(body, fields: fields)
    let bench = Bench(ScriptedTransport { _ in answer }, at: "https://tilde.example")
    await bench.run(request)
    return bench.delegate.answer()
  }

  private nonisolated static let ways: [(request: Request<Page<Qwink>>, way: String)] = [
    (.timeline(.public, limit: 40), "/api/v1/timelines/public?limit=40&max_id=q39"),
    (.timeline(.local, limit: 40), "/api/v1/timelines/public?local=true&limit=40&max_id=q39"),
    (.timeline(.tag("a b"), limit: 40), "/api/v1/timelines/tag/a%20b?limit=40&max_id=q39"),
    (.timeline(.qwinker("7"), limit: 40), "/api/v1/accounts/7/statuses?limit=40&exclude_direct=true&max_id=q39"),
    (.timeline(.bookmarks, limit: 40), "/api/v1/bookmarks?limit=40&max_id=q39"),
    (
      .timelinePage(.public, PageCursor(url: "https://tilde.example/api/v1/timelines/public?max_id=5&limit=40")),
      "https://tilde.example/api/v1/timelines/public?limit=40&max_id=q39"
    ),
  ]

  @Test(arguments: ways)
  func `a full page without a Link header continues after its last qwink`(
    request: Request<Page<Qwink>>, way: String
  ) async {
    let page = await page(request, Self.qwinks(40))
    #expect(page?.older == PageCursor(url: way))
  }

  @Test func `a page of 20 counts as full even if more were requested`() async {
    let clamped = await page(.timeline(.public, limit: 40), Self.qwinks(20))
    #expect(clamped?.older != nil)
    let rest = await page(.timeline(.public, limit: 40), Self.qwinks(19))
    #expect(rest?.older == nil)
  }

  @Test func `a Link header without a next page ends the list`() async {
    let page = await page(
      .timeline(.bookmarks, limit: 40), Self.qwinks(40), link: "</api/v1/bookmarks?min_id=9>; rel=\"prev\"")
    #expect(page?.older == nil)
  }

  @Test func `a full page of notifications without a Link header continues`() async {
    let notifications = (0..<40).map {
      AccountNotification(
        id: AccountNotification.ID("n\($0)"), kind: .follow, createdAt: Qwink.sample().createdAt, qwinker: .sample())
    }
    let bench = Bench(
      ScriptedTransport { _ in .json(WireEncoder.notifications(notifications)) }, at: "https://tilde.example")
    await bench.run(.notifications(limit: 40))
    guard let page = bench.delegate.answer(Page<AccountNotification>.self) else {
      Issue.record("no notices")
      return
    }
    #expect(page.older == PageCursor(url: "/api/v1/notifications?limit=40&max_id=n39"))
  }

  @Test func `a cursor directly above a qwink is recognized`() {
    #expect(PageCursor(url: "/t?limit=4&min_id=9").leadsRightAbove)
    #expect(!PageCursor(url: "/t?limit=4&since_id=9").leadsRightAbove)
    #expect(PageCursor.above("9", in: .home, limit: 40)?.url == "/api/v1/timelines/home?limit=40&min_id=9")
    #expect(PageCursor.older(than: "9", in: .bookmarks, limit: 40) == nil)
  }
}
