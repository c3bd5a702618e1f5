import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Rate limits on posts, edits, registrations and passwords.
@Suite(.bounded) struct RateTests {
  /// Sends requests to a service as the HTTP front does for a client address.
  private struct ClientTransport: Transport {
    let service: Service
    let client: String

    @concurrent
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      var asked = ServiceRequest(head: request.head, body: request.body)
      asked.client = .address(client)
      let response = await service.respond(to: asked)
      let (head, body) = (response.head, response.body)
      return TransportResponse(head: head, body: body)
    }
  }

  private static func at(_ client: String, _ harness: Harness) -> Harness {
    Harness(
      service: harness.service, transport: ClientTransport(service: harness.service, client: client),
      authority: harness.authority, directory: harness.directory, clock: harness.clock)
  }

  private static func field(_ name: String, of answer: TransportResponse) -> String? {
    HTTPField.Name(name).flatMap { answer.head.headerFields[$0] }
  }

  @Test func `posts are limited for each account and reported in Mastodon's headers`() async throws {
    try await withService { harness in
      let (anna, ben) = (
        try harness.service.addQwinker(named: "anna"), try harness.service.addQwinker(named: "ben")
      )
      let there = Self.at("192.0.2.1", harness)
      func post(_ token: String) async throws -> TransportResponse {
        try await there.submit("/api/v1/statuses", [("status", "x")], token: token)
      }
      for left in (0..<300).reversed() {
        let answer = try await post(anna)
        try #require(answer.head.status == .ok)
        #expect(Self.field("X-RateLimit-Remaining", of: answer) == "\(left)")
        #expect(Self.field("X-RateLimit-Limit", of: answer) == "300")
      }
      let refused = try await post(anna)
      #expect(refused.head.status == .tooManyRequests)
      #expect(refused.errorMessage == "Too many requests. Wait 180 minutes, then try again.")
      #expect(Self.field("X-RateLimit-Remaining", of: refused) == "0")
      #expect(Self.field("X-RateLimit-Reset", of: refused) == "2026-01-01T03:00:00Z")
      #expect(refused.head.headerFields[.retryAfter] == "10800")
      // Other accounts at the address aren't limited, nor are other requests.
      #expect(try await post(ben).head.status == .ok)
      let timeline = try await there.get("/api/v1/timelines/home", token: anna)
      #expect(timeline.head.status == .ok && Self.field("X-RateLimit-Limit", of: timeline) == nil)
      await harness.clock.advance(by: .seconds(3 * 60 * 60))
      #expect(try await post(anna).head.status == .ok)
      // Requests from this process have no limit.
      #expect(Self.field("X-RateLimit-Limit", of: try await harness.get("/api/v1/timelines/public")) == nil)
    }
  }

  @Test func `edits have a separate limit`() async throws {
    try await withService { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      let there = Self.at("192.0.2.1", harness)
      let post = try await there.post("first", token: anna)
      let answer = try await there.put(post.id, "second", token: anna)
      #expect(answer.head.status == .ok && Self.field("X-RateLimit-Remaining", of: answer) == "299")
    }
  }

  @Test func `an account can upload 30 files in 30 minutes`() async throws {
    try await withService { harness in
      let (anna, ben) = (
        try harness.service.addQwinker(named: "anna"), try harness.service.addQwinker(named: "ben")
      )
      let there = Self.at("192.0.2.1", harness)
      func upload(_ token: String) async throws -> TransportResponse {
        try await there.sendForm(.post, "/api/v2/media", files: [("file", SamplePictures.png())], token: token)
      }
      for left in (0..<30).reversed() {
        let answer = try await upload(anna)
        try #require(answer.head.status == .ok, "\(answer.text)")
        #expect(Self.field("X-RateLimit-Remaining", of: answer) == "\(left)")
      }
      #expect(try await upload(anna).head.status == .tooManyRequests)
      #expect(try await upload(ben).head.status == .ok)
      await harness.clock.advance(by: .seconds(30 * 60))
      #expect(try await upload(anna).head.status == .ok)
    }
  }

  @Test func `an address has a limit for all its accounts unless limits are off`() async throws {
    let clock = VirtualClock()
    let budget = Budget(clock: clock)
    for _ in 0..<3000 { #expect(try budget.count(.posts, of: .address("a")) != nil) }
    #expect(throws: Refusal.self) { try budget.count(.posts, of: .address("a")) }
    #expect(try budget.count(.posts, of: .address("b")) != nil)
    #expect(try budget.count(.edits, of: .address("a")) != nil)
    #expect(try budget.count([], of: .address("a")) == nil)
    #expect(try budget.count(.posts, of: .process) == nil)
    let off = Budget(clock: clock, isUnpaced: true)
    for _ in 0...60 { #expect(try off.count(.apps, of: .address("a")) == nil) }
  }

  @Test func `app registrations at one address don't block other addresses`() async throws {
    try await withService { harness in
      let (there, elsewhere) = (Self.at("192.0.2.1", harness), Self.at("192.0.2.2", harness))
      for _ in 0..<60 { _ = try await RegisteredProgram.register(at: there) }
      let form = [("client_name", "x"), ("redirect_uris", RegisteredProgram.outOfBand)]
      let refused = try await there.submit("/api/v1/apps", form)
      #expect(refused.head.status == .tooManyRequests && Self.field("X-RateLimit-Limit", of: refused) == "60")
      _ = try await RegisteredProgram.register(at: elsewhere)
    }
  }

  @Test func `guessing passwords locks out neither the user nor other accounts`() async throws {
    try await withService { harness in
      let password = "correct horse"
      for name in ["anna", "ben"] { _ = try harness.service.addQwinker(named: name, password: password) }
      let (home, attacker) = (Self.at("192.0.2.1", harness), Self.at("192.0.2.66", harness))
      let mine = try await RegisteredProgram.register(at: home)
      let theirs = try await RegisteredProgram.register(at: attacker)
      _ = try await mine.token(name: "anna", password: password)
      let form = try await theirs.open()
      var refused = 0
      for number in 0..<300 {
        let name = number < 20 ? "anna" : "name\(number)"
        let answer = try await theirs.submit(form, name: name, password: "wrong")
        if answer.head.status == .tooManyRequests { refused += 1 }
      }
      #expect(refused == 300 - 30)
      _ = try await mine.token(name: "anna", password: password)
      _ = try await mine.token(name: "ben", password: password)
    }
  }

  @Test func `guesses from many addresses don't lock out the user`() {
    let budget = Budget(clock: VirtualClock())
    #expect(budget.beginGuess("anna", .address("home")) == nil)
    budget.guessSucceeded("anna", .address("home"))
    for number in 0..<200 { #expect(budget.beginGuess("anna", .address("\(number)")) == nil) }
    // Each additional address gets a single attempt.
    for client in [Client.address("elsewhere"), .address("0")] {
      let isNew = client == .address("elsewhere")
      #expect((budget.beginGuess("anna", client) == nil) == isNew)
      #expect(budget.beginGuess("anna", client) != nil)
    }
    #expect(budget.beginGuess("ben", .address("elsewhere")) == nil)
    for _ in 0..<5 { #expect(budget.beginGuess("anna", .address("home")) == nil) }
  }

  @Test func `an attempt that was never checked doesn't count as a wrong password`() {
    let budget = Budget(clock: VirtualClock())
    let home = Client.address("home")
    for _ in 0..<50 {
      #expect(budget.beginGuess("anna", home) == nil)
      budget.withdrawGuess("anna", home)
    }
    for _ in 0..<5 { #expect(budget.beginGuess("anna", home) == nil) }
    #expect(budget.beginGuess("anna", home) == .seconds(10))
  }

  @Test func `a client can't fill the whole queue of password checks`() async throws {
    let desk = PasswordVerifier(cost: .slow, Budget(clock: VirtualClock()))
    let stored = try desk.hash(of: "correct horse")
    let results = await withTaskGroup(of: (client: String, result: Bool?).self) { group in
      for _ in 0..<50 { group.addTask { ("a", await desk.check("wrong", against: stored, for: .address("a"))) } }
      var results: [(client: String, result: Bool?)] = []
      for await one in group {
        results.append(one)
        // The first result belongs to a rejected check, so the queue is full.
        if results.count == 1 {
          group.addTask { ("b", await desk.check("correct horse", against: stored, for: .address("b"))) }
        }
      }
      return results
    }
    #expect(results.contains { $0.client == "b" && $0.result == true })
    #expect(results.count { $0.client == "a" && $0.result == nil } > 0)
  }

  @Test(arguments: [
    ("192.0.2.9", ["203.0.113.1"], "192.0.2.9"), ("10.0.0.1", [], "10.0.0.1"),
    ("10.0.0.1", ["203.0.113.1"], "203.0.113.1"), ("10.0.0.1", ["198.51.100.1, 203.0.113.1"], "203.0.113.1"),
    ("10.0.0.1", ["198.51.100.1", "203.0.113.1:4711"], "203.0.113.1"),
    ("10.0.0.1", ["203.0.113.1, fd00::2"], "203.0.113.1"), ("10.0.0.1", ["203.0.113.1, nonsense"], "10.0.0.1"),
    ("FD00:0::2", ["[2001:db8::1]:80"], "2001:db8:0:0::/64"), ("::ffff:10.0.0.1", [" 203.0.113.1 "], "203.0.113.1"),
    ("10.0.0.1", ["10.0.0.1"], "10.0.0.1"),
  ])
  func `X-Forwarded-For is honoured only from a trusted proxy`(
    address: String, forwarded: [String], client: String
  ) throws {
    let proxies = try #require(TrustedProxies(["10.0.0.1", "fd00::2"]))
    #expect(proxies.client(at: address, forwardedFor: forwarded) == client)
    #expect(TrustedProxies(["10.0.0.x"]) == nil && TrustedProxies(["localhost"]) == nil)
  }

  @Test(arguments: [true, false])
  func `X-Forwarded-Proto is honoured only from a trusted proxy`(isTrusted: Bool) async throws {
    try await withServedFront(trustedProxies: isTrusted ? ["127.0.0.1"] : []) { harness, _ in
      let name = try #require(HTTPField.Name("X-Forwarded-Proto"))
      for (value, scheme) in [("https", "wss"), ("https, http", "wss"), ("ftp", "ws")] {
        let instance = try await harness.send(.get, "/api/v1/instance", headers: [name: value])
        let url = (instance.object["urls"] as? [String: Any])?["streaming_api"] as? String
        #expect(url == "\(isTrusted ? scheme : "ws")://\(harness.authority)", "\(value)")
      }
    }
  }

  @Test func `each client behind a trusted proxy has separate limits`() async throws {
    try await withServedFront(trustedProxies: ["127.0.0.1"]) { harness, _ in
      func register(_ client: String) async throws -> TransportResponse {
        let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
        return try await harness.submit(
          "/api/v1/apps", [("client_name", "x"), ("redirect_uris", RegisteredProgram.outOfBand)],
          headers: [forwarded: client])
      }
      let first = try await register("192.0.2.1")
      let second = try await register("192.0.2.1")
      let other = try await register("192.0.2.2")
      #expect([first, second, other].map { Self.field("X-RateLimit-Remaining", of: $0) } == ["59", "58", "59"])
    }
  }
}
