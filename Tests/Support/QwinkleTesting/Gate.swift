import Dispatch
import Synchronization
import TerminalTesting

/// Holds work until a test opens it. So tests decide when a held answer goes on, and never sleep.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  /// A closed gate.
  public init() {}

  /// Whether it is open.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Opens it, for good.
  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for action in waiting { action() }
  }

  /// Performs `action` once the gate is open, on the thread that opens it; at once if it is open already.
  public func whenOpen(_ action: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      if !state.isOpen { state.waiting.append(action) }
      return state.isOpen
    }
    if isOpen { action() }
  }

  /// Returns once the gate is open. It opens by itself after the deadline of waits, so that a failed test ends.
  public func whenOpen() async {
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Deadline.seconds)) { [weak self] in self?.open() }
    await withCheckedContinuation { continuation in
      whenOpen { continuation.resume() }
    }
  }
}
