import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import Testing

@MainActor
@Suite struct EndpointTests {
  /// What is sent for `request`.
  private func sent(_ request: DownloadRequest, token: String? = nil) async -> TransportRequest? {
    let transport = ScriptedTransport { _ in .json(pageBody("1")) }
    let bench = Bench(transport, at: "https://tilde.example:8443", token: token)
    await bench.run(request)
    return transport.requests.first
  }

  @Test(arguments: [
    (DownloadRequest.timeline(.public, limit: 40), "/api/v1/timelines/public?limit=40"),
    (.timeline(.local, limit: 7), "/api/v1/timelines/public?local=true&limit=7"),
    (.timeline(.home, limit: 20), "/api/v1/timelines/home?limit=20"),
    (.timeline(.tag("caf\u{E9}/x"), limit: 20), "/api/v1/timelines/tag/caf%C3%A9%2Fx?limit=20"),
    (.timeline(.qwinker("7"), limit: 20), "/api/v1/accounts/7/statuses?limit=20"),
    (.thread("https://x.example/1?a"), "/api/v1/statuses/https%3A%2F%2Fx.example%2F1%3Fa/context"),
    (.qwink(".."), "/api/v1/statuses/%2E%2E"),
    (.qwinker("9"), "/api/v1/accounts/9"),
    (.lookup(handle: "bob@example.org"), "/api/v1/accounts/lookup?acct=bob%40example.org"),
  ])
  func `each request has its path`(request: DownloadRequest, path: String) async {
    let sent = await sent(request)
    #expect(sent?.url == "https://tilde.example:8443" + path)
    #expect(sent?.head.method == .get)
  }

  @Test func `every request says who asks and what it takes`() async {
    let signedOut = await sent(.publicTimeline)
    #expect(signedOut?.field("User-Agent")?.hasPrefix("Qwinkle/") == true)
    #expect(signedOut?.field("Accept") == "application/json")
    #expect(signedOut?.field("Authorization") == nil)
    let signedIn = await sent(.publicTimeline, token: "secret")
    #expect(signedIn?.field("Authorization") == "Bearer secret")
  }

  @Test func `a post carries its key, its visibility and JSON`() async throws {
    let sent = try #require(await sent(.post(.sample("Hello \u{1F600}", key: "abc")), token: "secret"))
    #expect(sent.head.method == .post)
    #expect(sent.head.path == "/api/v1/statuses")
    #expect(sent.field("Idempotency-Key") == "abc")
    #expect(sent.field("Content-Type")?.hasPrefix("application/json") == true)
    let entry = try WireDecoder.entry(from: sent.body, contentType: sent.field("Content-Type"))
    #expect(entry.text == "Hello \u{1F600}")
    #expect(entry.visibility == .unlisted)
    #expect(String(decoding: sent.body, as: UTF8.self).contains("\"visibility\""))
  }

  @Test func `a public post says that it is public`() async throws {
    let sent = try #require(await sent(.post(Entry(text: "x", idempotencyKey: "k")), token: "secret"))
    #expect(String(decoding: sent.body, as: UTF8.self).contains("\"public\""))
  }

  @Test func `a delete deletes, whatever its answer holds`() async {
    let transport = ScriptedTransport { _ in .text("") }
    let bench = Bench(transport, token: "secret")
    await bench.run(.delete("12"))
    #expect(transport.requests.first?.head.method == .delete)
    #expect(transport.requests.first?.head.path == "/api/v1/statuses/12")
    guard case .deleted("12")? = bench.delegate.downloads.first else {
      Issue.record("not deleted")
      return
    }
  }

  @Test(arguments: [
    ("https://tilde.example:8443/api/v1/timelines/public?max_id=5&x=%2F", "/api/v1/timelines/public?max_id=5&x=%2F"),
    ("/api/v1/timelines/public?max_id=5", "/api/v1/timelines/public?max_id=5"),
    ("HTTPS://user:word@TILDE.example:8443/p?max_id=5#top", "/p?max_id=5"),
  ])
  func `a cursor on the server is taken as it is`(cursor: String, path: String) async {
    let sent = await sent(.timelinePage(.public, PageCursor(url: cursor)), token: "secret")
    #expect(sent?.url == "https://tilde.example:8443" + path)
    #expect(sent?.field("Authorization") == "Bearer secret")
  }

  @Test(arguments: [
    "https://evil.example/api/v1/timelines/public?max_id=5", "http://tilde.example:8443/x", "//evil.example:8443/x",
    "https://tilde.example/x", "https://tilde.example:8443@evil.example/x", "javascript:alert(1)", "",
    "https://tilde.example:8443.evil.example/",
  ])
  func `a cursor that leads elsewhere is not followed`(cursor: String) async {
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
