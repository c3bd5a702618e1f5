import CNcurses
import CProcess
import SafeText
public import Terminal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The terminal that the program was started in, as a printer: lines are appended, and nothing else is ever written, no escape
/// sequence among it. For screen readers, and for terminals that cannot place text. It is given back on every way out.
@MainActor
public final class LinearDriver: ProcessDriver {
  public weak var delegate: (any TerminalDriverDelegate)?
  public var onTerminationSignal: (@MainActor (Int32) -> Void)?
  public var onSuspendSignal: (@MainActor () -> Void)?

  private enum State { case stopped, running, suspended }

  private static let terminationSignals = [SIGTERM, SIGHUP, SIGINT]
  /// While suspended, these do what they do to any program.
  private static let jobSignals = [SIGTSTP, SIGCONT]
  /// How long a terminal that takes nothing may hold up the way out.
  private static let patienceInMilliseconds: Int32 = 500
  private static let usualSize = Size(rows: 24, columns: 80)
  /// With fewer rows screens leave out what there is always room for here. Longer lines are hard to read, and where there is room
  /// for them screens show two things side by side, of which one is meant.
  private static let leastRows = 24
  private static let columns = 20...100

  private let input: Int32
  private let output: Int32
  private let form: TextForm?
  private var state = State.stopped
  private var signals: SignalWatch?
  private var keys: TerminalInput?
  private var sink: TerminalOutput?
  private var saved = termios()
  private var counts = TerminalStatistics()
  /// Whether what was written last ends a line.
  private var isAtLineStart = true

  public let capabilities: TerminalCapabilities = {
    var capabilities = TerminalCapabilities(colors: 0)
    capabilities.isLinear = true
    return capabilities
  }()

  /// There is no mouse here.
  public var usesMouse = false

  /// A driver for the terminal that these descriptors are open on; they stay the caller's. `input` may be an opened
  /// `/dev/tty` where the standard input is something else. `form` is what the user says of how the terminal draws text; nil
  /// has the locale decide.
  public init(input: Int32 = 0, output: Int32 = 1, form: TextForm? = nil) {
    self.input = input
    self.output = output
    self.form = form
  }

  public var size: Size {
    var rows: Int32 = 0
    var columns: Int32 = 0
    var size = Self.usualSize
    if qw_window_size(output, &rows, &columns), rows > 0, columns > 0 {
      size = Size(rows: Int(rows), columns: Int(columns))
    }
    return Size(
      rows: max(size.rows, Self.leastRows),
      columns: min(max(size.columns, Self.columns.lowerBound), Self.columns.upperBound))
  }

  public var statistics: TerminalStatistics {
    var statistics = counts
    statistics.bytes = sink?.bytesSent ?? statistics.bytes
    statistics.writes = sink?.writes ?? statistics.writes
    return statistics
  }

  public func start() throws {
    guard state == .stopped else { return }
    guard isatty(input) == 1, isatty(output) == 1, tcgetattr(output, &saved) == 0 else {
      throw TerminalError.notATerminal
    }
    _ = qw_use_unicode()
    TextForm.current = form ?? (TerminalEnvironment.current.isUnicode ? .unicode : .ascii)
    let signals = SignalWatch { [weak self] in self?.receive(signal: $0) }
    signals.watch([SIGWINCH] + Self.terminationSignals + Self.jobSignals)
    self.signals = signals
    let sink = TerminalOutput(terminal: output)
    sink.onLost = { [weak self] in self?.lose() }
    self.sink = sink
    state = .running
    take()
    let keys = TerminalInput(descriptor: input, sequences: KeySequences()) { [weak self] in self?.tell($0) }
    keys.start()
    self.keys = keys
  }

  public func append(_ text: String) {
    guard state == .running, !text.isEmpty else { return }
    let began = ContinuousClock.now
    qw_crash_cover_thread()
    write(DisplayWidth.plain(SafeText.paragraphs(text)))
    counts.add(frame: ContinuousClock.now - began)
  }

  /// Nothing is drawn here: what is to be seen is appended.
  public func present(_ frame: Frame) {}

  /// What was written stays.
  public func redrawAll() {}

  public func copy(_ text: String) -> Bool { false }

  public func setTitle(_ title: String) {}

  /// Lines are broken by the terminal.
  public func use(_ form: TextForm) {}

  public func suspend() {
    guard state == .running else { return }
    keys?.suspend()
    giveBack()
    state = .suspended
    signals?.unwatch(Self.jobSignals)
  }

  public func resume() {
    guard state == .suspended else { return }
    let before = size
    signals?.watch(Self.jobSignals)
    state = .running
    take()
    keys?.resume()
    if size != before { tell([.resize(size)]) }
  }

  public func stop() {
    guard state != .stopped else { return }
    // From the background, setting the terminal would stop the process instead.
    let former = signal(SIGTTOU, SIG_IGN)
    keys?.cancel()
    keys = nil
    if state == .running { giveBack() }
    state = .stopped
    counts = statistics
    sink?.close()
    sink = nil
    tcsetattr(output, TCSANOW, &saved)
    qw_crash_disarm()
    signals?.cancel()
    signals = nil
    signal(SIGTTOU, former)
  }

  // MARK: Taking and giving back

  private func take() {
    qw_crash_arm("", 0, output, &saved)
    qw_terminal_raw(output, &saved)
    qw_errors_hide()
  }

  /// Ends the line, for whoever writes next, and waits a little for all to be taken.
  private func giveBack() {
    if !isAtLineStart { write("\n") }
    sink?.flush(milliseconds: Self.patienceInMilliseconds)
    sink?.drop()
    tcsetattr(output, TCSANOW, &saved)
    qw_errors_show()
    qw_crash_disarm()
  }

  /// The terminal makes no line of a newline by itself now.
  private func write(_ text: String) {
    guard let last = text.last else { return }
    isAtLineStart = last.isNewline
    sink?.send(text.utf8.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
  }

  private func lose() {
    keys?.cancel()
    MainSources.after(milliseconds: 0) { [weak self] in self?.tell([.hangup]) }
  }

  private func tell(_ events: [TerminalEvent]) {
    guard state == .running || events == [.hangup], !events.isEmpty else { return }
    delegate?.terminalDriver(self, didReceive: events)
  }

  // MARK: Signals

  private func receive(signal number: Int32) {
    switch number {
    case SIGWINCH:
      tell([.resize(size)])
    case SIGTSTP:
      if state == .running { stopProcess() }
    case SIGCONT:
      // Stopped from outside without being asked: the shell has set the terminal since.
      if state == .running { take() }
    case SIGINT where state == .suspended:
      // Meant for who has the terminal now.
      break
    default:
      stop()
      if let onTerminationSignal { onTerminationSignal(number) } else { qw_signal_default(number) }
    }
  }

  private func stopProcess() {
    if let onSuspendSignal { return onSuspendSignal() }
    suspend()
    qw_signal_default(SIGTSTP)
    resume()
  }
}
