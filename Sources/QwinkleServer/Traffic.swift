import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
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

  /// The number of requests that have no response yet.
  var underWay: Int { state.withLock { $0.underWay } }

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

  /// Has `respond` answer a request, unless the front is ending.
  func pass(_ request: Request, _ respond: (RequestNote) async throws -> Response) async throws -> Response {
    let note = RequestNote()
    let start = clock.uptime
    guard begin() else {
      log(note, request, status: 503, since: start)
      return Self.ending
    }
    do {
      let response = try await respond(note)
      log(note, request, status: response.status.code, since: start)
      return finishing(response)
    } catch {
      log(note, request, status: 0, since: start)
      end()
      throw error
    }
  }

  private func begin() -> Bool {
    state.withLock { state in
      if state.isEnding { return false }
      state.underWay += 1
      return true
    }
  }

  private func end() {
    let whenIdle = state.withLock { state -> (@Sendable () -> Void)? in
      state.underWay -= 1
      guard state.underWay == 0 else { return nil }
      defer { state.whenIdle = nil }
      return state.whenIdle
    }
    whenIdle?()
  }

  /// Ends the request: at once as a rule, but once the response is written if the front is ending.
  private func finishing(_ response: Response) -> Response {
    guard state.withLock({ $0.isEnding }) else {
      end()
      return response
    }
    var response = response
    response.headers[.connection] = "close"
    let body = response.body
    response.body = ResponseBody(contentLength: body.contentLength) { [self] writer in
      defer { end() }
      try await body.write(writer)
    }
    return response
  }

  /// `2026-11-23T02:19:53Z GET /api/v1/statuses/:id 200 3ms account=1`. Status 0 stands for a client that went away.
  private func log(_ note: RequestNote, _ request: Request, status: Int, since start: Duration) {
    guard let accessLog else { return }
    let (seconds, attoseconds) = (clock.uptime - start).components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    let account = note.viewer.map { " account=\($0)" } ?? ""
    let time = clock.now.formatted(.iso8601)
    accessLog("\(time) \(note.line(for: request.method)) \(status) \(milliseconds)ms\(account)")
  }

  private static var ending: Response {
    let refusal = Refusal(
      status: .serviceUnavailable, message: "The server is being stopped. Try again in a few seconds.",
      headers: [.retryAfter: "5", .connection: "close"])
    let (head, body) = refusal.response.written()
    return Response(
      status: head.status, headers: head.headerFields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}
