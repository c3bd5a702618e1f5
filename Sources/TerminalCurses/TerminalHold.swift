import CNcurses
import CProcess
import Terminal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A driver, as the hold on its terminal knows it.
@MainActor
protocol TerminalHolder: ProcessDriver {
  /// What a crash has to write to give the terminal back.
  var restoring: [UInt8] { get }
  /// The terminal is ours, and `again` where somebody else has had it meanwhile: sends what comes first.
  func didTake(again: Bool)
  /// What to send before others get the terminal, for a while or for good.
  func givingBack(forGood: Bool) -> [UInt8]
  /// The window has another size, or has had one for a moment.
  func windowDidChange()
  /// The process goes on that was stopped from outside without being asked: somebody has used the terminal since.
  func processDidContinue()
  /// Whether the terminal is about to answer something, which somebody else would read as typed.
  var awaitsAnswers: Bool { get }
}

/// A terminal that the program has taken: its settings, signals, keys, and the way to it. It is given back on every way
/// out: `stop()`, a signal, `exit`, a crash.
@MainActor
final class TerminalHold {
  private enum State { case stopped, running, suspended }

  private static let lastingSignals = [SIGWINCH] + endingSignals
  /// What ends a program that does nothing about it, and leaves time to go in order.
  private static let endingSignals: [Int32] = {
    let signals = [SIGTERM, SIGHUP, SIGINT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO]
    #if os(Linux)
      return signals + [SIGPWR, SIGSTKFLT]
    #else
      return signals
    #endif
  }()
  /// While suspended, these do what they do to any program.
  private static let jobSignals = [SIGTSTP, SIGCONT]
  /// How long a terminal that takes nothing may hold up the way out.
  private static let patienceInMilliseconds: Int32 = 500
  /// How long its answers may.
  private static let answersInMilliseconds: Int32 = 400

  weak var holder: (any TerminalHolder)?
  /// Told when a terminal that was slow has taken everything.
  var onDrained: (@MainActor () -> Void)?
  /// Told what the terminal answers to questions.
  var onAnswer: (@MainActor (TerminalAnswer) -> Void)?
  /// What has been drawn, without what the way to the terminal counts.
  var counts = TerminalStatistics()

  private let input: Int32
  private let output: Int32
  private var state = State.stopped
  private var signals: SignalWatch?
  private var keys: TerminalInput?
  private var sink: TerminalOutput?
  private var saved = termios()

