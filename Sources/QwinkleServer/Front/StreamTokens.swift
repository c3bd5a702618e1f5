import NIOCore
import Synchronization

/// Periodically checks whether the tokens and users of all streams are still valid. Any stream can trigger the check.
final class StreamTokens: Sendable {
  private let service: Service
  private let every: Duration
  private let due = Mutex(NIODeadline.now())
  /// Whether a check of users of this host is in progress. It can take longer than the interval.
  private let isLooking = Mutex(false)

  init(_ service: Service, every: Duration) {
    self.service = service
    self.every = every
  }

  /// Closes the streams whose tokens were revoked or whose users are no longer allowed, and performs due work such as
  /// publishing scheduled qwinks. Does nothing if called again within the interval.
  func look() {
    let isDue = due.withLock { due in
      let now = NIODeadline.now()
      guard now >= due else { return false }
      due = now + TimeAmount(every)
      return true
    }
    guard isDue else { return }
    Task { [service, self] in
      await service.endInvalidStreams()
      // Another process that uses the same database may have scheduled work.
      await service.doDueWork()
      let isFirst = isLooking.withLock { isLooking in
        defer { isLooking = true }
        return !isLooking
      }
      guard isFirst else { return }
      await service.endRefusedStreams()
      isLooking.withLock { $0 = false }
    }
  }
}
