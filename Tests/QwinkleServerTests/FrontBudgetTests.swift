import Foundation
import HTTPTypes
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Limits on the resources that a client of the HTTP front can use at once.
@Suite(.bounded) struct FrontBudgetTests {
  private static func head(_ line: String, _ fields: [String] = [], token: String? = nil) -> String {
    let all = ["\(line) HTTP/1.1", "Host: x"] + fields + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
    return all.joined(separator: "\r\n") + "\r\n\r\n"
  }

  private static func status(_ response: String) -> String { String(response.dropFirst(9).prefix(3)) }

  /// Header fields of a WebSocket upgrade.
  private static let upgrade = [
    "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ]

  /// Blocks all writes of a service until the semaphore is signalled.
  private static func holdWrites(of service: Service) async throws -> DispatchSemaphore {
    let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      try? service.write { _ in
        held.signal()
        release.waitUntilDeadline()
      }
    }
    try await held.signalled("the write")
    return release
  }

  @Test(arguments: [
    ("POST /api/v1/statuses", "Content-Length: 100000", "401"),
    ("POST /api/v1/statuses", "Transfer-Encoding: chunked", "401"),
    ("POST /api/v1/media", "Content-Length: 2000000", "401"), ("POST /api/v1/apps", "Content-Length: 100000", "401"),
    ("POST /nowhere", "Content-Length: 100000", "404"), ("POST /api/v1/statuses", "Content-Length: 2000000", "413"),
    ("DELETE /api/v1/timelines/home", "Content-Length: 100000", "405"),
  ])
  func `a long body is rejected by its header unless endpoint and sender allow it`(
    line: String, field: String, status: String
  ) async throws {
    try await withServedFront { harness, _ in
      let client = try RawClient(port: harness.port)
      try client.send(Self.head(line, [field]))
      if field.contains("chunked") {
        for _ in 0..<5 { try? client.send("1000\r\n\(String(repeating: "x", count: 4096))\r\n") }
      }
      let response = await client.readAll()
      #expect(Self.status(response) == status, "\(response)")
      #expect(harness.service.budget.used(.requestBytes) == 0)
    }
  }

  @Test func `a long body is buffered in a file and received whole`() async throws {
    // Smaller than the body, which would be rejected if it were in memory.
    try await withServedFront(budget: [.requestBytes: .held(ofOne: 500_000, ofAll: 1_000_000)]) { harness, _ in
      let token = try harness.people("anna")[0]
      let text =
        "status=" + String(repeating: "a", count: 4000) + "&spoiler_text=" + String(repeating: "b", count: 800_000)
      let client = try RawClient(port: harness.port)
      let fields = ["Content-Type: application/x-www-form-urlencoded", "Content-Length: \(text.utf8.count)"]
      try client.send(Self.head("POST /api/v1/statuses", fields, token: token))
      // Fails if the server rejects the body before its end.
      try? client.send(text)
      let response = await client.readResponse()
      // The server received the whole body. The warning at its end is too long.
      #expect(Self.status(response) == "422", "\(response)")
      let budget = harness.service.budget
      try await wait(for: "the end of the request") { budget.used(.requestBytes) == 0 && budget.used(.requests) == 0 }
    }
  }

  @Test func `a client's buffered requests are limited without affecting other clients`() async throws {
    let limit = Resource.Limit.held(ofOne: 20_000, ofAll: 40_000)
    try await withServedFront(budget: [.requestBytes: limit]) { harness, _ in
      let part = String(repeating: "x", count: 9000)
      let fields = ["Content-Length: 12000"]
      var clients: [RawClient] = []
      for _ in 0..<3 {
        clients.append(try RawClient(port: harness.port))
        try clients.last?.send(Self.head("POST /api/v1/apps", fields) + part)
      }
      var answers: [String] = []
      for client in clients {
        try client.send("x")
        try? client.send(String(repeating: "x", count: 2999))
        answers.append(Self.status(await client.readResponse()))
      }
      #expect(answers.contains("503") && answers.contains { $0 != "503" }, "\(answers)")
      let other = try RawClient(port: harness.port, from: "127.0.0.2")
      try other.send(Self.head("POST /api/v1/apps", fields) + part + String(repeating: "x", count: 3000))
      #expect(Self.status(await other.readResponse()) == "422")
    }
  }

