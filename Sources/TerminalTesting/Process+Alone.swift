import Foundation
import Synchronization

extension Process {
  private static let turn = Mutex(())

  /// Starts it while no other is being started: Foundation looks through the open files of the whole program for that, and two
  /// at once have crashed in it.
  func runAlone() throws {
    try Self.turn.withLock { _ in try run() }
  }
}
