import CNcurses
public import Terminal

/// A terminal in memory, for tests and replays: keeps what it is sent, and is typed into, resized and hung up by its
/// owner.
@MainActor
public final class MemoryTerminal {
  /// The part of it that is drawn.
  public private(set) var size: Size
  /// What was put into its clipboard, the latest last.
  public private(set) var copied: [String] = []

  /// How large its cells are; nil where it doesn't say.
  let cellSize: CellSize?
  /// What it draws on; nil where it doesn't say.
  let background: TerminalBackground?
  let environment: TerminalEnvironment
  private(set) var state = ConnectionState.closed
  private(set) var traffic = (bytes: 0, writes: 0)
  var handler: (@MainActor (ConnectionEvent) -> Void)?
  private var decoder = KeyDecoder(sequences: KeySequences())
  private var output: [UInt8] = []

  /// A terminal with the built-in description of its kind, or else with the host's.
  public init(
    size: Size, kind: String = "xterm-256color", colors: Bool = true, cellSize: CellSize? = nil,
    background: TerminalBackground? = nil
  ) {
    self.size = size.drawn
    self.cellSize = cellSize
    self.background = background
    environment = TerminalEnvironment(kind: kind, wantsColors: colors, prefersBuiltIn: true, textForm: .unicode)
  }

  /// Whether this kind has a usable description, built in or on this host. Other kinds are drawn as a similar one. Call
  /// while no screen is open.
  public static func isDescribed(_ kind: String) -> Bool {
    TerminalKind.builtIn(for: kind) != nil || qw_knows(kind)
  }

  /// What it has been sent since the driver started, or since the last call.
  public func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  /// Types `bytes`. Unless `isComplete`, an escape sequence at their end may go on in the next call.
  public func feed(_ bytes: some Sequence<UInt8>, isComplete: Bool = true) {
    var input = decoder.decode(bytes)
    if isComplete { input.events += decoder.finish() }
    if state == .running, !input.isEmpty { handler?(.input(input)) }
  }

  /// Makes it larger or smaller.
  public func resize(to size: Size) {
    guard size.drawn != self.size else { return }
    self.size = size.drawn
    noteWindowChange()
  }

  /// Tells that the window has changed, as when it had another size for a moment.
  public func noteWindowChange() {
    if state == .running { handler?(.windowChange) }
  }
}

extension MemoryTerminal: TerminalConnection {
  var windowSize: Size? { size }
  var isBusy: Bool { false }
  var isInBackground: Bool { false }
  /// Recordings of what it was sent are played on other terminals, whose replies nobody would read.
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
