import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@MainActor
@Suite(.bounded) struct RequestTests {
  /// The transport's request for `request`.
  private func sent<Answer>(_ request: Request<Answer>, token: String? = nil) async -> TransportRequest? {
    await sent(AnyRequest(request), token: token)
  }

  private func sent(_ request: AnyRequest, token: String? = nil) async -> TransportRequest? {
    let transport = ScriptedTransport { _ in .json(pageBody("1")) }
    let bench = Bench(transport, at: "https://tilde.example:8443", token: token)
    await request.run(bench)
    return transport.requests.first
  }

  /// Every request when signed in, with its method and path.
  private nonisolated static let table: [(request: AnyRequest, line: String)] = [
    (AnyRequest(.serverInfo), "GET /api/v2/instance"),
    (AnyRequest(.timeline(.public, limit: 40)), "GET /api/v1/timelines/public?limit=40"),
    (AnyRequest(.timeline(.local, limit: 7)), "GET /api/v1/timelines/public?local=true&limit=7"),
    (AnyRequest(.timeline(.home, limit: 20)), "GET /api/v1/timelines/home?limit=20"),
    (AnyRequest(.timeline(.tag("caf\u{E9}/x"), limit: 20)), "GET /api/v1/timelines/tag/caf%C3%A9%2Fx?limit=20"),
    (AnyRequest(.timeline(.qwinker("7"), limit: 20)), "GET /api/v1/accounts/7/statuses?limit=20&exclude_direct=true"),
    (AnyRequest(.timeline(.bookmarks, limit: 20)), "GET /api/v1/bookmarks?limit=20"),
    (AnyRequest(.timeline(.favourites, limit: 20)), "GET /api/v1/favourites?limit=20"),
    (AnyRequest(.timelinePage(.home, PageCursor(url: "/t?max_id=1"))), "GET /t?max_id=1"),
    (AnyRequest(.thread("5")), "GET /api/v1/statuses/5/context"),
    (AnyRequest(.qwink("5")), "GET /api/v1/statuses/5"),
    (AnyRequest(.versions("5")), "GET /api/v1/statuses/5/history"),
    (AnyRequest(.source("5")), "GET /api/v1/statuses/5/source"),
    (AnyRequest(.post(.sample())), "POST /api/v1/statuses"),
    (AnyRequest(.edit("5", .sample())), "PUT /api/v1/statuses/5"),
    (AnyRequest(.delete("5")), "DELETE /api/v1/statuses/5"),
    (AnyRequest(.react("5", .boost, isOn: true)), "POST /api/v1/statuses/5/reblog"),
    (AnyRequest(.react("5", .boost, isOn: false)), "POST /api/v1/statuses/5/unreblog"),
    (AnyRequest(.react("5", .favourite, isOn: true)), "POST /api/v1/statuses/5/favourite"),
    (AnyRequest(.react("5", .favourite, isOn: false)), "POST /api/v1/statuses/5/unfavourite"),
    (AnyRequest(.react("5", .bookmark, isOn: true)), "POST /api/v1/statuses/5/bookmark"),
    (AnyRequest(.react("5", .bookmark, isOn: false)), "POST /api/v1/statuses/5/unbookmark"),
    (AnyRequest(.conversations(limit: 20)), "GET /api/v1/conversations?limit=20"),
    (AnyRequest(.conversationsPage(PageCursor(url: "/c?max_id=1"))), "GET /c?max_id=1"),
    (AnyRequest(.readConversation("8")), "POST /api/v1/conversations/8/read"),
    (AnyRequest(.deleteConversation("8")), "DELETE /api/v1/conversations/8"),
    (AnyRequest(.notifications(limit: 20)), "GET /api/v1/notifications?limit=20"),
    (
      AnyRequest(.notifications(limit: 20, wantsWords: true)),
      "GET /api/v1/notifications?limit=20&supported_types%5B%5D=severed_relationships"
        + "&supported_types%5B%5D=moderation_warning&supported_types%5B%5D=admin.sign_up"
        + "&supported_types%5B%5D=admin.report&supported_types%5B%5D=added_to_collection"
        + "&supported_types%5B%5D=collection_update"
    ),
    (
      AnyRequest(.notifications(of: "7/8", limit: 20)),
      "GET /api/v1/notifications?account_id=7%2F8&include_filtered=true&limit=20"
    ),
    (AnyRequest(.notificationPolicy), "GET /api/v2/notifications/policy"),
    (
      AnyRequest(.changeNotificationPolicy([.bots: .drop, .notFollowing: .filter])),
      "PATCH /api/v2/notifications/policy"
    ),
    (AnyRequest(.notificationRequests(limit: 20)), "GET /api/v1/notifications/requests?limit=20"),
    (AnyRequest(.notificationRequest("5/6")), "GET /api/v1/notifications/requests/5%2F6"),
    (
      AnyRequest(.answerNotificationRequest("5", accepts: true)), "POST /api/v1/notifications/requests/5/accept"
    ),
    (
      AnyRequest(.answerNotificationRequests(["5", "6"], accepts: false)),
      "POST /api/v1/notifications/requests/dismiss"
    ),
    (AnyRequest(.notificationsPage(PageCursor(url: "/n?max_id=1"))), "GET /n?max_id=1"),
    (
      AnyRequest(.notifications(limit: 20, of: [.follows, .mentions])),
      "GET /api/v1/notifications?limit=20&types%5B%5D=mention&types%5B%5D=quote&types%5B%5D=follow"
        + "&types%5B%5D=follow_request&types%5B%5D=move"
    ),
    (AnyRequest(.notificationsPage(PageCursor(url: "/n"), of: [.polls])), "GET /n?types%5B%5D=poll"),
    (
      AnyRequest(.notificationsPage(PageCursor(url: "/n?max_id=1&types[]=poll&limit=2#x"), of: [.posts])),
      "GET /n?max_id=1&limit=2&types%5B%5D=status&types%5B%5D=update&types%5B%5D=quoted_update"
    ),
    (AnyRequest(.notification("8")), "GET /api/v1/notifications/8"),
    (AnyRequest(.dismissNotification("8")), "POST /api/v1/notifications/8/dismiss"),
    (AnyRequest(.dismissNotifications(inGroup: "follow-8")), "POST /api/v2/notifications/follow-8/dismiss"),
    (AnyRequest(.clearNotifications), "POST /api/v1/notifications/clear"),
    (AnyRequest(.readPositions), "GET /api/v1/markers?timeline%5B%5D=home&timeline%5B%5D=notifications"),
    (AnyRequest(.setReadPositions([ReadPosition(place: .home, lastReadID: "5")])), "POST /api/v1/markers"),
    (AnyRequest(.qwinker("9")), "GET /api/v1/accounts/9"),
    (AnyRequest(.lookup(handle: "bob@example.org")), "GET /api/v1/accounts/lookup?acct=bob%40example.org"),
    (AnyRequest(.qwinkers(.followers("9"), limit: 40)), "GET /api/v1/accounts/9/followers?limit=40"),
    (AnyRequest(.qwinkers(.following("9"), limit: 40)), "GET /api/v1/accounts/9/following?limit=40"),
    (AnyRequest(.qwinkers(.boosters("5"), limit: 40)), "GET /api/v1/statuses/5/reblogged_by?limit=40"),
    (AnyRequest(.qwinkers(.favouriters("5"), limit: 40)), "GET /api/v1/statuses/5/favourited_by?limit=40"),
    (AnyRequest(.qwinkersPage(PageCursor(url: "/f?max_id=1"))), "GET /f?max_id=1"),
    (AnyRequest(.completeHandle("bo b", limit: 5)), "GET /api/v1/accounts/search?q=bo%20b&limit=5"),
    (AnyRequest(.relationship("9")), "GET /api/v1/accounts/relationships?id%5B%5D=9"),
    (AnyRequest(.follow("9", isOn: true)), "POST /api/v1/accounts/9/follow"),
    (AnyRequest(.featuredTags(of: "9")), "GET /api/v1/accounts/9/featured_tags"),
    (AnyRequest(.ownFeaturedTags), "GET /api/v1/featured_tags"),
    (AnyRequest(.unfeatureTag("7")), "DELETE /api/v1/featured_tags/7"),
    (AnyRequest(.follow("9", isOn: false)), "POST /api/v1/accounts/9/unfollow"),
    (AnyRequest(.answerFollowRequest("9", accepts: true)), "POST /api/v1/follow_requests/9/authorize"),
    (AnyRequest(.answerFollowRequest("9", accepts: false)), "POST /api/v1/follow_requests/9/reject"),
    (AnyRequest(.ownAccount), "GET /api/v1/accounts/verify_credentials"),
    (AnyRequest(.ownProfile), "GET /api/v1/accounts/verify_credentials"),
    (
      AnyRequest(
        .setPicture(.avatar, to: Upload(name: "a.png", type: "image/png", content: .bytes([1])), boundary: "b")),
      "PATCH /api/v1/accounts/update_credentials"
    ),
    (AnyRequest(.removePicture(.avatar)), "DELETE /api/v1/profile/avatar"),
    (AnyRequest(.removePicture(.header)), "DELETE /api/v1/profile/header"),
    (AnyRequest(.setOwnProfile(OwnProfile(displayName: "A", note: "b"))), "PATCH /api/v1/accounts/update_credentials"),
    (AnyRequest(.search("#a b&c", limit: 20)), "GET /api/v2/search?q=%23a%20b%26c&resolve=true&limit=20"),
  ]

