import Synchronization

/// Shares a number of places among clients: those who wait are let in by turns, one for each client, and no client has
/// all places. So a client with a thousand slow reads delays another by one read at most.
final class ReadTurns: Sendable {
  private struct State {
    var free: Int
    var running: [String: Int] = [:]
    var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
    /// The clients that wait, the next one first.
    var order: [String] = []
  }

  private let mostOfOne: Int
  private let state: Mutex<State>

  /// Allows `places` reads at once. One client gets at most all but one.
  init(places: Int) {
    mostOfOne = max(1, places - 1)
    state = Mutex(State(free: places))
  }

  /// Waits for a place. Each call is followed by one of ``leave(_:)``.
  func enter(_ client: String) async {
    if state.withLock({ take(client, &$0) }) { return }
    await withCheckedContinuation { continuation in
      let isIn = state.withLock { state in
        if take(client, &state) { return true }
        if state.waiting[client] == nil { state.order.append(client) }
        state.waiting[client, default: []].append(continuation)
        return false
      }
      if isIn { continuation.resume() }
    }
  }

  /// Gives a place back.
  func leave(_ client: String) {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      state.free += 1
      let left = (state.running[client] ?? 1) - 1
      state.running[client] = left > 0 ? left : nil
      guard let index = state.order.firstIndex(where: { state.running[$0, default: 0] < mostOfOne }) else { return nil }
      let chosen = state.order.remove(at: index)
      let continuation = state.waiting[chosen]?.removeFirst()
      if state.waiting[chosen]?.isEmpty == true { state.waiting[chosen] = nil } else { state.order.append(chosen) }
      state.free -= 1
      state.running[chosen, default: 0] += 1
      return continuation
    }
    next?.resume()
  }

  /// Whether so many of a client's reads wait.
  func isWaiting(_ client: String, atLeast count: Int) -> Bool {
    state.withLock { $0.waiting[client, default: []].count >= count }
  }

  private func take(_ client: String, _ state: inout State) -> Bool {
    guard state.free > 0, state.running[client, default: 0] < mostOfOne else { return false }
    state.free -= 1
    state.running[client, default: 0] += 1
    return true
  }
}
