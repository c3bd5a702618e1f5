import CProcess
import LibC
import Terminal

/// The terminal while the program uses it: its settings, signals, keys and output. It is restored after `close`, a
/// signal, `exit` or a crash.
@MainActor
final class TerminalSession: TerminalConnection {
  /// Signals that end a program by default and leave time to clean up.
  private static let endingSignals = [
    SIGTERM, SIGHUP, SIGINT, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR, SIGSTKFLT,
  ]
  /// Signals that take their default action while the session is suspended.
  private static let jobSignals = [SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT]
  /// Time limit for a terminal that accepts no output when the program ends.
  private static let flushTimeoutInMilliseconds: Int32 = 500
  /// Time for a signal handler on another thread to finish, in microseconds. Another job has the terminal during this
  /// time, so the user doesn't notice the delay.
  private static let signalDelay: UInt32 = 100_000

  private(set) var state = ConnectionState.closed
  var handler: (@MainActor (ConnectionEvent) -> Void)?

  private let input: Int32
  private let output: Int32
  private let replyDrain: ReplyDrain
  private var signals: SignalWatch?
  private var keys: TerminalInput?
  private var sink: TerminalOutput?
  /// The amount sent, stored when the terminal is closed.
  private var finalTraffic = (bytes: 0, writes: 0)
  private var saved = termios()
  private var openQueries = OpenQueries()
  /// Whether a signal has asked the program to end.
  private var isEnding = false
  /// Whether the program will suspend in the next turn of the main queue.
  private var isLeaving = false

  /// Creates a session on the terminal of two open descriptors, which the caller closes.
  init(
    input: Int32, output: Int32, environment: TerminalEnvironment = .current, replyDrain: ReplyDrain = ReplyDrain()
  ) {
    self.input = input
    self.output = output
    self.replyDrain = replyDrain
    self.environment = environment
  }

  let repliesToQueries = true
  let background: TerminalBackground? = nil
  let environment: TerminalEnvironment
  var isBusy: Bool { sink?.isBusy ?? false }
  var isInBackground: Bool { qw_in_background(output) }
  var traffic: (bytes: Int, writes: Int) { sink.map { ($0.bytesSent, $0.writes) } ?? finalTraffic }

  var windowSize: Size? {
    var rows: Int32 = 0
    var columns: Int32 = 0
    return qw_window_size(output, &rows, &columns) ? Size(rows: Int(rows), columns: Int(columns)).drawn : nil
  }

  var cellSize: CellSize? {
    var width: Int32 = 0
    var height: Int32 = 0
    return qw_cell_size(output, &width, &height) ? CellSize(width: Int(width), height: Int(height)) : nil
  }

  func open() throws(TerminalError) {
    // Wait for the foreground, because in the background the terminal has the settings of the shell's line editor.
    // Those must not be saved.
    guard isatty(input) == 1, isatty(output) == 1, qw_await_foreground(output), tcgetattr(output, &saved) == 0 else {
      throw .notATerminal
    }
    state = .opening
    finalTraffic = (0, 0)
    // Install signal and crash handlers before ncurses, which installs its own where none exist. There is nothing to
    // write after a crash yet.
    let signals = SignalWatch { [weak self] in self?.receive(signal: $0) }
    signals.watch([SIGWINCH, SIGUSR1] + Self.endingSignals + Self.jobSignals)
    self.signals = signals
    restoreAfterCrash(by: [])
  }

  func begin(_ sequences: KeySequences, sending bytes: [UInt8], restoring: [UInt8]) {
    let sink = TerminalOutput(terminal: output)
    sink.onDrained = { [weak self] in self?.handler?(.drained) }
    sink.onLost = { [weak self] in self?.lose() }
    sink.mayWrite = { [weak self] in self?.hasTerminal() ?? false }
    self.sink = sink
    take(sending: bytes, restoring: restoring)
    let keys = TerminalInput(descriptor: input, sequences: sequences) { [weak self] in self?.receive($0) }
    keys.mayRead = { [weak self] in self?.hasTerminal() ?? false }
    keys.start()
    self.keys = keys
  }

  func send(_ bytes: [UInt8], asking queries: Set<TerminalQuery>) {
    // Send nothing in the background: everything is redrawn when the job returns to the foreground.
    guard hasTerminal() else { return }
    if !queries.isEmpty { openQueries.ask(queries, at: replyDrain.now()) }
    sink?.send(bytes)
  }

  func restoreAfterCrash(by bytes: [UInt8]) {
    let bytes = bytes.map { CChar(bitPattern: $0) }
    qw_crash_arm(bytes, bytes.count, output, &saved)
  }

