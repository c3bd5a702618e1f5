import Synchronization

/// Work to do after a transaction is committed.
final class Afterwards: Sendable {
  struct State {
    var events: [ServiceEvent] = []
    /// Earliest due time, in milliseconds since 1970.
    var due: Int64?
    var endsStreams = false
    /// Whether the work is already scheduled.
    fileprivate var isExpected = false
  }

  private let state = Mutex(State())

  /// The work collected so far, to pass to ``restore(_:)`` later.
  var noted: State { state.withLock { $0 } }

  /// Discards the work added since `noted` was read.
  func restore(_ noted: State) {
    state.withLock { state in
      let isExpected = state.isExpected
      state = noted
      state.isExpected = isExpected
    }
  }

  /// Adds an event, which is sent to its listeners after the commit.
  func publish(_ event: ServiceEvent, in transaction: Transaction) {
    note(in: transaction) { $0.events.append(event) }
  }

  /// Adds a due time, in milliseconds since 1970. It is added to the service's agenda after the commit.
  func plan(_ time: Int64, in transaction: Transaction) {
    note(in: transaction) { $0.due = min($0.due ?? time, time) }
  }

  /// After the commit, closes the streams whose tokens were deleted.
  func endStreams(in transaction: Transaction) {
    note(in: transaction) { $0.endsStreams = true }
  }

  private func note(in transaction: Transaction, _ change: (inout State) -> Void) {
    let isFirst = state.withLock { state in
      change(&state)
      defer { state.isExpected = true }
      return !state.isExpected
    }
    guard isFirst, let service = transaction.service else { return }
    service.commits.afterCommit { [self, agenda = transaction.agenda] in
      let all = state.withLock { state in
        defer { state = State() }
        return state
      }
      if let due = all.due { agenda?.note(due) }
      for event in all.events { service.events.publish(event, service) }
      if all.endsStreams { Task { await service.endInvalidStreams() } }
    }
  }
}
