import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

/// Signing in and out, against an in-memory server.
@MainActor
@Suite(.bounded) struct SignInTests {
  private let double: SignInDouble
  private let transport: ScriptedTransport
  private let ledger = ActivityLedger()
  private let signIn: SignIn

  init() {
    self.init(SignInDouble.Traits())
  }

  private init(_ traits: SignInDouble.Traits) {
    let double = SignInDouble(traits)
    self.init(double: double, ScriptedTransport { double.response(to: $0) })
  }

  private init(double: SignInDouble, _ transport: ScriptedTransport, at url: String = "https://tilde.example") {
    self.double = double
    self.transport = transport
    signIn = SignIn(serverURL: url, ledger: ledger, transport: { transport })
  }

  /// A sign-in where requests to `path` get `answer` and all others succeed.
  private init(_ path: String, _ answer: @escaping @Sendable (TransportRequest) throws -> TransportResponse) {
    let double = SignInDouble()
    self.init(
      double: double,
      ScriptedTransport { $0.head.path == path ? try answer($0) : double.response(to: $0) })
  }

  private func signedIn(as userName: String = "anna") async throws -> SignIn.Outcome {
    let page = try await signIn.begin()
    return try await signIn.finish(code: try #require(double.allow(page, as: userName)))
  }

  private func query(of page: String) throws -> [String: String] {
    let items = try #require(URLComponents(string: page)?.queryItems)
    return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
  }

  // MARK: Success

  @Test func `an allowed code yields a token and the token its account`() async throws {
    let outcome = try await signedIn()
    #expect(outcome.qwinker.userName == "anna")
    #expect(double.tokens[outcome.token.value] == "anna")
    #expect(outcome.app != nil)
    #expect(ledger.isEmpty)
    #expect(transport.requests.allSatisfy { $0.field("User-Agent") == DownloadService.userAgent })
    #expect(transport.requests.allSatisfy { $0.mostBytes <= 1 << 20 && $0.timeout <= .seconds(30) })
  }

  @Test func `a code from the loopback redirect is accepted with the right state`() async throws {
    let loopback = "http://127.0.0.1:1/word"
    let page = try await signIn.begin(redirect: loopback)
    #expect(try query(of: page)["redirect_uri"] == loopback)
    let code = try #require(double.allow(page, as: "anna"))
    let state = try #require(try query(of: page)["state"])
    await #expect(throws: SignInError.self) { try await signIn.finish(code: "\(loopback)?code=\(code)&state=other") }
    let outcome = try await signIn.finish(code: "\(loopback)?code=\(code)&state=\(state)")
    #expect(double.tokens[outcome.token.value] == "anna")
  }

  @Test func `a server without loopback redirects shows the code`() async throws {
    var traits = SignInDouble.Traits()
    traits.takesLoopback = false
    let test = SignInTests(traits)
    let page = try await test.signIn.begin(redirect: "http://127.0.0.1:1/word")
    #expect(try query(of: page)["redirect_uri"] == "urn:ietf:wg:oauth:2.0:oob")
    let outcome = try await test.signIn.finish(code: try #require(test.double.allow(page, as: "anna")))
    #expect(outcome.qwinker.userName == "anna")
  }

  @Test func `the sign-in page requests an out-of-band code with fresh state and challenge`() async throws {
    let page = try await signIn.begin()
    let query = try query(of: page)
    #expect(page.hasPrefix("https://tilde.example/oauth/authorize?"))
    #expect(query["response_type"] == "code" && query["redirect_uri"] == "urn:ietf:wg:oauth:2.0:oob")
    #expect(query["scope"] == "read write follow" && query["force_login"] == nil)
    #expect(query["code_challenge_method"] == "S256" && query["code_challenge"]?.count == 43)
    #expect((query["state"]?.count ?? 0) >= 22)
    let again = try self.query(of: try await signIn.begin(asksAgain: true))
    #expect(again["force_login"] == "true")
    #expect(again["state"] != query["state"] && again["code_challenge"] != query["code_challenge"])
  }

  @Test func `no secret appears in an address or in printed output`() async throws {
    let page = try await signIn.begin()
    let outcome = try await signIn.finish(code: try #require(double.allow(page, as: "anna")))
    let secrets = [outcome.token.value, try #require(outcome.app?.clientSecret.value)]
    var printed = ""
    dump(outcome, to: &printed)
    for secret in secrets {
      #expect(!page.contains(secret) && !"\(outcome)".contains(secret) && !printed.contains(secret))
      #expect(!String(reflecting: outcome).contains(secret))
      #expect(transport.requests.allSatisfy { !$0.url.contains(secret) })
    }
  }

  @Test func `an older server gets no challenge and only the scopes it supports`() async throws {
    var traits = SignInDouble.Traits()
    traits.saysHow = false
    let older = SignInTests(traits)
    #expect(try older.query(of: try await older.signIn.begin())["code_challenge"] == nil)
    #expect(try await older.signedIn().qwinker.userName == "anna")

    traits.saysHow = true
    traits.scopes = ["read", "write"]
    let strict = SignInTests(traits)
    #expect(try strict.query(of: try await strict.signIn.begin())["scope"] == "read write")
  }

  @Test func `the address of the code page is accepted in place of the code`() async throws {
    let page = try await signIn.begin()
    let state = try #require(query(of: page)["state"])
    let code = try #require(double.allow(page, as: "anna"))
    await #expect(throws: SignInError.otherSignIn) {
      try await signIn.finish(code: "https://tilde.example/oauth/authorize/native?code=\(code)&state=other")
    }
    let shown = " https://tilde.example/oauth/authorize/native?code=\(code)&state=\(state)\n"
    #expect(try await signIn.finish(code: shown).qwinker.userName == "anna")
  }

  @Test func `endpoints on another origin get no code and no secret`() async throws {
    let offer = #"""
      {"issuer":"https://evil.example/","authorization_endpoint":"https://tilde.example/in?x=1",
      "token_endpoint":"https://evil.example/token","revocation_endpoint":"http://tilde.example/revoke",
      "app_registration_endpoint":"//evil.example/apps","code_challenge_methods_supported":["plain"]}
      """#
    let bent = SignInTests("/.well-known/oauth-authorization-server") { _ in .json(Array(offer.utf8)) }
    let page = try await bent.signIn.begin()
    #expect(page.hasPrefix("https://tilde.example/in?x=1&response_type=code&"))
    #expect(try query(of: page)["code_challenge"] == nil)
    _ = try? await bent.signIn.finish(code: "code")
    #expect(bent.transport.requests.allSatisfy { $0.url.hasPrefix("https://tilde.example/") })
    #expect(bent.transport.requests.contains { $0.url == "https://tilde.example/oauth/token" })
  }

  @Test func `an existing token is identified by its account`() async throws {
    let token = try #require(Secret(double.makeToken(for: "ben")))
    let outcome = try await signIn.identify(token)
    #expect(outcome.qwinker.userName == "ben" && outcome.app == nil && outcome.token == token)
    #expect(transport.requests.map(\.url) == ["https://tilde.example/api/v1/accounts/verify_credentials"])
    double.forget(token.value)
    await #expect(
      throws: SignInError.badToken(host: "tilde.example", message: "The access token is invalid")
    ) { try await signIn.identify(token) }
  }

  // MARK: Codes

  @Test(arguments: ["wrong", "wrong code", "", "https://tilde.example/", "ünicode", "https://x/?code="])
  func `an invalid code is reported and another code can be tried`(typed: String) async throws {
    let page = try await signIn.begin()
    let error = await #expect(throws: SignInError.self) { try await signIn.finish(code: typed) }
    #expect(error?.isAboutCode == true)
    let code = try #require(double.allow(page, as: "anna"))
    #expect(try await signIn.finish(code: code).qwinker.userName == "anna")
    await #expect(throws: SignInError.wrongCode(host: "tilde.example")) { try await signIn.finish(code: code) }
  }

  @Test func `a code is rejected in another sign-in and before any sign-in`() async throws {
    let code = try #require(double.allow(try await signIn.begin(), as: "anna"))
    _ = try await signIn.begin()
    await #expect(throws: SignInError.wrongCode(host: "tilde.example")) { try await signIn.finish(code: code) }
    await #expect(throws: SignInError.otherSignIn) { try await SignInTests().signIn.finish(code: code) }
  }

  @Test(arguments: [(401, ""), (400, ""), (422, "nothing"), (401, #"{"error":"invalid_grant"}"#)])
  func `several error responses mean a wrong code`(status: Int, body: String) async throws {
    let server = SignInTests("/oauth/token") { _ in .json(Array(body.utf8), status: status) }
    _ = try await server.signIn.begin()
    await #expect(throws: SignInError.wrongCode(host: "tilde.example")) {
      try await server.signIn.finish(code: "code")
    }
  }

  @Test func `a refusal in the browser is reported as denied`() async throws {
    _ = try await signIn.begin()
    await #expect(throws: SignInError.denied(host: "tilde.example")) {
      try await signIn.finish(code: "https://tilde.example/?error=access_denied&state=x")
    }
  }

  @Test func `a token is revoked when its account can't be loaded`() async throws {
    let server = SignInTests("/api/v1/accounts/verify_credentials") { _ in .json([], status: 503) }
    let code = try #require(server.double.allow(try await server.signIn.begin(), as: "anna"))
    await #expect(throws: SignInError.server(.serverFailed(host: "tilde.example", status: 503))) {
      try await server.signIn.finish(code: code)
    }
    #expect(server.double.tokens.isEmpty)
  }

  // MARK: Servers

  @Test(arguments: [
    (404, "Not found"), (200, "<html>Welcome</html>"), (405, ""), (501, ""), (200, #"{"client_id":"x"}"#), (200, "[]"),
  ])
  func `a server that is not Mastodon-compatible is reported`(status: Int, body: String) async {
    let answer = TransportResponse.text(body, status: status)
    let page = SignInTests(
      double: SignInDouble(), ScriptedTransport { _ in answer })
    await #expect(throws: SignInError.notMastodonLike(host: "tilde.example")) { try await page.signIn.begin() }
  }

  @Test func `a server that allows no sign-in is reported`() async {
    let info = WireEncoder.serverInfoV1(ServerInfo(title: "Tilde", domain: "tilde.example"))
    let closed = SignInTests(
      double: SignInDouble(),
      ScriptedTransport { $0.head.path == "/api/v1/instance" ? .json(info) : .text("", status: 404) })
    await #expect(throws: SignInError.noSignIn(host: "tilde.example", message: "")) {
      try await closed.signIn.begin()
    }
    let refusing = SignInTests("/api/v1/apps") { _ in .json(Array(#"{"error":"Not here"}"#.utf8), status: 403) }
    await #expect(throws: SignInError.noSignIn(host: "tilde.example", message: "Not here")) {
      try await refusing.signIn.begin()
    }
  }

  @Test(arguments: ["/.well-known/oauth-authorization-server", "/api/v1/apps"])
  func `an unreachable server is reported`(path: String) async {
    let gone = SignInTests(path) { _ in throw TransportError.refused(host: "tilde.example") }
    await #expect(throws: SignInError.server(.transport(.refused(host: "tilde.example")))) {
      try await gone.signIn.begin()
    }
  }

  @Test(arguments: ["/api/v2/instance", "/api/v1/instance"])
  func `a server describes itself before the sign-in in either version of the API`(path: String) async throws {
    let info = WireEncoder.serverInfoV1(ServerInfo(title: "Tilde", domain: "tilde.example"))
    let server = SignInTests(path) { _ in .json(info) }
    #expect(try await server.signIn.serverInfo()?.title == "Tilde")
    #expect(server.transport.requests.allSatisfy { $0.field("Authorization") == nil })
    #expect(server.ledger.isEmpty)
  }

  @Test func `a server without a description is not an error, but an unreachable one is`() async throws {
    #expect(try await signIn.serverInfo() == nil)
    let closed = SignInTests("/api/v2/instance") { _ in .json([], status: 401) }
    #expect(try await closed.signIn.serverInfo() == nil)
    let gone = SignInTests("/api/v2/instance") { _ in throw TransportError.refused(host: "tilde.example") }
    await #expect(throws: SignInError.server(.transport(.refused(host: "tilde.example")))) {
      try await gone.signIn.serverInfo()
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirected sign-in is not followed and the other server is named`(status: Int) async {
    let moved = SignInTests("/api/v1/apps") { _ in
      .text("", status: status, fields: [.location: "https://social.tilde.example/api/v1/apps"])
    }
    let error = await #expect(throws: SignInError.self) { try await moved.signIn.begin() }
    #expect(error == .elsewhere(host: "tilde.example", serverURL: "https://social.tilde.example"))
    #expect(error?.sentence.contains("qwinkle login https://social.tilde.example") == true)
    #expect(moved.transport.requests.allSatisfy { $0.url.hasPrefix("https://tilde.example/") })
  }

  @Test func `a token is never sent after a redirect`() async throws {
    let moved = SignInTests("/api/v1/accounts/verify_credentials") { _ in
      .text("", status: 302, fields: [.location: "https://evil.example/"])
    }
    await #expect(throws: SignInError.self) { try await moved.signIn.identify(try #require(Secret("canary"))) }
    #expect(moved.transport.requests.count == 1)
  }

  // MARK: Signing out

  @Test func `a revoked token no longer works`() async throws {
    let outcome = try await signedIn()
    let app = try #require(outcome.app)
    try await signIn.revoke(outcome.token, of: app)
    #expect(double.tokens.isEmpty)
    await #expect(throws: SignInError.self) { try await signIn.identify(outcome.token) }
    // A second revocation succeeds, too.
    try await signIn.revoke(outcome.token, of: app)
  }

  @Test func `a server that ignores a revocation is detected`() async throws {
    var traits = SignInDouble.Traits()
    traits.forgetsNothing = true
    let server = SignInTests(traits)
    let outcome = try await server.signedIn()
    await #expect(throws: SignInError.stillValid(host: "tilde.example")) {
      try await server.signIn.revoke(outcome.token, of: try #require(outcome.app))
    }
  }

  /// Revokes a token at a server that answers the revocation with `revocation` and later uses of the token with
  /// `status`. Returns whether the revocation succeeded.
  private func revokes(_ revocation: Int, then status: Int, _ body: String) async throws -> Bool {
    let double = SignInDouble()
    let server = SignInTests(
      double: double,
      ScriptedTransport { request in
        switch request.head.path {
        case "/oauth/revoke": .json(Array(#"{"error":"unauthorized_client"}"#.utf8), status: revocation)
        case "/api/v1/accounts/verify_credentials": .text(body, status: status)
        default: double.response(to: request)
        }
      })
    let token = try #require(Secret(double.makeToken(for: "anna")))
    do {
      try await server.signIn.revoke(token, of: RegisteredApp(clientID: "app", clientSecret: token))
      return true
    } catch {
      return false
    }
  }

  /// Takahe answers a revoked token with 400, snac with 422.
  @Test(arguments: [400, 401, 403, 422], ["", "Invalid Bearer token", #"{"error":"Not now"}"#])
  func `any refusal of a token after its revocation means signed out`(status: Int, body: String) async throws {
    #expect(try await revokes(200, then: status, body))
    // The server refused the revocation, and 403 can have other reasons.
    #expect(try await revokes(403, then: status, body) == (status != 403))
  }

  @Test(arguments: [404, 429, 500, 503])
  func `any other failure after a revocation proves nothing`(status: Int) async throws {
    #expect(try await !revokes(200, then: status, #"{"error":"Not just now"}"#))
  }

  @Test func `revoking fails without server support or while the token still works`() async throws {
    var traits = SignInDouble.Traits()
    traits.canRevoke = false
    let older = SignInTests(traits)
    let outcome = try await older.signedIn()
    await #expect(throws: SignInError.cannotRevoke(host: "tilde.example")) {
      try await older.signIn.revoke(outcome.token, of: try #require(outcome.app))
    }
    let other = try #require(Secret("other"))
    let stranger = RegisteredApp(clientID: "nobody", clientSecret: other)
    try await signIn.revoke(other, of: stranger)
    let mine = try await signedIn()
    await #expect(throws: SignInError.self) { try await signIn.revoke(mine.token, of: stranger) }
    #expect(double.tokens.count == 1)
  }

  // MARK: Messages

  @Test(arguments: [
    SignInError.notMastodonLike(host: "tilde.example"), .noSignIn(host: "tilde.example", message: "Closed"),
    .elsewhere(host: "tilde.example", serverURL: "https://x.example"), .noCode, .otherSignIn,
    .wrongCode(host: "tilde.example"), .denied(host: "tilde.example"),
    .badToken(host: "tilde.example", message: "\u{1B}[2J"), .stillValid(host: "tilde.example"),
    .cannotRevoke(host: "tilde.example"), .refused(host: "tilde.example", code: "invalid_scope", message: ""),
    .server(.transport(.untrusted(host: "tilde.example", reason: "its certificate is not valid yet"))),
  ])
  func `each error message states the failure and a remedy`(error: SignInError) {
    let sentence = error.sentence
    #expect(sentence.split(separator: ". ").count >= 2 || sentence.contains(": "), "\(sentence)")
    #expect(!sentence.unicodeScalars.contains { $0.value < 0x20 })
    if case .server = error { #expect(sentence.contains("clock")) }
  }
}

extension SignInDouble {
  /// Returns the response to a sign-in request, or 404 to any other request.
  func response(to request: TransportRequest) -> TransportResponse {
    let answer = answer(
      method: request.head.method.rawValue, path: request.head.path ?? "",
      authorization: request.field("Authorization"), body: request.body)
    guard let answer else { return .json(Array(#"{"error":"Record not found"}"#.utf8), status: 404) }
    return .json(answer.json, status: answer.status)
  }
}
