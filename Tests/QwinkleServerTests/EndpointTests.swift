import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleServer
import QwinkleWire
import TerminalTesting
import Testing

@Suite(.bounded) struct EndpointTests {
  @Test(arguments: Front.allCases)
  func `both instance endpoints describe the server`(_ front: Front) async throws {
    try await withService(front) { harness in
      for path in ["/api/v1/instance", "/api/v2/instance"] {
        let answer = try await harness.get(path)
        #expect(answer.head.status == .ok)
        #expect(answer.head.headerFields[.contentType] == "application/json; charset=utf-8")
        let info = try WireDecoder.serverInfo(from: answer.body)
        #expect(info.title == "Qwinkle")
        #expect(info.limits.characters == 500)
        #expect(info.domain == harness.authority)
      }
      #expect(try await harness.get("/health").text == "OK")
      #expect(try await harness.get("/api/v1/custom_emojis").text == "[]")
    }
  }

  @Test(arguments: Front.allCases)
  func `an app registers and verifies its own token`(_ front: Front) async throws {
    try await withService(front) { harness in
      let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
      let made = try await harness.send(
        .post, "/api/v1/apps", headers: form,
        body: Array("client_name=My+app&redirect_uris=urn%3Aietf%3Awg%3Aoauth%3A2.0%3Aoob&scopes=read+write".utf8))
      #expect(made.head.status == .ok)
      let id = try #require(made.object["client_id"] as? String)
      let secret = try #require(made.object["client_secret"] as? String)
      #expect(made.object["name"] as? String == "My app")

      let json: HTTPFields = [.contentType: "application/json"]
      let body = ["grant_type": "client_credentials", "client_id": id, "client_secret": secret, "scope": "read"]
      let answer = try await harness.send(
        .post, "/oauth/token", headers: json, body: Array(JSONEncoder().encode(body)))
      let token = try #require(answer.object["access_token"] as? String)
      #expect(answer.object["token_type"] as? String == "Bearer")

      let app = try await harness.get("/api/v1/apps/verify_credentials", token: token)
      #expect(app.object["name"] as? String == "My app")
      #expect(app.object["client_secret"] == nil)
      #expect(try await harness.get("/api/v1/accounts/verify_credentials", token: token).head.status == .unauthorized)
      #expect(try await harness.get("/api/v1/timelines/public", token: token).head.status == .ok)

      let wrong = body.merging(["client_secret": "x"]) { $1 }
      #expect(
        try await harness.send(.post, "/oauth/token", headers: json, body: Array(JSONEncoder().encode(wrong)))
          .head.status == .unauthorized)
      let more = body.merging(["scope": "admin"]) { $1 }
      #expect(
        try await harness.send(.post, "/oauth/token", headers: json, body: Array(JSONEncoder().encode(more)))
          .head.status == .badRequest)
      let password = try await harness.send(
        .post, "/oauth/token", headers: form, body: Array("grant_type=password".utf8))
      #expect(password.head.status == .badRequest)
      #expect(password.errorMessage != nil)
    }
  }

  @Test(arguments: Front.allCases)
  func `a qwinker is found by token and by id and by name`(_ front: Front) async throws {
    try await withService(front) { harness in
      let token = try harness.service.addQwinker(named: "Alice")
      let answer = try await harness.get("/api/v1/accounts/verify_credentials", token: token)
      let alice = try WireDecoder.qwinker(from: answer.body)
      #expect(alice.userName == "alice")
      #expect(alice.displayName == "Alice")
      #expect(answer.object["source"] != nil)
      for path in [
        "/api/v1/accounts/\(alice.id)", "/api/v1/accounts/lookup?acct=alice", "/api/v1/accounts/lookup?acct=%40Alice",
        "/api/v1/accounts/lookup?acct=alice@\(harness.authority)",
      ] {
        #expect(try WireDecoder.qwinker(from: try await harness.get(path).body).id == alice.id)
      }
      for path in ["/api/v1/accounts/1", "/api/v1/accounts/x", "/api/v1/accounts/lookup?acct=alice@elsewhere.example"] {
        #expect(try await harness.get(path).head.status == .notFound)
      }
      let preferences = try await harness.get("/api/v1/preferences", token: token)
      #expect(preferences.object["posting:default:visibility"] as? String == "public")
    }
  }

  @Test(arguments: Front.allCases)
  func `several qwinks or qwinkers are fetched by id`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let (first, second) = (try await harness.post("1", token: alice), try await harness.post("2", token: bob))
      let secret = try await harness.post("for me", token: bob, visibility: .private)
      let ids = [second.id, first.id, secret.id, second.id].map { "id[]=\($0)" }.joined(separator: "&")
      let target = "/api/v1/statuses?\(ids)&id[]=x&id[]=1"
      #expect(try await harness.page(target).items.map(\.id) == [second.id, first.id])
      #expect(try await harness.page(target, token: bob).items.map(\.id) == [second.id, first.id, secret.id])
      let people = "/api/v1/accounts?id[]=\(second.author.id)&id[]=1&id[]=\(first.author.id)"
      #expect(try await harness.qwinkers(people).items.map(\.userName) == ["bob", "alice"])
      #expect(try await harness.page("/api/v1/statuses").items.isEmpty)
    }
  }

  @Test(arguments: Front.allCases)
  func `a qwink is posted and read and listed and deleted`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let qwink = try await harness.post("Hello @bob, see https://example.org/a. #Fun", token: alice)
      #expect(qwink.mentions.map(\.userName) == ["bob"])
      #expect(qwink.tags == ["Fun"])
      #expect(qwink.text.links == ["https://example.org/a"])
      #expect(qwink.text.plainText == "Hello @bob, see https://example.org/a. #Fun")

      let path = "/api/v1/statuses/\(qwink.id)"
      let read = try WireDecoder.qwink(from: try await harness.get(path, token: alice).body)
      #expect(read == qwink)
      for list in [
        "/api/v1/timelines/public", "/api/v1/timelines/public?local=true", "/api/v1/timelines/tag/fun",
        "/api/v1/accounts/\(qwink.author.id)/statuses", "/api/v1/accounts/\(qwink.author.id)/statuses?tagged=FUN",
      ] {
        #expect(try await harness.page(list).items.map(\.id) == [qwink.id])
      }
      #expect(try await harness.page("/api/v1/timelines/home", token: alice).items.map(\.id) == [qwink.id])
      #expect(try await harness.page("/api/v1/timelines/home", token: bob).items.isEmpty)
      #expect(try await harness.page("/api/v1/timelines/public?remote=true").items.isEmpty)

      #expect(try await harness.send(.delete, path).head.status == .unauthorized)
      #expect(try await harness.send(.delete, path, token: bob).head.status == .notFound)
      let deleted = try await harness.send(.delete, path, token: alice)
      #expect(deleted.head.status == .ok)
      #expect(deleted.object["text"] as? String == "Hello @bob, see https://example.org/a. #Fun")
      #expect(try await harness.get(path).head.status == .notFound)
      #expect(try await harness.page("/api/v1/timelines/public").items.isEmpty)
    }
  }

  @Test(arguments: Front.allCases)
  func `a form can post a qwink`(_ front: Front) async throws {
    try await withService(front) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      let answer = try await harness.send(
        .post, "/api/v1/statuses", token: token, headers: [.contentType: "application/x-www-form-urlencoded"],
        body: Array("status=f%C3%BCnf+Wörter&visibility=unlisted&spoiler_text=Zahlen&language=de".utf8))
      let qwink = try WireDecoder.qwink(from: answer.body)
      #expect(qwink.text.plainText == "fünf Wörter")
      #expect(qwink.visibility == .unlisted)
      #expect(qwink.contentWarning == "Zahlen")
      #expect(qwink.isSensitive)
      #expect(qwink.language == "de")
    }
  }

  @Test(arguments: Front.allCases)
  func `a multipart form can post and its text is sanitised for display`(_ front: Front) async throws {
    try await withService(front) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      let typed = "f\u{FC}nf\u{1B}[2J\r\n\u{202E}W\u{F6}rter"
      func body(_ fields: [(String, String)]) -> [UInt8] {
        let parts = fields.map { "--b\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n" }
        return Array((parts.joined() + "--b--\r\n").utf8)
      }
      let form: HTTPFields = [.contentType: "multipart/form-data; boundary=b"]
      let answer = try await harness.send(
        .post, "/api/v1/statuses", token: token, headers: form,
        body: body([("status", typed), ("visibility", "unlisted"), ("sensitive", "false"), ("media_ids[]", "")]))
      let qwink = try WireDecoder.qwink(from: answer.body)
      #expect(qwink.text.plainText == "fünf[2J\nWörter")
      #expect(qwink.visibility == .unlisted)
      let deleted = try await harness.send(.delete, "/api/v1/statuses/\(qwink.id)", token: token)
      #expect(deleted.object["text"] as? String == typed)
      let half = try await harness.send(
        .post, "/api/v1/statuses", token: token, headers: form, body: body([("status", "x")]).dropLast(9))
      #expect(half.head.status == .badRequest)

      let app = try await harness.send(
        .post, "/api/v1/apps", headers: form,
        body: body([("client_name", "My app"), ("redirect_uris", "urn:ietf:wg:oauth:2.0:oob")]))
      #expect(app.object["name"] as? String == "My app")
    }
  }

  @Test(arguments: Front.allCases)
  func `a context lists ancestors and descendants in reading order`(_ front: Front) async throws {
    try await withService(front) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      let root = try await harness.post("root", token: token)
      let first = try await harness.post("1", token: token, answering: root.id)
      let second = try await harness.post("2", token: token, answering: root.id)
      let below = try await harness.post("1.1", token: token, answering: first.id)
      let thread = try WireDecoder.thread(from: try await harness.get("/api/v1/statuses/\(root.id)/context").body)
      #expect(thread.ancestors.isEmpty)
      #expect(thread.descendants.map(\.id) == [first.id, below.id, second.id])
      let lowest = try WireDecoder.thread(from: try await harness.get("/api/v1/statuses/\(below.id)/context").body)
      #expect(lowest.ancestors.map(\.id) == [root.id, first.id])
      #expect(try WireDecoder.qwink(from: try await harness.get("/api/v1/statuses/\(root.id)").body).repliesCount == 2)

      // Replies to a deleted qwink stay but lose their parent.
      _ = try await harness.send(.delete, "/api/v1/statuses/\(first.id)", token: token)
      #expect(try WireDecoder.qwink(from: try await harness.get("/api/v1/statuses/\(below.id)").body).inReplyTo == nil)
      #expect(try WireDecoder.qwink(from: try await harness.get("/api/v1/statuses/\(root.id)").body).repliesCount == 1)
    }
  }

  @Test(arguments: Front.allCases)
  func `invalid requests get an error status and a message`(_ front: Front) async throws {
    try await withService(front) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      let json: HTTPFields = [.contentType: "application/json"]
      func post(_ body: String) async throws -> TransportResponse {
        try await harness.send(.post, "/api/v1/statuses", token: token, headers: json, body: Array(body.utf8))
      }
      let cases: [(HTTPResponse.Status, TransportResponse)] = [
        (.notFound, try await harness.get("/nothing/here")),
        (.methodNotAllowed, try await harness.send(.delete, "/api/v1/timelines/public")),
        (.unauthorized, try await harness.get("/api/v1/timelines/home")),
        (.unauthorized, try await harness.get("/api/v1/timelines/home", token: "wrong")),
        (.unauthorized, try await harness.get("/api/v1/timelines/public", token: "wrong")),
        (.unauthorized, try await harness.send(.post, "/api/v1/statuses", headers: json, body: Array("{}".utf8))),
        (.unprocessableContent, try await harness.get("/api/v1/timelines/public?max_id=x")),
        (.unprocessableContent, try await post(#"{"status":"  \n "}"#)),
        (.unprocessableContent, try await post(#"{"status":"a","visibility":"secret"}"#)),
        (.unprocessableContent, try await post(#"{"status":"a","in_reply_to_id":"42"}"#)),
        (.unprocessableContent, try await post(#"{"status":"\#(String(repeating: "é", count: 501))"}"#)),
        (.unprocessableContent, try await post("")),
        (.badRequest, try await post("{\"status\":")),
        (.contentTooLarge, try await post(String(repeating: "a", count: 1 << 20 + 1))),
      ]
      for (number, (status, answer)) in cases.enumerated() {
        #expect(answer.head.status == status, "case \(number): \(answer.text)")
        #expect(answer.errorMessage?.isEmpty == false, "case \(number): \(answer.text)")
      }
      #expect(cases[1].1.head.headerFields[.allow] == "GET")
      #expect(try await harness.page("/api/v1/timelines/public").items.isEmpty)
    }
  }

  @Test(arguments: Front.allCases)
  func `500 characters are accepted with links counting 23 and emoji one`(_ front: Front) async throws {
    try await withService(front) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      let link = "https://example.org/" + String(repeating: "x", count: 300)
      try await harness.post(link + " " + String(repeating: "ü", count: 476), token: token)
      try await harness.post(String(repeating: "👩‍👩‍👧‍👦", count: 500), token: token)
      let long = try await harness.send(
        Entry(text: link + " " + String(repeating: "ü", count: 477), idempotencyKey: ""), token: token)
      #expect(long.head.status == .unprocessableContent)
      // Combining marks beyond eight are dropped, which is more than any script needs.
      let marks = try await harness.post("a" + String(repeating: "\u{0301}", count: 9000), token: token)
      #expect(marks.text.plainText == "a" + String(repeating: "\u{0301}", count: 8))
      let tooMany = Entry(text: "a" + String(repeating: "\u{0301}", count: 40_000), idempotencyKey: "")
      #expect(try await harness.send(tooMany, token: token).head.status == .unprocessableContent)
    }
  }

  @Test func `a HEAD request is answered without a body`() async throws {
    try await withService { harness in
      let answer = try await harness.send(.head, "/api/v1/timelines/public")
      #expect(answer.head.status == .ok)
      #expect(answer.body.isEmpty)
    }
  }
}
