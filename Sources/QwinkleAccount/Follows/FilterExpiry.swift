import FoundationEssentials
import QwinkleModel
import Timekeeping

/// Notifies observers when a filter expires. Every evaluated filter is registered here, so lists need no timers. When
/// notified, a list evaluates its filters again, which registers the next one to expire.
@MainActor
final class FilterExpiry {
  /// Longest time between two checks, in seconds. A single long timer would be late, because timers pause while the
  /// machine sleeps and the wall clock may change.
  private static let longestWait: TimeInterval = 60

  private let clock: any ProgramClock
  private let observers: AccountObservers
  private var timer: ProgramTimer?
  /// Earliest expiry date of the registered filters, or nil if no filter expires.
  private var next: Date?

  init(clock: any ProgramClock, observers: AccountObservers) {
    self.clock = clock
    self.observers = observers
  }

  /// Registers filters that were applied to a qwink.
  func note(_ matches: [FilterMatch]) {
    // Most qwinks match no filter, so avoid reading the clock for them.
    guard !matches.isEmpty else { return }
    let now = clock.now
    guard let end = matches.lazy.compactMap(\.expiresAt).filter({ $0 > now }).min() else { return }
    if let next, next <= end { return }
    next = end
    wait(until: end)
  }

  private func wait(until end: Date) {
    let seconds = min(end.timeIntervalSince(clock.now), Self.longestWait)
    timer = clock.schedule(after: .seconds(seconds)) { [weak self] in self?.check() }
  }

  /// Notifies observers if a filter has expired. Otherwise schedules the next check.
  func check() {
    guard let end = next else { return }
    guard end <= clock.now else { return wait(until: end) }
    timer = nil
    next = nil
    observers.forEach { $0.accountFilterDidExpire() }
  }
}
