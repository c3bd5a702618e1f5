public import FoundationEssentials
public import QwinkleService
public import Timekeeping

/// When something that is shown is asked for again: after a fixed while, and after failures later each time.
@MainActor
public final class PollSchedule {
  /// How long to wait after the first failure.
  private static let retryInterval = Duration.seconds(20)
  private static let longestRetryInterval = Duration.seconds(600)

  /// How long to wait after something that went well.
  public var interval: Duration

  /// When it will be tried again after a failure; nil where the last attempt went well.
  public private(set) var nextAttempt: Date?

  private let clock: any ProgramClock
  /// Attempts in a row that failed.
  private var failures = 0
  private var timer: ProgramTimer?

  public init(clock: any ProgramClock, every interval: Duration = .seconds(60)) {
    self.clock = clock
    self.interval = interval
  }

  /// Has `ask` happen once, in place of what was scheduled before, given how the last attempt ended. What will not be
  /// better by itself is asked for as if nothing had failed.
  public func schedule(after error: DownloadError?, _ ask: @escaping @MainActor () -> Void) {
    // Who has to sign in first is not asked for ever; R asks again.
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

  /// Asks no more until something is scheduled again.
  public func stop() {
    timer = nil
  }

  /// Longer each time, up to a limit, and never before the server wants to be asked again.
  private func retryWait(after error: DownloadError?) -> Duration {
    let doubled = Self.retryInterval * (1 << min(max(0, failures - 1), 6))
    return max(min(doubled, Self.longestRetryInterval), error?.retryAfter ?? .zero)
  }
}
