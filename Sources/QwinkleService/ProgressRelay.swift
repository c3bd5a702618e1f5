import Synchronization

/// Forwards progress from a transport to the main actor. At most one message is pending at a time. When delivered, it
/// contains the newest figures.
final class ProgressRelay: Sendable {
  private struct State {
    var newest: (bytes: Int, expected: Int?)?
    var isScheduled = false
  }

  private let state = Mutex(State())
  private let deliver: @MainActor @Sendable (_ bytes: Int, _ expected: Int?) -> Void

  init(_ deliver: @escaping @MainActor @Sendable (_ bytes: Int, _ expected: Int?) -> Void) {
    self.deliver = deliver
  }

  /// Callable from anywhere.
  func report(_ bytes: Int, of expected: Int?) {
    let needsMessage = state.withLock { state in
      state.newest = (bytes, expected)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if needsMessage {
      Task { @MainActor in flush() }
    }
  }

  /// Delivers the pending figures, if any, at once.
  @MainActor
  func flush() {
    let newest = state.withLock { state in
      defer { state = State() }
      return state.newest
    }
    if let newest { deliver(newest.bytes, newest.expected) }
  }
}
