import Synchronization

/// What is under way. Each layer enters its work here, so that "nothing is left to do" has one
/// meaning: the ledger is empty.
///
/// Work that waits for a clock is parked (``ClockWait``): it goes on by itself, but not before time passes. Parked work
/// does not count. Otherwise who moves a ``VirtualClock`` would wait for the work, and the work for the clock.
public final class ActivityLedger: Sendable {
  private struct State {
    var entries: [Int: String] = [:]
    /// How often each entry is parked; only those that are.
    var parked: [Int: Int] = [:]
    var count = 0
    var waiting: [CheckedContinuation<Void, Never>] = []

    var isEmpty: Bool { entries.count == parked.count }

    /// Who may go on, now that something has changed.
    mutating func takeReady() -> [CheckedContinuation<Void, Never>] {
      guard isEmpty else { return [] }
      defer { waiting = [] }
      return waiting
    }
  }

  private let state = Mutex(State())

  /// An empty ledger.
  public init() {}

  /// What is under way now and does not wait for a clock, in the words of those who entered it, sorted.
  public var underWay: [String] {
    state.withLock { state in state.entries.filter { state.parked[$0.key] == nil }.values.sorted() }
  }

  /// What is under way and waits for a clock, in the words of those who entered it, sorted.
  public var parked: [String] {
    state.withLock { state in state.entries.filter { state.parked[$0.key] != nil }.values.sorted() }
  }

  /// Whether nothing is under way but what waits for a clock.
  public var isEmpty: Bool { state.withLock { $0.isEmpty } }

  /// Enters a piece of work. It is under way until ``Activity/end()``, or until the activity is released.
  public func begin(_ name: String) -> Activity {
    let number = state.withLock { state in
      state.count += 1
      state.entries[state.count] = name
      return state.count
    }
    return Activity(ledger: self, number: number)
  }

  /// Returns once nothing is under way but what waits for a clock.
  public func whenEmpty() async {
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if !state.isEmpty { state.waiting.append(continuation) }
        return state.isEmpty
      }
      if isEmpty { continuation.resume() }
    }
  }

  fileprivate func end(_ number: Int) {
    let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard state.entries.removeValue(forKey: number) != nil else { return [] }
      state.parked[number] = nil
      return state.takeReady()
    }
    for continuation in ready { continuation.resume() }
  }

  fileprivate func park(_ number: Int) {
    let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard state.entries[number] != nil else { return [] }
      state.parked[number, default: 0] += 1
      return state.takeReady()
    }
    for continuation in ready { continuation.resume() }
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
  /// What the current task does its work for; nil where that was not said. Who starts a task for an activity says so
  /// with `Activity.$current.withValue`, so that a ``ClockWait`` far below can park it.
  @TaskLocal public static var current: Activity?

  private let ledger: ActivityLedger
  private let number: Int

  fileprivate init(ledger: ActivityLedger, number: Int) {
    self.ledger = ledger
    self.number = number
  }

  /// Says that the work is done. Saying so twice does no harm.
  public func end() {
    ledger.end(number)
  }

  /// Says that the work waits for a clock until ``unpark()`` has been called as often.
  public func park() {
    ledger.park(number)
  }

  /// Says that the work goes on. Called when the clock fires and not when the waiting task gets to run, so that
  /// the ledger is never empty in between.
  public func unpark() {
    ledger.unpark(number)
  }

  deinit { ledger.end(number) }
}
