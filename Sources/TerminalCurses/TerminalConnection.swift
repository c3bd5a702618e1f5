import Terminal

/// The terminal at the other end of a driver: a ``TerminalSession``, or a ``MemoryTerminal``. It takes bytes, and tells
/// one handler what happens.
@MainActor
protocol TerminalConnection: AnyObject {
  var state: ConnectionState { get }
  /// Told of everything that happens while the connection is open.
  var handler: (@MainActor (ConnectionEvent) -> Void)? { get set }
  /// What there is to know about the terminal before it is asked anything.
  var environment: TerminalEnvironment { get }
  /// The part of the window that is drawn; nil where the terminal does not say.
  var windowSize: Size? { get }
  /// How large its cells are, where the system knows it.
  var cellSize: CellSize? { get }
  /// What it draws on, where that is known without asking.
  var background: TerminalBackground? { get }
  /// Whether somebody is there to reply to a ``TerminalQuery``.
  var repliesToQueries: Bool { get }
  /// Whether the terminal has not yet taken everything it was sent.
  var isBusy: Bool { get }
  /// Whether another job has the terminal, so that nothing may be written to it.
  var isInBackground: Bool { get }
  /// What has been sent since `open()`.
  var traffic: (bytes: Int, writes: Int) { get }

  /// Prepares everything that must be done before ncurses is opened. `begin` or `close` comes next.
  ///
  /// - Throws: ``TerminalError/notATerminal``.
  func open() throws(TerminalError)
  /// Takes the terminal, sends `bytes` and reads keys, which the terminal sends as `sequences`. After a crash
  /// `restoring` is written.
  func begin(_ sequences: KeySequences, sending bytes: [UInt8], restoring: [UInt8])
  /// Sends `bytes` after everything sent before. `queries` are those that `bytes` asks.
  func send(_ bytes: [UInt8], asking queries: Set<TerminalQuery>)
  /// Changes what is written after a crash.
  func restoreAfterCrash(by bytes: [UInt8])
  /// Sends `bytes`, unless in the background, and leaves the terminal to others until `resume`.
  func suspend(sending bytes: [UInt8])
  /// Acquires the terminal again, after `suspend` or after another program has used it unasked. In the background,
  /// stops the job first, until it is continued in the foreground; if that is impossible, ``ConnectionEvent/input(_:)``
  /// reports a hangup.
  func resume(sending bytes: [UInt8], restoring: [UInt8])
  /// Sends `bytes` and gives the terminal back for good.
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

/// What happens at a terminal.
enum ConnectionEvent {
  /// Somebody has typed, or the terminal has replied. Events reach a running driver only, except the hangup.
  case input(DecodedInput)
  /// A slow terminal has taken everything.
  case drained
  /// The window has another size, or had one for a moment.
  case windowChange
  /// The process was stopped from outside and continues: others have used the terminal.
  case continuation
  /// A signal from outside asks to suspend (SIGTSTP, SIGTTIN, SIGTTOU), or the program is in the background.
  case suspension
  /// A signal from outside asks to read the configuration again (SIGUSR1).
  case reload
  /// A signal from outside asks to end.
  case termination(Int32)
}