  /// On the terminal that these descriptors are open on; they stay the caller's.
  init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
  }

  var isRunning: Bool { state == .running }

  /// Whether the terminal has not taken yet what it was sent.
  var isBusy: Bool { sink?.isBusy ?? false }

  /// As much of the window as is drawn; nil where the terminal does not say.
  var windowSize: Size? {
    var rows: Int32 = 0
    var columns: Int32 = 0
    return qw_window_size(output, &rows, &columns) ? Size(rows: Int(rows), columns: Int(columns)).drawn : nil
  }

  var statistics: TerminalStatistics {
    var statistics = counts
    statistics.bytes = sink?.bytesSent ?? statistics.bytes
    statistics.writes = sink?.writes ?? statistics.writes
    return statistics
  }

  /// Takes the terminal, once `prepare` has made what draws on it; if that throws, all is undone. `sequences` is asked
  /// last.
  func start(_ prepare: () throws -> Void, sequences: () -> KeySequences) throws {
    guard state == .stopped else { return }
    guard isatty(input) == 1, isatty(output) == 1, tcgetattr(output, &saved) == 0 else {
      throw TerminalError.notATerminal
    }
    _ = qw_use_unicode()
    // Before ncurses sets handlers of its own where there are none.
    let signals = SignalWatch { [weak self] in self?.receive(signal: $0) }
    signals.watch(Self.lastingSignals + Self.jobSignals)
    do {
      try prepare()
    } catch {
      qw_crash_disarm()
      signals.cancel()
      throw error
    }
    self.signals = signals
    let sink = TerminalOutput(terminal: output)
    sink.onDrained = onDrained
    sink.onLost = { [weak self] in self?.lose() }
    self.sink = sink
    state = .running
    take(again: false)
    let keys = TerminalInput(descriptor: input, sequences: sequences()) { [weak self] in self?.tell($0) }
    keys.onAnswer = onAnswer
    keys.start()
    self.keys = keys
  }

  func suspend() {
    guard state == .running else { return }
    state = .suspended
    keys?.suspend()
    giveBack(holder?.givingBack(forGood: false) ?? [])
    if let keys { takeAnswers(by: keys) }
    restoreSettings()
    signals?.unwatch(Self.jobSignals)
  }

  /// Returns false where the terminal was not suspended.
  func resume() -> Bool {
    guard state == .suspended else { return false }
    signals?.watch(Self.jobSignals)
    state = .running
    take(again: true)
    keys?.resume()
    return true
  }

  /// Stops the process, and has the terminal given back for that long.
  func suspendProcess() {
    holder?.suspend()
    qw_signal_default(SIGTSTP)
    holder?.resume()
  }

  func stop() {
    guard state != .stopped else { return }
    // From the background, setting the terminal would stop the process instead.
    let former = signal(SIGTTOU, SIG_IGN)
    let wasRunning = state == .running
    state = .stopped
    let keys = self.keys
    self.keys = nil
    keys?.cancel()
    let last = holder?.givingBack(forGood: true) ?? []
    if wasRunning { giveBack(last) }
    if wasRunning, let keys { takeAnswers(by: keys) }
    counts = statistics
    sink?.close()
    sink = nil
    restoreSettings()
    signals?.cancel()
    signals = nil
    signal(SIGTTOU, former)
  }

  func send(_ bytes: [UInt8]) {
    sink?.send(bytes)
  }

  /// Draws, and counts that as one picture.
  func count(_ draw: () -> Void) {
    qw_crash_cover_thread()
    let began = ContinuousClock.now
    draw()
    let time = ContinuousClock.now - began
    qw_errors_trim()
    counts.frames += 1
    counts.time += time
    counts.longest = max(counts.longest, time)
  }

  func tell(_ events: [TerminalEvent]) {
    guard state == .running || events == [.hangup], !events.isEmpty, let holder else { return }
    holder.delegate?.terminalDriver(holder, didReceive: events)
  }

  /// To be called too when what a crash has to write is something else than before.
  func armCrashHandler() {
    let bytes = (holder?.restoring ?? []).map { CChar(bitPattern: $0) }
    qw_crash_arm(bytes, bytes.count, output, &saved)
  }

  // MARK: Taking and giving back

  func take(again: Bool) {
    armCrashHandler()
    qw_terminal_raw(output, &saved)
    qw_errors_hide()
    holder?.didTake(again: again)
  }

  /// Sends what comes last, and waits a little for all to be taken.
  private func giveBack(_ last: [UInt8]) {
    sink?.send(last)
    sink?.flush(milliseconds: Self.patienceInMilliseconds)
    sink?.drop()
  }

  /// Waits a little for what the terminal has been asked and still answers, and leaves none of it behind.
  private func takeAnswers(by keys: TerminalInput) {
    guard holder?.awaitsAnswers == true else { return }
    keys.takeAnswers(milliseconds: Self.answersInMilliseconds) { [weak self] in self?.holder?.awaitsAnswers ?? false }
    if holder?.awaitsAnswers == true { tcflush(input, TCIFLUSH) }
  }

  private func restoreSettings() {
    tcsetattr(output, TCSANOW, &saved)
    qw_errors_show()
    qw_crash_disarm()
  }

  private func lose() {
    keys?.cancel()
    MainSources.after(milliseconds: 0) { [weak self] in self?.tell([.hangup]) }
  }

  private func receive(signal number: Int32) {
    guard let holder else { return }
    switch number {
    case SIGWINCH:
      if state == .running { holder.windowDidChange() }
    case SIGTSTP:
      guard state == .running else { break }
      if let onSuspendSignal = holder.onSuspendSignal { onSuspendSignal() } else { suspendProcess() }
    case SIGCONT:
      if state == .running { holder.processDidContinue() }
    case SIGINT where state == .suspended:
      // Meant for who has the terminal now.
      break
    default:
      holder.stop()
      if let told = holder.onTerminationSignal { told(number) } else { qw_signal_default(number) }
    }
  }
}
