import CNcurses
import SafeText
public import Terminal

/// Uses the terminal that the program was started in as a printer: it appends lines and never writes an escape
/// sequence. For screen readers, and for terminals that can't position text. The terminal is restored after `stop()`, a
/// signal, `exit` or a crash.
@MainActor
public final class LinearDriver: ProcessDriver {
  public weak var delegate: (any TerminalDriverDelegate)?
  public var onTerminationSignal: (@MainActor (Int32) -> Void)?
  public var onReloadSignal: (@MainActor () -> Void)?
  public var onSuspendSignal: (@MainActor () -> Void)?

  private static let usualSize = Size(rows: 24, columns: 80)
  /// Number of rows that is reported if the terminal is smaller. Layouts omit content on small screens, but appended
  /// text always has room for that content.
  private static let minimumRows = 24
  /// Widths that are reported. Longer lines are hard to read, and with 100 or more columns some screens show two panes
  /// side by side.
  private static let columns = 20...99

  private let session: TerminalSession
  private let form: TextForm
  private var counts = TerminalStatistics()
  /// Whether the last output ended with a newline.
  private var isAtLineStart = true

  public var capabilities: TerminalCapabilities {
    var capabilities = TerminalCapabilities(colors: 0)
    capabilities.isLinear = true
    capabilities.textForm = form
    return capabilities
  }

  /// Has no effect.
  public var usesMouse = false
  /// Has no effect.
  public var colors = ColorChoice.auto

  /// Creates a driver for the terminal of two open descriptors, which the caller closes.
  ///
  /// - Parameters:
  ///   - input: The terminal's input. Can be an open `/dev/tty` if the standard input is not a terminal.
  ///   - form: The form of text that the user has set. If nil, it depends on the locale.
  public init(input: Int32 = 0, output: Int32 = 1, form: TextForm? = nil) {
    session = TerminalSession(input: input, output: output)
    self.form = form ?? session.environment.textForm
    session.handler = { [weak self] in self?.handle($0) }
  }

  public var size: Size {
    let size = session.windowSize ?? Self.usualSize
    return Size(
      rows: max(size.rows, Self.minimumRows),
      columns: min(max(size.columns, Self.columns.lowerBound), Self.columns.upperBound))
  }

  public var statistics: TerminalStatistics {
    var statistics = counts
    (statistics.bytes, statistics.writes) = session.traffic
    return statistics
  }

  public func start() throws {
    guard session.state == .closed else { return }
    try session.open()
    _ = qw_use_unicode()
    session.begin(KeySequences(), sending: [], restoring: [])
  }

  public func append(_ text: String) {
    guard session.state == .running, !text.isEmpty else { return }
    counts = counts.counting { session.send(bytes(of: DisplayWidth.plain(SafeText.paragraphs(text), form: form))) }
  }

  /// Does nothing: all output is appended.
  public func present(_ frame: Frame) {}

  /// Does nothing: earlier output stays on the terminal.
  public func redrawAll() {}

  public func copy(_ text: String) -> Bool { false }

  public func setTitle(_ title: String) {}

  /// Rings the bell. A notification would need an escape sequence.
  public func callAttention(_ text: String?) {
    if session.state == .running { session.send([0x07]) }
  }

  /// Does nothing: the terminal itself breaks the lines, so the widths of characters don't matter.
  public func use(_ form: TextForm) {}

  public func suspend() { session.suspend(sending: endOfLine()) }

  public func resume() {
    if session.state == .suspended { session.resume(sending: [], restoring: []) }
  }

  public func stop() { session.close(sending: endOfLine()) }

  /// Returns `text` with carriage returns before newlines, which a terminal in raw mode doesn't add.
  private func bytes(of text: String) -> [UInt8] {
    guard let last = text.last else { return [] }
    isAtLineStart = last.isNewline
    return text.utf8.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
  }

  /// Returns a newline if the last line is incomplete, so that the output of other programs begins on a new line.
  private func endOfLine() -> [UInt8] { isAtLineStart ? [] : bytes(of: "\n") }

  private func handle(_ event: ConnectionEvent) {
    switch event {
    case .input(let input): tell(input.events)
    case .drained: break
    case .windowChange: tell([.resize(size)])
    case .continuation: session.resume(sending: [], restoring: [])
    case .suspension: suspendForSignal()
    case .reload: onReloadSignal?()
    case .termination(let number): stop(forSignal: number)
    }
  }

  private func tell(_ events: [TerminalEvent]) {
    if !events.isEmpty { delegate?.terminalDriver(self, didReceive: events) }
  }
}
