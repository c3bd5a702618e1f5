import Terminal
import TerminalCurses
import TerminalTesting
import Testing

extension CursesTests {
  /// Text of every script is drawn in full, in the columns that layout computed.
  @MainActor
  @Suite struct Scripts {
    private static let size = Size(rows: 24, columns: 64)

    @Test(arguments: ScriptSamples.languages)
    func `text in any language is drawn without losing a letter or mark`(language: String) throws {
      let lines = try ScriptSamples.lines(in: language)
      #expect(lines.count == 10)
      try withScreen(60, 64) { driver, _, _ in
        for line in lines {
          for columns in [60, 24, 9] {
            let rows = TextLayout.wrap([TextRun(line, 0)], columns: columns).map { $0.map(\.text).joined() }
            var grid = CellGrid(size: driver.size)
            for (row, text) in rows.enumerated() {
              #expect(DisplayWidth.columns(of: text) <= columns)
              #expect(grid.write(text, at: Point(row: row, column: 0), style: .plain) == DisplayWidth.columns(of: text))
              grid.write("|", at: Point(row: row, column: columns), style: .plain)
            }
            driver.present(Frame(grid: grid))
            #expect(meaning(of: driver.screenText.filter { $0 != "|" && $0 != "\n" }) == meaning(of: line))
            for row in rows.indices { #expect(driver.cell(row: row, column: columns)?.text == "|") }
          }
        }
      }
    }

    @Test func `a cluster is as wide as the sum of its parts`() {
      let columns = ["हि": 2, "न्दी": 3, "क्ष": 2, "त्रि": 3, "ကြောင်": 5, "கொ": 2, "ស្ត្រី": 3, "น้ำ": 2, "שִּׁ": 1, "می\u{200C}خ": 3]
      for (text, expected) in columns { #expect(DisplayWidth.columns(of: text) == expected, "\(text)") }
    }

    @Test(.needsTmux) func `changing rows of all scripts look the same in tmux and ncurses`() async throws {
      let texts = try ScriptSamples.languages.flatMap { try ScriptSamples.lines(in: $0) }
      let canvas = try await TmuxCanvas.start(rows: Self.size.rows, columns: Self.size.columns)
      do {
        try await expectAlike(texts, canvas)
      } catch {
        await canvas.stop()
        throw error
      }
      await canvas.stop()
    }

    /// Compares frames that scroll, shift and overwrite rows of `texts`.
    private func expectAlike(_ texts: [String], _ canvas: TmuxCanvas) async throws {
      let terminal = MemoryTerminal(size: Self.size)
      let driver = CursesDriver(terminal)
      try driver.start()
      defer { driver.stop() }
      var random = SplitMix(seed: Soak.seed)
      var rows = Array(texts.prefix(Self.size.rows))
      for _ in 0..<Soak.runs(60) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: rows = Array(rows.dropFirst(3)) + rows.prefix(3)
        case 1: rows[Int.random(in: rows.indices, using: &random)] = texts.randomElement(using: &random) ?? ""
        case 2: rows[Int.random(in: rows.indices, using: &random)].insert(" ", at: rows[0].startIndex)
        default:
          let row = Int.random(in: rows.indices, using: &random)
          rows[row] = String(rows[row].dropFirst(Int.random(in: 0...3, using: &random)))
        }
        var grid = CellGrid(size: Self.size)
        for (row, text) in rows.enumerated() {
          let text = DisplayWidth.truncated(text, to: Self.size.columns - 2)
          grid.write(text, at: Point(row: row, column: 0), style: .plain)
          grid.write("|", at: Point(row: row, column: DisplayWidth.columns(of: text)), style: .plain)
        }
        driver.present(Frame(grid: grid))
        try await canvas.show(terminal.takeOutput())
        let shown = try await canvas.rows()
        #expect(driver.screenText == grid.text, "seed \(Soak.seed)")
        let expected = grid.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(shown == expected, "seed \(Soak.seed)")
      }
      #expect(driver.refusedSequences == 0)
    }
  }
}
