import Terminal

/// The terminal of a driver: a ``TerminalSession`` or a ``MemoryTerminal``. It accepts bytes, and reports events to one
/// handler.
@MainActor
protocol TerminalConnection: AnyObject {
  var state: ConnectionState { get }
  /// Called for every event while the connection is open.
  var handler: (@MainActor (ConnectionEvent) -> Void)? { get set }
  /// Facts about the terminal that are available before it is queried.
  var environment: TerminalEnvironment { get }
  /// Size of the drawn part of the window, or nil if the terminal doesn't report it.
  var windowSize: Size? { get }
  /// Size of a cell, if the system knows it.
  var cellSize: CellSize? { get }
  /// The terminal's background, if known without a query.
  var background: TerminalBackground? { get }
  /// Whether the terminal can reply to a ``TerminalQuery``.
  var repliesToQueries: Bool { get }
  /// Whether the terminal has not yet accepted all output.
  var isBusy: Bool { get }
  /// Whether another job has the terminal. If so, nothing must be written.
  var isInBackground: Bool { get }
  /// The amount sent since `open()`.
  var traffic: (bytes: Int, writes: Int) { get }

  /// Does everything that must be done before ncurses opens its screen. Call `begin` or `close` next.
  ///
  /// - Throws: ``TerminalError/notATerminal``.
  func open() throws(TerminalError)
  /// Acquires the terminal, sends `bytes`, and begins to read keys, which the terminal sends as `sequences`.
  /// `restoring` is written after a crash.
  func begin(_ sequences: KeySequences, sending bytes: [UInt8], restoring: [UInt8])
  /// Sends `bytes` after all earlier output. `queries` are the queries in `bytes`.
  func send(_ bytes: [UInt8], asking queries: Set<TerminalQuery>)
  /// Sets the bytes to write after a crash.
  func restoreAfterCrash(by bytes: [UInt8])
  /// Sends `bytes`, unless the program is in the background. Then releases the terminal until `resume`.
  func suspend(sending bytes: [UInt8])
  /// Acquires the terminal again, after `suspend` or after another program has used the terminal without a `suspend`.
  /// If the program is in the background, stops the job until it continues in the foreground. If that is impossible,
  /// ``ConnectionEvent/input(_:)`` reports a hangup.
  func resume(sending bytes: [UInt8], restoring: [UInt8])
  /// Sends `bytes`, then restores the terminal and releases it permanently.
  func close(sending bytes: [UInt8])
}

extension TerminalConnection {
  func send(_ bytes: [UInt8]) { send(bytes, asking: []) }
}

enum ConnectionState {
  case closed
  /// Between `open` and `begin`.
  case opening
  case running
  case suspended
}

enum ConnectionEvent {
  /// The user has typed, or the terminal has replied. Keys and pastes are sent only while the driver is running.
  /// Replies that arrive while the terminal is being released are sent too, and so is a hangup.
  case input(DecodedInput)
  /// A slow terminal has accepted all output.
  case drained
  /// The size of the window has changed, perhaps only briefly.
  case windowChange
  /// The process was stopped by a signal and now continues. Other programs have used the terminal.
  case continuation
  /// An external signal asks to suspend (SIGTSTP, SIGTTIN, SIGTTOU), or the program is in the background.
  case suspension
  /// An external signal asks to reload the configuration (SIGUSR1).
  case reload
  /// An external signal asks the program to end.
  case termination(Int32)
}
