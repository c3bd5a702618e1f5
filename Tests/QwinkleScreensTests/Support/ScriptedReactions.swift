import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization

/// Reactions and deletions on a scripted server.
final class ScriptedReactions: Sendable {
  private struct State {
    var gate: Gate?
    var failures: [TransportError] = []
    var qwinks: [String: Qwink] = [:]
    var seen: [String] = []
  }

  private let state = Mutex(State())

  /// Holds responses until `gate` opens.
  func hold(by gate: Gate) { state.withLock { $0.gate = gate } }

  /// Fails the next requests.
  func fail(with errors: TransportError...) { state.withLock { $0.failures = errors } }

  /// All requests, such as `POST 12/favourite`.
  var seen: [String] { state.withLock { $0.seen } }

  /// Returns the response to `request`, or nil if another handler should answer it. `find` returns a qwink by its ID.
  func answer(_ request: TransportRequest, find: @Sendable (String) -> Qwink?) async throws -> TransportResponse? {
    let parts = (request.head.path ?? "").split(separator: "/").map(String.init)
    guard parts.count >= 4, parts[2] == "statuses", request.head.method != .get else { return nil }
    let id = parts[3]
    let verb = parts.count > 4 ? parts[4] : ""
    let (failure, gate) = state.withLock { state in
      state.seen.append("\(request.head.method) \(id)\(verb.isEmpty ? "" : "/\(verb)")")
      return (state.failures.isEmpty ? nil : state.failures.removeFirst(), state.gate)
    }
    await gate?.whenOpen()
    if let failure { throw failure }
    guard let qwink = state.withLock({ $0.qwinks[id] }) ?? find(id) else {
      return .json(WireEncoder.error("Record not found"), status: 404)
    }
    let isOn = !verb.hasPrefix("un")
    let reaction: Reaction? =
      switch isOn ? verb : String(verb.dropFirst(2)) {
      case "reblog": .boost
      case "favourite": .favourite
      case "bookmark": .bookmark
      default: nil
      }
    guard let reaction else { return .json(WireEncoder.qwink(qwink)) }
    // Several requests may run at once.
    let changed = state.withLock { state in
      let changed = (state.qwinks[id] ?? qwink).setting(reaction, to: isOn)
      state.qwinks[id] = changed
      return changed
    }
    return .json(WireEncoder.qwink(changed))
  }
}