  @Test func `long headers count as buffered requests`() async throws {
    try await withServedFront(budget: [.requestBytes: .held(ofOne: 15_000, ofAll: 30_000)]) { harness, _ in
      let start = "GET / HTTP/1.1\r\nHost: x\r\nX-Long: \(String(repeating: "x", count: 10_000))"
      let first = try RawClient(port: harness.port)
      try first.send(start)
      try await wait(for: "the header") { harness.service.budget.used(.requestBytes) >= 10_000 }
      let second = try RawClient(port: harness.port)
      try second.send(start)
      #expect(Self.status(await second.readAll()) == "503")
      try first.send("\r\n\r\n")
      #expect(Self.status(await first.readResponse()) == "200")
      try await wait(for: "the end of the request") { harness.service.budget.used(.requestBytes) == 0 }
    }
  }

  @Test func `a long header counts until its request is answered`() async throws {
    try await withServedFront { harness, _ in
      let budget = harness.service.budget
      let fields = ["X-Long: \(String(repeating: "x", count: 10_000))", "Content-Length: 12", "Expect: 100-continue"]
      let client = try RawClient(port: harness.port)
      try client.send(Self.head("POST /api/v1/apps", fields))
      // The server has read the header.
      #expect(Self.status(await client.readResponse()) == "100")
      #expect(budget.used(.requestBytes) > 10_000)
      try client.send("client_name=")
      #expect(Self.status(await client.readResponse()) == "422")
      try await wait(for: "the end of the request") { budget.used(.requestBytes) == 0 }
    }
  }

  @Test func `a body counts until its request ends even if the connection closes`() async throws {
    try await withServedFront(budget: [.connections: .held(ofOne: 8, ofAll: 2)]) { harness, front in
      let budget = harness.service.budget
      let token = try harness.people("anna")[0]
      let release = try await Self.holdWrites(of: harness.service)
      let body = "status=" + String(repeating: "a", count: 10_000)
      let request = Self.head("POST /api/v1/statuses", ["Content-Length: \(body.utf8.count)"], token: token) + body
      var clients: [RawClient] = []
      for number in 1...2 {
        clients.append(try RawClient(port: harness.port))
        try clients.last?.send(request)
        try await wait(for: "request \(number)") { front.inProgress == number }
      }
      // Its connection replaces the first one.
      let other = try RawClient(port: harness.port, from: "127.0.0.2")
      #expect(await clients[0].readAll() == "")
      #expect(budget.used(.requestBytes) > 20_000)
      release.signal()
      try await wait(for: "the end of the requests") { budget.used(.requestBytes) == 0 }
      other.end()
    }
  }

