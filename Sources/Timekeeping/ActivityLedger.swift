import Dispatch
import Synchronization

/// Work in progress. Every layer registers here, so "nothing left to do" has one meaning: the ledger is empty.
///
/// Work that waits for a clock is parked (``ClockWait``) and does not count: a test that moves a ``VirtualClock`` would
/// otherwise wait for the work while the work waits for the clock.
public final class ActivityLedger: Sendable {
  private struct State {
    var entries: [Int: String] = [:]
    /// How often each parked entry is parked.
    var parked: [Int: Int] = [:]
    var count = 0
    var backgroundCount = 0
    /// Tasks that wait, in order, with the number of their wait.
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    var waitCount = 0

    var isEmpty: Bool { entries.count == parked.count }

    /// The tasks to resume after a change.
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

  /// An empty ledger.
  public init() {}

  /// The names of the entries that are running, sorted.
  public var underWay: [String] {
    state.withLock { state in state.entries.filter { state.parked[$0.key] == nil }.values.sorted() }
  }

  /// The names of the entries that wait for a clock, sorted.
  public var parked: [String] {
    state.withLock { state in state.entries.filter { state.parked[$0.key] != nil }.values.sorted() }
  }

  /// The number of entries begun so far.
  public var begunCount: Int { state.withLock { $0.count } }

  /// The same without what was begun in the background.
  public var foregroundCount: Int { state.withLock { $0.count - $0.backgroundCount } }

  /// Whether nothing is running; parked work does not count.
  public var isEmpty: Bool { state.withLock { $0.isEmpty } }

  /// Registers work. It runs until ``Activity/end()``, or until the activity is released.
  ///
  /// - Parameter isBackground: Whether it begins by itself, at a time that depends on other threads.
  public func begin(_ name: String, isBackground: Bool = false) -> Activity {
    let number = state.withLock { state in
      state.count += 1
      if isBackground { state.backgroundCount += 1 }
      state.entries[state.count] = name
      return state.count
    }
    return Activity(ledger: self, number: number)
  }

  /// Starts a task on the main actor as one piece of work. Without it the ledger is empty between an answer and the
  /// task that waits for the answer. Work that the task begins parks it too.
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

  /// Returns once nothing is running; parked work does not count.
  ///
  /// - Parameter patience: Time limit by the wall clock; nil for none.
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
  /// The activity that the current task belongs to, if any. Set it with `Activity.$current.withValue` around the task,
  /// so that a ``ClockWait`` deep inside can park it.
  @TaskLocal public static var current: Activity?

  /// The activity of the task that begins work now, if ``ActivityLedger/task(_:_:)`` started it.
  @TaskLocal fileprivate static var owner: Activity?

  private let ledger: ActivityLedger
  private let number: Int
  /// Weak: a task that starts tasks without end would otherwise retain them all.
  private weak let owner = Activity.owner

  fileprivate init(ledger: ActivityLedger, number: Int) {
    self.ledger = ledger
    self.number = number
  }

  /// Ends the work. A second call does nothing.
  public func end() {
    ledger.end(number)
  }

  /// Marks the work as waiting for a clock, until ``unpark()`` has been called as often.
  public func park() {
    ledger.park(number)
    owner?.park()
  }

  /// Marks the work as running again. Call this when the clock fires, not when the waiting task runs, so that the
  /// ledger is never empty in between.
  public func unpark() {
    owner?.unpark()
    ledger.unpark(number)
  }

  deinit { ledger.end(number) }
}
