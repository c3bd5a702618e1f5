import CNcurses
public import Terminal

/// A terminal in memory, for tests and replays. It stores the output. Its owner can type into it and resize it.
@MainActor
public final class MemoryTerminal {
  /// Size of the part of the terminal that is drawn.
  public private(set) var size: Size
  /// Texts copied to its clipboard, the latest last.
  public private(set) var copied: [String] = []

  /// Size of a cell, or nil if the terminal doesn't report it.
  let cellSize: CellSize?
  /// The background, or nil if the terminal doesn't report it.
  let background: TerminalBackground?
  let environment: TerminalEnvironment
  private(set) var state = ConnectionState.closed
  private(set) var traffic = (bytes: 0, writes: 0)
  var handler: (@MainActor (ConnectionEvent) -> Void)?
  private var decoder = KeyDecoder(sequences: KeySequences())
  private var output: [UInt8] = []

  /// Creates a terminal with the built-in description of `kind`, or with the host's if there is no built-in one.
  /// `colorTerm` is the value of `COLORTERM`.
  public init(
    size: Size, kind: String = "xterm-256color", colors: Bool = true, colorTerm: String = "",
    cellSize: CellSize? = nil, background: TerminalBackground? = nil
  ) {
    self.size = size.drawn
    self.cellSize = cellSize
    self.background = background
    environment = TerminalEnvironment(
      kind: kind, wantsColors: colors, colorTerm: colorTerm, prefersBuiltIn: true, textForm: .unicode)
  }

  /// Whether a usable description of `kind` exists, built in or on this host. A terminal of another kind is drawn with
  /// the description of a similar kind. Call this while no screen is open.
  public static func isDescribed(_ kind: String) -> Bool {
    TerminalKind.builtIn(for: kind) != nil || qw_knows(kind)
  }

  /// Returns the output since the last call, or since the driver started.
  public func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  /// Types `bytes`. If `isComplete` is false, `bytes` may end inside an escape sequence, which the next call continues.
  public func feed(_ bytes: some Sequence<UInt8>, isComplete: Bool = true) {
    var input = decoder.decode(bytes)
    if isComplete { input.events += decoder.finish() }
    if state == .running, !input.isEmpty { handler?(.input(input)) }
  }

  public func resize(to size: Size) {
    guard size.drawn != self.size else { return }
    self.size = size.drawn
    noteWindowChange()
  }

  /// Reports that the window has changed, even if its size is the same again.
  public func noteWindowChange() {
    if state == .running { handler?(.windowChange) }
  }
}

extension MemoryTerminal: TerminalConnection {
  var windowSize: Size? { size }
  var isBusy: Bool { false }
  var isInBackground: Bool { false }
  /// False, so that the output contains no queries. Output may be recorded and played back on other terminals, where
  /// nothing would read the replies.
  var repliesToQueries: Bool { false }

  func open() {
    state = .opening
    traffic = (0, 0)
    output = []
  }

  func begin(_ sequences: KeySequences, sending bytes: [UInt8], restoring: [UInt8]) {
    decoder = KeyDecoder(sequences: sequences)
    resume(sending: bytes, restoring: restoring)
  }

  func send(_ bytes: [UInt8], asking queries: Set<TerminalQuery>) {
    guard !bytes.isEmpty else { return }
    output += bytes
    traffic.bytes += bytes.count
    traffic.writes += 1
    if let text = Clipboard.text(in: bytes) { copied.append(text) }
  }

  func restoreAfterCrash(by bytes: [UInt8]) {}

  func suspend(sending bytes: [UInt8]) {
    send(bytes)
    state = .suspended
  }

  func resume(sending bytes: [UInt8], restoring: [UInt8]) {
    state = .running
    send(bytes)
  }

  func close(sending bytes: [UInt8]) {
    if state == .running { send(bytes) }
    state = .closed
  }
}
