import CNcurses
import Terminal

/// The screen that ncurses has open: draws frames on it. At most one lives in a process.
@MainActor
final class CursesScreen {
  let capabilities: TerminalCapabilities
  private let handle: OpaquePointer
  private var pens: PenBox
  /// What was drawn last.
  private var shown: CellGrid
  private(set) var isOpen = true
  /// Most cells look like the one before them.
  private var latest: (style: TextStyle, pen: PenBox.Pen)?

  /// Takes a terminal of the first kind in `kinds` that this machine knows.
  init(kinds: [String], output: Int32, input: Int32, windowSize: Bool, colors wantsColors: Bool) throws(TerminalError) {
    var opened: OpaquePointer?
    for kind in kinds where opened == nil { opened = qw_open(kind, output, input, windowSize) }
    guard let opened else { throw .unknownKind(kinds.first ?? "") }
    handle = opened
    let colors = wantsColors ? Self.usableColors(Int(qw_start_color())) : 0
    capabilities = TerminalCapabilities(colors: colors)
    pens = PenBox(
      colors: colors, hasDefaultColors: colors > 0 && qw_has_default_colors(), limit: Int(qw_pair_limit()))
    shown = CellGrid(size: Size(rows: Int(qw_rows()), columns: Int(qw_columns())))
  }

  var size: Size { shown.size }

  /// Draws what differs from the last frame. What reaches beyond the terminal is clipped; what the frame does not cover is
  /// blank.
  func present(_ frame: Frame) {
    guard isOpen else { return }
    let grid = frame.grid.size == size ? frame.grid : frame.grid.fitted(to: size)
    for row in 0..<size.rows { draw(grid.row(row), row: row, over: shown.row(row)) }
    shown = grid
    let cursor = frame.cursor.flatMap { Rect(origin: .zero, size: size).contains($0) ? $0 : nil }
    qw_update(handle, Int32(cursor?.row ?? -1), Int32(cursor?.column ?? 0))
  }

  /// Makes the next frame go out whole.
  func forget() {
    if isOpen { qw_forget() }
  }

  func resize(to size: Size) {
    guard isOpen else { return }
    qw_resize(Int32(clamping: size.rows), Int32(clamping: size.columns))
    shown = CellGrid(size: Size(rows: Int(qw_rows()), columns: Int(qw_columns())))
  }

  func suspend() {
    if isOpen { qw_suspend(handle) }
  }

  func resume() {
    if isOpen { qw_resume(handle) }
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    qw_close(handle)
  }

  /// What gives this kind of terminal back when nothing else can.
  var restoreString: [UInt8] {
    guard isOpen else { return [] }
    var bytes = [CChar](repeating: 0, count: 1024)
    let count = qw_restore_string(handle, &bytes, bytes.count)
    return bytes.prefix(count).map { UInt8(bitPattern: $0) }
  }

  /// Both slices are one row, of the same length.
  private func draw(_ cells: ArraySlice<Cell>, row: Int, over old: ArraySlice<Cell>) {
    let distance = old.startIndex - cells.startIndex
    var index = cells.startIndex
    while index < cells.endIndex {
      let cell = cells[index]
      let columns = max(1, Int(cell.columns))
      // A wide cluster may have covered what only its second column shows to have changed.
      if cell != old[index + distance] || (columns == 2 && cells[index + 1] != old[index + 1 + distance]) {
        put(cell, row: row, column: index - cells.startIndex, columns: columns)
      }
      index += columns
    }
  }

  private func put(_ cell: Cell, row: Int, column: Int, columns: Int) {
    if cell.style != latest?.style { latest = (cell.style, pens.pen(for: cell.style)) }
    guard let pen = latest?.pen else { return }
    var text = cell.text
    text.withUTF8 {
      qw_put(Int32(row), Int32(column), $0.baseAddress, $0.count, Int32(columns), pen.attributes, pen.pair)
    }
  }

  /// Only the numbers of colours that the reduction knows.
  private static func usableColors(_ colors: Int) -> Int {
    switch colors {
    case (1 << 24)...: qw_has_direct_color() ? 1 << 24 : 256
    case 256...: 256
    case 16...: 16
    case 8...: 8
    default: 0
    }
  }
}

extension CellGrid {
  /// The same picture, cut or filled up with blanks.
  fileprivate func fitted(to size: Size) -> CellGrid {
    var grid = CellGrid(size: size)
    for row in 0..<min(size.rows, self.size.rows) {
      for (column, cell) in self.row(row).enumerated() where cell.columns > 0 {
        grid.write(cell.text, at: Point(row: row, column: column), style: cell.style)
      }
    }
    return grid
  }
}
