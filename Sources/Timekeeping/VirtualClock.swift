public import FoundationEssentials
import Synchronization

/// A clock for tests and tapes. Its time changes only when it is advanced.
public final class VirtualClock: ProgramClock {
  private struct Scheduled: Sendable {
    let due: Duration
    let order: Int
    let timer: WeakTimer
  }

  private struct WeakTimer: Sendable {
    weak let timer: ProgramTimer?
  }

  private struct State {
    var uptime = Duration.zero
    var scheduled: [Scheduled] = []
    var count = 0
  }

  private let epoch: Date
  private let state = Mutex(State())
  public let timeZone = ClockZone.gmt

  /// Creates a clock that starts at `epoch`.
  public init(at epoch: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
    self.epoch = epoch
  }

  public var now: Date {
    let (seconds, attoseconds) = uptime.components
    return epoch.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
  }

  public var uptime: Duration { state.withLock { $0.uptime } }

  /// The ``uptime`` at which the next timer fires, or nil if no timer is scheduled. Includes released timers.
  public var nextDue: Duration? { state.withLock { $0.scheduled.map(\.due).min() } }

  @MainActor
  public func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void) -> ProgramTimer {
    let timer = ProgramTimer(action)
    state.withLock { state in
      state.count += 1
      state.scheduled.append(
        Scheduled(due: state.uptime + delay, order: state.count, timer: WeakTimer(timer: timer)))
    }
    return timer
  }

  /// Advances the time, and fires the timers that become due, in the order of their due times. When a timer fires, the
  /// clock shows the timer's due time, unless ``jump(by:)`` has already moved the clock beyond it.
  @MainActor
  public func advance(by duration: Duration) {
    let end = uptime + duration
    while let next = takeNext(upTo: end) {
      next.timer?.fire()
    }
    state.withLock { $0.uptime = end }
  }

  /// Advances the time like ``advance(by:)``. Calls `settle` after each time at which a timer fires, and at the end.
  /// `settle` usually awaits ``ActivityLedger/whenEmpty(within:)``, so that work started by a timer finishes before the
  /// time advances further.
  @MainActor
  public func advance(by duration: Duration, settle: @MainActor () async throws -> Void) async rethrows {
    let end = uptime + duration
    while let due = nextDue, due <= end {
      advance(by: max(due - uptime, .zero))
      try await settle()
    }
    advance(by: max(end - uptime, .zero))
    try await settle()
  }

  /// Advances the time without firing timers, as when the program is stopped or the machine sleeps. Timers that became
  /// due fire late, at the next advance.
  public func jump(by duration: Duration) {
    state.withLock { $0.uptime += duration }
  }

  private func takeNext(upTo end: Duration) -> WeakTimer? {
    state.withLock { state in
      guard
        let index = state.scheduled.indices.min(by: {
          (state.scheduled[$0].due, state.scheduled[$0].order) < (state.scheduled[$1].due, state.scheduled[$1].order)
        }), state.scheduled[index].due <= end
      else { return nil }
      let next = state.scheduled.remove(at: index)
      state.uptime = max(state.uptime, next.due)
      return next.timer
    }
  }
}
