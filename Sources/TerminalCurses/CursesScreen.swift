import CNcurses
import CWidth
import Terminal

/// The screen that ncurses has open. Draws frames, and returns the bytes to send to the terminal. A process has at most
/// one open screen.
@MainActor
final class CursesScreen {
  private(set) var capabilities: TerminalCapabilities
  /// Modes that are switched on in addition to ncurses' own.
  var modes: TerminalModes
  /// Number of rows compared with the previous frame.
  private(set) var rowsCompared = 0
  /// Number of times that all or part of the screen was redrawn regardless of its contents.
  private(set) var repaints = 0
  /// Rows in which the last frame wrote cells.
  private(set) var writtenRows: [Int] = []
  /// Number of cells that differed from the previous frame.
  private(set) var cellsChanged = 0
  /// Position of the cursor; nil if the cursor is hidden.
  private(set) var cursor: Point?

  private let handle: OpaquePointer
  private let file: FrameFile
  private let colorSupport: ColorSupport
  private var colorPairs: ColorPairCache
  /// The cells that were drawn last.
  private(set) var shown: CellGrid
  /// Rows that the next frame must compare with `shown` even if the frame doesn't list them as changed.
  private var staleRows = RangeSet<Int>()
  private(set) var isOpen = true
  private(set) var substitutes = SubstituteTable()
  /// The links of the frame drawn last.
  private var links = LinkTable()
  /// The style and look of the cell drawn last. Cached because most cells have the same style as the previous cell.
  private var latest: (style: TextStyle, look: ColorPairCache.Look)?
  /// The characters of the run that is being drawn. Kept to reuse its memory.
  private var scalars: [UInt32] = []

  /// Opens the screen with the description of the environment's terminal type. If ncurses can't use that description,
  /// opens it with the description of a similar type.
  init(_ environment: TerminalEnvironment, colors choice: ColorChoice, size: Size) throws(TerminalError) {
    guard let file = FrameFile() else { throw .notATerminal }
    qw_set_ambiguous_columns(Int32(environment.textForm.ambiguousColumns))
    _ = qw_use_unicode()
    var opened: OpaquePointer?
    for kind in TerminalKind.candidates(for: environment.kind) where opened == nil {
      let builtIn = environment.prefersBuiltIn ? TerminalKind.builtIn(for: kind) : nil
      opened = qw_open(builtIn ?? kind, file.descriptor, builtIn != nil)
    }
    guard let opened else {
      file.close()
      throw .unknownKind(environment.kind)
    }
    handle = opened
    self.file = file
    colorSupport = ColorSupport(ofOpenScreen: environment)
    var capabilities = TerminalCapabilities(
      ofOpenScreen: environment.kind, colors: colorSupport.colors(for: choice))
    capabilities.textForm = environment.textForm
    self.capabilities = capabilities
    modes = TerminalModes(
      bracketsPaste: qw_capability("smcup") != nil, usesMouse: false, keepsTitle: capabilities.hasTitle)
    colorPairs = ColorPairCache(ofOpenScreen: colorSupport, colors: capabilities.colors)
    shown = CellGrid(size: Size(rows: Int(qw_rows()), columns: Int(qw_columns())))
    resize(to: size)
  }

  var size: Size { shown.size }

  /// Returns the output of ncurses since the last call, with links, and with each substitute replaced by its cluster.
  func takeOutput() -> [UInt8] {
    let output = colorPairs.expanding(file.take())
    return substitutes.expanding(LinkSequences.expanding(output, links: links))
  }

  /// Whether the terminal supports links in text (OSC 8), or at least ignores commands that it doesn't know.
  var drawsLinks: Bool { capabilities.hasTitle }

  /// Remembers the changed rows of a frame that is not drawn. The next frame that is drawn compares these rows too.
  func skip(_ frame: Frame) { staleRows.formUnion(frame.changedRows) }

  /// Draws the changed cells of changed rows. Clips the frame to the screen, and leaves the rest of the screen blank.
  func present(_ frame: Frame) {
    guard isOpen else { return }
    substitutes.recycle(shown: shown)
    if drawsLinks { links = frame.grid.links }
    if colorPairs.mayRunOut(cells: size.rows * size.columns) { recycleColors() }
    let fits = frame.grid.size == size
    let grid = fits ? frame.grid : frame.grid.fitted(to: size)
    let all = 0..<size.rows
    let changed = !fits ? RangeSet(all) : staleRows.isEmpty ? frame.changedRows : staleRows.union(frame.changedRows)
    if !movesCells { keepFromScrolling(grid, changed: changed) }
    writtenRows = []
    for rows in changed.ranges.lazy.map({ $0.clamped(to: all) }) {
      for row in rows where draw(grid.row(row), row: row, over: shown.row(row)) {
        writtenRows.append(row)
        shown.copy(row: row, from: grid)
      }
      rowsCompared += rows.count
    }
    staleRows = fits ? RangeSet() : RangeSet(all)
    update(cursor: frame.cursor)
  }

