import CNcurses
import CProcess
public import Terminal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// ncurses without a terminal: draws into memory, can be read back cell for cell, and gets its keys from `feed`. For tests
/// and replays. Only one driver of this module may be started in a process at a time.
@MainActor
public final class HeadlessCursesDriver: TerminalDriver {
  public weak var delegate: (any TerminalDriverDelegate)?

  private let firstSize: Size
  private let kind: String
  private let hasColors: Bool
  private var screen: CursesScreen?
  private var decoder = KeyDecoder(sequences: KeySequences())
  private var output: Int32 = -1
  private var takenBytes = 0

  /// A terminal of `size` and of the kind that `kind` names in the descriptions of this machine.
  public init(size: Size, kind: String = "xterm-256color", colors: Bool = true) {
    firstSize = size
    self.kind = kind
    hasColors = colors
  }

  public var size: Size { screen?.size ?? firstSize }
  public var capabilities: TerminalCapabilities { screen?.capabilities ?? TerminalCapabilities(colors: 0) }

  public func start() throws {
    guard screen == nil else { return }
    _ = qw_use_unicode()
    takenBytes = 0
    output = qw_memory_file()
    guard output >= 0 else { throw TerminalError.notATerminal }
    do {
      let screen = try CursesScreen(
        kinds: TerminalKind.candidates(for: kind), output: output, input: output, windowSize: false, colors: hasColors)
      screen.resize(to: firstSize)
      self.screen = screen
    } catch {
      close(output)
      throw error
    }
    decoder = KeyDecoder(sequences: .ofOpenScreen())
  }

  public func present(_ frame: Frame) { screen?.present(frame) }
  public func redrawAll() { screen?.forget() }
  public func suspend() { screen?.suspend() }
  public func resume() { screen?.resume() }

  public func stop() {
    guard let screen else { return }
    screen.close()
    self.screen = nil
    close(output)
    output = -1
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
    guard let screen, size != screen.size else { return }
    screen.resize(to: size)
    tell([.resize(screen.size)])
  }

  /// Ends the connection.
  public func hangUp() { tell([.hangup]) }

  /// How many bytes have been sent to the terminal since `start()`.
  public var bytesWritten: Int { takenBytes + max(0, Int(lseek(output, 0, SEEK_END))) }

  /// What has been sent to the terminal since `start()` or the last call.
  public func takeOutput() -> [UInt8] {
    let count = max(0, Int(lseek(output, 0, SEEK_END)))
    var bytes = [UInt8](repeating: 0, count: count)
    let read = bytes.withUnsafeMutableBytes { pread(output, $0.baseAddress, count, 0) }
    ftruncate(output, 0)
    lseek(output, 0, SEEK_SET)
    takenBytes += count
    return Array(bytes.prefix(max(0, read)))
  }

  /// What the terminal shows at a place, by ncurses' account: text, and style with colours by their numbers. A wide
  /// cluster is reported in both of its columns.
  public func cell(row: Int, column: Int) -> ShownCell? {
    var cell = qw_cell()
    guard screen != nil, qw_read_cell(Int32(row), Int32(column), &cell) else { return nil }
    let scalars = [cell.scalars.0, cell.scalars.1, cell.scalars.2, cell.scalars.3, cell.scalars.4, cell.scalars.5]
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars.prefix { $0 != 0 }.compactMap(Unicode.Scalar.init))
    return ShownCell(
      text: text, columns: max(1, Int(qw_width(scalars[0]))),
      attributes: TextStyle.Attributes(rawValue: UInt8(truncatingIfNeeded: cell.attributes)),
      foreground: Int(cell.foreground), background: Int(cell.background))
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

  private func tell(_ events: [TerminalEvent]) {
    if !events.isEmpty { delegate?.terminalDriver(self, didReceive: events) }
  }
}
