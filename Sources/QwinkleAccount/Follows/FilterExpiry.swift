import FoundationEssentials
import QwinkleModel
import Timekeeping

/// Notifies observers when a filter expires. Every use of a filter is noted here, so a list needs no timer of its own:
/// it applies the filters again, which notes the next one to expire.
@MainActor
final class FilterExpiry {
  /// The longest wait, in seconds. Timers stand still while the machine sleeps, and the wall clock may be changed.
  private static let longestWait: TimeInterval = 60

  private let clock: any ProgramClock
  private let observers: AccountObservers
  private var timer: ProgramTimer?
  /// When the first of the noted filters expires; nil if none does.
  private var next: Date?

  init(clock: any ProgramClock, observers: AccountObservers) {
    self.clock = clock
    self.observers = observers
  }

  /// Notes that a place shows or hides a qwink by these filters.
  func note(_ matches: [FilterMatch]) {
    // Most qwinks match no filter: the time isn't read then.
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

  /// Notifies observers if a filter has expired, else waits on.
  func check() {
    guard let end = next else { return }
    guard end <= clock.now else { return wait(until: end) }
    timer = nil
    next = nil
    observers.forEach { $0.accountFilterDidExpire() }
  }
}