  /// Uses the chosen number of colours from the next frame on.
  func use(_ choice: ColorChoice) {
    let colors = colorSupport.colors(for: choice)
    guard isOpen, colors != capabilities.colors else { return }
    capabilities.colors = colors
    colorPairs = ColorPairCache(ofOpenScreen: colorSupport, colors: colors)
    recycleColors()
  }

  /// Discards all colour pairs, so that the next frame redraws the whole screen.
  private func recycleColors() {
    colorPairs.forget()
    latest = nil
    redrawAll()
  }

  /// Causes the next frame to write each cell again, also if its link has the number of a former link.
  func redrawAll() {
    // Fill `shown` with a style that no frame contains, so that every cell differs.
    shown.fill(Rect(origin: .zero, size: size), style: TextStyle(.palette(.max), on: .palette(.max)))
    staleRows = RangeSet(0..<size.rows)
    forget()
  }

  /// Causes ncurses to redraw `rows` completely in the next frame. Call this after something else has been drawn there.
  func forget(rows: RangeSet<Int>) {
    guard isOpen, !rows.isEmpty else { return }
    for row in rows.intersection(RangeSet(0..<size.rows)).ranges.joined() { qw_forget_row(Int32(row)) }
    repaints += 1
  }

  /// Whether ncurses is allowed to scroll, insert and delete cells instead of writing them again. Moving cells would
  /// also move pictures that the terminal draws over cells.
  var movesCells = true {
    didSet { if isOpen, movesCells != oldValue { qw_move_cells(movesCells) } }
  }

  /// Forces ncurses to write the changed rows of `grid` completely if ncurses could otherwise scroll. ncurses can
  /// scroll if a changed row equals any row of the old frame. Disabling `idlok` isn't enough, because ncurses can still
  /// scroll the whole screen.
  private func keepFromScrolling(_ grid: CellGrid, changed: RangeSet<Int>) {
    let rows = changed.intersection(RangeSet(0..<size.rows)).ranges.joined().filter { grid.row($0) != shown.row($0) }
    let old = (0..<size.rows).map(shown.row)
    guard rows.contains(where: { old.contains(grid.row($0)) }) else { return }
    for row in rows { qw_forget_row(Int32(row)) }
  }

  /// Redraws a row of the last frame after something else was written there.
  func redraw(row: Int, of frame: Frame) {
    guard isOpen, (0..<size.rows).contains(row) else { return }
    repaints += 1
    qw_forget_row(Int32(row))
    update(cursor: frame.cursor)
  }

  private func update(cursor: Point?) {
    let cursor = cursor.flatMap { Rect(origin: .zero, size: size).contains($0) ? $0 : nil }
    self.cursor = cursor
    qw_update(handle, Int32(cursor?.row ?? -1), Int32(cursor?.column ?? 0))
  }

  /// Returns a cell as ncurses reports it, but with the cluster in place of a substitute. Nil outside the screen, or if
  /// the screen is closed.
  func cell(row: Int, column: Int) -> ScreenCell? {
    var cell = qw_cell()
    guard isOpen, qw_read_cell(Int32(row), Int32(column), &cell) else { return nil }
    var shown = ScreenCell(cell)
    colorPairs.restoreColors(of: &shown)
    if let mark = shown.text.unicodeScalars.last, let number = LinkSequences.number(ofMark: mark.value) {
      shown.text.unicodeScalars.removeLast()
      shown.link = links[number]?.address
    }
    guard let scalar = shown.text.unicodeScalars.first, scalar.value >= Substitute.first.lowerBound else {
      return shown
    }
    if let cluster = substitutes.cluster(of: scalar) {
      (shown.text, shown.columns) = cluster
    } else if scalar == Substitute.further {
      shown.text = ""
    }
    return shown
  }

  /// Returns the cell that ``cell(row:column:)`` returns after a blank in `style` is drawn, if a colour pair was
  /// available.
  func blank(in style: TextStyle) -> ScreenCell { colorPairs.blank(in: style) }

  /// Causes ncurses to redraw the whole screen in the next frame.
  func forget() {
    repaints += 1
    if isOpen { qw_forget() }
  }

  /// Sets the form of text that is drawn from now on. If the characters or their widths change, clears the screen,
  /// because ncurses must count columns again.
  func use(_ form: TextForm) {
    let keepsPicture = form.hasCharacters(of: capabilities.textForm)
    capabilities.textForm = form
    guard !keepsPicture else { return }
    qw_set_ambiguous_columns(Int32(form.ambiguousColumns))
    resize(to: size)
  }

  /// Changes the size of the screen and clears it.
  func resize(to size: Size) {
    guard isOpen else { return }
    repaints += 1
    qw_resize(handle, Int32(clamping: size.rows), Int32(clamping: size.columns))
    shown = CellGrid(size: Size(rows: Int(qw_rows()), columns: Int(qw_columns())))
    staleRows = RangeSet(0..<shown.size.rows)
  }

