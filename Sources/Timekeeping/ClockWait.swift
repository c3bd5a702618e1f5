import Synchronization

/// A wait for time to pass on a ``ProgramClock``. It ends early if its task is cancelled or ``end()`` is called.
///
/// During the wait, the task's ``Activity/current`` is parked, so the ledger doesn't count it as running. A wait can be
/// used from any actor. Its timer runs on the main actor.
public final class ClockWait: Sendable {
  /// The reason why a wait ended.
  public enum Outcome: Sendable {
    /// The time has passed.
    case passed
    /// ``ClockWait/end()`` was called.
    case ended
    /// The task was cancelled.
    case cancelled
  }

  private struct State {
    var outcome: Outcome?
    var continuation: CheckedContinuation<Outcome, Never>?
    var timer: ProgramTimer?
    var parked: Activity?
  }

  private let clock: any ProgramClock
  private let state = Mutex(State())

  /// Creates a wait on `clock`, which ``wait(for:)`` starts.
  public init(on clock: any ProgramClock) {
    self.clock = clock
  }

  /// Returns after `delay`, or earlier if the wait is ended or its task is cancelled. Returns immediately if `delay`
  /// isn't positive, or if the wait was ended or the task was cancelled before the call. Call it only once.
  @concurrent public func wait(for delay: Duration) async -> Outcome {
    guard delay > .zero else { return Task.isCancelled ? .cancelled : .passed }
    return await withTaskCancellationHandler {
      await begin(delay, parking: Activity.current)
      return await withCheckedContinuation { continuation in
        let outcome = state.withLock { state in
          if state.outcome == nil { state.continuation = continuation }
          return state.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      finish(.cancelled)
    }
  }

  /// Finishes the wait early, so that ``wait(for:)`` returns ``Outcome/ended``. Has no effect if the wait has already
  /// ended.
  public func end() {
    finish(.ended)
  }

  /// Schedules the timer and parks the activity in one step on the main actor. Virtual clocks are advanced on the main
  /// actor too, so code that advances a virtual clock sees both effects or neither.
  @MainActor
  private func begin(_ delay: Duration, parking activity: Activity?) {
    guard state.withLock({ $0.outcome == nil }) else { return }
    let timer = clock.schedule(after: delay) { [weak self] in self?.finish(.passed) }
    state.withLock { state in
      // Another thread may have ended the wait in the meantime.
      guard state.outcome == nil else { return }
      state.timer = timer
      state.parked = activity
      activity?.park()
    }
  }

  private func finish(_ outcome: Outcome) {
    let last = state.withLock { state -> State? in
      guard state.outcome == nil else { return nil }
      let last = state
      state = State(outcome: outcome)
      last.parked?.unpark()
      return last
    }
    last?.continuation?.resume(returning: outcome)
  }
}
