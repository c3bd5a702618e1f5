import Foundation
import QwinkleServer
import Synchronization

/// The embedded service's file being opened on a thread of its own, while the program builds its screen: that takes about as
/// long. The thread ends with it, and wakes nothing later.
final class ServiceOpening: Sendable {
  private let failure = Mutex<ServiceError?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  init(_ service: Service) {
    Thread.detachNewThread { [self] in
      do throws(ServiceError) {
        try service.open()
      } catch {
        failure.withLock { $0 = error }
      }
      isDone.signal()
    }
  }

  /// Returns once the file is open, as often as it is asked.
  ///
  /// - Throws: ``AppError`` where it cannot be.
  func wait() throws(AppError) {
    isDone.wait()
    isDone.signal()
    if let failure = failure.withLock({ $0 }) { throw AppError(failure) }
  }
}
