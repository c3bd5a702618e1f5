import Foundation
import HTTPTypes
import LibC
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// The address of the metrics and its limits for clients.
@Suite(.bounded) struct MetricsFrontTests {
  private static let request = "GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: text/plain\r\n\r\n"

  /// Runs `body` with a served service and the port of its metrics.
  @concurrent
  private static func withMetrics(
    limits: MetricsLimits = MetricsLimits(), _ body: @escaping @Sendable (Harness, Int) async throws -> Void
  ) async throws {
    let metrics = Metrics(clock: VirtualClock())
    try await withServedFront(metrics: metrics) { harness, _ in
      let address = try #require(MetricsAddress("127.0.0.1:0"))
      let front = MetricsFront(metrics, of: harness.service, at: address, limits: limits)
      let port = Tally()
      let running = Task { try await front.run { port.set($0) } }
      defer { running.cancel() }
      try await wait(for: "the port of the metrics") { port.value > 0 }
      try await body(harness, port.value)
      running.cancel()
      try await running.value
    }
  }

  private static func answer(to request: String, port: Int) async throws -> String {
    let client = try RawClient(port: port)
    // The server may close the connection before reading all of it.
    try? client.send(request)
    return await client.readAll()
  }

  private static func status(_ answer: String) -> Substring { answer.dropFirst(9).prefix(3) }

  @Test func `only loopback addresses and absolute paths are accepted`() {
    let accepted: [(String, MetricsAddress)] = [
      ("127.0.0.1:9420", .loopback(host: "127.0.0.1", port: 9420)),
      ("127.8.0.1:0", .loopback(host: "127.8.0.1", port: 0)),
      ("[::1]:9420", .loopback(host: "::1", port: 9420)), ("localhost:9420", .loopback(host: "127.0.0.1", port: 9420)),
      ("/run/qwinkle/metrics.sock", .socket(path: "/run/qwinkle/metrics.sock")),
    ]
    for (text, address) in accepted { #expect(MetricsAddress(text) == address, "\(text)") }
    let refused = [
      "", "9420", ":9420", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "0.0.0.0:9420", "[::]:9420",
      "192.168.0.1:9420", "[fe80::1]:9420", "127.0.0.1.example:9420", "localhost.example:9420", "metrics.sock",
      "/" + String(repeating: "x", count: 200), "/a\u{0}b", "[::ffff:192.0.2.1]:9420", "1270.0.1:9420",
    ]
    for text in refused { #expect(MetricsAddress(text) == nil, "\(text)") }
  }

  @Test func `a scrape is answered in Prometheus' format`() async throws {
    try await Self.withMetrics { harness, port in
      for _ in 0..<4 { _ = try await harness.get("/health") }
      let answer = try await Self.answer(to: Self.request, port: port)
      let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
      #expect(parts.count == 2 && parts[0].hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(parts[0].contains("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
      #expect(parts[0].contains("\r\nContent-Length: \(parts[1].utf8.count)\r\n"))
      let found = try MetricsFormat(parts[1])
      #expect(found.value("qwinkle_requests_total", ["method": "GET", "route": "/health", "status": "2xx"]) == 4)
    }
  }

  @Test func `everything but GET of the metrics is refused`() async throws {
    try await Self.withMetrics { _, port in
      let long = String(repeating: "x", count: 9000)
      for (request, status) in [
        ("GET / HTTP/1.1\r\n\r\n", "404"), ("GET /api/v1/timelines/public HTTP/1.1\r\n\r\n", "404"),
        ("POST /metrics HTTP/1.1\r\nContent-Length: 2\r\n\r\nab", "405"), ("HEAD /metrics HTTP/1.1\r\n\r\n", "405"),
        ("GET /metrics\r\n\r\n", "400"), ("\u{16}\u{3}\u{1}\n\n", "400"), ("GET /metrics HTTP/2\r\n\r\n", "400"),
        ("GET /metrics HTTP/1.1\r\nX: \(long)", "431"), ("GET /metrics?x=1 HTTP/1.0\n\n", "200"),
      ] {
        let answer = try await Self.answer(to: request, port: port)
        #expect(Self.status(answer) == status, "\(request.prefix(40)): \(answer.prefix(200))")
        #expect(answer.contains("Connection: close\r\n"))
      }
    }
  }

  @Test func `hostile scrapers don't block the metrics or the service`() async throws {
    var limits = MetricsLimits()
    (limits.mostConnections, limits.time) = (4, .seconds(1))
    try await Self.withMetrics(limits: limits) { harness, port in
      var silent: [RawClient] = []
      for number in 0..<40 {
        let client = try RawClient(port: port)
        try client.send(["", "GET /met", "GET /metrics HTTP/1.1\r\nX: "][number % 3])
        silent.append(client)
      }
      let answer = try await Self.answer(to: Self.request, port: port)
      #expect(Self.status(answer) == "200", "\(answer.prefix(200))")
      #expect(try await harness.get("/health").head.status == .ok)
      #expect(harness.service.budget.used(.connections) <= 1)
      // A client that sends on and on gets no more time.
      let trickling = try RawClient(port: port)
      try await wait(for: "the end of the connection") { (try? trickling.send("a")) == nil }
      for client in silent { #expect(await client.readAll() == "") }
    }
  }

  @Test func `a scraper that reads nothing is disconnected`() async throws {
    var limits = MetricsLimits()
    limits.time = .milliseconds(300)
    try await Self.withMetrics(limits: limits) { _, port in
      let client = try RawClient(port: port, receiveBuffer: 1024)
      try client.send(Self.request)
      try await wait(for: "the end of the connection") { (try? client.send("a")) == nil }
      #expect(Self.status(try await Self.answer(to: Self.request, port: port)) == "200")
    }
  }

  @Test func `only its owner can connect to a Unix socket`() async throws {
    let metrics = Metrics(clock: VirtualClock())
    try await withServedFront(metrics: metrics) { harness, _ in
      let path = "/tmp/qwinkle-\(UUID().uuidString.prefix(8)).sock"
      let address = try #require(MetricsAddress(path))
      // The second start replaces the socket that a killed server left behind.
      for start in 1...2 {
        let front = MetricsFront(metrics, of: harness.service, at: address)
        let isRunning = Flag()
        let running = Task { try await front.run { _ in isRunning.set() } }
        defer { running.cancel() }
        try await wait(for: "the socket") { isRunning.isSet }
        var facts = stat()
        #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        let client = try RawClient(socket: path)
        try client.send(Self.request)
        #expect(Self.status(await client.readAll()) == "200")
        running.cancel()
        try await running.value
        #expect(access(path, F_OK) != 0)
        if start == 1 { try Self.leaveSocket(at: path) }
      }
    }
  }

  @Test func `a file that isn't a socket is left in place`() async throws {
    try await withService { harness in
      let path = "/tmp/qwinkle-\(UUID().uuidString.prefix(8)).txt"
      try Data("mine".utf8).write(to: URL(filePath: path))
      defer { unlink(path) }
      let address = try #require(MetricsAddress(path))
      let front = MetricsFront(Metrics(clock: VirtualClock()), of: harness.service, at: address)
      await #expect(throws: ServiceError.self) { try await front.run() }
      #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
    }
  }

  /// Creates a socket at a path on which no process listens.
  private static func leaveSocket(at path: String) throws {
    #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
  }
}
