import HTTPTypes
import Timekeeping

/// One request and its response, over a simulated bad link. The steps are ``goOut()``, ``arriving()`` and
/// ``comeBack(_:)``, in this order.
struct ConditionedPassage: Sendable {
  /// Interval of progress reports for a slow request or response.
  private static let step = Duration.seconds(1)

  private let request: TransportRequest
  private let conditioner: LinkConditioner
  /// The clock's uptime at which the request times out.
  private let deadline: Duration
  /// Whether the inner transport reports the progress of the response. Otherwise the passage reports it, because the
  /// link may delay or change the response.
  private var isToldByTransport = false

  init(_ request: TransportRequest, over conditioner: LinkConditioner) {
    self.request = request
    self.conditioner = conditioner
    deadline = conditioner.clock.uptime + request.timeout
  }

  /// Sends the request over the link. Returns nil when the request has arrived. Returns a response if the link itself
  /// generates one, and the request then doesn't reach the server.
  @concurrent func goOut() async throws(TransportError) -> TransportResponse? {
    var sent = 0
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
      case .slow: if try await leave(sent: &sent, while: now) { return nil }
      }
    }
  }

  /// Returns the request for the inner transport, with the remaining time as its timeout.
  mutating func arriving() -> TransportRequest {
    var arriving = request
    arriving.timeout = max(deadline - conditioner.clock.uptime, .zero)
    isToldByTransport = conditioner.current.condition == .off
    if !isToldByTransport { (arriving.didReceive, arriving.didReceivePart) = (nil, nil) }
    // A slow link has already sent and reported the whole request.
    if conditioner.current.condition == .slow { arriving.didSend = nil }
    return arriving
  }

  /// Delivers the response `answer` over the link. Returns the response, or only the part that the link lets through.
  @concurrent func comeBack(_ answer: TransportResponse) async throws(TransportError) -> TransportResponse {
    var arrived = 0
    while true {
      let now = conditioner.current
      switch now.condition {
      case .off, .dns, .tooManyRequests: return told(answer, after: arrived)
      case .reset: throw .interrupted(host: host)
      case .flapping:
        if now.isDown(at: conditioner.clock.uptime) { throw .interrupted(host: host) }
        return told(answer, after: arrived)
      case .loss: _ = try await wait(for: request.timeout, while: now)
      case .latency:
        if try await wait(for: LinkCondition.roundTripTime / 2, while: now) { return told(answer, after: arrived) }
      case .slow: if try await drip(answer, arrived: &arrived, while: now) { return answer }
      case .truncated:
        var half = answer
        half.body = Array(answer.body.prefix(answer.body.count / 2))
        return told(half, after: arrived, of: answer.body.count)
      case .close:
        if arrived < answer.body.count {
          tell(answer.body.count, of: answer.body.count, after: arrived, of: answer)
          arrived = answer.body.count
        }
        if try await wait(for: LinkCondition.closingTime, while: now) { return answer }
      }
    }
  }

  /// Sends the request slowly, starting at byte `sent`. Returns false if the condition changes before the request is
  /// complete.
  private func leave(sent: inout Int, while now: LinkConditioner.Current) async throws(TransportError) -> Bool {
    let total = requestBytes
    let (start, before) = (conditioner.clock.uptime, sent)
    while sent < total {
      let time = Self.time(for: total - sent)
      guard try await wait(for: request.didSend == nil ? time : min(Self.step, time), while: now) else { return false }
      sent = min(total, before + Self.bytes(in: conditioner.clock.uptime - start))
      // The head is sent before the body. Only bytes of the body are reported.
      request.didSend?(max(0, sent - (total - request.body.count)))
    }
    return true
  }

  /// Delivers the body slowly, starting at byte `arrived`. Returns false if the condition changes before the body is
  /// complete.
  private func drip(
    _ answer: TransportResponse, arrived: inout Int, while now: LinkConditioner.Current
  ) async throws(TransportError) -> Bool {
    let total = answer.body.count
    let (start, before) = (conditioner.clock.uptime, arrived)
    while arrived < total {
      guard try await wait(for: min(Self.step, Self.time(for: total - arrived)), while: now) else { return false }
      let former = arrived
      arrived = min(total, before + Self.bytes(in: conditioner.clock.uptime - start))
      tell(arrived, of: total, after: former, of: answer)
    }
    return true
  }

  /// Waits for `delay`. Returns false if the condition changes first.
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

  /// Reports the bytes of `answer` after the first `arrived` bytes, unless the inner transport reports them. Returns
  /// `answer`.
  private func told(_ answer: TransportResponse, after arrived: Int, of expected: Int? = nil) -> TransportResponse {
    if !isToldByTransport {
      tell(answer.body.count, of: expected ?? answer.body.count, after: arrived, of: answer)
    }
    return answer
  }

  /// Reports that `bytes` of `expected` bytes have arrived. Also passes on the new bytes since the last report, which
  /// are the bytes of `answer` from `former` to `bytes`.
  private func tell(_ bytes: Int, of expected: Int, after former: Int, of answer: TransportResponse) {
    if !isToldByTransport, former < bytes {
      request.didReceivePart?(answer.head, Array(answer.body[former..<bytes]))
    }
    request.didReceive?(bytes, expected)
  }

  private var host: String { request.head.authority ?? "" }

  /// Approximate number of bytes sent over the link.
  private var requestBytes: Int {
    request.head.headerFields.reduce((request.head.path ?? "").utf8.count + request.body.count + 16) {
      $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4
    }
  }

  /// Returns the transfer time of `bytes`, rounded up to microseconds.
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
