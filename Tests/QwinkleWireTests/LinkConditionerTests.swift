import HTTPTypes
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@Suite(.bounded) @MainActor struct LinkConditionerTests {
  @Test func `a condition is found by name and an unknown name lists them all`() throws {
    for condition in LinkCondition.allCases {
      #expect(try LinkCondition(named: condition.rawValue.uppercased()) == condition)
    }
    let error = #expect(throws: UnknownLinkCondition.self) { try LinkCondition(named: "lossy\u{1B}[2J") }
    #expect(
      error?.sentence
        == "Unknown link condition “lossy[2J”. Use one of: off, loss, slow, latency, dns, reset, truncated, close, 429, flapping."
    )
  }

  @Test func `a good link changes nothing`() async throws {
    let link = Link(.off)
    let answer = try await link.start().value.get()
    #expect(answer.body == Link.body)
    #expect(link.received.values == [[Link.body.count, Link.body.count]])
    #expect(link.clock.uptime == .zero)
  }

  @Test func `a request times out when the link loses everything`() async {
    let link = Link(.loss)
    let task = link.start(timeout: .seconds(30))
    await link.settle()
    #expect(link.conditioner.waitingCount == 1)
    #expect(link.ledger.parked == ["request"] && link.ledger.inProgress.isEmpty)
    await link.pass(.milliseconds(29_999))
    #expect(link.conditioner.waitingCount == 1)
    await link.pass(.milliseconds(1))
    await #expect(throws: TransportError.timedOut(host: "tilde.example")) { try await task.value.get() }
    #expect(link.transport.count == 0)
    #expect(link.conditioner.waitingCount == 0)
  }

  @Test func `a lost request is sent once the link is good again`() async throws {
    let link = Link(.loss)
    let task = link.start()
    await link.pass(.seconds(10))
    link.conditioner.condition = .off
    #expect(try await task.value.get().body == Link.body)
    #expect(link.clock.uptime == .seconds(10))
    #expect(link.transport.timeouts == [.seconds(20)])
  }

  @Test func `a slow link limits the bytes received per second`() async throws {
    let link = Link(.slow, body: [UInt8](repeating: 7, count: 5000))
    let task = link.start()
    await link.pass(.seconds(1))
    #expect(link.transport.count == 1)
    #expect(link.received.values.isEmpty && link.conditioner.waitingCount == 1)
    await link.pass(.seconds(2))
    #expect(try await task.value.get().body.count == 5000)
    #expect(link.received.values.map { $0[0] } == [2000, 4000, 5000])
    #expect(link.received.values.allSatisfy { $0[1] == 5000 })
  }

  @Test func `a slow link reports upload progress`() async throws {
    let link = Link(.slow)
    let task = link.start(sending: [UInt8](repeating: 7, count: 5000))
    await link.pass(.seconds(1))
    #expect(link.transport.count == 0)
    let first = try #require(link.sent.values.first?[0])
    #expect((1900..<2000).contains(first))
    await link.pass(.seconds(4))
    #expect(try await task.value.get().body == Link.body)
    #expect(link.sent.values.map { $0[0] } == [first, first + 2000, 5000])
  }

  @Test func `a slow response times out`() async {
    let link = Link(.slow, body: [UInt8](repeating: 7, count: 100_000))
    let task = link.start(timeout: .seconds(8))
    await link.pass(.seconds(9))
    await #expect(throws: TransportError.timedOut(host: "tilde.example")) { try await task.value.get() }
  }

  @Test func `a slow response is delivered at once when the link becomes good`() async throws {
    let link = Link(.slow, body: [UInt8](repeating: 7, count: 40_000))
    let task = link.start()
    await link.pass(.seconds(3))
    link.conditioner.condition = .off
    #expect(try await task.value.get().body.count == 40_000)
    #expect(link.clock.uptime == .seconds(3))
    #expect(link.received.values.last == [40_000, 40_000])
  }

  @Test(arguments: LinkCondition.allCases)
  func `received parts match the reported progress and add up to the body`(
    condition: LinkCondition
  ) async throws {
    let body = (0..<9000).map { UInt8(truncatingIfNeeded: $0) }
    let link = Link(condition, body: body)
    let task = link.start(timeout: .seconds(60))
    for _ in 0..<4 {
      await link.pass(.seconds(1))
      // A picture download that is paused now resumes after these bytes.
      #expect(link.pieces.bytes.count == link.received.values.last?[0] ?? 0, "\(condition)")
    }
    link.conditioner.condition = .off
    guard case .success(let answer) = await task.value, answer.head.status == .ok else { return }
    #expect(link.pieces.bytes == answer.body, "\(condition)")
  }

  @Test func `half of the latency is added before the request and half after`() async throws {
    let link = Link(.latency)
    let task = link.start()
    await link.pass(.milliseconds(1499))
    #expect(link.transport.count == 0)
    await link.pass(.milliseconds(1))
    #expect(link.transport.count == 1)
    await link.pass(.milliseconds(1499))
    #expect(link.received.values.isEmpty && link.conditioner.waitingCount == 1)
    await link.pass(.milliseconds(1))
    #expect(try await task.value.get().body == Link.body)
  }

  @Test func `a name lookup fails after five seconds or at the timeout`() async {
    let link = Link(.dns)
    let task = link.start()
    await link.pass(.seconds(5))
    await #expect(throws: TransportError.unknownHost("tilde.example")) { try await task.value.get() }
    let short = link.start(timeout: .seconds(2))
    await link.pass(.seconds(2))
    await #expect(throws: TransportError.timedOut(host: "tilde.example")) { try await short.value.get() }
    #expect(link.transport.count == 0)
  }

  @Test func `a reset fails at once`() async {
    let link = Link(.reset)
    await #expect(throws: TransportError.interrupted(host: "tilde.example")) { try await link.start().value.get() }
    #expect(link.transport.count == 0 && link.clock.uptime == .zero)
  }

  @Test func `a truncated response has half of its body`() async throws {
    let link = Link(.truncated, body: Array("[1,2,3]".utf8))
    let answer = try await link.start().value.get()
    #expect(String(decoding: answer.body, as: UTF8.self) == "[1,")
    #expect(answer.head.status == .ok)
    #expect(link.received.values == [[3, 7]])
  }

  @Test func `a slow close delays a complete response`() async throws {
    let link = Link(.close)
    let task = link.start()
    await link.settle()
    #expect(link.received.values == [[Link.body.count, Link.body.count]])
    await link.pass(.milliseconds(4999))
    #expect(link.conditioner.waitingCount == 1)
    await link.pass(.milliseconds(1))
    #expect(try await task.value.get().body == Link.body)
  }

  @Test func `a 429 response includes a retry time`() async throws {
    let link = Link(.tooManyRequests)
    let answer = try await link.start().value.get()
    #expect(answer.head.status.code == 429)
    #expect(answer.head.headerFields[.retryAfter] == "30")
    #expect(WireDecoder.errorMessage(from: answer.body) == "Too many requests")
    #expect(link.transport.count == 0)
  }

  @Test func `a flapping link alternates between down and up`() async throws {
    let link = Link(.flapping)
    for _ in 0..<3 {
      await #expect(throws: TransportError.refused(host: "tilde.example")) { try await link.start().value.get() }
      await link.pass(.seconds(5))
      #expect(try await link.start().value.get().body == Link.body)
      await link.pass(.seconds(5))
    }
  }

  @Test(arguments: [LinkCondition.loss, .slow, .latency, .dns, .close])
  func `cancellation ends a waiting request at once`(condition: LinkCondition) async {
    let link = Link(condition, body: [UInt8](repeating: 7, count: 9000))
    let task = link.start()
    await link.settle()
    #expect(link.conditioner.waitingCount == 1)
    task.cancel()
    await #expect(throws: TransportError.cancelled) { try await task.value.get() }
    #expect(link.clock.uptime == .zero)
    #expect(link.conditioner.waitingCount == 0 && link.ledger.isEmpty)
  }

  @Test func `a new condition applies to all waiting requests`() async {
    let link = Link(.loss)
    let tasks = (0..<5).map { _ in link.start() }
    await link.settle()
    #expect(link.conditioner.waitingCount == 5)
    link.conditioner.condition = .reset
    for task in tasks {
      await #expect(throws: TransportError.interrupted(host: "tilde.example")) { try await task.value.get() }
    }
  }

  @Test func `an error from the wrapped transport is rethrown`() async {
    let link = Link(.latency, failure: .malformed(host: "tilde.example"))
    let task = link.start()
    await link.pass(.seconds(3))
    await #expect(throws: TransportError.malformed(host: "tilde.example")) { try await task.value.get() }
  }
}

