import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Metrics for the operator: their format and their values.
@Suite(.bounded) struct MetricsTests {
  private static let request = "GET /api/v1/timelines/public HTTP/1.1\r\nHost: x\r\n\r\n"

  /// Returns the current metrics.
  private static func read(_ metrics: Metrics, _ harness: Harness) async throws -> MetricsFormat {
    try MetricsFormat(await text(metrics, harness))
  }

  /// Returns the metrics after the cached values have expired.
  private static func text(_ metrics: Metrics, _ harness: Harness) async -> String {
    harness.clock.jump(by: MetricsCache.figuresLast)
    return await harness.service.text(of: metrics)
  }

  private static func requests(_ method: String, _ route: String, _ status: String) -> [String: String] {
    ["method": method, "route": route, "status": status]
  }

  @Test func `requests are counted by route, status class and kind of work`() async throws {
    let metrics = Metrics(clock: VirtualClock())
    try await withServedFront(metrics: metrics) { harness, _ in
      let token = try harness.service.addQwinker(named: "anna")
      let post = try await harness.post("canary text", token: token)
      try await harness.post("more", token: token)
      for _ in 0..<3 { _ = try await harness.get("/api/v1/timelines/public?canary=1") }
      _ = try await harness.get("/api/v1/statuses/\(post.id)", token: token)
      _ = try await harness.get("/api/v1/statuses/12345", token: token)
      _ = try await harness.get("/canary/\(token)", token: token)
      let client = try RawClient(port: harness.port)
      try client.send("PURGE /canary HTTP/1.1\r\nHost: canary\r\n\r\n")
      #expect(await client.readResponse().hasPrefix("HTTP/1.1 404 "))
      let stream = try await StreamClient.open(.events, "public", port: harness.port)
      #expect(stream.isOpen)

      let text = await Self.text(metrics, harness)
      #expect(!text.contains("canary") && !text.contains(token) && !text.contains("anna") && !text.contains("127.0"))
      let found = try MetricsFormat(text)
      let counts = [
        Self.requests("POST", "/api/v1/statuses", "2xx"): 2, Self.requests("GET", "/api/v1/timelines/public", "2xx"): 3,
        Self.requests("GET", "/api/v1/statuses/:id", "2xx"): 1, Self.requests("GET", "/api/v1/statuses/:id", "4xx"): 1,
        Self.requests("GET", "-", "4xx"): 1, Self.requests("other", "-", "4xx"): 1,
        Self.requests("GET", "/api/v1/streaming/public", "2xx"): 1,
      ]
      let all = found.values.filter { $0.key.name == "qwinkle_requests_total" }
      #expect(Dictionary(uniqueKeysWithValues: all.map { ($0.key.labels, Int($0.value)) }) == counts)
      for (kind, count) in [("read", 6.0), ("write", 3), ("stream", 1), ("upload", 0)] {
        #expect(found.value("qwinkle_request_duration_seconds_count", ["class": kind]) == count, "\(kind)")
      }
      #expect(found.value("qwinkle_posts") == 2 && found.value("qwinkle_users") == 1)
      #expect(found.value("qwinkle_streams") == 1)
      stream.end()
      try await wait(for: "the end of the stream") { harness.service.budget.used(.streams) == 0 }
      #expect(try await Self.read(metrics, harness).value("qwinkle_streams") == 0)
    }
  }

