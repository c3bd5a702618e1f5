import Terminal
import TerminalCurses
import TerminalTesting
import Testing

extension CursesTests {
  /// A text between two bars is drawn in full, with the second bar in its column, in both ncurses and tmux.
  @MainActor
  @Suite(.needsTmux) struct ClusterWidths {
    private static let size = Size(rows: 100, columns: 240)

    @Test(.needsUnicodeData) func `the text after every emoji is drawn in its column`() async throws {
      try await expectColumnsKept("emoji", try UnicodeData.emoji())
    }

    @Test(.needsUnicodeData) func `the text after every kind of cluster is drawn in its column`() async throws {
      try await expectColumnsKept("texts of several clusters", try UnicodeData.graphemeBreaks())
    }

    @Test(arguments: [Soak.seed])
    func `the text after every character is drawn in its column`(seed: UInt64) async throws {
      var scalars = UnicodeData.assignedScalars()
      let count = scalars.count
      #expect(count > 280_000)
      if !Soak.isOn {
        var random = SplitMix(seed: seed)
        // The most common characters are always included.
        scalars = scalars.filter { $0.value < 0x3000 || Int.random(in: 0..<12, using: &random) == 0 }
      }
      try await expectColumnsKept("characters of \(count)", scalars.map(String.init))
    }

    /// A text on the screen and its width.
    private struct Placed {
      let text: String
      let point: Point
      let columns: Int
    }

    private func expectColumnsKept(
      _ what: String, _ texts: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let canvas = try await TmuxCanvas.start(rows: Self.size.rows, columns: Self.size.columns)
      do {
        let terminal = MemoryTerminal(size: Self.size)
        let driver = CursesDriver(terminal)
        try driver.start()
        defer { driver.stop() }
        let refused = driver.refusedSequences
        var failures: [String] = []
        var rest = texts[...]
        while !rest.isEmpty {
          var grid = CellGrid(size: Self.size)
          let placed = Self.fill(&grid, from: &rest)
          driver.redrawAll()
          driver.present(Frame(grid: grid))
          failures += placed.compactMap { Self.fault($0, driver) }
          failures += try await Self.faults(placed, driver, terminal, canvas)
        }
        print("\(what): \(texts.count) tried, \(failures.count) failed")
        #expect(failures.isEmpty, "\(failures.prefix(20).joined(separator: "\n"))", sourceLocation: sourceLocation)
        #expect(driver.refusedSequences == refused, sourceLocation: sourceLocation)
      } catch {
        await canvas.stop()
        throw error
      }
      await canvas.stop()
    }

    /// Writes as many texts as fit, each between bars and followed by a blank.
    private static func fill(_ grid: inout CellGrid, from texts: inout ArraySlice<String>) -> [Placed] {
      var placed: [Placed] = []
      var point = Point.zero
      while let text = texts.first {
        let columns = DisplayWidth.columns(of: text)
        if point.column + columns + 3 > size.columns { point = Point(row: point.row + 1, column: 0) }
        guard point.row < size.rows else { break }
        grid.write("|", at: point, style: .plain)
        grid.write(text, at: Point(row: point.row, column: point.column + 1), style: .plain)
        grid.write("|", at: Point(row: point.row, column: point.column + columns + 1), style: .plain)
        placed.append(Placed(text: text, point: point, columns: columns))
        point = Point(row: point.row, column: point.column + columns + 3)
        texts.removeFirst()
      }
      return placed
    }

    /// Returns a failure of ncurses' rendering of the text, if any.
    private static func fault(_ placed: Placed, _ driver: CursesDriver) -> String? {
      func shown(_ column: Int) -> String? {
        driver.cell(row: placed.point.row, column: placed.point.column + column)?.text
      }
      let cells = (0..<(placed.columns + 3)).map { shown($0) ?? "" }
      let inside = drawn(placed, driver).unicodeScalars.dropFirst().dropLast()
      let isKept = meaning(of: String(String.UnicodeScalarView(inside))) == reducedMeaning(of: placed.text)
      if cells.first == "|", cells[placed.columns + 1] == "|", cells.last == " ", isKept { return nil }
      return "ncurses: \(escaped(placed.text)) in \(placed.columns) columns is \(cells.map(escaped))"
    }

    /// Returns the failures of tmux's rendering, of the whole frame and of each text alone.
    private static func faults(
      _ placed: [Placed], _ driver: CursesDriver, _ terminal: MemoryTerminal, _ canvas: TmuxCanvas
    ) async throws -> [String] {
      try await canvas.show(terminal.takeOutput())
      let believed = driver.screenText.split(separator: "\n", omittingEmptySubsequences: false)
      let rows = try await canvas.rows()
      // tmux draws joined letters in one column, followed by a blank.
      func filled(_ row: some StringProtocol) -> String {
        row.unicodeScalars.contains("\u{200D}") ? String(row.filter { $0 != " " }) : String(row)
      }
      var faults = zip(believed, rows).filter { filled($0) != filled($1) }
        .map { "a row: ncurses has \(escaped(String($0)))\ntmux has \(escaped($1))" }
      let columns = try await canvas.columns(after: placed.map { Array(drawn($0, driver).utf8) })
      #expect(columns.count == placed.count)
      for (placed, column) in zip(placed, columns) where column != placed.columns + 2 {
        if drawn(placed, driver).unicodeScalars.contains("\u{200D}") { continue }
        faults.append("tmux: \(escaped(placed.text)) takes \(column - 2) columns and not \(placed.columns)")
      }
      return faults
    }

    /// Returns the text between its bars as ncurses drew it, with the bars.
    private static func drawn(_ placed: Placed, _ driver: CursesDriver) -> String {
      var text = ""
      var column = 0
      while column < placed.columns + 2 {
        let cell = driver.cell(row: placed.point.row, column: placed.point.column + column)
        text += cell?.text ?? " "
        column += cell?.columns ?? 1
      }
      return text
    }
  }
}