@Suite(.bounded) @MainActor struct ClockWaitTests {
  @Test func `work parked on a clock becomes active again when the clock fires`() async {
    let (clock, ledger) = (VirtualClock(), ActivityLedger())
    let activity = ledger.begin("wait")
    let task = Activity.$current.withValue(activity) {
      Task {
        let outcome = await ClockWait(on: clock).wait(for: .seconds(1))
        activity.end()
        return outcome
      }
    }
    #expect(!ledger.isEmpty)
    await ledger.settle()
    #expect(ledger.parked == ["wait"] && ledger.inProgress.isEmpty)
    clock.advance(by: .seconds(1))
    #expect(!ledger.isEmpty && ledger.inProgress == ["wait"])
    await ledger.settle()
    #expect(ledger.parked.isEmpty)
    #expect(await task.value == .passed)
  }

  @Test func `parked work counts as idle until every park is undone`() async {
    let (clock, ledger) = (VirtualClock(), ActivityLedger())
    let waiting = ledger.begin("wait")
    let working = ledger.begin("work")
    waiting.park()
    waiting.park()
    #expect(!ledger.isEmpty)
    working.end()
    #expect(ledger.isEmpty)
    waiting.unpark()
    #expect(ledger.isEmpty)
    waiting.unpark()
    #expect(!ledger.isEmpty)
    waiting.unpark()
    waiting.end()
    waiting.park()
    #expect(ledger.isEmpty && ledger.parked.isEmpty)
    #expect(clock.nextDue == nil)
  }

