import Foundation

/// Stops this process on behalf of an application.
@MainActor
enum ProcessControl {
  /// Stops the whole job, as the terminal would for ^Z: a `make` that started the program stops with it. Where no shell
  /// could continue it the system passes over the signal, and nothing happens.
  static func stopJob() {
    kill(0, SIGTSTP)
    // The signal may reach another thread first; nothing must be drawn before it has stopped all of them.
    usleep(20_000)
  }
}
