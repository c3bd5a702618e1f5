import Synchronization
import Timekeeping

/// How often passwords may be guessed. After five failures for a name, each further attempt has to wait, longer every
/// time; and all names together have a limit that people don't reach.
///
/// It is kept in memory: who restarts the service may try again.
final class SignInAttempts: Sendable {
  private static let free = 5
  private static let firstWait = Duration.seconds(10)
  private static let longestWait = Duration.seconds(15 * 60)
  private static let forgottenAfter = Duration.seconds(60 * 60)
  private static let mostTogether = 100
  /// One of all the failures together is forgiven after as long.
  private static let forgivenEvery = Duration.seconds(3)

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
    var together = 0
    var forgivenAt = Duration.zero
  }

  private let clock: any ProgramClock
  private let state = Mutex(State())

  init(clock: any ProgramClock) {
    self.clock = clock
  }

  /// Counts an attempt, as failed until ``succeeded(_:)`` says otherwise: several at once are several. Returns how long
  /// to wait where none may be made now; that counts nothing.
  func begin(_ name: String) -> Duration? {
    let now = clock.uptime
    return state.withLock { state in
      Self.forget(in: &state, now)
      var failures = state.byName[name] ?? Failures()
      if failures.count >= Self.free, now < failures.due { return failures.due - now }
      if state.together >= Self.mostTogether { return state.forgivenAt + Self.forgivenEvery - now }
      if state.together == 0 { state.forgivenAt = now }
      state.together += 1
      failures.count += 1
      failures.last = now
      state.byName[name] = failures
      return nil
    }
  }

  /// Says that the attempt was no failure: the name's failures are forgotten.
  func succeeded(_ name: String) {
    state.withLock { state in
      state.byName[name] = nil
      state.together = max(0, state.together - 1)
    }
  }

  private static func forget(in state: inout State, _ now: Duration) {
    let forgiven = max(0, Int((now - state.forgivenAt) / forgivenEvery))
    state.together = max(0, state.together - forgiven)
    state.forgivenAt += forgivenEvery * forgiven
    state.byName = state.byName.filter { now - $1.last < forgottenAfter }
  }
}
