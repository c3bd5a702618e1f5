import NIOCore
import Synchronization

/// Looks now and then whether the tokens of streams still count, whichever stream asks.
final class StreamTokens: Sendable {
  private let service: Service
  private let every: Duration
  private let due = Mutex(NIODeadline.now())

  init(_ service: Service, every: Duration) {
    self.service = service
    self.every = every
  }

  /// Ends the streams whose tokens were revoked, and does what has become due, unless this was looked at just now.
  func look() {
    let isDue = due.withLock { due in
      let now = NIODeadline.now()
      guard now >= due else { return false }
      due = now + TimeAmount(every)
      return true
    }
    guard isDue else { return }
    Task { [service] in
      await service.endStreamsWithoutToken()
      // What another process planned.
      await service.doDueWork()
    }
  }
}