  @Test func `a client's requests in progress are limited without affecting other clients`() async throws {
    try await withServedFront(budget: [.requests: .held(ofOne: 2, ofAll: 100)]) { harness, front in
      let token = try harness.people("anna")[0]
      let release = try await Self.holdWrites(of: harness.service)
      let body = "status=one"
      let fields = ["Content-Type: application/x-www-form-urlencoded", "Content-Length: \(body.utf8.count)"]
      let request = Self.head("POST /api/v1/statuses", fields, token: token) + body
      let clients = try (0..<2).map { _ in try RawClient(port: harness.port) }
      for client in clients { try client.send(request) }
      try await wait(for: "two requests") { front.inProgress == 2 }
      for (address, status) in [("127.0.0.1", "503"), ("127.0.0.2", "200")] {
        let other = try RawClient(port: harness.port, from: address)
        try other.send(Self.head("GET /api/v1/timelines/public"))
        #expect(Self.status(await other.readResponse()) == status)
      }
      release.signal()
      for client in clients { #expect(Self.status(await client.readResponse()) == "200") }
      try await wait(for: "the end of the requests") { harness.service.budget.used(.requests) == 0 }
    }
  }

  @Test func `bytes from a half-closed connection are counted while its request waits`() async throws {
    let limits: [Resource: Resource.Limit] = [
      .requestRate: .pace(burst: 2, interval: .seconds(5)), .requestBytes: .held(ofOne: 20_000, ofAll: 40_000),
    ]
    try await withServedFront(budget: limits) { harness, _ in
      let client = try RawClient(port: harness.port)
      try client.send(Self.head("GET /api/v1/instance"))
      #expect(Self.status(await client.readResponse()) == "200")
      try client.send(Self.head("POST /api/v1/apps", ["Content-Length: 40000"]))
      try client.send(String(repeating: "x", count: 40_000))
      client.shutdownSending()
      #expect(Self.status(await client.readAll()) == "503")
      try await wait(for: "the end of the request") { harness.service.budget.used(.requestBytes) == 0 }
    }
  }

  @Test(arguments: [
    // A complete request.
    ("GET /api/v1/instance", "", "200"),
    // A request with a malformed body.
    ("POST /api/v1/apps", "Transfer-Encoding: chunked", "400"),
  ])
  func `a waiting request is answered even if malformed bytes follow`(
    line: String, field: String, status: String
  ) async throws {
    let pace = Resource.Limit.pace(burst: 1, interval: .milliseconds(200))
    try await withServedFront(budget: [.requestRate: pace]) { harness, _ in
      let client = try RawClient(port: harness.port)
      try client.send(Self.head("GET /api/v1/instance"))
      #expect(Self.status(await client.readResponse()) == "200")
      try client.send(Self.head(line, field.isEmpty ? [] : [field]) + "\u{16}\u{3}\u{1}\r\n\r\n")
      let response = await client.readAll()
      #expect(Self.status(response) == status && response.contains("Connection: close\r\n"), "\(response)")
    }
  }

  @Test func `each long body uses one of its user's uploads`() async throws {
    try await withServedFront(budget: [.uploads: .held(ofOne: 2, ofAll: 10)]) { harness, _ in
      let token = try harness.people("anna")[0]
      let fields = ["Content-Type: application/json", "Content-Length: 20000", "Expect: 100-continue"]
      let head = Self.head("POST /api/v1/statuses", fields, token: token)
      let clients = try (0..<3).map { _ in try RawClient(port: harness.port) }
      var statuses: [String] = []
      for client in clients {
        try client.send(head)
        statuses.append(Self.status(await client.readResponse()))
      }
      #expect(statuses == ["100", "100", "503"])
      for client in clients { client.end() }
      try await wait(for: "the end of the uploads") { harness.service.budget.used(.uploads) == 0 }
    }
  }

  @Test func `a large request isn't processed if its client disconnects first`() async throws {
    try await withServedFront { harness, front in
      let token = try harness.people("anna")[0]
      let turns = harness.service.budget.turns
      guard case .turns(let places) = Resource.largeRequests.limit else {
        Issue.record("Large requests have no turns.")
        return
      }
      for number in 0..<places { await turns.enter(.largeRequest, .address("other\(number)")) }
      let body = #"{"status":"unwanted""# + String(repeating: " ", count: 100_000) + "}"
      let fields = ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
      let client = try RawClient(port: harness.port)
      try client.send(Self.head("POST /api/v1/statuses", fields, token: token) + body)
      try await wait(for: "the request") { turns.waitingCount(.largeRequest, .address("127.0.0.1")) == 1 }
      client.end()
      // After these requests, every thread of the server has seen the disconnect.
      for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
        let other = try RawClient(port: harness.port)
        try other.send(Self.head("GET /api/v1/instance"))
        #expect(Self.status(await other.readResponse()) == "200")
      }
      for number in 0..<places { turns.leave(.largeRequest, .address("other\(number)"), used: .zero) }
      try await wait(for: "the end of the request") { front.inProgress == 0 }
      // This call counts one post, the client's first.
      let standing = try harness.service.budget.count(.posts, of: .address("127.0.0.1"))
      #expect(standing.map { $0.most - $0.left } == 1)
    }
  }

