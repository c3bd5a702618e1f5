import GRDB
import Synchronization

/// What is done once a transaction is saved. It is noted here and done in one go: each observer of a transaction slows
/// all of its statements.
final class Afterwards: Sendable {
  struct State {
    var events: [ServiceEvent] = []
    /// The earliest time at which something is due, in milliseconds since 1970.
    var due: Int64?
    var endsStreams = false
    fileprivate var isExpected = false
  }

  private let state = Mutex(State())

  /// All that was noted, for ``restore(_:)``.
  var noted: State { state.withLock { $0 } }

  /// Forgets what was noted since then.
  func restore(_ noted: State) {
    state.withLock { state in
      let isExpected = state.isExpected
      state = noted
      state.isExpected = isExpected
    }
  }

  /// Tells listeners of an event.
  func publish(_ event: ServiceEvent, in session: Session) {
    note(in: session) { $0.events.append(event) }
  }

  /// Notes on the agenda that something is due at a time, in milliseconds since 1970.
  func plan(_ time: Int64, in session: Session) {
    note(in: session) { $0.due = min($0.due ?? time, time) }
  }

  /// Ends the streams whose tokens are gone.
  func endStreams(in session: Session) {
    note(in: session) { $0.endsStreams = true }
  }

  private func note(in session: Session, _ change: (inout State) -> Void) {
    let isFirst = state.withLock { state in
      change(&state)
      defer { state.isExpected = true }
      return !state.isExpected
    }
    guard isFirst else { return }
    let (service, agenda) = (session.service, session.agenda)
    session.db.afterNextTransaction { [self] _ in
      let all = state.withLock { state in
        defer { state = State() }
        return state
      }
      if let due = all.due { agenda?.note(due) }
      guard let service else { return }
      for event in all.events { service.events.publish(event, service) }
      if all.endsStreams { Task { await service.endStreamsWithoutToken() } }
    }
  }
}
