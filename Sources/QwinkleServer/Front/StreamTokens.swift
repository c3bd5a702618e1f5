import NIOCore
import Synchronization

/// Periodically checks whether the tokens of all streams are still valid. Any stream can trigger the check.
final class StreamTokens: Sendable {
  private let service: Service
  private let every: Duration
  private let due = Mutex(NIODeadline.now())

  init(_ service: Service, every: Duration) {
    self.service = service
    self.every = every
  }

  /// Closes the streams whose tokens were revoked, and performs due work such as publishing scheduled qwinks. Does
  /// nothing if called again within the interval.
  func look() {
    let isDue = due.withLock { due in
      let now = NIODeadline.now()
      guard now >= due else { return false }
      due = now + TimeAmount(every)
      return true
    }
    guard isDue else { return }
    Task { [service] in
      await service.endInvalidStreams()
      // Another process that uses the same database may have scheduled work.
      await service.doDueWork()
    }
  }
}
