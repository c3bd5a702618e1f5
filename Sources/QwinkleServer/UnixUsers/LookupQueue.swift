import Dispatch
import Synchronization

/// A queue that uses at most ``UnixUserDirectory/mostLookups`` threads. Any free thread does the next work, so that a
/// slow lookup delays no other while threads are free.
final class LookupQueue: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var threads = 0
  }

  private let queue: DispatchQueue
  private let state = Mutex(State())

  init(_ label: String) {
    queue = DispatchQueue(label: label, attributes: .concurrent)
  }

  func run(_ work: @escaping @Sendable () -> Void) {
    let hasFreeThread = state.withLock { state in
      state.waiting.append(work)
      guard state.threads < UnixUserDirectory.mostLookups else { return false }
      state.threads += 1
      return true
    }
    if hasFreeThread { queue.async { while let work = self.next() { work() } } }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.threads -= 1
      return nil
    }
  }
}
