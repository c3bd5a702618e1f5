import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Registration of new users, and the rules that they agree to.
@Suite(.bounded) struct RegistrationTests {
  private static let rules = ["Be kind.", "No <b>shouting</b>."]

  /// The token of an app without a user.
  @concurrent
  private func appToken(_ harness: Harness, scope: String = "read write") async throws -> String {
    let program = try await RegisteredProgram.register(at: harness)
    let answer = try await harness.submit(
      "/oauth/token",
      [
        ("grant_type", "client_credentials"), ("client_id", program.id), ("client_secret", program.secret),
        ("scope", scope),
      ])
    return try #require(answer.object["access_token"] as? String)
  }

  private static func fields(_ name: String, _ more: [(String, String)] = []) -> [(String, String)] {
    let usual = [
      ("username", name), ("email", "\(name)@example.org"), ("password", "correct horse"), ("agreement", "true"),
      ("locale", "en"),
    ]
    return usual.filter { field in !more.contains { $0.0 == field.0 } } + more
  }

  @Test(arguments: Front.allCases)
  func `an app registers a user who can then sign in from other apps`(_ front: Front) async throws {
    try await withService(front, terms: ServiceTerms(isOpen: true)) { harness in
      let app = try await appToken(harness)
      let made = try await harness.submit("/api/v1/accounts", Self.fields("Dora"), token: app)
      #expect(made.head.status == .ok, "\(made.text)")
      #expect(made.object["token_type"] as? String == "Bearer" && made.object["scope"] as? String == "read write")
      let token = try #require(made.object["access_token"] as? String)
      let me = try await harness.get("/api/v1/accounts/verify_credentials", token: token)
      #expect(me.object["username"] as? String == "dora")
      try await harness.post("hello", token: token)
      let program = try await RegisteredProgram.register(at: harness)
      _ = try await program.token(name: "dora", password: "correct horse")
      #expect(try await harness.get("/api/v1/instance").object["registrations"] as? Bool == true)
      let two = try await harness.get("/api/v2/instance").object["registrations"] as? [String: Any]
      #expect(two?["enabled"] as? Bool == true)
      #expect(try await harness.get("/nodeinfo/2.0").object["openRegistrations"] as? Bool == true)
    }
  }

  @Test(arguments: Front.allCases)
  func `invalid fields are reported one by one`(_ front: Front) async throws {
    try await withService(front, terms: ServiceTerms(isOpen: true)) { harness in
      _ = try harness.service.addQwinker(named: "anna")
      let app = try await appToken(harness)
      for (field, value, code) in [
        ("username", "", "ERR_BLANK"), ("username", "ANNA", "ERR_TAKEN"), ("username", "a b", "ERR_INVALID"),
        ("username", String(repeating: "a", count: 31), "ERR_TOO_LONG"), ("password", "", "ERR_BLANK"),
        ("password", "short", "ERR_TOO_SHORT"), ("password", String(repeating: "a", count: 1025), "ERR_TOO_LONG"),
        ("password", "with\ttabs in it", "ERR_INVALID"), ("email", "nobody", "ERR_INVALID"),
        ("agreement", "false", "ERR_ACCEPTED"),
      ] {
        let answer = try await harness.submit(
          "/api/v1/accounts", Self.fields("dora", [(field, value)]), token: app)
        #expect(answer.head.status == .unprocessableContent, "\(field) \(value)")
        let details = answer.object["details"] as? [String: [[String: String]]] ?? [:]
        #expect(details.keys.sorted() == [field] && details[field]?.map { $0["error"] } == [code], "\(field) \(value)")
        #expect(answer.errorMessage?.hasPrefix("Validation failed: ") == true)
      }
      let unknown = try await harness.submit(
        "/api/v1/accounts", Self.fields("dora", [("invite_code", "x")]), token: app)
      #expect(unknown.head.status == .unprocessableContent && unknown.errorMessage?.contains("invite_code") == true)
      #expect(try harness.service.users().map(\.name) == ["anna"])
    }
  }

