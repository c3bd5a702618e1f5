import Foundation
import PaneKit

/// Stops and ends this process on behalf of an application.
@MainActor
enum ProcessControl {
  /// Whether there is a shell that could continue the process once it has been stopped.
  static var hasShell: Bool {
    getpid() != getsid(0) && getsid(getppid()) == getsid(0)
  }

  /// Stops the whole job, as the terminal would for ^Z: a `make` that started the program stops with it.
  static func stopJob() {
    guard hasShell else { return }
    kill(0, SIGSTOP)
    // The signal may reach another thread first; nothing must be drawn before it has stopped all of them.
    usleep(20_000)
  }
}
