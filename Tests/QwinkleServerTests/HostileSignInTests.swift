import Foundation
import HTTPTypes
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Attempts to gain access without permission.
@Suite(.bounded) struct HostileSignInTests {
  private let password = "correct horse"

  @Test func `an invalid sign-in request is rejected without a redirect`() async throws {
    try await withService { harness in
      let program = try await RegisteredProgram.register(at: harness, redirectURIs: "https://app.example/back")
      let changes: [[(String, String)]] = [
        [("redirect_uri", "https://evil.example/")], [("redirect_uri", "https://app.example/back/../evil")],
        [("redirect_uri", "https://app.example/back?x=1")], [("redirect_uri", "https://app.example.evil.example/back")],
        [("redirect_uri", "//app.example/back")], [("redirect_uri", "javascript:alert(1)")], [("redirect_uri", "")],
        [("redirect_uri", "https://app.example/back\r\nX: y")], [("client_id", "unknown")], [("client_id", "")],
        [("response_type", "token")], [("scope", "read admin:write")], [("scope", "everything")], [("scope", "")],
        [("state", String(repeating: "s", count: 2001))], [("code_challenge", "abc")],
        [("code_challenge", RegisteredProgram.challenge(for: "x"))],
        [("code_challenge", RegisteredProgram.challenge(for: "x")), ("code_challenge_method", "plain")],
      ]
      for change in changes {
        let answer = try await harness.get(program.address(change))
        #expect(answer.head.status == .badRequest, "\(change)")
        #expect(answer.head.headerFields[.location] == nil)
        #expect(!answer.text.contains("evil") && !answer.text.contains("<form"))

        let form = try await program.open()
        let fields = form.fields.filter { field in !change.contains { $0.0 == field.0 } } + change
        let sent = try await program.submit(
          .init(fields: fields, cookie: form.cookie, answer: form.answer), name: "", password: "", answer: "deny")
        #expect(sent.head.status == .badRequest, "\(change)")
        #expect(sent.head.headerFields[.location] == nil)
      }
    }
  }

  @Test func `unsafe redirect addresses can't be registered`() async throws {
    try await withService { harness in
      for bad in [
        "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "/back",
        "//app.example", "app.example/back", "https:", "https:///x", "https://", "https://a@evil.example/",
        "https://app.example/#x", "https://app.example/\\evil", "https://ä.example/", "https://app.example/\"x",
        "urn:other", "1x:y", ":x", "https://app.example:;script-src/x",
      ] {
        let answer = try await harness.submit("/api/v1/apps", [("client_name", "x"), ("redirect_uris", bad)])
        #expect(answer.head.status == .unprocessableContent, "\(bad)")
        #expect(answer.errorMessage?.isEmpty == false)
      }
      for good in [
        "https://app.example/back", "http://127.0.0.1:8080/", "http://[::1]:80/x", "myapp://x", "com.example.app:/back",
        RegisteredProgram.outOfBand,
      ] {
        let answer = try await harness.submit("/api/v1/apps", [("client_name", "x"), ("redirect_uris", good)])
        #expect(answer.head.status == .ok, "\(good)")
      }
      let scopes = [("client_name", "x"), ("redirect_uris", "https://a.example"), ("scopes", "read everything")]
      #expect(try await harness.submit("/api/v1/apps", scopes).head.status == .unprocessableContent)
    }
  }

  @Test func `an app's name is escaped on the sign-in page`() async throws {
    try await withService { harness in
      let program = try await RegisteredProgram.register(
        at: harness, name: "<script>alert('1')</script>\u{202E}&\u{1B}[31m\"")
      let state = "\"><script>alert(2)</script>"
      let form = try await program.open([("state", state)])
      let wrong = try await program.submit(form, name: "'\"><img src=x onerror=alert(3)>", password: "wrong")
      for answer in [form.answer, wrong] {
        #expect(!answer.text.contains("<script") && !answer.text.contains("<img"))
        #expect(!answer.text.contains("\u{202E}") && !answer.text.contains("\u{1B}"))
        #expect(answer.text.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"))
        let headers = answer.head.headerFields
        #expect(headers[.contentType] == "text/html; charset=utf-8")
        #expect(headers[.cacheControl] == "no-store")
        #expect(headers[.xContentTypeOptions] == "nosniff")
        let policy = try #require(headers[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(policy.hasSuffix("form-action 'self'") && !policy.contains("unsafe"))
        #expect(headers[.setCookie]?.contains("HttpOnly; SameSite=Strict") == true)
      }
      #expect(form.fields.contains { $0 == ("state", state) })
      let style = try #require(form.answer.text.firstMatch(of: #/<style>((?s:.*))</style>/#)).output.1
      let hash = Data(RegisteredProgram.digest(of: String(style))).base64EncodedString()
      #expect(form.answer.head.headerFields[.contentSecurityPolicy]?.contains("'sha256-\(hash)'") == true)
    }
  }

