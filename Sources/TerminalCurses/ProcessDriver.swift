import CProcess
public import Terminal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A driver of the terminal that the program was started in. Signals from outside reach the program through it.
@MainActor
public protocol ProcessDriver: TerminalDriver {
  /// Called after a signal from outside that ends programs, such as SIGTERM, when the terminal has been given back. The
  /// handler ends the program. Without one the signal takes its default action.
  var onTerminationSignal: (@MainActor (Int32) -> Void)? { get set }
  /// Called on a SIGTSTP, SIGTTIN or SIGTTOU from outside, and when the program is in the background. The handler
  /// suspends the driver, stops the process and resumes the driver. Without one that happens at once.
  var onSuspendSignal: (@MainActor () -> Void)? { get set }
  /// Called on a SIGUSR1 from outside, which asks to read the configuration again. Without a handler nothing happens.
  var onReloadSignal: (@MainActor () -> Void)? { get set }
}

extension ProcessDriver {
  /// Acts on a signal that asks to suspend.
  func suspendForSignal() {
    if let onSuspendSignal { return onSuspendSignal() }
    suspend()
    qw_signal_default(SIGTSTP)
    resume()
  }

  /// Acts on a signal that asks to end.
  func stop(forSignal number: Int32) {
    stop()
    if let onTerminationSignal { onTerminationSignal(number) } else { qw_signal_default(number) }
  }
}

extension TerminalStatistics {
  /// Draws a frame and counts it.
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
