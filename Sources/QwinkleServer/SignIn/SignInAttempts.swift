import Synchronization
import Timekeeping

/// Limits how often passwords may be guessed. After five failures for a name, each further attempt has to wait, longer
/// every time. All names together have a limit that normal use doesn't reach.
///
/// Kept in memory: a restart clears it.
final class SignInAttempts: Sendable {
  private static let free = 5
  private static let firstWait = Duration.seconds(10)
  private static let longestWait = Duration.seconds(15 * 60)
  private static let forgottenAfter = Duration.seconds(60 * 60)

  private struct Failures: Sendable {
    var count = 0
    var last = Duration.zero

    /// When the next attempt may be made.
    var due: Duration {
      guard count >= free else { return last }
      return last + min(firstWait * (1 << min(count - free, 10)), longestWait)
    }
  }

  private struct State: Sendable {
    var byName: [String: Failures] = [:]
    var together = RateCount(most: 100, forgottenEvery: .seconds(3))
  }

  private let clock: any ProgramClock
  private let state = Mutex(State())

  init(clock: any ProgramClock) {
    self.clock = clock
  }

  /// Counts an attempt as failed until ``succeeded(_:)`` is called, so that simultaneous attempts all count. If none
  /// may be made now, counts nothing and returns how long to wait.
  func begin(_ name: String) -> Duration? {
    let now = clock.uptime
    return state.withLock { state in
      state.byName = state.byName.filter { now - $1.last < Self.forgottenAfter }
      var failures = state.byName[name] ?? Failures()
      if failures.count >= Self.free, now < failures.due { return failures.due - now }
      if let wait = state.together.add(at: now) { return wait }
      failures.count += 1
      failures.last = now
      state.byName[name] = failures
      return nil
    }
  }

  /// Marks the attempt as successful and forgets the name's failures.
  func succeeded(_ name: String) {
    state.withLock { state in
      state.byName[name] = nil
      state.together.remove()
    }
  }
}
