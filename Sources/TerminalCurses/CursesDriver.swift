import CNcurses
import CProcess
import Dispatch
public import Terminal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The terminal that the program was started in, through ncurses. It is given back on every way out: `stop()`, a
/// signal, `exit`, a crash.
@MainActor
public final class CursesDriver: TerminalDriver {
  public weak var delegate: (any TerminalDriverDelegate)?
  /// Told of SIGTERM, SIGHUP or SIGINT from outside, after the terminal has been given back; to end the program is up
  /// to whoever is told. Without it the signal takes its default action.
  public var onTerminationSignal: (@MainActor (Int32) -> Void)?
  /// Told of a SIGTSTP from outside, and meant to call ``suspendProcess()`` when it has saved what it wants. Without it that
  /// happens at once.
  public var onSuspendSignal: (@MainActor () -> Void)?

  private enum State { case stopped, running, suspended }

  private static let terminationSignals = [SIGTERM, SIGHUP, SIGINT]
  /// While suspended, these do what they do to any program.
  private static let jobSignals = [SIGTSTP, SIGCONT]
  private static let escapeDelayInMilliseconds = 25

  private let input: Int32
  private let output: Int32
  private var state = State.stopped
  private var screen: CursesScreen?
  private var signals: SignalWatch?
  private var source: (any DispatchSourceRead)?
  private var decoder = KeyDecoder(sequences: KeySequences())
  private var saved = termios()
  private var readings = 0

  /// A driver for the terminal that these descriptors are open on; they stay the caller's. `input` may be an opened
  /// `/dev/tty` where the standard input is something else.
  public init(input: Int32 = 0, output: Int32 = 1) {
    self.input = input
    self.output = output
  }

  public var size: Size { screen?.size ?? windowSize ?? .zero }

  public var capabilities: TerminalCapabilities { screen?.capabilities ?? TerminalCapabilities(colors: 0) }

  public func start() throws {
    guard state == .stopped else { return }
    guard isatty(input) == 1, isatty(output) == 1, tcgetattr(output, &saved) == 0 else {
      throw TerminalError.notATerminal
    }
    _ = qw_use_unicode()
    // Before ncurses sets handlers of its own where there are none.
    let signals = SignalWatch { [weak self] in self?.receive(signal: $0) }
    signals.watch([SIGWINCH] + Self.terminationSignals + Self.jobSignals)
    qw_crash_arm("", 0, output, &saved)
    do {
      let screen = try CursesScreen(
        kinds: TerminalKind.candidates(for: Self.environment("TERM") ?? ""), output: output, input: input,
        windowSize: true, colors: Self.environment("NO_COLOR") == nil)
      self.screen = screen
    } catch {
      qw_crash_disarm()
      signals.cancel()
      tcsetattr(output, TCSANOW, &saved)
      throw error
    }
    self.signals = signals
    state = .running
    armCrashHandler()
    decoder = KeyDecoder(sequences: .ofOpenScreen())
    source = MainSources.readable(input) { [weak self] in self?.readInput() }
  }

  public func present(_ frame: Frame) {
    guard state == .running else { return }
    qw_crash_cover_thread()
    screen?.present(frame)
  }

  public func redrawAll() {
    screen?.forget()
  }

  public func suspend() {
    guard state == .running else { return }
    state = .suspended
    source?.suspend()
    screen?.suspend()
    qw_crash_disarm()
    signals?.unwatch(Self.jobSignals)
  }

  public func resume() {
    guard state == .suspended else { return }
    signals?.watch(Self.jobSignals)
    state = .running
    qw_crash_arm("", 0, output, &saved)
    screen?.resume()
    armCrashHandler()
    source?.resume()
    fitToWindow()
  }

  /// Gives the terminal back, stops the process as `^Z` does in other programs, and takes the terminal again when the process is
  /// continued.
  public func suspendProcess() {
    suspend()
    qw_signal_default(SIGTSTP)
    resume()
  }

  public func stop() {
    guard state != .stopped else { return }
    // From the background, setting the terminal would stop the process instead.
    let former = signal(SIGTTOU, SIG_IGN)
    source?.cancel()
    if state == .suspended { source?.resume() }
    source = nil
    state = .stopped
    screen?.close()
    screen = nil
    tcsetattr(output, TCSANOW, &saved)
    qw_crash_disarm()
    signals?.cancel()
    signals = nil
    signal(SIGTTOU, former)
  }

  private var windowSize: Size? {
    var rows: Int32 = 0
    var columns: Int32 = 0
    return qw_window_size(output, &rows, &columns) ? Size(rows: Int(rows), columns: Int(columns)) : nil
  }

  private func armCrashHandler() {
    let bytes = (screen?.restoreString ?? []).map { CChar(bitPattern: $0) }
    qw_crash_arm(bytes, bytes.count, output, &saved)
  }

  /// The value of a variable that is set and not empty.
  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  // MARK: Input

  private func readInput() {
    guard state == .running else { return }
    qw_crash_cover_thread()
    readings += 1
    var events: [TerminalEvent] = []
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    var hasEnded = false
    // One round for all that has come, but let the screen be painted now and then.
    for _ in 0..<64 where !hasEnded {
      var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 0) > 0 else { break }
      let capacity = buffer.count
      let count = buffer.withUnsafeMutableBytes { systemRead(input, $0.baseAddress, capacity) }
      if count > 0 {
        events += decoder.decode(buffer[..<count])
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        hasEnded = true
      }
    }
    if hasEnded {
      source?.cancel()
      source = nil
      events += decoder.finish() + [.hangup]
    } else if decoder.awaitsMore {
      let reading = readings
      MainSources.after(milliseconds: Self.escapeDelayInMilliseconds) { [weak self] in self?.finishInput(of: reading) }
    }
    tell(events)
  }

  /// Nothing came soon after an escape.
  private func finishInput(of reading: Int) {
    guard state == .running, reading == readings else { return }
    tell(decoder.finish())
  }

  private func tell(_ events: [TerminalEvent]) {
    if !events.isEmpty { delegate?.terminalDriver(self, didReceive: events) }
  }

  // MARK: Signals

  private func receive(signal number: Int32) {
    switch number {
    case SIGWINCH:
      guard state == .running else { break }
      if let screen, windowSize == screen.size {
        // A terminal that was smaller for a moment has lost what it showed, though its size is what it was.
        screen.forget()
        tell([.resize(screen.size)])
      } else {
        fitToWindow()
      }
    case SIGTSTP:
      if state != .running { break }
      if let onSuspendSignal { onSuspendSignal() } else { suspendProcess() }
    case SIGCONT:
      // Stopped from outside without being asked: the shell has used the terminal since.
      if state != .running { break }
      screen?.suspend()
      screen?.resume()
      fitToWindow()
    case SIGINT where state == .suspended:
      // Meant for who has the terminal now.
      break
    default:
      stop()
      if let onTerminationSignal { onTerminationSignal(number) } else { qw_signal_default(number) }
    }
  }

  private func fitToWindow() {
    guard let screen, let windowSize, windowSize != screen.size else { return }
    screen.resize(to: windowSize)
    tell([.resize(screen.size)])
  }
}
