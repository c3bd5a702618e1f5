import SafeText
public import Terminal

/// The terminal that the program was started in, as a printer: lines are appended, and nothing else is ever written, no
/// escape sequence among it. For screen readers, and for terminals that cannot place text. It is given back on every
/// way out.
@MainActor
public final class LinearDriver: ProcessDriver {
  public weak var delegate: (any TerminalDriverDelegate)?
  public var onTerminationSignal: (@MainActor (Int32) -> Void)?
  public var onSuspendSignal: (@MainActor () -> Void)?

  private static let usualSize = Size(rows: 24, columns: 80)
  /// With fewer rows screens leave out what there is always room for here. Longer lines are hard to read, and where
  /// there is room for them screens show two things side by side, of which one is meant.
  private static let leastRows = 24
  private static let columns = 20...100

  private let hold: TerminalHold
  private let form: TextForm?
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
  /// `/dev/tty` where the standard input is something else. `form` is what the user says of how the terminal draws
  /// text; nil has the locale decide.
  public init(input: Int32 = 0, output: Int32 = 1, form: TextForm? = nil) {
    hold = TerminalHold(input: input, output: output)
    self.form = form
    hold.holder = self
  }

  public var size: Size {
    let size = hold.windowSize ?? Self.usualSize
    return Size(
      rows: max(size.rows, Self.leastRows),
      columns: min(max(size.columns, Self.columns.lowerBound), Self.columns.upperBound))
  }

  public var statistics: TerminalStatistics { hold.statistics }

  public func start() throws {
    try hold.start {
      TextForm.current = form ?? (TerminalEnvironment.current.isUnicode ? .unicode : .ascii)
    } sequences: {
      KeySequences()
    }
  }

  public func append(_ text: String) {
    guard hold.isRunning, !text.isEmpty else { return }
    hold.count { hold.send(bytes(of: DisplayWidth.plain(SafeText.paragraphs(text)))) }
  }

  /// Nothing is drawn here: what is to be seen is appended.
  public func present(_ frame: Frame) {}

  /// What was written stays.
  public func redrawAll() {}

  public func copy(_ text: String) -> Bool { false }

  public func setTitle(_ title: String) {}

  /// Lines are broken by the terminal.
  public func use(_ form: TextForm) {}

  public func suspend() { hold.suspend() }

  /// Whoever goes on asks for the size.
  public func resume() { _ = hold.resume() }

  public func stop() { hold.stop() }

  /// What to send for `text`, after all before: the terminal makes no line of a newline by itself now.
  private func bytes(of text: String) -> [UInt8] {
    guard let last = text.last else { return [] }
    isAtLineStart = last.isNewline
    return text.utf8.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
  }
}

extension LinearDriver: TerminalHolder {
  /// Nothing is ever switched on.
  var restoring: [UInt8] { [] }

  func didTake(again: Bool) {}

  /// Ends the line, for whoever writes next.
  func givingBack(forGood: Bool) -> [UInt8] { isAtLineStart ? [] : bytes(of: "\n") }

  func windowDidChange() { hold.tell([.resize(size)]) }

  func processDidContinue() { hold.take(again: true) }

  /// Nothing is ever asked.
  var awaitsAnswers: Bool { false }
}
