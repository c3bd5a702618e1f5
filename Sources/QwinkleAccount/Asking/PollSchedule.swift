public import FoundationEssentials
public import QwinkleService
public import Timekeeping

/// Schedules refreshes: after a fixed interval, and after failures later each time.
@MainActor
public final class PollSchedule {
  /// The wait after the first failure.
  private static let retryInterval = Duration.seconds(20)
  private static let longestRetryInterval = Duration.seconds(600)

  /// The wait after a success.
  public var interval: Duration

  /// When the next attempt is after a failure; nil after a success.
  public private(set) var nextAttempt: Date?

  private let clock: any ProgramClock
  /// Number of failures in a row.
  private var failures = 0
  private var timer: ProgramTimer?

  public init(clock: any ProgramClock, every interval: Duration = .seconds(60)) {
    self.clock = clock
    self.interval = interval
  }

  /// Schedules `ask` once, replacing what was scheduled. After an error that doesn't pass by itself the wait is the
  /// usual one.
  public func schedule(after error: DownloadError?, _ ask: @escaping @MainActor () -> Void) {
    // Don't poll until the user has signed in; R asks again.
    guard error?.needsSignIn != true else {
      failures = 0
      nextAttempt = nil
      timer = nil
      return
    }
    let failed = error?.isTransient ?? false
    failures = failed ? failures + 1 : 0
    let wait = failed ? retryWait(after: error) : interval
    nextAttempt = failed ? clock.now.addingTimeInterval(Double(wait.components.seconds)) : nil
    timer = clock.schedule(after: wait, ask)
  }

  /// Cancels the scheduled attempt.
  public func stop() {
    timer = nil
  }

  /// Doubles each time up to a limit, and honours the server's Retry-After.
  private func retryWait(after error: DownloadError?) -> Duration {
    let doubled = Self.retryInterval * (1 << min(max(0, failures - 1), 6))
    return max(min(doubled, Self.longestRetryInterval), error?.retryAfter ?? .zero)
  }
}
