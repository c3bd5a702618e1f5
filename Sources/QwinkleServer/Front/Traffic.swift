import FoundationEssentials
import HTTPTypes
import Synchronization
import Timekeeping

/// The requests of a front: logs each when it ends, and turns new ones away once the front is ending.
final class Traffic: Sendable {
  /// Takes one line, without its end.
  typealias Write = @Sendable (String) -> Void

  private struct State {
    var underWay = 0
    var isEnding = false
    var whenIdle: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let clock: any ProgramClock
  private let accessLog: Write?

  init(clock: any ProgramClock, accessLog: Write?) {
    self.clock = clock
    self.accessLog = accessLog
  }

  /// The number of requests whose response isn't written yet.
  var underWay: Int { state.withLock { $0.underWay } }

  /// Whether new requests are turned away.
  var isEnding: Bool { state.withLock { $0.isEnding } }

  /// The time for ``log(_:_:status:since:)``.
  var now: Duration { clock.uptime }

  /// Turns requests away from now on. Calls `whenIdle`, once, when those under way have ended.
  func end(whenIdle: @escaping @Sendable () -> Void) {
    let isIdle = state.withLock { state in
      let isFirst = !state.isEnding
      state.isEnding = true
      if state.underWay == 0 { return isFirst }
      if isFirst { state.whenIdle = whenIdle }
      return false
    }
    if isIdle { whenIdle() }
  }

  /// Counts a request, or returns false if the front is ending. Each one counted is followed by a call of
  /// ``finish()``.
  func begin() -> Bool {
    state.withLock { state in
      if state.isEnding { return false }
      state.underWay += 1
      return true
    }
  }

  /// Uncounts a request: its response is written, or nobody waits for it.
  func finish() {
    let whenIdle = state.withLock { state -> (@Sendable () -> Void)? in
      state.underWay -= 1
      guard state.underWay == 0 else { return nil }
      defer { state.whenIdle = nil }
      return state.whenIdle
    }
    whenIdle?()
  }

  /// `2026-11-23T02:19:53Z GET /api/v1/statuses/:id 200 3ms account=1`. Status 0 stands for a client that went away.
  func log(_ note: RequestNote, _ method: HTTPRequest.Method, status: Int, since start: Duration) {
    guard let accessLog else { return }
    let (seconds, attoseconds) = (clock.uptime - start).components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    let account = note.viewer.map { " account=\($0)" } ?? ""
    let time = clock.now.formatted(.iso8601)
    accessLog("\(time) \(note.line(for: method)) \(status) \(milliseconds)ms\(account)")
  }
}