  @Test func `a form is valid for an hour in the browser that opened it`() async throws {
    try await withService { harness in
      _ = try harness.service.addQwinker(named: "alice", password: password)
      let program = try await RegisteredProgram.register(at: harness)
      let form = try await program.open()
      let other = try await program.open()
      let seal = try #require(form.fields.first { $0.0 == "seal" }?.1)
      let cases: [(String, String)] = [
        ("", seal), ("qwinkle_form=x", seal), (other.cookie, seal), (form.cookie, ""), (form.cookie, "x"),
        (form.cookie, "9" + seal), (form.cookie, String(seal.dropLast()) + "g"),
      ]
      for (cookie, seal) in cases {
        let fields = form.fields.filter { $0.0 != "seal" } + [("seal", seal)]
        let answer = try await program.submit(
          .init(fields: fields, cookie: cookie, answer: form.answer), name: "alice", password: password)
        #expect(answer.head.status == .forbidden)
        #expect(RegisteredProgram.code(in: answer) == nil)
        #expect(answer.text.contains("<form"))
      }
      await harness.clock.advance(by: .seconds(3601))
      #expect(try await program.submit(form, name: "alice", password: password).head.status == .forbidden)
      let fresh = try await program.open()
      await harness.clock.advance(by: .seconds(3599))
      let answer = try await program.submit(fresh, name: "alice", password: password)
      #expect(RegisteredProgram.code(in: answer) != nil)
    }
  }

  @Test func `a code is valid once within ten minutes for its app and address`() async throws {
    try await withService { harness in
      _ = try harness.service.addQwinker(named: "alice", password: password)
      let both = "https://app.example/one\nhttps://app.example/two"
      let program = try await RegisteredProgram.register(at: harness, redirectURIs: both)
      let other = try await RegisteredProgram.register(at: harness, name: "Other", redirectURIs: both)
      @Sendable func code() async throws -> String { try await program.code(name: "alice", password: password) }

      let once = try await code()
      let token = try #require(try await program.exchange(once).object["access_token"] as? String)
      #expect(try await harness.get("/api/v1/timelines/home", token: token).head.status == .ok)
      #expect(try await program.exchange(once).object["error"] as? String == "invalid_grant")
      // A second use means that the code was stolen, so its token is revoked.
      #expect(try await harness.get("/api/v1/timelines/home", token: token).head.status == .unauthorized)

      let theirs = try await code()
      #expect(try await other.exchange(theirs).object["error"] as? String == "invalid_grant")
      var elsewhere = program
      elsewhere.redirectURI = "https://app.example/two"
      #expect(try await elsewhere.exchange(try await code()).object["error"] as? String == "invalid_grant")
      #expect(try await program.exchange("x").object["error"] as? String == "invalid_grant")

      let (late, inTime) = (try await code(), try await code())
      await harness.clock.advance(by: .seconds(599))
      #expect(try await program.exchange(inTime).head.status == .ok)
      await harness.clock.advance(by: .seconds(1))
      #expect(try await program.exchange(late).object["error"] as? String == "invalid_grant")

      let mine = try await program.token(name: "alice", password: password)
      let refused = try await harness.submit(
        "/oauth/revoke", [("client_id", other.id), ("client_secret", other.secret), ("token", mine)])
      #expect(refused.head.status == .forbidden)
      #expect(try await harness.submit("/oauth/revoke", [("token", mine)]).head.status == .forbidden)
      #expect(try await harness.get("/api/v1/timelines/home", token: mine).head.status == .ok)
    }
  }

