import Dispatch
import Synchronization

/// Wakes waiting tasks when something has changed.
final class Bell: Sendable {
  private struct State {
    var rings = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var number = 0
  }

  private static let timers = DispatchQueue(label: "bell.timers")
  private static let maximumMillisecondsBetweenLooks = 250

  private let state = Mutex(State())

  /// Number of rings so far.
  var rings: Int { state.withLock { $0.rings } }

  func ring() {
    let waiting = state.withLock { state in
      state.rings += 1
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns once the bell has rung more than `seen` times, or after `milliseconds`.
  func next(after seen: Int, atMost milliseconds: Int) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let number = state.withLock { state -> Int? in
        guard state.rings == seen else { return nil }
        state.number += 1
        state.waiting[state.number] = continuation
        return state.number
      }
      guard let number else { return continuation.resume() }
      Self.timers.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [self] in
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
      }
    }
  }

  /// Returns once `isSo` is true. Checks it after each ring.
  ///
  /// - Throws: ``HarnessError/timedOut(_:screen:)`` with the result of `screen`, after ``Deadline/patience``.
  func wait(for what: String, screen: () -> String, until isSo: () -> Bool) async throws {
    let deadline = Deadline()
    while true {
      let seen = rings
      if isSo() { return }
      try deadline.check(what, showing: screen)
      await next(after: seen, atMost: Self.maximumMillisecondsBetweenLooks)
    }
  }
}