  @Test(arguments: table.indices)
  func `each request has its method and path`(index: Int) async {
    let (request, line) = Self.table[index]
    let sent = await sent(request, token: "secret")
    #expect(sent.map { "\($0.head.method.rawValue) \($0.head.path ?? "")" } == line)
    #expect(sent?.head.authority == "tilde.example:8443")
    #expect(sent?.head.method == .get || request.isWrite)
    let hasBody = ["/api/v1/statuses", "PUT", "/api/v1/markers", "PATCH", "/requests/dismiss"].contains {
      line.hasSuffix($0) || line.hasPrefix($0)
    }
    #expect(sent?.body.isEmpty == !hasBody)
    #expect((sent?.field("Content-Type") == nil) == !hasBody)
  }

  @Test(arguments: [
    ("https://x.example/1?a", "https%3A%2F%2Fx.example%2F1%3Fa"), ("..", "%2E%2E"), (".", "%2E"),
    ("../a b#c\r\nX: y", "..%2Fa%20b%23c%0D%0AX%3A%20y"), ("%2e%2e", "%252e%252e"), ("\u{E9}\u{0}", "%C3%A9%00"),
  ])
  func `unusual ids are escaped into a single path segment`(id: String, escaped: String) async {
    let requests: (String) -> [AnyRequest] = { id in
      [
        AnyRequest(.timeline(.qwinker(.init(id)), limit: 5)),
        AnyRequest(.timeline(.tag(id), limit: 5)),
        AnyRequest(.thread(.init(id))),
        AnyRequest(.qwink(.init(id))),
        AnyRequest(.versions(.init(id))),
        AnyRequest(.source(.init(id))),
        AnyRequest(.edit(.init(id), .sample())),
        AnyRequest(.delete(.init(id))),
        AnyRequest(.react(.init(id), .boost, isOn: true)),
        AnyRequest(.readConversation(.init(id))),
        AnyRequest(.deleteConversation(.init(id))),
        AnyRequest(.notification(.init(id))),
        AnyRequest(.dismissNotification(.init(id))),
        AnyRequest(.dismissNotifications(inGroup: id)),
        AnyRequest(.qwinker(.init(id))),
        AnyRequest(.lookup(handle: id)),
        AnyRequest(.qwinkers(.followers(.init(id)), limit: 5)),
        AnyRequest(.qwinkers(.boosters(.init(id)), limit: 5)),
        AnyRequest(.completeHandle(id, limit: 5)),
        AnyRequest(.relationship(.init(id))),
        AnyRequest(.follow(.init(id), isOn: false)),
        AnyRequest(.answerFollowRequest(.init(id), accepts: true)),
        AnyRequest(.search(id, limit: 5)),
      ]
    }
    for (odd, plain) in zip(requests(id), requests("PLACE")) {
      let path = await sent(plain)?.head.path?.replacing("PLACE", with: escaped)
      #expect(await sent(odd)?.head.path == path)
    }
  }

