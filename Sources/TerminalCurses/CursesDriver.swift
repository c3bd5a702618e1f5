import CNcurses
import SafeText
public import Terminal

/// The terminal that the program was started in, through ncurses. It is given back on every way out: `stop()`, a
/// signal, `exit`, a crash.
@MainActor
public final class CursesDriver: TerminalDriver {
  public weak var delegate: (any TerminalDriverDelegate)?
  /// Told of a signal from outside that ends programs, such as SIGTERM, after the terminal has been given back; to end
  /// the program is up to whoever is told. Without it the signal takes its default action.
  public var onTerminationSignal: (@MainActor (Int32) -> Void)?
  /// Told of a SIGTSTP from outside, and meant to call ``suspendProcess()`` when it has saved what it wants. Without it
  /// that happens at once.
  public var onSuspendSignal: (@MainActor () -> Void)?

  /// Smaller frames are seen whole anyway.
  private static let leastSynchronizedBytes = 256
  /// Who has not answered for so long will not.
  private static let answerTime = Duration.seconds(3)

  private let hold: TerminalHold
  /// How wide what Unicode calls ambiguous is drawn; nil: as the terminal says.
  private let form: TextForm?
  private var screen: CursesScreen?
  private var question = WidthQuestion()
  private var hasAsked = false
  /// What has been asked and not been answered, and when: a terminal that is silent for long does not know the
  /// question.
  private var awaited: (answers: Set<TerminalAnswer.Subject>, since: ContinuousClock.Instant) = ([], .now)
  /// What the terminal has said of its form of text as it was given back.
  private var lateForm: TextForm?
  /// Whether the window's title is on the terminal's stack.
  private var hasKeptTitle = false
  private var synchronizesOutput = false
  private var title = ""
  /// What the terminal has not had room for yet.
  private var waitingFrame: Frame?

  /// A driver for the terminal that these descriptors are open on; they stay the caller's. `input` may be an opened
  /// `/dev/tty` where the standard input is something else. `form` is what the user says of how the terminal draws
  /// text; nil has the locale and the terminal decide.
  public init(input: Int32 = 0, output: Int32 = 1, form: TextForm? = nil) {
    hold = TerminalHold(input: input, output: output)
    self.form = form
    hold.holder = self
    hold.onDrained = { [weak self] in self?.presentWaiting() }
    hold.onAnswer = { [weak self] in self?.take($0) }
  }

  public var size: Size { screen?.size ?? hold.windowSize ?? .zero }

  public var capabilities: TerminalCapabilities {
    var capabilities = screen?.capabilities ?? TerminalCapabilities(colors: 0)
    capabilities.synchronizesOutput = synchronizesOutput
    return capabilities
  }

  public var usesMouse = true {
    didSet {
      guard usesMouse != oldValue, hold.isRunning, let screen, screen.capabilities.reportsMouse else { return }
      screen.modes.usesMouse = usesMouse
      hold.send(Array((usesMouse ? MouseSequence.on : MouseSequence.off).utf8))
      hold.armCrashHandler()
    }
  }

  public var statistics: TerminalStatistics {
    var statistics = hold.statistics
    statistics.cells = screen?.cellsChanged ?? statistics.cells
    return statistics
  }

  public func start() throws {
    try hold.start {
      let environment = TerminalEnvironment.current
      TextForm.current = form ?? (environment.isUnicode ? .unicode : .ascii)
      // Before ncurses touches anything. There is nothing to send yet.
      hold.armCrashHandler()
      let screen = try CursesScreen(environment, size: hold.windowSize ?? Size(rows: 24, columns: 80))
      screen.modes.usesMouse = usesMouse && screen.capabilities.reportsMouse
      self.screen = screen
    } sequences: {
      .ofOpenScreen()
    }
  }

  public func present(_ frame: Frame) {
    guard hold.isRunning, let screen else { return }
    guard !hold.isBusy else {
      waitingFrame = frame
      return
    }
    waitingFrame = nil
    hold.count {
      screen.present(frame)
      var bytes = screen.takeOutput()
      if !hasAsked { bytes += ask(on: screen, frame) }
      hold.send(synchronizesOutput && bytes.count >= Self.leastSynchronizedBytes ? Self.wholly(bytes) : bytes)
    }
  }

  public func append(_ text: String) {}