  @Test(arguments: Front.allCases)
  func `registration needs an app's write token and must be open`(
    _ front: Front
  ) async throws {
    try await withService(front, terms: ServiceTerms(isOpen: true)) { harness in
      let user = try harness.service.addQwinker(named: "anna")
      let reader = try await appToken(harness, scope: "read")
      for (token, status) in [
        (nil, HTTPResponse.Status.unauthorized), ("wrong", .unauthorized), (user, .forbidden), (reader, .forbidden),
      ] {
        let answer = try await harness.submit("/api/v1/accounts", Self.fields("dora"), token: token)
        #expect(answer.head.status == status)
      }
      #expect(try harness.service.users().map(\.name) == ["anna"])
    }
    try await withService(front) { harness in
      let app = try await appToken(harness)
      let answer = try await harness.submit("/api/v1/accounts", Self.fields("dora"), token: app)
      #expect(answer.head.status == .forbidden && answer.errorMessage?.contains("closed") == true)
      for page in [try await harness.get("/register"), try await harness.submit("/register", Self.fields("dora"))] {
        #expect(page.head.status == .forbidden && page.text.contains("Registration is closed"))
      }
      #expect(try await harness.get("/api/v1/instance").object["registrations"] as? Bool == false)
      #expect(try await !harness.get("/").text.contains("/register"))
      #expect(try harness.service.users().isEmpty)
    }
  }