  @Test func `a wait can be ended before or after it starts`() async {
    let clock = VirtualClock()
    let early = ClockWait(on: clock)
    early.end()
    #expect(await early.wait(for: .seconds(1)) == .ended)
    #expect(await ClockWait(on: clock).wait(for: .zero) == .passed)

    let ledger = ActivityLedger()
    let wait = ClockWait(on: clock)
    let activity = ledger.begin("wait")
    let task = Activity.$current.withValue(activity) { Task { await wait.wait(for: .seconds(1)) } }
    await ledger.settle()
    wait.end()
    #expect(!ledger.isEmpty)
    #expect(await task.value == .ended)
  }

  @Test func `advancing a clock stops at each timer that becomes due`() async {
    let clock = VirtualClock()
    var moments: [Duration] = []
    // Each timer schedules the next one after pending work has settled.
    var timer: ProgramTimer?
    var isDue = true
    await clock.advance(by: .seconds(10)) {
      if isDue {
        isDue = false
        moments.append(clock.uptime)
        timer = clock.schedule(after: .seconds(3)) { isDue = true }
      }
    }
    #expect(moments == [.seconds(10)])
    await clock.advance(by: .seconds(10)) {
      if isDue {
        isDue = false
        moments.append(clock.uptime)
        timer = clock.schedule(after: .seconds(3)) { isDue = true }
      }
    }
    #expect(moments == [10, 13, 16, 19].map { .seconds($0) })
    #expect(timer?.isPending == true && clock.uptime == .seconds(20))
  }
}

/// A link and everything that tests inspect.
@MainActor
private struct Link {
  static let body = Array("Hello".utf8)

  let clock = VirtualClock()
  let ledger = ActivityLedger()
  let conditioner: LinkConditioner
  let transport: CountingTransport
  let received = Received()
  let pieces = ReceivedPieces()
  let sent = Received()

  init(_ condition: LinkCondition, body: [UInt8] = body, failure: TransportError? = nil) {
    conditioner = LinkConditioner(clock: clock, condition: condition)
    transport = CountingTransport(body: body, failure: failure)
  }

  /// Sends a request whose task is recorded in the ledger.
  func start(
    sending body: [UInt8] = [], timeout: Duration = .seconds(30)
  ) -> Task<Result<TransportResponse, TransportError>, Never> {
    let head = HTTPRequest(method: .get, scheme: "https", authority: "tilde.example", path: "/api")
    var request = TransportRequest(
      head: head, body: body, timeout: timeout, didReceive: { [received] in received.add([$0, $1 ?? -1]) })
    request.didSend = { [sent] in sent.add([$0]) }
    request.didReceivePart = { [pieces] in pieces.add($1) }
    let activity = ledger.begin("request")
    let conditioned = transport.conditioned(by: conditioner)
    return Activity.$current.withValue(activity) {
      Task {
        defer { activity.end() }
        do throws(TransportError) {
          return .success(try await conditioned.send(request))
        } catch {
          return .failure(error)
        }
      }
    }
  }

  func settle() async {
    await ledger.settle()
  }

  func pass(_ duration: Duration) async {
    await ledger.settle()
    await clock.advance(by: duration) { await ledger.settle() }
  }
}

/// Returns the same response to every request and records the timeouts.
private final class CountingTransport: Transport {
  private let body: [UInt8]
  private let failure: TransportError?
  private let asked = Mutex<[Duration]>([])

  init(body: [UInt8], failure: TransportError?) {
    self.body = body
    self.failure = failure
  }

  var timeouts: [Duration] { asked.withLock { $0 } }
  var count: Int { timeouts.count }

  @concurrent func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    asked.withLock { $0.append(request.timeout) }
    if let failure { throw failure }
    request.didReceive?(body.count, body.count)
    let head = HTTPResponse(status: .ok)
    request.didReceivePart?(head, body)
    return TransportResponse(head: head, body: body)
  }
}

private final class Received: Sendable {
  private let state = Mutex<[[Int]]>([])

  var values: [[Int]] { state.withLock { $0 } }

  func add(_ value: [Int]) {
    state.withLock { $0.append(value) }
  }
}

/// The pieces of a body, joined.
private final class ReceivedPieces: Sendable {
  private let state = Mutex<[UInt8]>([])

  var bytes: [UInt8] { state.withLock { $0 } }

  func add(_ piece: [UInt8]) { state.withLock { $0 += piece } }
}
