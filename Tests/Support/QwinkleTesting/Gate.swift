import Dispatch
import Synchronization
import TerminalTesting

/// Blocks work until a test opens the gate, so that tests control when a delayed response continues and never sleep.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  public init() {}

  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Opens the gate permanently.
  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for action in waiting { action() }
  }

  /// Performs `action` on the thread that opens the gate, or immediately if the gate is already open.
  public func whenOpen(_ action: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      if !state.isOpen { state.waiting.append(action) }
      return state.isOpen
    }
    if isOpen { action() }
  }

  /// Returns once the gate is open. The gate opens by itself after the test deadline, so that a failed test ends.
  public func whenOpen() async {
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Deadline.seconds)) { [weak self] in self?.open() }
    await withCheckedContinuation { continuation in
      whenOpen { continuation.resume() }
    }
  }
}