  @Test(arguments: Front.allCases)
  func `the page registers a user without a script`(_ front: Front) async throws {
    let terms = ServiceTerms(isOpen: true, rules: Self.rules)
    try await withService(front, terms: terms) { harness in
      #expect(try await harness.get("/").text.contains("href=\"/register\""))
      let page = try await harness.get("/register")
      #expect(page.head.status == .ok && !page.text.contains("<script"))
      #expect(page.text.contains("Be kind.") && page.text.contains("No &lt;b&gt;shouting&lt;/b&gt;."))
      let cookie = String(try #require(page.head.headerFields[.setCookie]).prefix { $0 != ";" })
      let seal = String(
        try #require(page.text.firstMatch(of: #/name="seal" value="([^"]*)"/#)).output.1)
      func submit(_ fields: [(String, String)], cookie: String? = cookie) async throws -> TransportResponse {
        var headers = HTTPFields()
        if let cookie { headers[.cookie] = cookie }
        return try await harness.submit("/register", fields + [("seal", seal)], headers: headers)
      }
      let form = [("username", "dora"), ("password", "correct horse"), ("agreement", "true")]
      #expect(try await submit(form, cookie: nil).head.status == .forbidden)
      let wrong = try await submit([("username", "dora\"><i>"), ("password", "short")])
      #expect(wrong.head.status == .unprocessableContent && wrong.text.contains("role=\"alert\""))
      #expect(
        wrong.text.contains("too short") && !wrong.text.contains("<i>") && !wrong.text.contains("value=\"short\""))
      #expect(try harness.service.users().isEmpty)
      let made = try await submit(form)
      #expect(made.head.status == .ok && made.text.contains("Welcome, @dora"))
      let again = try await submit(form)
      #expect(again.head.status == .unprocessableContent && again.text.contains("already taken"))
      let program = try await RegisteredProgram.register(at: harness)
      _ = try await program.token(name: "dora", password: "correct horse")
    }
  }

  @Test(arguments: ["api", "page"])
  func `the name of a user of the host can't be registered while the server has a socket`(
    _ front: String
  ) async throws {
    let users = HostUsers([1001: "anna", 1002: "ben"])
    try await withSocketServer(users, isOpen: true, hasHTTP: true) { server in
      let harness = server.overHTTP
      let app = try await appToken(harness)
      let page = try await harness.get("/register")
      let seal = try #require(page.text.firstMatch(of: #/name="seal" value="([^"]*)"/#)).output.1
      let cookie = String(try #require(page.head.headerFields[.setCookie]).prefix { $0 != ";" })
      for (name, isFree) in [("anna", false), ("Anna", false), ("ben", false), ("carl", true)] {
        let answer =
          front == "api"
          ? try await harness.submit("/api/v1/accounts", Self.fields(name), token: app)
          : try await harness.submit(
            "/register", Self.fields(name) + [("seal", String(seal))], headers: [.cookie: cookie])
        #expect(answer.head.status == (isFree ? .ok : .unprocessableContent), "\(name): \(answer.text)")
        #expect(answer.text.contains("already taken") == !isFree, "\(name)")
      }
      #expect(try server.service.users().map(\.name) == ["carl"])
      #expect(try await server.name(of: 1001) == "anna")
    }
  }

  @Test func `a name can't be registered while the user database doesn't respond`() async throws {
    try await withDirectory { directory in
      for (access, status) in [(nil, HTTPResponse.Status.ok), (UnixAccess(), .serviceUnavailable)] {
        let service = try Service(
          directory: directory, welcome: "", owner: "", clock: VirtualClock(), passwordCost: .quick, use: .served,
          terms: ServiceTerms(isOpen: true, unixAccess: access), findUnixUser: { _ in .failed })
        let harness = Harness(
          service: service, transport: service.transport(), authority: "qwinkle.test", directory: directory,
          clock: VirtualClock())
        let app = try await appToken(harness)
        let name = access == nil ? "dora" : "emil"
        let answer = try await harness.submit("/api/v1/accounts", Self.fields(name), token: app)
        #expect(answer.head.status == status, "\(answer.text)")
        service.close()
      }
    }
  }

  @Test func `registrations are limited for each address`() async throws {
    try await withServedFront(terms: ServiceTerms(isOpen: true)) { harness, _ in
      let app = try await appToken(harness)
      var answers: [TransportResponse] = []
      for number in 0..<6 {
        answers.append(try await harness.submit("/api/v1/accounts", Self.fields("dora\(number)"), token: app))
      }
      #expect(answers.map(\.head.status.code) == [200, 200, 200, 200, 200, 429])
      #expect(answers[5].head.headerFields[.retryAfter] != nil)
      #expect(try harness.service.users().count == 5)
    }
  }

  @Test(arguments: [true, false]) func `the sign-in page links to registration if it is open`(isOpen: Bool) async throws
  {
    try await withService(terms: ServiceTerms(isOpen: isOpen)) { harness in
      let page = try await RegisteredProgram.register(at: harness).open().answer.text
      #expect(page.contains("<a href=\"/register\">") == isOpen)
      #expect((try await harness.get("/register").head.status == .ok) == isOpen)
    }
  }

  @Test(arguments: Front.allCases)
  func `the operator's rules are listed and saved with reports`(_ front: Front) async throws {
    try await withService(front, terms: ServiceTerms(rules: Self.rules)) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      _ = try harness.service.addQwinker(named: "bob")
      let answer = try await harness.get("/api/v1/instance/rules")
      let rules = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]])
      #expect(rules.map { $0["text"] as? String } == Self.rules && rules.map { $0["id"] as? String } == ["1", "2"])
      for path in ["/api/v1/instance", "/api/v2/instance"] {
        let info = try WireDecoder.serverInfo(from: await harness.get(path).body)
        #expect(info.rules.map(\.text) == Self.rules && info.rules.map(\.id) == ["1", "2"], "\(path)")
      }
      let account = ("account_id", "\(try harness.id(of: "bob"))")
      let made = try await harness.submit("/api/v1/reports", [account, ("rule_ids[]", "2")], token: alice)
      #expect(made.object["rule_ids"] as? [String] == ["2"] && made.object["category"] as? String == "violation")
      #expect(try harness.service.reports().first?.rules == [Self.rules[1]])
      for wrong in [[("rule_ids[]", "3")], [("rule_ids[]", "0")], [("rule_ids[]", "1"), ("category", "spam")]] {
        let refused = try await harness.submit("/api/v1/reports", [account] + wrong, token: alice)
        #expect(refused.head.status == .unprocessableContent, "\(wrong)")
      }
    }
  }

  @Test func `a rules file has one rule a line`() {
    #expect(ServiceTerms.rules(in: " Be kind. \r\n\n\tNo spam\u{7}\n") == ["Be kind.", "No spam"])
    #expect(ServiceTerms.rules(in: "") == [])
    #expect(ServiceTerms.rules(in: String(repeating: "x\n", count: 101)) == nil)
    #expect(ServiceTerms.rules(in: String(repeating: "x", count: 1001)) == nil)
  }
}