  func suspend(sending bytes: [UInt8]) {
    guard state == .running else { return }
    state = .suspended
    keys?.suspend()
    giveBack(bytes, keys)
    signals?.unwatch(Self.jobSignals)
  }

  func resume(sending bytes: [UInt8], restoring: [UInt8]) {
    guard state == .suspended || state == .running else { return }
    guard awaitForeground() else {
      if state != .closed, !isEnding { lose() }
      return
    }
    signals?.watch(Self.jobSignals)
    take(sending: bytes, restoring: restoring)
    keys?.resume()
  }

  func close(sending bytes: [UInt8]) {
    guard state != .closed else { return }
    // Ignore SIGTTOU: if the job is in the background now, changing the terminal's settings would stop the process.
    signals?.unwatch([SIGTTOU])
    let former = signal(SIGTTOU, SIG_IGN)
    let wasRunning = state == .running
    state = .closed
    keys?.cancel()
    if wasRunning { giveBack(bytes, keys) } else { restoreSettings() }
    keys = nil
    finalTraffic = traffic
    sink?.close()
    sink = nil
    signals?.cancel()
    signals = nil
    signal(SIGTTOU, former)
  }

  // MARK: Acquiring and releasing

  private func take(sending bytes: [UInt8], restoring: [UInt8]) {
    state = .running
    restoreAfterCrash(by: restoring)
    qw_terminal_raw(output, &saved)
    qw_errors_hide()
    send(bytes)
  }

  /// Sends the last bytes, waits for the terminal to accept all output and for outstanding replies, and restores the
  /// terminal's settings. In the background, discards the output instead and leaves the settings alone.
  private func giveBack(_ last: [UInt8], _ keys: TerminalInput?) {
    guard !isInBackground else {
      sink?.drop()
      return restoreSettings()
    }
    sink?.send(last)
    sink?.flush(milliseconds: Self.flushTimeoutInMilliseconds)
    sink?.drop()
    openQueries.expire(at: replyDrain.now())
    keys?.drain(by: replyDrain, while: { !openQueries.isEmpty }) { receive(DecodedInput(replies: $0)) }
    openQueries = OpenQueries()
    restoreSettings()
  }

  private func restoreSettings() {
    if !isInBackground { tcsetattr(output, TCSANOW, &saved) }
    qw_errors_show()
    qw_crash_disarm()
  }

  // MARK: Job control

  /// Whether this job has the terminal. If another job has acquired it without a signal, the program will suspend soon.
  private func hasTerminal() -> Bool {
    guard isInBackground else { return true }
    guard state == .running, !isLeaving else { return false }
    isLeaving = true
    MainSources.after(milliseconds: 0) { [weak self] in
      guard let self else { return }
      isLeaving = false
      if state == .running { handler?(isInBackground ? .suspension : .continuation) }
    }
    return false
  }

  /// Stops the job while it is in the background. Returns false if no shell could continue the job, or if a signal has
  /// closed the session or asked the program to end.
  private func awaitForeground() -> Bool {
    guard isInBackground else { return true }
    // While the job is stopped, signal handlers can't run, so signals take their default action. The user's drafts
    // aren't lost, because they are on disk.
    signals?.unwatch(Self.endingSignals)
    defer { signals?.watch(Self.endingSignals) }
    // A shell's `kill` sends a signal and continues the job. The handler may still be running on another thread, and
    // its signal would be lost if the job stopped first.
    usleep(Self.signalDelay)
    signals?.deliver(evenUnwatched: true)
    guard state != .closed, !isEnding else { return false }
    return qw_await_foreground(output)
  }

  // MARK: Events

  private func receive(_ input: DecodedInput) {
    for reply in input.replies { openQueries.note(reply, at: replyDrain.now()) }
    var input = input
    if state != .running, input.events != [.hangup] { input.events = [] }
    if !input.isEmpty { handler?(.input(input)) }
  }

  private func lose() {
    keys?.cancel()
    MainSources.after(milliseconds: 0) { [weak self] in self?.receive(DecodedInput(events: [.hangup])) }
  }

  private func receive(signal number: Int32) {
    switch number {
    case SIGWINCH: if state == .running { handler?(.windowChange) }
    case SIGTSTP, SIGTTIN, SIGTTOU: if state == .running { handler?(.suspension) }
    case SIGUSR1: handler?(.reload)
    case SIGCONT: if state == .running { handler?(isInBackground ? .suspension : .continuation) }
    // While the session is suspended, another program has the terminal, and the user's ^C concerns only that program.
    case SIGINT where state == .suspended: break
    default:
      isEnding = true
      handler?(.termination(number))
    }
  }
}
