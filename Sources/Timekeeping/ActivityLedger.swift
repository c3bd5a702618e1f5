import Synchronization

/// What is under way. Each layer enters its work here, so that "nothing is left to do" has one
/// meaning: the ledger is empty.
public final class ActivityLedger: Sendable {
  private struct State {
    var entries: [Int: String] = [:]
    var count = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// An empty ledger.
  public init() {}

  /// What is under way now, in the words of those who entered it, sorted.
  public var underWay: [String] { state.withLock { $0.entries.values.sorted() } }

  /// Whether nothing is under way.
  public var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

  /// Enters a piece of work. It is under way until ``Activity/end()``, or until the activity is released.
  public func begin(_ name: String) -> Activity {
    let number = state.withLock { state in
      state.count += 1
      state.entries[state.count] = name
      return state.count
    }
    return Activity(ledger: self, number: number)
  }

  /// Returns once nothing is under way.
  public func whenEmpty() async {
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if !state.entries.isEmpty { state.waiting.append(continuation) }
        return state.entries.isEmpty
      }
      if isEmpty { continuation.resume() }
    }
  }

  fileprivate func end(_ number: Int) {
    let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard state.entries.removeValue(forKey: number) != nil, state.entries.isEmpty else { return [] }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in ready { continuation.resume() }
  }
}

/// One piece of work in an ``ActivityLedger``.
public final class Activity: Sendable {
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

  deinit { ledger.end(number) }
}
