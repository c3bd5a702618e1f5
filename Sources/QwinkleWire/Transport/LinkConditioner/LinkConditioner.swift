import Synchronization
public import Timekeeping

/// The condition of a link, shared by its transports and by the code that changes it. Callable from any thread.
///
/// When the condition changes, delayed requests continue at once under the new condition.
public final class LinkConditioner: Sendable {
  /// A condition and its start time.
  struct Current: Sendable {
    var condition: LinkCondition
    /// The clock's uptime.
    var since: Duration
    /// Increases with each change.
    var number = 0
  }

  private struct WeakStream {
    weak var stream: ConditionedStream?
  }

  private struct State {
    var current: Current
    var waits: [ObjectIdentifier: ClockWait] = [:]
    var streams: [WeakStream] = []
  }

  /// The clock that measures all delays.
  let clock: any ProgramClock
  private let state: Mutex<State>

  /// Creates a link in `condition`. `clock` measures all delays.
  public init(clock: any ProgramClock, condition: LinkCondition = .off) {
    self.clock = clock
    state = Mutex(State(current: Current(condition: condition, since: clock.uptime)))
  }

  /// The current condition. Setting it to the same value does nothing.
  public var condition: LinkCondition {
    get { current.condition }
    set {
      let uptime = clock.uptime
      let (waits, streams) = state.withLock { state -> ([ClockWait], [ConditionedStream]) in
        guard state.current.condition != newValue else { return ([], []) }
        state.current = Current(condition: newValue, since: uptime, number: state.current.number + 1)
        return (Array(state.waits.values), state.streams.compactMap(\.stream))
      }
      for stream in streams { stream.conditionDidChange() }
      for wait in waits { wait.end() }
    }
  }

  /// Number of exchanges that the link is delaying. Excludes exchanges that are waiting for a server.
  public var waitingCount: Int { state.withLock { $0.waits.count } }

  var current: Current { state.withLock { $0.current } }

  /// Notifies `stream` of changes to the condition until `stream` is deallocated.
  func add(_ stream: ConditionedStream) {
    state.withLock { state in
      state.streams.removeAll { $0.stream == nil }
      state.streams.append(WeakStream(stream: stream))
    }
  }

  /// Waits for `delay`. Returns early if the condition changes after `current` was read.
  @concurrent func wait(for delay: Duration, while current: Current) async -> ClockWait.Outcome {
    let wait = ClockWait(on: clock)
    let holds = state.withLock { state in
      guard state.current.number == current.number else { return false }
      state.waits[ObjectIdentifier(wait)] = wait
      return true
    }
    guard holds else { return .ended }
    let outcome = await wait.wait(for: delay)
    state.withLock { _ = $0.waits.removeValue(forKey: ObjectIdentifier(wait)) }
    return outcome
  }
}

extension LinkConditioner.Current {
  /// Whether a ``LinkCondition/flapping`` link is down at `uptime`.
  func isDown(at uptime: Duration) -> Bool {
    let periods = ((uptime - since) / LinkCondition.flappingPeriod).rounded(.down)
    return periods.truncatingRemainder(dividingBy: 2) == 0
  }

  /// Returns the time from `uptime` to the next change of a ``LinkCondition/flapping`` link.
  func timeToNextPeriod(at uptime: Duration) -> Duration {
    let periods = ((uptime - since) / LinkCondition.flappingPeriod).rounded(.down)
    return since + LinkCondition.flappingPeriod * (periods + 1) - uptime
  }
}