  func suspend() {
    if isOpen { qw_suspend(handle) }
  }

  func resume() {
    repaints += 1
    if isOpen { qw_resume(handle) }
  }

  /// Closes the screen. ``takeOutput()`` still returns the last output, which restores the terminal.
  func close() {
    guard isOpen else { return }
    isOpen = false
    qw_close(handle)
  }

  /// Frees the screen's file. Call this after taking the last output.
  func closeFile() { file.close() }

  /// The bytes that restore the terminal after a crash.
  var restoreString: [UInt8] {
    guard isOpen else { return [] }
    var bytes = [CChar](repeating: 0, count: 1024)
    let count = qw_restore_string(&bytes, bytes.count)
    return Array(modes.givingBack.utf8) + bytes.prefix(count).map { UInt8(bitPattern: $0) }
  }

  /// Draws the changed cells of one row. Both slices have the same length. Returns whether any cell has changed.
  private func draw(_ cells: ArraySlice<Cell>, row: Int, over old: ArraySlice<Cell>) -> Bool {
    var count = 0
    cells.withUnsafeBufferPointer { cells in
      old.withUnsafeBufferPointer { old in
        var column = 0
        while column < cells.count {
          let cell = cells[column]
          let columns = max(1, Int(cell.columns))
          // A wide cluster can be unchanged in its first column while one of its other columns has changed.
          guard
            cell != old[column]
              || (columns > 1 && (column..<min(column + columns, cells.count)).contains { cells[$0] != old[$0] })
          else {
            column += columns
            continue
          }
          if cell.isASCII {
            var end = column + 1
            while end < cells.count, cells[end].isASCII, cells[end] != old[end], cells[end].hasLook(of: cell) {
              end += 1
            }
            putRun(cells[column..<end], row: row, column: column)
            count += end - column
            column = end
          } else {
            put(cell, row: row, column: column, columns: columns)
            count += 1
            column += columns
          }
        }
      }
    }
    cellsChanged += count
    return count > 0
  }

  /// Draws adjacent ASCII characters of one look and link in one call.
  private func putRun(_ cells: Slice<UnsafeBufferPointer<Cell>>, row: Int, column: Int) {
    let look = look(of: cells.first?.style ?? .plain)
    let mark = LinkSequences.mark(ofLink: cells.first?.link ?? 0, in: links)
    scalars.removeAll(keepingCapacity: true)
    for cell in cells { scalars.append(cell.firstScalar) }
    scalars.withUnsafeBufferPointer {
      qw_put_run(Int32(row), Int32(column), $0.baseAddress, $0.count, mark, look.attributes, look.pair)
    }
  }

  private func put(_ cell: Cell, row: Int, column: Int, columns: Int) {
    let look = look(of: cell.style)
    let text = cell.text
    let mark = LinkSequences.mark(ofLink: cell.link, in: links)
    // A cell of a link has room for one character, because its mark must follow the character.
    if Substitute.isNeeded(for: text, columns: columns, form: capabilities.textForm)
      || (mark != 0 && text.unicodeScalars.count > 1),
      let substitute = substitutes.substitute(for: text, columns: columns)
    {
      put(String(substitute), row: row, column: column, columns: 1, look, mark: mark)
      for further in 1..<columns { put(Substitute.further, row: row, column: column + further, look) }
    } else {
      put(
        text, row: row, column: column, columns: columns, look, mark: text.unicodeScalars.count == 1 ? mark : 0)
    }
  }

  private func look(of style: TextStyle) -> ColorPairCache.Look {
    if let latest, latest.style == style { return latest.look }
    let look = colorPairs.look(of: style)
    latest = (style, look)
    return look
  }

  private func put(_ scalar: Unicode.Scalar, row: Int, column: Int, _ look: ColorPairCache.Look) {
    put(String(scalar), row: row, column: column, columns: 1, look)
  }

  private func put(
    _ text: String, row: Int, column: Int, columns: Int, _ look: ColorPairCache.Look, mark: UInt32 = 0
  ) {
    var text = text
    text.withUTF8 {
      qw_put(
        Int32(row), Int32(column), $0.baseAddress, $0.count, Int32(columns), mark, look.attributes, look.pair)
    }
  }
}

extension ColorSupport {
  /// The colours of the terminal on which ncurses has opened a screen.
  @MainActor
  fileprivate init(ofOpenScreen environment: TerminalEnvironment) {
    let colors = qw_colors(
      count: environment.wantsColors ? qw_start_color() : 0, is_direct: qw_has_direct_color(),
      announces_direct: qw_announces_direct_color(), are_numbered: qw_numbers_colors())
    self.init(colors, environment)
  }
}

extension ColorPairCache {
  @MainActor
  fileprivate init(ofOpenScreen support: ColorSupport, colors: Int) {
    self.init(
      colors: colors, described: support.described,
      hasDefaultColors: support.described > 0 && qw_has_default_colors(), limit: Int(qw_pair_limit()))
  }
}
