import CNcurses
import CProcess
import Dispatch
import SafeText
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
  /// How long a terminal that takes nothing may hold up the way out.
  private static let patienceInMilliseconds: Int32 = 500
  /// Smaller frames are seen whole anyway.
  private static let leastSynchronizedBytes = 256

  private let input: Int32
  private let output: Int32
  /// How wide what Unicode calls ambiguous is drawn; nil: as the terminal says.
  private let form: TextForm?
  private var state = State.stopped
  private var screen: CursesScreen?
  private var signals: SignalWatch?
  private var keys: TerminalInput?
  private var sink: TerminalOutput?
  private var saved = termios()
  private var question = WidthQuestion()
  private var hasAsked = false
  private var synchronizesOutput = false
  private var title = ""
  /// What the terminal has not had room for yet.
  private var waitingFrame: Frame?
  private var counts = TerminalStatistics()

  /// A driver for the terminal that these descriptors are open on; they stay the caller's. `input` may be an opened
  /// `/dev/tty` where the standard input is something else. `form` is what the user says of how the terminal draws text; nil
  /// has the locale and the terminal decide.
  public init(input: Int32 = 0, output: Int32 = 1, form: TextForm? = nil) {
    self.input = input
    self.output = output
    self.form = form
  }

  public var size: Size { screen?.size ?? windowSize ?? .zero }

  public var capabilities: TerminalCapabilities {
    var capabilities = screen?.capabilities ?? TerminalCapabilities(colors: 0)
    capabilities.synchronizesOutput = synchronizesOutput
    return capabilities
  }

  public var usesMouse = true {
    didSet {
      guard usesMouse != oldValue, state == .running else { return }
      updateMouse()
    }
  }

  public var statistics: TerminalStatistics {
    var statistics = counts
    statistics.bytes = sink?.bytesSent ?? statistics.bytes
    statistics.writes = sink?.writes ?? statistics.writes
    statistics.cells = screen?.cellsChanged ?? statistics.cells
    return statistics
  }

  public func start() throws {
    guard state == .stopped else { return }
    guard isatty(input) == 1, isatty(output) == 1, tcgetattr(output, &saved) == 0 else {
      throw TerminalError.notATerminal
    }
    _ = qw_use_unicode()
    let environment = TerminalEnvironment.current
    choose(form ?? (environment.isUnicode ? .unicode : .ascii))
    // Before ncurses sets handlers of its own where there are none.
    let signals = SignalWatch { [weak self] in self?.receive(signal: $0) }
    signals.watch([SIGWINCH] + Self.terminationSignals + Self.jobSignals)
    qw_crash_arm("", 0, output, &saved)
    let screen: CursesScreen
    do {
      screen = try CursesScreen(environment, size: windowSize ?? Size(rows: 24, columns: 80))
    } catch {
      qw_crash_disarm()
      signals.cancel()
      throw error
    }
    self.screen = screen
    self.signals = signals
    screen.modes.usesMouse = usesMouse && screen.capabilities.reportsMouse
    let sink = TerminalOutput(terminal: output)
    sink.onDrained = { [weak self] in self?.presentWaiting() }
    sink.onLost = { [weak self] in self?.lose() }
    self.sink = sink
    state = .running
    armCrashHandler()
    qw_terminal_raw(output, &saved)
    qw_errors_hide()
    sink.send(screen.takeOutput() + Array((screen.modes.taking + titleSequence).utf8))
    let keys = TerminalInput(descriptor: input, sequences: .ofOpenScreen()) { [weak self] in self?.tell($0) }
    keys.onAnswer = { [weak self] in self?.take($0) }
    keys.start()
    self.keys = keys
  }

  public func present(_ frame: Frame) {
    guard state == .running, let screen, let sink else { return }
    guard !sink.isBusy else {
      waitingFrame = frame
      return
    }
    waitingFrame = nil
    qw_crash_cover_thread()
    let began = ContinuousClock.now
    screen.present(frame)
    var bytes = screen.takeOutput()
    if !hasAsked { bytes += ask(on: screen, frame) }
    sink.send(synchronizesOutput && bytes.count >= Self.leastSynchronizedBytes ? Self.wholly(bytes) : bytes)
    counts.add(frame: ContinuousClock.now - began)
  }

  public func append(_ text: String) {}

  public func copy(_ text: String) -> Bool {
    guard state == .running, capabilities.takesClipboard, let bytes = Clipboard.sequence(for: text) else {
      return false
    }
    sink?.send(bytes)
    return true
  }

  public func setTitle(_ title: String) {
    self.title = SafeText.line(title)
    if state == .running { sink?.send(Array(titleSequence.utf8)) }
  }

  public func redrawAll() {
    screen?.forget()
  }

  public func suspend() {
    guard state == .running, let screen else { return }
    state = .suspended
    keys?.suspend()
    waitingFrame = nil
    screen.suspend()
    giveBack(screen)
    tcsetattr(output, TCSANOW, &saved)
    qw_errors_show()
    qw_crash_disarm()
    signals?.unwatch(Self.jobSignals)
  }

  public func resume() {
    guard state == .suspended, let screen else { return }
    signals?.watch(Self.jobSignals)
    state = .running
    armCrashHandler()
    take(screen)
    keys?.resume()
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
    let wasRunning = state == .running
    state = .stopped
    keys?.cancel()
    keys = nil
    if let screen {
      screen.close()
      if wasRunning { giveBack(screen) }
      screen.closeFile()
    }
    counts = statistics
    screen = nil
    sink?.close()
    sink = nil
    tcsetattr(output, TCSANOW, &saved)
    qw_errors_show()
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
    // A sequence that the crash has cut through ends first.
    let bytes = (Array("\u{1B}\\".utf8) + (screen?.restoreString ?? [])).map { CChar(bitPattern: $0) }
    qw_crash_arm(bytes, bytes.count, output, &saved)
  }

  // MARK: Taking and giving back

  /// Takes the terminal again, and paints everything anew.
  private func take(_ screen: CursesScreen) {
    qw_terminal_raw(output, &saved)
    qw_errors_hide()
    screen.resume()
    sink?.send(screen.takeOutput() + Array((screen.modes.taking + titleSequence).utf8))
  }

  private var titleSequence: String {
    screen?.modes.keepsTitle == true && !title.isEmpty ? "\u{1B}]2;\(DisplayWidth.plain(title))\u{1B}\\" : ""
  }

  /// Sends what gives the terminal back, and waits a little for it to be taken.
  private func giveBack(_ screen: CursesScreen) {
    sink?.send(Array(screen.modes.givingBack.utf8) + screen.takeOutput())
    sink?.flush(milliseconds: Self.patienceInMilliseconds)
    sink?.drop()
  }

  private func presentWaiting() {
    if let frame = waitingFrame { present(frame) }
  }

  private func lose() {
    keys?.cancel()
    MainSources.after(milliseconds: 0) { [weak self] in self?.tell([.hangup]) }
  }

  private func updateMouse() {
    guard let screen, screen.capabilities.reportsMouse else { return }
    screen.modes.usesMouse = usesMouse
    sink?.send(Array((usesMouse ? MouseSequence.on : MouseSequence.off).utf8))
    armCrashHandler()
  }

  private static func wholly(_ bytes: [UInt8]) -> [UInt8] {
    Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8)
  }

  // MARK: Questions and answers

  /// Asks the terminal what only it knows, once there is a picture; the row in which that happens is painted again.
  private func ask(on screen: CursesScreen, _ frame: Frame) -> [UInt8] {
    hasAsked = true
    var questions = ""
    if form == nil, TextForm.current == .unicode, size.rows > 1 { questions += WidthQuestion.width }
    if screen.capabilities.hasTitle { questions += WidthQuestion.frames }
    guard !questions.isEmpty else { return [] }
    screen.redraw(row: WidthQuestion.row - 1, of: frame)
    return Array(WidthQuestion.asking(questions).utf8) + screen.takeOutput()
  }

  private func take(_ answer: TerminalAnswer) {
    if let form = question.form(from: answer) {
      use(form)
    } else if WidthQuestion.saysFrames(answer), !synchronizesOutput {
      synchronizesOutput = true
      screen?.modes.endsFrames = true
      armCrashHandler()
    }
  }

  public func use(_ form: TextForm) {
    guard state == .running, form != .current else { return }
    choose(form)
    // What has been drawn was laid out for another width.
    screen?.resize(to: size)
    tell([.capabilities(capabilities)])
  }

  private func choose(_ form: TextForm) {
    TextForm.current = form
    qw_set_ambiguous_columns(form == .wideUnicode ? 2 : 1)
  }

  private func tell(_ events: [TerminalEvent]) {
    guard state == .running || events == [.hangup] else { return }
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
      guard state == .running, let screen else { break }
      screen.suspend()
      _ = screen.takeOutput()
      take(screen)
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

extension TerminalStatistics {
  /// One more picture.
  mutating func add(frame time: Duration) {
    frames += 1
    self.time += time
    longest = max(longest, time)
  }
}