  @Test func `request bodies have the API's format`() async throws {
    func body<Answer>(_ request: Request<Answer>) async -> String {
      String(decoding: await sent(request, token: "secret")?.body ?? [], as: UTF8.self)
    }
    let positions = [
      ReadPosition(place: .home, lastReadID: "9", version: 2), ReadPosition(place: .notifications, lastReadID: "5"),
    ]
    let markers = #"{"home":{"last_read_id":"9","version":2},"notifications":{"last_read_id":"5"}}"#
    #expect(await body(.setReadPositions(positions)) == markers)
    let quiet = FollowOptions(showsBoosts: false, languages: ["en"])
    #expect(await body(.follow("9", isOn: true, options: quiet)) == #"{"reblogs":false,"languages":["en"]}"#)
    // An unfollow and a follow with the usual options have no body.
    #expect(await body(.follow("9", isOn: false, options: quiet)).isEmpty)
    #expect(await body(.follow("9", isOn: true, options: FollowOptions())).isEmpty)
    #expect(await body(.featureTag("garden")) == #"{"name":"garden"}"#)
    let profile = OwnProfile(displayName: "A", note: "b\nc")
    #expect(await body(.setOwnProfile(profile)) == #"{"display_name":"A","note":"b\nc"}"#)
  }

  @Test func `every request has a user agent and accepts JSON`() async {
    let signedOut = await sent(.publicTimeline)
    #expect(signedOut?.field("User-Agent")?.hasPrefix("Qwinkle/") == true)
    #expect(signedOut?.field("Accept") == "application/json")
    #expect(signedOut?.field("Authorization") == nil)
    let signedIn = await sent(.publicTimeline, token: "secret")
    #expect(signedIn?.field("Authorization") == "Bearer secret")
  }

