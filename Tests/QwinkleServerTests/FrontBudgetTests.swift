import Foundation
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// What a client of the HTTP front may use at once.
@Suite(.bounded) struct FrontBudgetTests {
  private static func head(_ line: String, _ fields: [String] = [], token: String? = nil) -> String {
    let all = ["\(line) HTTP/1.1", "Host: x"] + fields + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
    return all.joined(separator: "\r\n") + "\r\n\r\n"
  }

  private static func status(_ response: String) -> String { String(response.dropFirst(9).prefix(3)) }

  @Test(arguments: [
    ("POST /api/v1/statuses", "Content-Length: 100000", "401"),
    ("POST /api/v1/statuses", "Transfer-Encoding: chunked", "401"),
    ("POST /api/v1/media", "Content-Length: 2000000", "401"), ("POST /api/v1/apps", "Content-Length: 100000", "401"),
    ("POST /nowhere", "Content-Length: 100000", "404"), ("POST /api/v1/statuses", "Content-Length: 2000000", "413"),
    ("DELETE /api/v1/timelines/home", "Content-Length: 100000", "405"),
  ])
  func `a long body is refused by its header unless a user sends it where it is wanted`(
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

  @Test func `a long body waits in a file, and is whole in the end`() async throws {
    try await withServedFront { harness, _ in
      let token = try harness.people("anna")[0]
      let text =
        "status=" + String(repeating: "a", count: 4000) + "&spoiler_text=" + String(repeating: "b", count: 800_000)
      let client = try RawClient(port: harness.port)
      let fields = ["Content-Type: application/x-www-form-urlencoded", "Content-Length: \(text.utf8.count)"]
      try client.send(Self.head("POST /api/v1/statuses", fields, token: token))
      try client.send(String(text.prefix(700_000)))
      let budget = harness.service.budget
      try await wait(for: "the body") { budget.used(.requestBytes) > 0 }
      #expect(budget.used(.requestBytes) <= BodyBuffer.mostBytesInMemory)
      try client.send(String(text.dropFirst(700_000)))
      let response = await client.readResponse()
      // It was read to its end: the warning at its end is what is too long.
      #expect(Self.status(response) == "422", "\(response)")
      try await wait(for: "the end of the request") { budget.used(.requestBytes) == 0 && budget.used(.requests) == 0 }
    }
  }

  @Test func `a client's requests in memory are limited, and another client's are received`() async throws {
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

  @Test func `long headers count as requests in memory`() async throws {
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
      #expect(harness.service.budget.used(.requestBytes) == 0)
    }
  }

  @Test func `readers that don't read are refused more answers`() async throws {
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

  @Test func `a WebSocket that sends pings and reads nothing is not read either, and ends`() async throws {
    try await withServedFront { harness, front in
      let socket = try RawClient(port: harness.port, receiveBuffer: 4096)
      try socket.send(
        Self.head(
          "GET /api/v1/streaming?stream=public",
          [
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
          ]))
      try await wait(for: "the stream") { harness.service.events.listenerCount == 1 }
      let ping: [UInt8] = [0x89, 0xFE, 0, 126, 0, 0, 0, 0] + [UInt8](repeating: 65, count: 126)
      // Fails once the server has ended the connection.
      try await wait(for: "the end of the connection") {
        (try? socket.send(Array(repeating: ping, count: 10).flatMap(\.self))) == nil
      }
      try await wait(for: "the end of the stream") { harness.service.events.listenerCount == 0 }
      let budget = harness.service.budget
      #expect(budget.used(.streams) == 0 && budget.used(.subscriptions) == 0)
    }
  }

  @Test func `a client that is too fast waits, and one that is much too fast is refused`() async throws {
    let pace = Resource.Limit.pace(burst: 2, interval: .milliseconds(20))
    try await withServedFront(budget: [.requestRate: pace]) { harness, _ in
      let client = try RawClient(port: harness.port)
      for _ in 0..<10 {
        try client.send(Self.head("GET /api/v1/instance"))
        #expect(Self.status(await client.readResponse()) == "200")
      }
    }
    try await withServedFront(budget: [.requestRate: .pace(burst: 1, interval: .seconds(3600))]) { harness, _ in
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

  @Test func `a client that uses little gets more when all is used`() throws {
    let budget = Budget(clock: VirtualClock(), limits: [.uploads: .held(ofOne: 3, ofAll: 4)])
    var shares: [Share] = []
    func take(_ id: Int64) -> Bool {
      guard let share = try? budget.take(.uploads, for: .account(id)) else { return false }
      shares.append(share)
      return true
    }
    #expect([1, 1, 1].map(take) == [true, true, true])
    // Its own limit.
    #expect(!take(1))
    #expect(take(2))
    // All is used: a new client gets an equal part, others don't.
    #expect(!take(1) && take(3) && !take(2))
    #expect(budget.used(.uploads) == 5)
    shares.removeAll()
    #expect(budget.used(.uploads) == 0)
    #expect((try? budget.take(.uploads, 100, for: .process)) != nil)
  }

  @Test func `the table of limits names each resource`() {
    let lines = LimitsTable.lines
    #expect(lines.count == Resource.allCases.count + 1)
    for resource in Resource.allCases { #expect(lines.contains { $0.hasPrefix("\(resource.words) ") }) }
    #expect(lines.allSatisfy { $0.count <= 120 })
  }
}
