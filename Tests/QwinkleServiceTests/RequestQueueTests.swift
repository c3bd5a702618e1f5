import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleService

/// The order of queued requests, and the effect of rate limits.
@MainActor
@Suite(.bounded) struct RequestQueueTests {
  /// A server that answers once `gate` opens.
  private func held(by gate: Gate) -> ScriptedTransport {
    ScriptedTransport { _ in
      await gate.whenOpen()
      return .json(pageBody("1"))
    }
  }

  private func page(_ number: Int, _ priority: RequestPriority) -> Request<Page<Qwink>> {
    Request.timeline(.tag("t\(number)"), limit: 40).prioritized(priority)
  }

  /// Waits until the transport has received `count` requests.
  private func reach(_ count: Int, in transport: ScriptedTransport) async throws {
    try await wait(for: "request \(count)", showing: { "\(tags(transport))" }) { transport.requests.count >= count }
  }

  nonisolated private static func tag(_ request: TransportRequest) -> String {
    String(request.url.split(separator: "/").last?.prefix { $0 != "?" } ?? "")
  }

  private func tags(_ transport: ScriptedTransport) -> [String] { transport.requests.map(Self.tag) }

  @Test func `concurrent requests are limited and requests for visible rows go first`() async throws {
    let gates = Dictionary(uniqueKeysWithValues: (1...13).map { ("t\($0)", Gate()) })
    let transport = ScriptedTransport { request in
      await gates[Self.tag(request)]?.whenOpen()
      return .json(pageBody("1"))
    }
    let bench = Bench(transport)
    // Background requests have three places, and higher priorities have more.
    for number in 1...4 { bench.service.start(page(number, .background), delegate: bench.delegate) }
    try await reach(3, in: transport)
    for number in 5...9 { bench.service.start(page(number, .usual), delegate: bench.delegate) }
    try await reach(6, in: transport)
    for number in 10...13 { bench.service.start(page(number, .onScreen), delegate: bench.delegate) }
    try await reach(8, in: transport)
    #expect(Set(tags(transport)) == ["t1", "t2", "t3", "t5", "t6", "t7", "t10", "t11"])
    // Writes aren't queued.
    bench.service.start(.dismissAnnouncement("1"), delegate: bench.delegate)
    try await reach(9, in: transport)
    // The next request starts once its priority has a free place.
    for (ended, next) in [
      (["t1"], "t12"), (["t2"], "t13"), (["t3", "t5", "t6"], "t8"), (["t7"], "t9"), (["t8", "t9", "t10", "t11"], "t4"),
    ] {
      let count = transport.requests.count
      for tag in ended { gates[tag]?.open() }
      try await reach(count + 1, in: transport)
      #expect(tags(transport).last == next)
    }
    for gate in gates.values { gate.open() }
    await bench.ledger.settle()
    #expect(transport.requests.count == 14)
  }

  @Test func `a queued request goes ahead when visible rows need it and is sent once`() async throws {
    let gate = Gate()
    let transport = held(by: gate)
    let bench = Bench(transport)
    for number in 1...5 { bench.service.start(page(number, .background), delegate: bench.delegate) }
    try await reach(3, in: transport)
    bench.service.start(page(5, .onScreen), delegate: bench.delegate)
    try await reach(4, in: transport)
    #expect(tags(transport).last == "t5")
    gate.open()
    await bench.ledger.settle()
    #expect(tags(transport).count == 5)
  }

  @Test func `a request cancelled in the queue is never sent`() async throws {
    let gate = Gate()
    let transport = held(by: gate)
    let bench = Bench(transport)
    for number in 1...3 { bench.service.start(page(number, .background), delegate: bench.delegate) }
    try await reach(3, in: transport)
    let waiting = bench.service.start(page(4, .background), delegate: bench.delegate)
    await Task.yield()
    bench.service.cancel(waiting)
    gate.open()
    await bench.ledger.settle()
    #expect(transport.requests.count == 3)
    #expect(bench.delegate.words(for: waiting) == ["started", "finished"])
  }