  @Test func `a post is sent as JSON with its key and visibility`() async throws {
    let sent = try #require(await sent(.post(.sample("Hello \u{1F600}", key: "abc")), token: "secret"))
    #expect(sent.head.method == .post)
    #expect(sent.head.path == "/api/v1/statuses")
    #expect(sent.field("Idempotency-Key") == "abc")
    #expect(sent.field("Content-Type")?.hasPrefix("application/json") == true)
    let entry = try RequestParameters(body: sent.body, contentType: sent.field("Content-Type")).entry()
    #expect(entry.text == "Hello \u{1F600}")
    #expect(entry.visibility == .unlisted)
    #expect(String(decoding: sent.body, as: UTF8.self).contains("\"visibility\""))
  }

  @Test func `a public post states its visibility`() async throws {
    let sent = try #require(await sent(.post(Entry(text: "x", idempotencyKey: "k")), token: "secret"))
    #expect(String(decoding: sent.body, as: UTF8.self).contains("\"public\""))
  }

  @Test func `a delete succeeds with an empty response`() async {
    let transport = ScriptedTransport { _ in .text("") }
    let bench = Bench(transport, token: "secret")
    await bench.run(.delete("12"))
    #expect(transport.requests.first?.head.method == .delete)
    #expect(transport.requests.first?.head.path == "/api/v1/statuses/12")
    #expect(bench.delegate.answer(Void.self) != nil)
  }

  @Test(arguments: [
    ("https://tilde.example:8443/api/v1/timelines/public?max_id=5&x=%2F", "/api/v1/timelines/public?max_id=5&x=%2F"),
    ("/api/v1/timelines/public?max_id=5", "/api/v1/timelines/public?max_id=5"),
    ("HTTPS://user:word@TILDE.example:8443/p?max_id=5#top", "/p?max_id=5"),
  ])
  func `a cursor on the server is followed unchanged`(cursor: String, path: String) async {
    let sent = await sent(.timelinePage(.public, PageCursor(url: cursor)), token: "secret")
    #expect(sent?.url == "https://tilde.example:8443" + path)
    #expect(sent?.field("Authorization") == "Bearer secret")
  }

  @Test(arguments: [
    "http://tilde.example/api/v1/timelines/public?max_id=5",
    "http://tilde.example:8443/api/v1/timelines/public?max_id=5",
    "https://tilde.example/api/v1/timelines/public?max_id=5",
    "https://tilde.example:3000/api/v1/timelines/public?max_id=5",
  ])
  func `a cursor with another scheme or port is followed at the sign-in origin`(
    cursor: String
  ) async {
    let sent = await sent(.timelinePage(.public, PageCursor(url: cursor)), token: "secret")
    #expect(sent?.url == "https://tilde.example:8443/api/v1/timelines/public?max_id=5")
    #expect(sent?.field("Authorization") == "Bearer secret")
  }

  @Test(arguments: [
    "https://evil.example/api/v1/timelines/public?max_id=5", "//evil.example:8443/x",
    "https://tilde.example:8443@evil.example/x", "javascript:alert(1)", "",
    "https://tilde.example:8443.evil.example/",
  ])
  func `a cursor to another host is not followed`(cursor: String) async {
    let transport = ScriptedTransport { _ in .json(pageBody("1")) }
    let bench = Bench(transport, at: "https://tilde.example:8443", token: "secret")
    await bench.run(.timelinePage(.public, PageCursor(url: cursor)))
    #expect(transport.requests.allSatisfy { $0.head.authority == "tilde.example:8443" && $0.head.scheme == "https" })
    if !cursor.isEmpty {
      #expect(transport.requests.isEmpty)
      #expect(bench.delegate.errors.count == 1)
    }
  }
}
