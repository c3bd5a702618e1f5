public import Terminal

/// A driver of the terminal that the program was started in, which signals from outside concern too.
@MainActor
public protocol ProcessDriver: TerminalDriver {
  /// Told of a signal from outside that ends programs, such as SIGTERM, after the terminal has been given back; to end
  /// the program is up to whoever is told. Without it the signal takes its default action.
  var onTerminationSignal: (@MainActor (Int32) -> Void)? { get set }
  /// Told of a SIGTSTP from outside, and meant to give the terminal back and stop the process. Without it that happens
  /// at once.
  var onSuspendSignal: (@MainActor () -> Void)? { get set }
}

extension CursesDriver: ProcessDriver {}
