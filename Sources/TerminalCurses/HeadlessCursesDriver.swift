import CNcurses
public import Terminal

/// ncurses without a terminal: draws into memory, can be read back cell for cell, and gets its keys from `feed`. For
/// tests and replays. Only one driver of this module may be started in a process at a time.
@MainActor
public final class HeadlessCursesDriver: TerminalDriver {
  public weak var delegate: (any TerminalDriverDelegate)?

  /// What was put into the clipboard, the last at the end.
  public private(set) var copied: [String] = []
  /// The title that was set last.
  public private(set) var title = ""
  /// Where the cursor stands; nil while it is hidden.
  public private(set) var cursor: Point?
  public var usesMouse = true

  private let firstSize: Size
  private let environment: TerminalEnvironment
  private var screen: CursesScreen?
  private var decoder = KeyDecoder(sequences: KeySequences())
  private var output: [UInt8] = []
  private var counts = TerminalStatistics()

  /// A terminal of `size`, as much of it as is drawn, and of the kind that `kind` names in the descriptions of this
  /// machine.
  public init(size: Size, kind: String = "xterm-256color", colors: Bool = true) {
    firstSize = size.drawn
    environment = TerminalEnvironment(kind: kind, wantsColors: colors, isUnicode: true)
  }

  public var size: Size { screen?.size ?? firstSize }
  public var capabilities: TerminalCapabilities { screen?.capabilities ?? TerminalCapabilities(colors: 0) }

  public var statistics: TerminalStatistics {
    var statistics = counts
    statistics.cells = screen?.cellsChanged ?? 0
    return statistics
  }

  public func start() throws {
    guard screen == nil else { return }
    _ = qw_use_unicode()
    counts = TerminalStatistics()
    output = []
    let screen = try CursesScreen(environment, size: firstSize)
    self.screen = screen
    collect(screen.modes.taking())
    decoder = KeyDecoder(sequences: .ofOpenScreen())
  }

  public func present(_ frame: Frame) {
    screen?.present(frame)
    cursor = frame.cursor
    counts.frames += 1
    collect()
  }

  public func append(_ text: String) {}

  public func copy(_ text: String) -> Bool {
    copied.append(text)
    return true
  }

  public func setTitle(_ title: String) { self.title = title }

  /// Nothing: the form of text is the whole program's.
  public func use(_ form: TextForm) {}

  public func redrawAll() { screen?.forget() }

  public func suspend() {
    guard let screen else { return }
    screen.suspend()
    collect(before: screen.modes.givingBack)
  }

  public func resume() {
    guard let screen else { return }
    screen.resume()
    collect(screen.modes.taking())
  }

  public func stop() {
    guard let screen else { return }
    screen.close()
    collect(before: screen.modes.givingBack)
    screen.closeFile()
    self.screen = nil
  }

  // MARK: The other end

  /// Types `bytes`. Without `isComplete`, an escape sequence that they begin may go on in the next call.
  public func feed(_ bytes: some Sequence<UInt8>, isComplete: Bool = true) {
    var events = decoder.decode(bytes)
    if isComplete { events += decoder.finish() }
    tell(events)
  }

  /// Makes the terminal larger or smaller.
  public func resize(to size: Size) {
    guard let screen, size.drawn != screen.size else { return }
    screen.resize(to: size.drawn)
    tell([.resize(screen.size)])
  }

  /// Ends the connection.
  public func hangUp() { tell([.hangup]) }

  /// How many bytes have been sent to the terminal since `start()`.
  public var bytesWritten: Int { counts.bytes }

  /// What ncurses wrote and was not let through, in pieces: none, as far as anybody knows.
  public var refused: Int { screen?.refused ?? 0 }

  /// What has been sent to the terminal since `start()` or the last call.
  public func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  /// What the terminal shows at a place, by ncurses' account: text, and style with colours by their numbers. A wide
  /// cluster is reported in both of its columns.
  public func cell(row: Int, column: Int) -> ShownCell? {
    var cell = qw_cell()
    guard screen != nil, qw_read_cell(Int32(row), Int32(column), &cell) else { return nil }
    return ShownCell(
      text: Self.text(of: cell), columns: Int(cell.columns),
      attributes: TextStyle.Attributes(rawValue: UInt8(truncatingIfNeeded: cell.attributes)),
      foreground: Int(cell.foreground), background: Int(cell.background))
  }

  private static func text(of cell: qw_cell) -> String {
    // Nearly all have one scalar.
    if cell.scalars.1 == 0 { return Unicode.Scalar(cell.scalars.0).map { String(Character($0)) } ?? "" }
    let scalars = [cell.scalars.0, cell.scalars.1, cell.scalars.2, cell.scalars.3, cell.scalars.4, cell.scalars.5]
    var text = ""
    for scalar in scalars.prefix(while: { $0 != 0 }) { Unicode.Scalar(scalar).map { text.unicodeScalars.append($0) } }
    return text
  }

  /// What the terminal shows, one line a row, without the blanks at the ends of rows.
  public var screenText: String {
    (0..<size.rows).map { row in
      var text = ""
      var column = 0
      while column < size.columns, let cell = cell(row: row, column: column) {
        text += cell.text
        column += cell.columns
      }
      while text.last == " " { text.removeLast() }
      return text
    }.joined(separator: "\n")
  }

  /// Takes what ncurses wrote, as one write.
  private func collect(before first: String = "", _ last: String = "") {
    let bytes = Array(first.utf8) + (screen?.takeOutput() ?? []) + Array(last.utf8)
    guard !bytes.isEmpty else { return }
    output += bytes
    counts.bytes += bytes.count
    counts.writes += 1
  }

  private func tell(_ events: [TerminalEvent]) {
    if !events.isEmpty { delegate?.terminalDriver(self, didReceive: events) }
  }
}
