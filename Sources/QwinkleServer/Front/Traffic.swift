import FoundationEssentials
import HTTPTypes
import Synchronization
import Timekeeping

/// Tracks the requests of an ``HTTPFront``: logs each request when it ends, and rejects new ones during shutdown.
final class Traffic: Sendable {
  /// Writes a line to the log. The argument has no line break.
  typealias Write = @Sendable (String) -> Void

  private struct State {
    var inProgress = 0
    var isEnding = false
    var whenIdle: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let clock: any ProgramClock
  private let accessLog: Write?
  private let metrics: Metrics?

  init(clock: any ProgramClock, accessLog: Write?, metrics: Metrics?) {
    self.clock = clock
    self.accessLog = accessLog
    self.metrics = metrics
  }

  /// The number of requests without a complete response.
  var inProgress: Int { state.withLock { $0.inProgress } }

  /// Whether new requests are rejected.
  var isEnding: Bool { state.withLock { $0.isEnding } }

  /// The start time to pass to ``log(_:_:status:since:)``.
  var now: Duration { clock.uptime }

  /// Starts rejecting new requests. Calls `whenIdle` once, when all requests in progress have ended.
  func end(whenIdle: @escaping @Sendable () -> Void) {
    let isIdle = state.withLock { state in
      let isFirst = !state.isEnding
      state.isEnding = true
      if state.inProgress == 0 { return isFirst }
      if isFirst { state.whenIdle = whenIdle }
      return false
    }
    if isIdle { whenIdle() }
  }

  /// Counts a new request and returns true. The caller then has to call ``finish()`` later. During shutdown, returns
  /// false and counts nothing.
  func begin() -> Bool {
    state.withLock { state in
      if state.isEnding { return false }
      state.inProgress += 1
      return true
    }
  }

  /// Counts a request as ended: its response is written, or its client has disconnected.
  func finish() {
    let whenIdle = state.withLock { state -> (@Sendable () -> Void)? in
      state.inProgress -= 1
      guard state.inProgress == 0 else { return nil }
      defer { state.whenIdle = nil }
      return state.whenIdle
    }
    whenIdle?()
  }

  /// Counts an answered request in the metrics, and logs a line such as
  /// `2026-11-23T02:19:53Z GET /api/v1/statuses/:id 200 3ms account=1`, with ` uid 1001` for a request through the Unix
  /// socket. Status 0 means that the client disconnected.
  func log(_ note: RequestNote, _ method: HTTPRequest.Method, status: Int, since start: Duration) {
    metrics?.count(note, method, status: status, took: clock.uptime - start)
    guard let accessLog else { return }
    let (seconds, attoseconds) = (clock.uptime - start).components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    let account = note.viewer.map { " account=\($0)" } ?? ""
    let uid = note.unixUser.map { " uid \($0)" } ?? ""
    let time = clock.now.formatted(.iso8601)
    accessLog("\(time) \(note.line(for: method)) \(status) \(milliseconds)ms\(account)\(uid)")
  }
}