  @Test func `durations are in the bucket of the first bound that they don't exceed`() throws {
    var histogram = Metrics.Histogram()
    for seconds in [0, 0.001, 0.0011, 9.9, 10.1, 3600] { histogram.add(seconds) }
    var text = MetricsText()
    text.begin("some_seconds", .histogram, "Some times.")
    text.add(histogram: "some_seconds", [("class", "a\"b\\c\nd")], histogram)
    let found = try MetricsFormat(text.text)
    func bucket(_ bound: String) -> Double? {
      found.value("some_seconds_bucket", ["class": #"a\"b\\c\nd"#, "le": bound])
    }
    #expect(bucket("0.001") == 2 && bucket("0.0025") == 3 && bucket("5.0") == 3 && bucket("10.0") == 4)
    #expect(bucket("+Inf") == 6)
  }

  @Test func `bytes and connections are those on the wire`() async throws {
    let metrics = Metrics(clock: VirtualClock())
    try await withServedFront(metrics: metrics) { harness, _ in
      let client = try RawClient(port: harness.port)
      try client.send(Self.request + Self.request)
      let answers = await client.readResponse() + client.readResponse()
      #expect(metrics.receivedBytes == 2 * Self.request.utf8.count)
      #expect(metrics.sentBytes == answers.utf8.count)
      #expect(metrics.openConnections == 1)
      client.end()
      try await wait(for: "the end of the connection") { metrics.openConnections == 0 }
      #expect(metrics.acceptedConnections == 1)
    }
  }

  @Test func `reached limits are counted by resource`() async throws {
    let metrics = Metrics(clock: VirtualClock())
    let one = Resource.Limit.window(ofAccount: 1, ofAddress: 100, period: .seconds(3600))
    let budget: [Resource: Resource.Limit] = [.posts: one, .streams: .held(ofOne: 1, ofAll: 10)]
    try await withServedFront(budget: budget, metrics: metrics) { harness, _ in
      let token = try harness.service.addQwinker(named: "anna")
      try await harness.post("the first", token: token)
      let refused = try await harness.submit("/api/v1/statuses", [("status", "more")], token: token)
      #expect(refused.head.status == .tooManyRequests)
      let first = try await StreamClient.open(.events, "public", port: harness.port)
      let second = try await StreamClient.open(.events, "public", port: harness.port)
      #expect(first.isOpen && !second.isOpen)
      let found = try await Self.read(metrics, harness)
      for (resource, count) in [("posts", 1.0), ("streams", 1), ("connections", 0), ("guesses", 0)] {
        #expect(found.value("qwinkle_limit_reached_total", ["resource": resource]) == count, "\(resource)")
      }
      let labels = found.values.keys.filter { $0.name == "qwinkle_limit_reached_total" }.compactMap(
        \.labels["resource"])
      #expect(labels.contains("requestBytes") && !labels.contains("reads"))
      first.end()
    }
  }

  @Test func `waiting writes are shown as a queue`() async throws {
    let metrics = Metrics(clock: VirtualClock())
    try await withServedFront(metrics: metrics) { harness, _ in
      let token = try harness.service.addQwinker(named: "anna")
      await harness.service.budget.turns.enter(.write, .process)
      let posts = (0..<3).map { number in Task { try await harness.post("post \(number)", token: token) } }
      try await wait(for: "three waiting writes") { harness.service.budget.turns.waitingCounts[.write] == 3 }
      let found = try await Self.read(metrics, harness)
      #expect(found.value("qwinkle_queue_length", ["queue": "writes"]) == 3)
      #expect(found.value("qwinkle_queue_length", ["queue": "reads"]) == 0)
      #expect(found.value("qwinkle_requests_in_progress") == 3)
      harness.service.budget.turns.leave(.write, .process, used: .zero)
      for post in posts { _ = try await post.value }
      #expect(try await Self.read(metrics, harness).value("qwinkle_queue_length", ["queue": "writes"]) == 0)
    }
  }

  @Test func `sizes of files, memory and time are positive`() async throws {
    let metrics = Metrics(clock: VirtualClock())
    try await withServedFront(metrics: metrics) { harness, _ in
      let token = try harness.service.addQwinker(named: "anna")
      let picture = SamplePictures.png(width: 3, height: 2)
      _ = try await harness.upload(picture, token: token)
      let found = try await Self.read(metrics, harness)
      #expect(found.value("qwinkle_media_bytes") ?? 0 > 0)
      #expect(found.value("qwinkle_database_bytes") ?? 0 >= 4096 && found.value("qwinkle_wal_bytes") ?? 0 > 0)
      #expect(found.value("qwinkle_uptime_seconds") == MetricsCache.figuresLast / .seconds(1))
      #expect(found.value("qwinkle_build_info", ["version": ProgramVersion.current]) == 1)
      #expect(found.value("qwinkle_database_damaged") == 0 && found.value("qwinkle_reports") == 0)
      #expect(found.value("process_cpu_seconds_total") ?? 0 > 0)
      #expect(found.value("process_resident_memory_bytes") ?? 0 > 1_000_000)
      #expect(found.value("process_open_fds") ?? 0 > 3)
      #expect(try harness.service.stats().mediaBytes == Int(found.value("qwinkle_media_bytes") ?? 0))
    }
  }

  @Test func `frequent scrapes share a text`() async throws {
    let metrics = Metrics(clock: VirtualClock())
    try await withServedFront(metrics: metrics) { harness, _ in
      _ = try await harness.get("/health")
      let first = await Self.text(metrics, harness)
      _ = try await harness.get("/health")
      #expect(await harness.service.text(of: metrics) == first)
      harness.clock.jump(by: MetricsCache.textLasts)
      #expect(await harness.service.text(of: metrics) != first)
    }
  }
}