  @Test func `a request queued behind parked requests is parked too`() async throws {
    let gate = Gate()
    let transport = ScriptedTransport { _ in
      Activity.current?.park()
      await gate.whenOpen()
      Activity.current?.unpark()
      return .json(pageBody("1"))
    }
    let bench = Bench(transport)
    for number in 1...4 { bench.service.start(page(number, .background), delegate: bench.delegate) }
    await bench.ledger.settle()
    #expect(transport.requests.count == 3 && bench.ledger.parked.count == 4)
    gate.open()
    try await reach(4, in: transport)
    // The last request is parked briefly, too.
    try await wait(for: "the end of all requests", showing: { "\(bench.ledger.parked)" }) {
      bench.delegate.answers.count == 4 && bench.ledger.parked.isEmpty
    }
  }

  // MARK: Limits

  /// Returns the responses in order and repeats the last one.
  private func answering(_ answers: [TransportResponse]) -> ScriptedTransport {
    let left = Mutex(answers)
    return ScriptedTransport { _ in left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
  }

  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

  private func fields(_ remaining: String, reset: String? = "1994-11-06T08:54:37.000Z") throws -> HTTPFields {
    var fields: HTTPFields = [.date: Self.date]
    fields[try #require(HTTPField.Name("X-RateLimit-Remaining"))] = remaining
    fields[try #require(HTTPField.Name("X-RateLimit-Reset"))] = reset
    return fields
  }

  @Test func `reads stop at an exhausted rate limit and resume at the server's reset time`() async throws {
    let transport = answering([
      .json(pageBody("1"), fields: try fields("0")), .json(pageBody("2"), fields: try fields("299")),
    ])
    let bench = Bench(transport)
    let clock = VirtualClock(at: .init(timeIntervalSince1970: 0))
    bench.service.clock = clock
    await bench.run(.publicTimeline)
    #expect(bench.delegate.errors.isEmpty, "the answer itself counts")
    clock.advance(by: .seconds(100))
    await bench.run(.publicTimeline)
    #expect(bench.delegate.errors == [.rateLimited(host: "tilde.example", retryAfter: .seconds(200))])
    #expect(transport.requests.count == 1)
    // Writes have a separate limit.
    await bench.run(.dismissAnnouncement("1"))
    #expect(transport.requests.count == 2)
    clock.advance(by: .seconds(200))
    await bench.run(.publicTimeline)
    #expect(transport.requests.count == 3 && bench.delegate.errors.count == 1)
  }

  @Test func `a 429 without Retry-After stops reads until the reset time`() async throws {
    let transport = answering([.json(Array("{}".utf8), status: 429, fields: try fields("0"))])
    let bench = Bench(transport)
    let clock = VirtualClock(at: .init(timeIntervalSince1970: 0))
    bench.service.clock = clock
    await bench.run(.publicTimeline)
    await bench.run(.timeline(.local, limit: 40))
    #expect(transport.requests.count == 1)
    #expect(bench.delegate.errors.count == 2)
    clock.advance(by: .seconds(300))
    await bench.run(.publicTimeline)
    #expect(transport.requests.count == 2)
  }

  @Test(arguments: [nil, "tomorrow", "1994-11-06T08:00:00Z", "9999-11-06T08:00:00Z"])
  func `a missing or invalid reset time does not stop reads for long`(reset: String?) async throws {
    let transport = answering([.json(pageBody("1"), fields: try fields("0", reset: reset))])
    let bench = Bench(transport)
    let clock = VirtualClock(at: .init(timeIntervalSince1970: 0))
    bench.service.clock = clock
    await bench.run(.publicTimeline)
    clock.advance(by: RequestAllowance.longestWait)
    await bench.run(.publicTimeline)
    #expect(transport.requests.count == 2)
  }
}
