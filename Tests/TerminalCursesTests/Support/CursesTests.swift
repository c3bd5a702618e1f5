import Terminal
import TerminalCurses
import TerminalTesting
import Testing

/// Nests the suites that open an ncurses screen, as only one screen can be open at a time.
@Suite(.serialized, .bounded)
struct CursesTests {}

/// Records a driver's events.
@MainActor
final class Recorder: TerminalDriverDelegate {
  /// One array per call.
  private(set) var calls: [[TerminalEvent]] = []

  var events: [TerminalEvent] { calls.flatMap { $0 } }
  var keys: [Key] { events.compactMap { if case .key(let key) = $0 { key } else { nil } } }

  func terminalDriver(_ driver: any TerminalDriver, didReceive events: [TerminalEvent]) {
    calls.append(events)
  }

  /// Waits until at least `count` calls were received.
  func waitForCalls(_ count: Int) async throws {
    try await wait(for: "call \(count) of the delegate", showing: { "\(calls)" }) { calls.count >= count }
  }
}

/// Runs `body` with a screen on a terminal in memory, then closes the screen.
@MainActor
func withScreen(
  _ rows: Int = 10, _ columns: Int = 40, kind: String = "xterm-256color", colors: Bool = true,
  colorTerm: String = "", cellSize: CellSize? = nil, _ body: (CursesDriver, MemoryTerminal, Recorder) throws -> Void
) throws {
  let size = Size(rows: rows, columns: columns)
  let terminal = MemoryTerminal(size: size, kind: kind, colors: colors, colorTerm: colorTerm, cellSize: cellSize)
  let driver = CursesDriver(terminal)
  let recorder = Recorder()
  driver.delegate = recorder
  try driver.start()
  defer { driver.stop() }
  try body(driver, terminal, recorder)
}

/// Returns a frame with `lines` from the top left corner.
func picture(_ rows: Int, _ columns: Int, _ lines: [String], style: TextStyle = .plain, cursor: Point? = nil) -> Frame {
  var grid = CellGrid(size: Size(rows: rows, columns: columns))
  for (row, line) in lines.enumerated() { grid.write(line, at: Point(row: row, column: 0), style: style) }
  return Frame(grid: grid, cursor: cursor)
}
