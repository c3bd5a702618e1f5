import HTTPTypes
import Timekeeping

/// One request's way over a bad link and back.
struct ConditionedPassage: Sendable {
  /// How often a slow answer tells how far it is.
  private static let step = Duration.seconds(1)

  private let request: TransportRequest
  private let conditioner: LinkConditioner
  /// The clock's uptime at which the request's time is up.
  private let deadline: Duration
  /// Whether the inner transport tells how much has come: only where it comes no later than that.
  private var isToldByTransport = false

  init(_ request: TransportRequest, over conditioner: LinkConditioner) {
    self.request = request
    self.conditioner = conditioner
    deadline = conditioner.clock.uptime + request.timeout
  }

  /// Returns nil once the request has arrived, or else the answer that something on the way gave.
  @concurrent func goOut() async throws(TransportError) -> TransportResponse? {
    while true {
      let now = conditioner.current
      switch now.condition {
      case .off, .truncated, .close: return nil
      case .flapping:
        if now.isDown(at: conditioner.clock.uptime) { throw .refused(host: host) }
        return nil
      case .tooManyRequests: return Self.refusal
      case .reset: throw .interrupted(host: host)
      case .loss: _ = try await wait(for: request.timeout, while: now)
      case .dns: if try await wait(for: LinkCondition.lookupTime, while: now) { throw .unknownHost(host) }
      case .latency: if try await wait(for: LinkCondition.roundTripTime / 2, while: now) { return nil }
      case .slow: if try await wait(for: Self.time(for: requestBytes), while: now) { return nil }
      }
    }
  }

  /// The request as the inner transport is given it, with the time that is left.
  mutating func arriving() -> TransportRequest {
    var arriving = request
    arriving.timeout = max(deadline - conditioner.clock.uptime, .zero)
    isToldByTransport = conditioner.current.condition == .off
    if !isToldByTransport { arriving.didReceive = nil }
    return arriving
  }

  /// Returns `answer`, or what is left of it, once it has come back.
  @concurrent func comeBack(_ answer: TransportResponse) async throws(TransportError) -> TransportResponse {
    var arrived = 0
    while true {
      let now = conditioner.current
      switch now.condition {
      case .off, .dns, .tooManyRequests: return told(answer)
      case .reset: throw .interrupted(host: host)
      case .flapping:
        if now.isDown(at: conditioner.clock.uptime) { throw .interrupted(host: host) }
        return told(answer)
      case .loss: _ = try await wait(for: request.timeout, while: now)
      case .latency: if try await wait(for: LinkCondition.roundTripTime / 2, while: now) { return told(answer) }
      case .slow: if try await drip(answer, arrived: &arrived, while: now) { return answer }
      case .truncated:
        var half = answer
        half.body = Array(answer.body.prefix(answer.body.count / 2))
        return told(half, of: answer.body.count)
      case .close:
        if arrived < answer.body.count {
          arrived = answer.body.count
          tell(arrived, of: arrived)
        }
        if try await wait(for: LinkCondition.closingTime, while: now) { return answer }
      }
    }
  }

  /// Lets the body come in slowly, from `arrived` on, by what the clock says. False where the condition changed before
  /// it was whole.
  private func drip(
    _ answer: TransportResponse, arrived: inout Int, while now: LinkConditioner.Current
  ) async throws(TransportError) -> Bool {
    let total = answer.body.count
    let (start, before) = (conditioner.clock.uptime, arrived)
    while arrived < total {
      guard try await wait(for: min(Self.step, Self.time(for: total - arrived)), while: now) else { return false }
      arrived = min(total, before + Self.bytes(in: conditioner.clock.uptime - start))
      tell(arrived, of: total)
    }
    return true
  }

  /// Waits until `delay` has passed; false where the condition changed before.
  private func wait(for delay: Duration, while now: LinkConditioner.Current) async throws(TransportError) -> Bool {
    let left = deadline - conditioner.clock.uptime
    guard left > .zero else { throw .timedOut(host: host) }
    switch await conditioner.wait(for: min(delay, left), while: now) {
    case .passed where delay >= left: throw .timedOut(host: host)
    case .passed: return true
    case .ended: return false
    case .cancelled: throw .cancelled
    }
  }

  private func told(_ answer: TransportResponse, of expected: Int? = nil) -> TransportResponse {
    if !isToldByTransport { tell(answer.body.count, of: expected ?? answer.body.count) }
    return answer
  }

  private func tell(_ bytes: Int, of expected: Int) {
    request.didReceive?(bytes, expected)
  }

  private var host: String { request.head.authority ?? "" }

  /// About what goes over the link.
  private var requestBytes: Int {
    request.head.headerFields.reduce((request.head.path ?? "").utf8.count + request.body.count + 16) {
      $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4
    }
  }

  /// The whole microseconds, rounded up, that `bytes` take.
  private static func time(for bytes: Int) -> Duration {
    .microseconds((bytes * 1_000_000 + LinkCondition.bytesPerSecond - 1) / LinkCondition.bytesPerSecond)
  }

  private static func bytes(in time: Duration) -> Int {
    Int(time / .seconds(1) * Double(LinkCondition.bytesPerSecond) + 1e-6)
  }

  private static let refusal = TransportResponse(
    head: HTTPResponse(
      status: .tooManyRequests,
      headerFields: [
        .contentType: "application/json; charset=utf-8",
        .retryAfter: String(LinkCondition.retryAfter.components.seconds),
      ]), body: WireEncoder.error("Too many requests"))
}
