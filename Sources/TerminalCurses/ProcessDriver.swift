import CProcess
import LibC
public import Terminal

/// A driver of the terminal that the program was started in. It also reports external signals.
@MainActor
public protocol ProcessDriver: TerminalDriver {
  /// Called after an external signal that ends programs, such as SIGTERM. The terminal has already been restored, and
  /// the handler ends the program. Without a handler, the signal takes its default action.
  var onTerminationSignal: (@MainActor (Int32) -> Void)? { get set }
  /// Called after an external SIGTSTP, SIGTTIN or SIGTTOU, and when the program is in the background. The handler
  /// suspends the driver, stops the process and resumes the driver. Without a handler, this happens immediately.
  var onSuspendSignal: (@MainActor () -> Void)? { get set }
  /// Called after an external SIGUSR1, which asks the program to reload its configuration.
  var onReloadSignal: (@MainActor () -> Void)? { get set }
}

extension ProcessDriver {
  /// Responds to a signal that asks the program to suspend.
  func suspendForSignal() {
    if let onSuspendSignal { return onSuspendSignal() }
    suspend()
    qw_signal_default(SIGTSTP)
    resume()
  }

  /// Responds to a signal that asks the program to end.
  func stop(forSignal number: Int32) {
    stop()
    if let onTerminationSignal { onTerminationSignal(number) } else { qw_signal_default(number) }
  }
}

extension TerminalStatistics {
  /// Draws a frame, and returns the statistics with this frame added.
  @MainActor
  func counting(_ draw: () -> Void) -> TerminalStatistics {
    qw_crash_cover_thread()
    let start = ContinuousClock.now
    draw()
    let duration = ContinuousClock.now - start
    qw_errors_trim()
    var statistics = self
    statistics.frames += 1
    statistics.time += duration
    statistics.longest = max(statistics.longest, duration)
    return statistics
  }
}
