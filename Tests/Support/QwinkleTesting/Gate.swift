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

  /// Multiple of ``Deadline/seconds`` after which a gate opens by itself. No sooner than the time limit of a test, so
  /// that no gate opens while a slow test relies on it.
  private static let patience = 10

  /// Returns once the gate is open. It opens by itself in the end, so that a failed test leaves no waiting task.
  public func whenOpen() async {
    let deadline = DispatchTime.now() + .seconds(Self.patience * Deadline.seconds)
    DispatchQueue.global().asyncAfter(deadline: deadline) { [weak self] in self?.open() }
    await withCheckedContinuation { continuation in
      whenOpen { continuation.resume() }
    }
  }
}
