public import FoundationEssentials
public import QwinkleService
public import Timekeeping

/// Schedules refreshes at a fixed interval. After failures, the delays increase.
@MainActor
public final class PollSchedule {
  /// The delay after a success.
  public var interval: Duration

  /// Time of the next attempt after a failure; nil after a success.
  public private(set) var nextAttempt: Date?

  private let clock: any ProgramClock
  private var backoff = RetryBackoff(first: .seconds(20), limit: .seconds(600))
  private var timer: ProgramTimer?
  /// Uptime at which the timer fires.
  private var due = Duration.zero
  /// Uptime at which the scheduled attempt began; nil between attempts.
  private var attemptedAt: Duration?
  /// Earliest uptime of the next attempt, if the server specified one.
  private var namedTime: Duration?

  /// Creates a schedule in which no attempt is scheduled yet.
  public init(clock: any ProgramClock, every interval: Duration = .seconds(60)) {
    self.clock = clock
    self.interval = interval
  }

  /// Schedules the next call to `ask`. Call this after each attempt, with its `error` if it failed. After an error that
  /// isn't transient, the delay is ``interval``. After an error that requires the user to sign in, no call is
  /// scheduled.
  ///
  /// Only failures of scheduled attempts increase the delay. Other attempts, such as the user's, don't change the
  /// schedule unless the server specifies a time.
  public func schedule(after error: DownloadError?, _ ask: @escaping @MainActor () -> Void) {
    let now = clock.uptime
    let begun = attemptedAt
    attemptedAt = nil
    // Don't poll until the user has signed in. The user can still refresh.
    guard error?.needsSignIn != true else {
      reset()
      timer = nil
      return
    }
    guard let error, error.isTransient else {
      reset()
      return start(after: interval, ask)
    }
    // An attempt before the time that the server specified was expected to fail, so it doesn't count.
    if let begun, begun >= namedTime ?? .zero { backoff.noteFailure() }
    namedTime = error.retryAfter.map { now + $0 }
    let isScheduled = nextAttempt != nil && timer?.isPending == true
    if begun == nil, isScheduled, due >= namedTime ?? now, namedTime == nil || backoff.failures >= 2 { return }
    let wait: Duration
    if let named = error.retryAfter {
      wait = begun == nil ? named : backoff.wait(named: named)
    } else {
      // Subtract the time that the attempt took, which is long if it timed out.
      wait = max(.zero, backoff.wait() - (begun.map { now - $0 } ?? .zero))
    }
    nextAttempt = clock.now.addingTimeInterval(Double(wait.components.seconds))
    start(after: wait, ask)
  }

  /// Cancels the scheduled attempt.
  public func stop() {
    timer = nil
    attemptedAt = nil
  }

  private func reset() {
    backoff.reset()
    namedTime = nil
    nextAttempt = nil
  }

  private func start(after wait: Duration, _ ask: @escaping @MainActor () -> Void) {
    due = clock.uptime + wait
    timer = clock.schedule(after: wait) { [weak self, clock] in
      self?.attemptedAt = clock.uptime
      ask()
    }
  }
}