  @Test func `password guesses are delayed longer each time even for unknown names`() async throws {
    try await withService { harness in
      _ = try harness.service.addQwinker(named: "alice", password: password)
      let program = try await RegisteredProgram.register(at: harness)
      let form = try await program.open()
      for name in ["alice", "nobody"] {
        for _ in 0..<5 {
          let wrong = try await program.submit(form, name: name, password: "wrong guess")
          #expect(wrong.head.status == .forbidden)
          #expect(wrong.text.contains("Wrong name or password"))
        }
        var wait = 10
        for _ in 0..<4 {
          let refused = try await program.submit(form, name: name, password: password)
          #expect(refused.head.status == .tooManyRequests)
          #expect(refused.head.headerFields[.retryAfter] == "\(wait)")
          #expect(refused.text.contains("Too many attempts"))
          await harness.clock.advance(by: .seconds(wait))
          #expect(try await program.submit(form, name: name, password: "wrong").head.status == .forbidden)
          wait *= 2
        }
      }
      await harness.clock.advance(by: .seconds(160))
      let right = try await program.submit(try await program.open(), name: "alice", password: password)
      #expect(RegisteredProgram.code(in: right) != nil)
      // A successful sign-in resets the count.
      for _ in 0..<5 {
        #expect(try await program.submit(form, name: "alice", password: "wrong guess").head.status == .forbidden)
      }
    }
  }

  @Test func `guesses across many names are limited for a few seconds`() async throws {
    try await withService { harness in
      _ = try harness.service.addQwinker(named: "alice", password: password)
      let program = try await RegisteredProgram.register(at: harness)
      let form = try await program.open()
      for number in 0..<30 {
        #expect(try await program.submit(form, name: "name\(number)", password: "x").head.status == .forbidden)
      }
      let refused = try await program.submit(form, name: "alice", password: password)
      #expect(refused.head.status == .tooManyRequests)
      #expect(refused.head.headerFields[.retryAfter] == "3")
      await harness.clock.advance(by: .seconds(3))
      #expect(RegisteredProgram.code(in: try await program.submit(form, name: "alice", password: password)) != nil)
    }
  }

  @Test func `apps without a sign-in are deleted after a day`() async throws {
    try await withService { harness in
      _ = try harness.service.addQwinker(named: "alice", password: password)
      let used = try await RegisteredProgram.register(at: harness, name: "Used")
      let token = try await used.token(name: "alice", password: password)
      let unused = try await RegisteredProgram.register(at: harness)
      let own = [
        ("grant_type", "client_credentials"), ("client_id", unused.id), ("client_secret", unused.secret),
      ]
      #expect(try await harness.submit("/oauth/token", own).head.status == .ok)
      await harness.clock.advance(by: .seconds(10))
      _ = try await RegisteredProgram.register(at: harness, name: "Younger")
      await harness.clock.advance(by: .seconds(24 * 60 * 60 - 10))
      let late = try await RegisteredProgram.register(at: harness, name: "Late")
      let counts = try harness.service.write { session in
        try ["apps", "tokens WHERE account_id IS NULL"].flatMap { try session.numbers("SELECT count(*) FROM \($0)") }
      }
      #expect(counts == [3, 0])
      #expect(try await harness.get("/api/v1/timelines/home", token: token).head.status == .ok)
      #expect(try await harness.get(unused.address()).head.status == .badRequest)
      #expect(try await harness.get(late.address()).head.status == .ok)
    }
  }

  @Test func `concurrent sign-in attempts all count`() async throws {
    try await withService { harness in
      _ = try harness.service.addQwinker(named: "alice", password: password)
      let program = try await RegisteredProgram.register(at: harness)
      let form = try await program.open()
      let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
        for _ in 0..<20 {
          group.addTask { try await program.submit(form, name: "alice", password: "wrong").head.status }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.count { $0 == .tooManyRequests } == 15)
    }
  }

  @Test func `tokens and codes and secrets and passwords aren't stored in plain text`() async throws {
    try await withService { harness in
      let own = try harness.service.addQwinker(named: "alice", password: password)
      let program = try await RegisteredProgram.register(at: harness)
      let code = try await program.code(name: "alice", password: password)
      let token = try #require(try await program.exchange(code).object["access_token"] as? String)
      let open = try await program.code(name: "alice", password: password)
      for suffix in ["", "-wal"] {
        let data = try Data(contentsOf: URL(filePath: "\(harness.directory)/service.sqlite\(suffix)"))
        for secret in [own, program.secret, code, token, open, password] {
          #expect(data.range(of: Data(secret.utf8)) == nil)
        }
      }
    }
  }
}
