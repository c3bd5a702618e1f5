import QwinkleModel
import Timekeeping

/// The times at which a streaming service tries again to connect. Each failure lengthens the wait, until a connection
/// has lasted for a while.
@MainActor
final class StreamRetrySchedule {
  /// Minimum time between an attempt and the next one outside the schedule, for example one that the user requests.
  private static let wakePause = Duration.seconds(10)

  private let clock: any ProgramClock
  private var backoff = RetryBackoff(first: .seconds(1), limit: .seconds(300))
  private var timer: ProgramTimer?
  /// Uptime of the next attempt.
  private var retryAt = Duration.zero
  /// Uptime until which the server asked not to be contacted.
  private var namedTime = Duration.zero
  /// Uptime of the last attempt.
  private var attemptedAt: Duration?

  init(clock: any ProgramClock) { self.clock = clock }

  /// Whether an attempt is scheduled.
  var isPending: Bool { timer?.isPending == true }

  /// Whether connections have failed several times, and none has lasted since.
  var isUnsteady: Bool { backoff.failures >= 2 }

  /// Whether the scheduled attempt may take place now: the last attempt wasn't recent, and the server allows it.
  var mayAttemptNow: Bool {
    let now = clock.uptime
    return isPending && now >= namedTime && attemptedAt.map { now - $0 >= Self.wakePause } ?? true
  }

  func noteAttempt() { attemptedAt = clock.uptime }

  /// Forgets the failures. Called when a connection has lasted for a while.
  func noteLasting() { backoff.reset() }

  /// Schedules no attempt in the next `wait`, because the server asked for it.
  func waitAtLeast(_ wait: Duration) { namedTime = clock.uptime + wait }

  /// Forgets everything but the last attempt.
  func reset() {
    timer = nil
    backoff.reset()
    namedTime = .zero
  }

  /// Schedules `attempt` after a connection has ended. `isFailure` is false if the connection had lasted. `elapsed` is
  /// the part of the wait that has already passed. `jitter` returns a random factor of the wait, about 1.
  func schedule(
    afterFailure isFailure: Bool, elapsed: Duration, jitter: @MainActor () -> Double,
    attempt: @escaping @MainActor () -> Void
  ) {
    if !isFailure {
      backoff.reset()
    } else if !isPending {
      backoff.noteFailure()
    } else if retryAt >= namedTime {
      // The failure of another line was already counted for this wait, or the attempt was outside the schedule.
      return
    }
    let now = clock.uptime
    var wait = max(.zero, backoff.wait(jitter: jitter()) - elapsed)
    if namedTime > now { wait = backoff.failures < 2 ? namedTime - now : max(wait, namedTime - now) }
    retryAt = now + wait
    timer = clock.schedule(after: wait, attempt)
  }
}
