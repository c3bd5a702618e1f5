import PaneKit
import QwinkleAccount
import QwinkleService
import Timekeeping

/// Limits how often the user retries after a failure. A retry requested too soon is delayed.
@MainActor
final class RetryLimit {
  /// Shortest time between two retries.
  static let interval = Duration.seconds(10)

  private let clock: any ProgramClock
  private var retriedAt: Duration?
  private var timer: ProgramTimer?

  init(clock: any ProgramClock) {
    self.clock = clock
  }

  /// Performs `retry` at once, unless the last attempt failed and the last retry was less than `interval` ago. In that
  /// case, performs it as soon as the interval has passed. Returns the delay.
  @discardableResult
  func perform(isFailing: Bool, _ retry: @escaping @MainActor () -> Void) -> Duration {
    let now = clock.uptime
    if isFailing, let retriedAt, now - retriedAt < Self.interval {
      let wait = Self.interval - (now - retriedAt)
      timer = clock.schedule(after: wait) { [weak self] in
        guard let self else { return }
        self.retriedAt = clock.uptime
        retry()
      }
      return wait
    }
    timer = nil
    retriedAt = isFailing ? now : nil
    retry()
    return .zero
  }
}

/// Refreshes feeds when the user presses the key. Limits how often each of them retries after a failure.
@MainActor
final class ManualRefresh {
  private let account: Account
  private let screenRetry: RetryLimit
  private let inboxRetry: RetryLimit
  private let notificationsRetry: RetryLimit

  init(_ account: Account) {
    self.account = account
    screenRetry = RetryLimit(clock: account.clock)
    inboxRetry = RetryLimit(clock: account.clock)
    notificationsRetry = RetryLimit(clock: account.clock)
  }

  /// Refreshes a screen and the lists counted in the header, and reconnects the streams. Returns the screen's delay.
  func refresh(_ screen: any Screen) -> Duration {
    let wait = screenRetry.perform(isFailing: screen.status.state.isFailing) { [weak screen] in screen?.refresh() }
    let (inbox, notifications) = (account.inbox, account.notifications)
    inboxRetry.perform(isFailing: inbox.state.isFailing) { [weak inbox] in inbox?.refresh() }
    notificationsRetry.perform(isFailing: notifications.state.isFailing) { [weak notifications] in
      notifications?.refresh()
    }
    account.live.wakeUp()
    return wait
  }
}

extension FeedState {
  /// Whether the last attempt failed with an error that may be temporary.
  fileprivate var isFailing: Bool { error?.isTransient ?? false }
}
