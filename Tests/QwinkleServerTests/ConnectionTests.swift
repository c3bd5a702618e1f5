import Dispatch
import Foundation
import GRDB
import HTTPTypes
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Reuse, limits and timeouts of HTTP connections.
@Suite(.bounded) struct ConnectionTests {
  private static let get = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"

  private static func status(_ response: String) -> Substring { response.prefix { $0 != "\r\n" } }

  @Test func `a connection serves sequential and pipelined requests`() async throws {
    try await withServedFront { harness, _ in
      let client = try RawClient(port: harness.port)
      try client.send(Self.get)
      let first = await client.readResponse()
      #expect(Self.status(first) == "HTTP/1.1 200 OK" && first.hasSuffix("OK"))
      #expect(first.contains("Server: Qwinkle\r\n") && first.contains("Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n"))
      try client.send(String(repeating: Self.get, count: 200))
      for _ in 0..<200 { #expect(Self.status(await client.readResponse()) == "HTTP/1.1 200 OK") }
    }
  }

  @Test(arguments: [
    "GET /health HTTP/1.0\r\nHost: x\r\n\r\n", "GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: x\r\nConnection: TE, close\r\n\r\n",
    "HEAD /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  ])
  func `a connection closes after the response if the client asks for it`(request: String) async throws {
    try await withServedFront { harness, _ in
      let client = try RawClient(port: harness.port)
      try client.send(request)
      let response = await client.readAll()
      #expect(Self.status(response) == "HTTP/1.1 200 OK" && response.contains("Connection: close\r\n"), "\(response)")
      #expect(response.contains("content-length: 2\r\n") || response.contains("Content-Length: 2\r\n"), "\(response)")
      #expect(response.hasSuffix("OK") != request.hasPrefix("HEAD"))
    }
  }

  @Test func `100 Continue is sent unless the body is too long`() async throws {
    try await withServedFront { harness, _ in
      let token = try harness.service.addQwinker(named: "anna")
      func head(_ length: Int) -> String {
        "POST /api/v1/statuses HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\nExpect: 100-Continue\r\n"
          + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(length)\r\n\r\n"
      }
      let client = try RawClient(port: harness.port)
      try client.send(head(12))
      #expect(await client.readResponse() == "HTTP/1.1 100 Continue\r\n\r\n")
      try client.send("status=hello")
      #expect(Self.status(await client.readResponse()) == "HTTP/1.1 200 OK")
      try client.send(head(ServiceRequest.mostBodyBytes + 1))
      let refused = await client.readAll()
      #expect(refused.hasPrefix("HTTP/1.1 413 ") && refused.contains("Connection: close"))
    }
  }

  @Test func `oversized and malformed requests get an error and a closed connection`() async throws {
    try await withServedFront { harness, _ in
      func expect(_ status: Int, _ request: String) async throws {
        let client = try RawClient(port: harness.port)
        // The server may close the connection before reading all of it.
        try? client.send(request)
        let response = await client.readAll()
        #expect(Self.status(response).hasPrefix("HTTP/1.1 \(status) "), "\(response)")
        #expect(response.contains("Connection: close\r\n") && response.contains("{\"error\":"), "\(response)")
      }
      let long = String(repeating: "x", count: 1 << 20)
      try await expect(414, "GET /\(long.prefix(9000)) HTTP/1.1\r\n\r\n")
      try await expect(431, "GET /\(long)")
      try await expect(431, "GET / HTTP/1.1\r\nX: \(long)\r\n\r\n")
      try await expect(400, "GET / HTTP/1.1\r\nBad header\r\n\r\n")
      try await expect(400, "\u{16}\u{3}\u{1}\r\n\r\n")
      let post = "POST /api/v1/statuses HTTP/1.1\r\nHost: x\r\n"
      try await expect(413, "\(post)Content-Length: \(long.count + 1)\r\n\r\n\(long)x")
      let token = try harness.people("anna")[0]
      let chunks = String(repeating: "100000\r\n\(long)\r\n", count: 2)
      try await expect(413, "\(post)Authorization: Bearer \(token)\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)")
    }
  }

  @Test func `a slow client gets a timeout error and a closed connection`() async throws {
    var limits = FrontLimits()
    (limits.head, limits.grace, limits.linger) = (.milliseconds(100), .milliseconds(100), .milliseconds(100))
    try await withServedFront(limits: limits) { harness, _ in
      for part in ["G", "GET / HTTP/1.1\r\nHost:", "POST /api/v1/apps HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc"] {
        let client = try RawClient(port: harness.port)
        try client.send(part)
        let response = await client.readAll()
        #expect(response.contains(" 408 Request Timeout\r\n") && response.contains("Connection: close"), "\(part)")
      }
    }
  }

  @Test func `a client that trickles bytes doesn't get more time`() async throws {
    var limits = FrontLimits()
    (limits.head, limits.grace, limits.slowest) = (.milliseconds(200), .milliseconds(100), 1 << 20)
    try await withServedFront(limits: limits) { harness, _ in
      for start in ["GET /", "POST /api/v1/apps HTTP/1.1\r\nContent-Length: 10000\r\n\r\n"] {
        let client = try RawClient(port: harness.port)
        try client.send(start)
        let isOver = Mutex(false)
        let reading = Task {
          defer { isOver.withLock { $0 = true } }
          return await client.readAll()
        }
        try await wait(for: "the end of the connection") {
          // Fails once the server has ended the connection.
          try? client.send("a")
          return isOver.withLock { $0 }
        }
        let response = await reading.value
        #expect(response.contains(" 408 Request Timeout\r\n") && response.contains("Connection: close"), "\(response)")
      }
    }
  }

  @Test func `an idle connection is closed after a while`() async throws {
    var limits = FrontLimits()
    limits.idle = .seconds(1)
    try await withServedFront(limits: limits) { harness, _ in
      let silent = try RawClient(port: harness.port)
      #expect(await silent.readAll() == "")
      let client = try RawClient(port: harness.port)
      try client.send(Self.get)
      #expect(Self.status(await client.readAll()) == "HTTP/1.1 200 OK")
    }
  }

  @Test func `a client that doesn't read its responses is disconnected`() async throws {
    var limits = FrontLimits()
    (limits.grace, limits.slowest) = (.milliseconds(100), 1 << 30)
    let lines = Lines()
    try await withServedFront(limits: limits, lines: lines) { harness, front in
      let token = try harness.service.addQwinker(named: "anna")
      for _ in 0..<40 { try await harness.post(String(repeating: "qwink ", count: 80), token: token) }
      let request = "GET /api/v1/timelines/public?limit=40 HTTP/1.1\r\nHost: x\r\n\r\n"
      let client = try RawClient(port: harness.port, receiveBuffer: 4096)
      let before = lines.all.count
      // More than the system's socket buffers hold.
      try client.send(String(repeating: request, count: 400))
      try await wait(for: "a response") { lines.all.count > before }
      // The client reads nothing until then. Reading would let the server continue.
      try await wait(for: "the end of the connection") { (try? client.send("x")) == nil }
      try await wait(for: "the end of the request") { front.inProgress == 0 }
      #expect(await client.readAll().components(separatedBy: "HTTP/1.1 200 OK").count < 400)
    }
  }

  @Test func `a disconnecting client cancels its query`() async throws {
    let (log, lines) = (RecordedLog(), Lines())
    let endless = ReadLimit(time: .seconds(3600), steps: .max)
    try await withServedFront(readLimit: endless, log: log, lines: lines) { harness, front in
      let token = try harness.service.addQwinker(named: "anna")
      try harness.service.write { session in
        try session.run("ALTER TABLE bookmarks RENAME TO former")
        try session.run(
          """
          CREATE VIEW bookmarks AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
          SELECT i AS id, accounts.id AS account_id, -1 AS status_id, 0 AS created_at FROM n, accounts
          """)
      }
      let client = try RawClient(port: harness.port)
      try client.send("GET /api/v1/bookmarks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n\r\n")
      try await wait(for: "a request in progress") { front.inProgress > 0 }
      client.shutdownSending()
      #expect(await client.readAll() == "")
      try await wait(for: "the end of the query", showing: { log.lines.joined(separator: "\n") }) {
        front.inProgress == 0
      }
      #expect(lines.all.count == 1 && lines.all[0].contains(" GET /api/v1/bookmarks 0 "), "\(lines.all)")
      #expect(log.lines.allSatisfy { $0.hasPrefix("info ") })
    }
  }

  @Test func `a write that is cancelled before its turn or during its work changes nothing`() async throws {
    try await withServedFront { harness, _ in
      let (service, gate) = (harness.service, DispatchSemaphore(value: 0))
      let connection = try service.writableConnection()
      @Sendable func write(_ client: String, _ work: @escaping @Sendable (Database) throws -> Void) async throws {
        try await connection.write(for: .address(client), service.budget, work)
      }
      try await write("1.1.1.1") { try $0.execute(sql: "CREATE TABLE written (name TEXT)") }
      let isInside = Mutex(false)
      let running = Task {
        try await write("1.1.1.1") { database in
          try database.execute(sql: "INSERT INTO written VALUES ('running')")
          isInside.withLock { $0 = true }
          gate.waitUntilDeadline()
          // An endless query, which only the cancellation ends.
          try database.execute(
            sql: "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
        }
      }
      try await wait(for: "a write in progress") { isInside.withLock { $0 } }
      let waiting = Task {
        try await write("2.2.2.2") { try $0.execute(sql: "INSERT INTO written VALUES ('waiting')") }
      }
      let last = Task { try await write("3.3.3.3") { try $0.execute(sql: "INSERT INTO written VALUES ('last')") } }
      try await wait(for: "two waiting writes") {
        service.budget.turns.waitingCount(.write, .address("2.2.2.2")) == 1
          && service.budget.turns.waitingCount(.write, .address("3.3.3.3")) == 1
      }
      waiting.cancel()
      running.cancel()
      gate.signal()
      await #expect(throws: CancellationError.self) { try await running.value }
      await #expect(throws: CancellationError.self) { try await waiting.value }
      try await last.value
      let names = try await connection.writer.read { try String.fetchAll($0, sql: "SELECT name FROM written") }
      #expect(names == ["last"])
    }
  }

  private static func connections(ofOne: Int, ofAll: Int) -> Connections {
    Connections(Budget(clock: VirtualClock(), limits: [.connections: .held(ofOne: ofOne, ofAll: ofAll)]))
  }

  @Test func `a full server closes the oldest idle connection of the busiest client`() throws {
    let connections = Self.connections(ofOne: 3, ofAll: 4)
    let closed = Lines()
    func admit(_ client: String, _ name: String) -> Int? { connections.admit(.address(client)) { closed.add(name) } }
    let first = try #require(admit("a", "a1"))
    for name in ["a2", "a3"] { #expect(admit("a", name) != nil) }
    connections.set(first, of: .address("a"), isIdle: false)
    #expect(closed.all == [])
    // The client's own limit.
    #expect(admit("a", "a4") != nil && closed.all == ["a2"])
    connections.set(first, of: .address("a"), isIdle: true)
    let other = try #require(admit("b", "b1"))
    connections.set(other, of: .address("b"), isIdle: false)
    // The total limit.
    #expect(admit("b", "b2") != nil && closed.all == ["a2", "a3"])
    #expect(connections.count == 4)
    connections.set(first, of: .address("a"), isIdle: false)
    connections.set(first, of: .address("a"), isIdle: true)
    for name in ["a5", "a6"] { #expect(admit("a", name) != nil) }
    // A connection that has served a request is closed last.
    #expect(closed.all.count == 4 && !closed.all.contains("a1"), "\(closed.all)")
    connections.remove(first, of: .address("a"))
    connections.remove(first, of: .address("a"))
    #expect(connections.count == 3)
    let busy = Self.connections(ofOne: 1, ofAll: 2)
    busy.set(try #require(busy.admit(.address("a")) {}), of: .address("a"), isIdle: false)
    #expect(busy.admit(.address("a")) {} == nil)
    busy.set(try #require(busy.admit(.address("b")) {}), of: .address("b"), isIdle: false)
    #expect(busy.admit(.address("c")) {} == nil)
  }

  @Test func `busy clients lose one connection to each new client`() throws {
    let connections = Self.connections(ofOne: 8, ofAll: 12)
    let closed = Lines()
    for client in ["a", "b"] {
      for number in 0..<6 {
        let id = try #require(connections.admit(.address(client)) { closed.add("\(client)\(number)") })
        connections.set(id, of: .address(client), isIdle: false)
      }
    }
    for client in ["c", "d", "e"] {
      let id = try #require(connections.admit(.address(client)) { closed.add(client) })
      connections.set(id, of: .address(client), isIdle: false)
    }
    #expect(closed.all.count == 3 && Set(closed.all.map { $0.prefix(1) }) == ["a", "b"], "\(closed.all)")
    // A client doesn't displace its own connections.
    #expect(connections.admit(.address("a")) {} == nil)
    #expect(connections.count == 12)
  }

  @Test func `a full server reports it and closes idle connections first`() async throws {
    try await withServedFront(budget: [.connections: .held(ofOne: 2, ofAll: 2)]) { harness, front in
      let token = try harness.service.addQwinker(named: "anna")
      let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        try? harness.service.write { _ in
          held.signal()
          release.waitUntilDeadline()
        }
      }
      try await held.signalled("the write")
      let post =
        "POST /api/v1/statuses HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\nContent-Length: 8\r\n\r\nstatus=x"
      let busy = [try RawClient(port: harness.port), try RawClient(port: harness.port)]
      for client in busy { try client.send(post) }
      try await wait(for: "two requests in progress") { front.inProgress == 2 }
      let refused = await (try RawClient(port: harness.port)).readAll()
      #expect(Self.status(refused) == "HTTP/1.1 503 Service Unavailable" && refused.contains("Too many connections"))
      release.signal()
      for client in busy { #expect(Self.status(await client.readResponse()) == "HTTP/1.1 200 OK") }
      // After this request, the other connection has been idle longest.
      try busy[1].send(Self.get)
      #expect(Self.status(await busy[1].readResponse()) == "HTTP/1.1 200 OK")
      let client = try RawClient(port: harness.port)
      try client.send(Self.get)
      #expect(Self.status(await client.readResponse()) == "HTTP/1.1 200 OK")
      #expect(await busy[0].readAll() == "")
    }
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ("2001:db8:1:2::9", "2001:db8:1:2::/64"), ("::1", "0:0:0:0::/64"), ("x", nil), ("", nil),
  ])
  func `addresses of the same customer count as one client`(address: String, client: String?) {
    #expect(ClientAddress.client(address) == client)
  }
}