  public func copy(_ text: String) -> Bool {
    guard hold.isRunning, capabilities.takesClipboard, let bytes = Clipboard.sequence(for: text) else { return false }
    hold.send(bytes)
    return true
  }

  public func setTitle(_ title: String) {
    self.title = SafeText.line(title)
    if hold.isRunning { hold.send(Array(titleSequence.utf8)) }
  }

  public func redrawAll() {
    screen?.forget()
  }

  public func suspend() { hold.suspend() }

  public func resume() {
    guard hold.resume() else { return }
    fitToWindow()
    if let form = lateForm { use(form) }
    lateForm = nil
  }

  /// Gives the terminal back, stops the process as `^Z` does in other programs, and takes the terminal again when the
  /// process is continued.
  public func suspendProcess() { hold.suspendProcess() }

  public func stop() {
    hold.stop()
    hold.counts = statistics
    screen?.closeFile()
    screen = nil
  }

  private var titleSequence: String {
    screen?.modes.keepsTitle == true && !title.isEmpty ? "\u{1B}]2;\(DisplayWidth.plain(title))\u{1B}\\" : ""
  }

  private func presentWaiting() {
    if let frame = waitingFrame { present(frame) }
  }

  private func fitToWindow() {
    guard let screen, let size = hold.windowSize, size != screen.size else { return }
    screen.resize(to: size)
    hold.tell([.resize(screen.size)])
  }

  private static func wholly(_ bytes: [UInt8]) -> [UInt8] {
    Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8)
  }

  // MARK: Questions and answers

  /// Asks the terminal what only it knows, once there is a picture; the row in which that happens is painted again.
  private func ask(on screen: CursesScreen, _ frame: Frame) -> [UInt8] {
    hasAsked = true
    var questions = ""
    var answers: Set<TerminalAnswer.Subject> = []
    if screen.capabilities.hasTitle {
      questions += WidthQuestion.frames
      answers.insert(.mode)
    }
    // Last: every terminal knows this one and answers in order, so that nothing comes after it.
    if form == nil, TextForm.current == .unicode, size.rows > 1 {
      questions += WidthQuestion.width
      answers.insert(.cursor)
    }
    guard !questions.isEmpty else { return [] }
    awaited = (answers, .now)
    screen.redraw(row: WidthQuestion.row - 1, of: frame)
    return Array(WidthQuestion.asking(questions).utf8) + screen.takeOutput()
  }

  private func take(_ answer: TerminalAnswer) {
    if answer.subject == .cursor { awaited.answers = [] } else { awaited.answers.remove(answer.subject) }
    if let form = question.form(from: answer) {
      if hold.isRunning { use(form) } else { lateForm = form }
    } else if WidthQuestion.saysFrames(answer), !synchronizesOutput {
      synchronizesOutput = true
      screen?.modes.endsFrames = true
      hold.armCrashHandler()
    }
  }

  public func use(_ form: TextForm) {
    guard hold.isRunning, form != .current else { return }
    TextForm.current = form
    // What has been drawn was laid out for another width.
    screen?.resize(to: size)
    hold.tell([.capabilities(capabilities)])
  }
}

extension CursesDriver: TerminalHolder {
  var restoring: [UInt8] {
    // A sequence that the crash has cut through ends first.
    screen.map { Array("\u{1B}\\".utf8) + $0.restoreString } ?? []
  }

  func didTake(again: Bool) {
    guard let screen else { return }
    if again { screen.resume() }
    let taking = screen.modes.taking(keepsTitle: !hasKeptTitle)
    hasKeptTitle = true
    hold.send(screen.takeOutput() + Array((taking + titleSequence).utf8))
  }

  var awaitsAnswers: Bool {
    !awaited.answers.isEmpty && ContinuousClock.now - awaited.since < Self.answerTime
  }

  func givingBack(forGood: Bool) -> [UInt8] {
    guard let screen else { return [] }
    waitingFrame = nil
    if forGood { screen.close() } else { screen.suspend() }
    hasKeptTitle = false
    return Array(screen.modes.givingBack.utf8) + screen.takeOutput()
  }

  func windowDidChange() {
    guard let screen, hold.windowSize == screen.size else { return fitToWindow() }
    // A terminal that was smaller for a moment has lost what it showed, though its size is what it was.
    screen.forget()
    hold.tell([.resize(screen.size)])
  }

  func processDidContinue() {
    screen?.suspend()
    _ = screen?.takeOutput()
    hold.take(again: true)
    fitToWindow()
  }
}
