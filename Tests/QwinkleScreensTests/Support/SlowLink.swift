import HTTPTypes
import QwinkleTesting
import QwinkleWire
import Synchronization

/// A link whose responses are pending until the test sends them.
final class SlowLink: Sendable {
  struct Response: Hashable, Sendable {
    /// Without the query.
    var path: String
    var byteCount: Int
    var status: Int
  }

  private struct Waiting {
    let number: Int
    let path: String
    let gate: Gate
  }

  private struct State {
    var waiting: [Waiting] = []
    var count = 0
    var responses: [Response] = []
    var isOpen = false
  }

  private let state = Mutex(State())

  /// Paths of the requests that wait, in order.
  var pending: [String] { state.withLock { $0.waiting.map(\.path) } }
  /// The responses that have passed, in order.
  var responses: [Response] { state.withLock { $0.responses } }

  /// Sends all responses, also later ones.
  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for request in waiting { request.gate.open() }
  }

  /// Sends the pending responses that `isMeant` selects by path.
  func letThrough(where isMeant: (String) -> Bool) {
    let meant = state.withLock { state in
      defer { state.waiting.removeAll { isMeant($0.path) } }
      return state.waiting.filter { isMeant($0.path) }
    }
    for request in meant { request.gate.open() }
  }

  func transport(to base: ScriptedTransport) -> any Transport {
    ScriptedTransport(sendsFiles: base.sendsFiles) { [self] request in try await carry(request, to: base) }
  }

  private func carry(_ request: TransportRequest, to base: ScriptedTransport) async throws -> TransportResponse {
    let path = String((request.head.path ?? "").prefix { $0 != "?" })
    let gate = Gate()
    let number = state.withLock { state in
      state.count += 1
      if state.isOpen {
        gate.open()
      } else {
        state.waiting.append(Waiting(number: state.count, path: path, gate: gate))
      }
      return state.count
    }
    await withTaskCancellationHandler {
      await gate.whenOpen()
    } onCancel: {
      gate.open()
    }
    state.withLock { $0.waiting.removeAll { $0.number == number } }
    guard !Task.isCancelled else { throw TransportError.cancelled }
    let response = try await base.send(request)
    let byteCount = response.body.count
    state.withLock {
      $0.responses.append(Response(path: path, byteCount: byteCount, status: response.head.status.code))
    }
    request.didReceive?(byteCount, byteCount)
    return response
  }
}
