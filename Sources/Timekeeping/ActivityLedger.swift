import Dispatch
import Synchronization

/// A ledger of work in progress. Every layer registers its work, so "nothing left to do" has one meaning: the ledger is
/// empty.
///
/// Work that waits for a clock is parked (``ClockWait``) and isn't counted. Otherwise a test that advances a
/// ``VirtualClock`` would wait for the work while the work waits for the clock.
public final class ActivityLedger: Sendable {
  private struct State {
    var entries: [Int: String] = [:]
    /// Parked entries, each with the number of `park` calls that have not been balanced by `unpark` calls.
    var parked: [Int: Int] = [:]
    var count = 0
    var backgroundCount = 0
    /// Tasks that wait in `whenEmpty`, in the order of their calls, each with the number of its wait.
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    var waitCount = 0

    var isEmpty: Bool { entries.count == parked.count }

    /// Removes and returns all waiting tasks if no work is running. The caller resumes them.
    mutating func takeReady() -> [CheckedContinuation<Bool, Never>] {
      guard isEmpty else { return [] }
      defer { waiting = [] }
      return waiting.map(\.continuation)
    }

    /// Adds a waiting task and returns the number of its wait; returns nil if no work is running.
    mutating func addWait(_ continuation: CheckedContinuation<Bool, Never>) -> Int? {
      guard !isEmpty else { return nil }
      waitCount += 1
      waiting.append((waitCount, continuation))
      return waitCount
    }

    mutating func removeWait(_ number: Int) -> CheckedContinuation<Bool, Never>? {
      guard let index = waiting.firstIndex(where: { $0.number == number }) else { return nil }
      return waiting.remove(at: index).continuation
    }
  }

  private let state = Mutex(State())

  /// Creates an empty ledger.
  public init() {}

  /// Names of the running entries, sorted.
  public var inProgress: [String] {
    state.withLock { state in state.entries.filter { state.parked[$0.key] == nil }.values.sorted() }
  }

  /// Names of the entries that wait for a clock, sorted.
  public var parked: [String] {
    state.withLock { state in state.entries.filter { state.parked[$0.key] != nil }.values.sorted() }
  }

  /// Number of entries begun so far.
  public var begunCount: Int { state.withLock { $0.count } }

  /// Number of entries begun so far, except entries begun in the background.
  public var foregroundCount: Int { state.withLock { $0.count - $0.backgroundCount } }

  /// Whether no work is running. Parked work isn't counted.
  public var isEmpty: Bool { state.withLock { $0.isEmpty } }

  /// Registers work. It runs until ``Activity/end()`` is called or the activity is released.
  ///
  /// - Parameter isBackground: Whether the work begins by itself, at a time that depends on other threads. Such work
  ///   isn't counted in ``foregroundCount``.
  public func begin(_ name: String, isBackground: Bool = false) -> Activity {
    let number = state.withLock { state in
      state.count += 1
      if isBackground { state.backgroundCount += 1 }
      state.entries[state.count] = name
      return state.count
    }
    return Activity(ledger: self, number: number)
  }

  /// Starts a task on the main actor, and registers the whole task as one piece of work. Otherwise the ledger would be
  /// empty between the arrival of a response and the moment when the task that waits for it resumes. When work that the
  /// task has begun is parked, the task is parked too.
  @discardableResult
  public func task(_ name: String, _ body: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
    let activity = begin(name)
    return Activity.$owner.withValue(activity) {
      Task { @MainActor in
        await body()
        activity.end()
      }
    }
  }

  /// Returns once no work is running. Parked work isn't counted.
  ///
  /// - Parameter patience: Time limit in wall time, or nil for none.
  /// - Returns: False if the time limit was reached.
  @discardableResult
  public func whenEmpty(within patience: Duration? = nil) async -> Bool {
    var timer: (any DispatchSourceTimer)?
    let isEmpty = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      guard let number = state.withLock({ $0.addWait(continuation) }) else {
        return continuation.resume(returning: true)
      }
      timer = patience.map { giveUp(number, after: $0) }
    }
    timer?.cancel()
    return isEmpty
  }

  /// Starts a timer that ends a wait.
  private func giveUp(_ number: Int, after patience: Duration) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { [self] in
      state.withLock { $0.removeWait(number) }?.resume(returning: false)
    }
    timer.schedule(deadline: .now() + patience / .seconds(1))
    timer.activate()
    return timer
  }

  fileprivate func end(_ number: Int) {
    let ready = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
      guard state.entries.removeValue(forKey: number) != nil else { return [] }
      state.parked[number] = nil
      return state.takeReady()
    }
    for continuation in ready { continuation.resume(returning: true) }
  }

  fileprivate func park(_ number: Int) {
    let ready = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
      guard state.entries[number] != nil else { return [] }
      state.parked[number, default: 0] += 1
      return state.takeReady()
    }
    for continuation in ready { continuation.resume(returning: true) }
  }

  fileprivate func unpark(_ number: Int) {
    state.withLock { state in
      guard let count = state.parked[number] else { return }
      state.parked[number] = count > 1 ? count - 1 : nil
    }
  }
}

/// One piece of work in an ``ActivityLedger``.
public final class Activity: Sendable {
  /// The activity of the current task, if any. Set it with `Activity.$current.withValue` around the task, so that any
  /// ``ClockWait`` in the task can park the activity.
  @TaskLocal public static var current: Activity?

  /// The activity that owns work begun by the current task, if ``ActivityLedger/task(_:_:)`` started the task.
  @TaskLocal fileprivate static var owner: Activity?

  private let ledger: ActivityLedger
  private let number: Int
  /// Weak, because in a chain of tasks that each start the next, the last task would otherwise retain the activities of
  /// all.
  private weak let owner = Activity.owner

  fileprivate init(ledger: ActivityLedger, number: Int) {
    self.ledger = ledger
    self.number = number
  }

  /// Marks the work as finished. Further calls have no effect.
  public func end() {
    ledger.end(number)
  }

  /// Marks the work as waiting for a clock. Calls must be balanced by ``unpark()``.
  public func park() {
    ledger.park(number)
    owner?.park()
  }

  /// Marks the work as running again. Call this when the clock fires, not when the waiting task resumes, so that the
  /// ledger is never empty in between.
  public func unpark() {
    owner?.unpark()
    ledger.unpark(number)
  }

  deinit { ledger.end(number) }
}