  @Test func `a disconnect during authentication isn't logged as an error`() async throws {
    let log = RecordedLog()
    try await withServedFront(log: log) { harness, _ in
      let token = try harness.people("anna")[0]
      let head = HTTPRequest(
        method: .post, scheme: "http", authority: "x", path: "/api/v1/statuses",
        headerFields: [.authorization: "Bearer \(token)"])
      let task = Task {
        try? await wait(for: "the end of the connection") { Task.isCancelled }
        return await harness.service.admission(of: ServiceRequest(head: head, body: []))
      }
      task.cancel()
      let answer = await task.value
      #expect(throws: Refusal.self) { try answer.get() }
      if case .failure(let refusal) = answer { #expect(refusal.status == Refusal.unwanted.status) }
      #expect(log.lines.allSatisfy { !$0.hasPrefix("error") }, "\(log.lines)")
    }
  }

  @Test func `clients that don't read their responses get no more`() async throws {
    let lines = Lines()
    var limits = FrontLimits()
    limits.sendBuffer = 4096
    let limit = Resource.Limit.held(ofOne: 200_000, ofAll: 400_000)
    try await withServedFront(limits: limits, budget: [.responseBytes: limit], lines: lines) { harness, _ in
      let token = try harness.people("anna")[0]
      for _ in 0..<40 { try await harness.post(String(repeating: "qwink ", count: 80), token: token) }
      let page = Self.head("GET /api/v1/timelines/public?limit=40")
      let readers = try (0..<30).map { _ in try RawClient(port: harness.port, receiveBuffer: 4096) }
      for reader in readers { try reader.send(page) }
      try await wait(for: "all answers", showing: { "\(lines.all.suffix(3))" }) { lines.all.count >= 70 }
      #expect(harness.service.budget.used(.responseBytes) <= 200_000)
      let other = try RawClient(port: harness.port, from: "127.0.0.2")
      try other.send(page)
      #expect(Self.status(await other.readResponse()) == "200")
      var statuses: Set<String> = []
      for reader in readers { statuses.insert(Self.status(await reader.readResponse())) }
      #expect(statuses == ["200", "503"])
      try await wait(for: "the end of the answers") { harness.service.budget.used(.responseBytes) == 0 }
    }
  }

  @Test func `a response longer than a client's limit uses the whole limit`() async throws {
    var limits = FrontLimits()
    limits.sendBuffer = 4096
    let limit = Resource.Limit.held(ofOne: 10_000, ofAll: 100_000)
    try await withServedFront(limits: limits, budget: [.responseBytes: limit]) { harness, _ in
      let budget = harness.service.budget
      let token = try harness.people("anna")[0]
      for _ in 0..<40 { try await harness.post(String(repeating: "qwink ", count: 80), token: token) }
      let page = Self.head("GET /api/v1/timelines/public?limit=40")
      let clients = try (0..<2).map { _ in try RawClient(port: harness.port, receiveBuffer: 4096) }
      try clients[0].send(page)
      try await wait(for: "the first answer") { budget.used(.responseBytes) == 10_000 }
      try clients[1].send(page)
      #expect(Self.status(await clients[1].readResponse()) == "503")
      #expect(Self.status(await clients[0].readResponse()) == "200")
      try await wait(for: "the end of the answer") { budget.used(.responseBytes) == 0 }
    }
  }

  @Test func `a write is answered even if its client has too many unread responses`() async throws {
    try await withServedFront(budget: [.responseBytes: .held(ofOne: 5000, ofAll: 10_000)]) { harness, _ in
      let token = try harness.people("anna")[0]
      // Each hashtag becomes a link, which makes the responses long.
      let body = "status=" + (0..<90).map { "%23t\($0)" }.joined(separator: "+")
      let type = "Content-Type: application/x-www-form-urlencoded"
      let post = Self.head("POST /api/v1/statuses", [type, "Content-Length: \(body.utf8.count)"], token: token) + body
      let page = Self.head("GET /api/v1/timelines/public")
      func status(of request: String) async throws -> String {
        let client = try RawClient(port: harness.port)
        try client.send(request)
        return Self.status(await client.readResponse())
      }
      let unread = try harness.service.budget.take(.responseBytes, 5000, for: .address("127.0.0.1"))
      #expect(try await status(of: post) == "200")
      #expect(try await status(of: page) == "503")
      unread.release()
      #expect(try await status(of: page) == "200")
    }
  }

  @Test func `a WebSocket that sends pings without reading is closed`() async throws {
    var limits = FrontLimits()
    (limits.sendBuffer, limits.beat) = (4096, .milliseconds(500))
    // Allows all the pings.
    let burst = 10_000
    let pace = Resource.Limit.pace(burst: burst, interval: .seconds(1))
    try await withServedFront(limits: limits, budget: [.requestRate: pace]) { harness, _ in
      let budget = harness.service.budget
      let socket = try RawClient(port: harness.port, receiveBuffer: 4096)
      try socket.send(Self.head("GET /api/v1/streaming?stream=public", Self.upgrade))
      try await wait(for: "the stream") { harness.service.events.listenerCount == 1 }
      // A ping has at most 125 bytes (RFC 6455, section 5.5).
      let ping: [UInt8] = [0x89, 0xFD, 0, 0, 0, 0] + [UInt8](repeating: 65, count: 125)
      var rest = Array(repeating: ping, count: 4000).flatMap(\.self)[...]
      try await wait(for: "the end of the stream") {
        if !rest.isEmpty { rest = rest.dropFirst(socket.sendNow(rest) ?? rest.count) }
        return harness.service.events.listenerCount == 0
      }
      #expect(budget.used(.streams) == 0 && budget.used(.subscriptions) == 0)
      var counted = burst
      while try budget.delay(of: .address("127.0.0.1")) == .zero { counted -= 1 }
      // About 64 KB of responses are queued before the server stops reading.
      #expect(counted > 100 && counted < 2000, "\(counted) frames were read")
    }
  }

  @Test func `frames after a WebSocket's close frame are ignored`() async throws {
    try await withServedFront(budget: [.requestRate: .pace(burst: 20, interval: .seconds(1))]) { harness, _ in
      let socket = try RawClient(port: harness.port)
      try socket.send(Self.head("GET /api/v1/streaming?stream=public", Self.upgrade))
      try await wait(for: "the stream") { harness.service.events.listenerCount == 1 }
      let close: [UInt8] = [0x88, 0x82, 0, 0, 0, 0, 3, 0xE8]
      let ping: [UInt8] = [0x89, 0x80, 0, 0, 0, 0]
      try socket.send(close + Array(repeating: ping, count: 10).flatMap(\.self))
      try await wait(for: "the end of the stream") { harness.service.events.listenerCount == 0 }
      // The connection, the handshake and the close frame are counted, the pings aren't.
      var left = 0
      while try harness.service.budget.delay(of: .address("127.0.0.1")) == .zero { left += 1 }
      #expect(left == 17)
    }
  }

  @Test func `a client that sends too fast is delayed and then rejected`() async throws {
    let pace = Resource.Limit.pace(burst: 2, interval: .milliseconds(20))
    try await withServedFront(budget: [.requestRate: pace]) { harness, _ in
      let client = try RawClient(port: harness.port)
      for _ in 0..<10 {
        try client.send(Self.head("GET /api/v1/instance"))
        #expect(Self.status(await client.readResponse()) == "200")
      }
    }
    // Opening a connection counts as a request.
    try await withServedFront(budget: [.requestRate: .pace(burst: 2, interval: .seconds(3600))]) { harness, _ in
      let client = try RawClient(port: harness.port)
      try client.send(Self.head("GET /api/v1/instance"))
      #expect(Self.status(await client.readResponse()) == "200")
      try client.send(Self.head("GET /api/v1/instance"))
      #expect(Self.status(await client.readResponse()) == "429")
      let other = try RawClient(port: harness.port, from: "127.0.0.2")
      try other.send(Self.head("GET /api/v1/instance"))
      #expect(Self.status(await other.readResponse()) == "200")
    }
  }
}
