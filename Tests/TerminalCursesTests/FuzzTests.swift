import PaneKit
import QwinkleAccount
import Terminal
import TerminalCurses
import TerminalTesting
import Testing

extension CursesTests {
  /// Untrusted data can't make the terminal do anything but draw.
  @MainActor
  @Suite struct Fuzz {
    private static let sizes = [
      Size(rows: 60, columns: 100), Size(rows: 24, columns: 80), Size(rows: 12, columns: 40),
      Size(rows: 50, columns: 200), Size(rows: 30, columns: 61),
    ]

    /// Fails if `bytes` contains anything but text and drawing sequences.
    private func expectHarmless(
      _ bytes: [UInt8], allowing allowance: TerminalBytes.Allowance = [], _ comment: String,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let violations = TerminalBytes.violations(in: bytes, allowing: allowance)
      #expect(violations.isEmpty, "\(comment): \(violations.prefix(5))", sourceLocation: sourceLocation)
    }

    @Test(arguments: [Soak.seed])
    func `hostile text in any field of a response only draws`(seed: UInt64) async throws {
      let cells = HostileCells(seed: seed)
      var frames = 0
      var drawn = 0
      for round in 0..<Soak.runs(24, times: 340) {
        let terminal = MemoryTerminal(size: Self.sizes[round % Self.sizes.count])
        let driver = CursesDriver(terminal)
        try driver.start()
        defer { driver.stop() }
        let refused = driver.refusedSequences
        for picture in pictures(of: try cells.next(round), size: driver.size) {
          driver.present(picture)
          frames += 1
        }
        expectHarmless(terminal.takeOutput(), allowing: .links, "round \(round)")
        #expect(driver.refusedSequences == refused, "round \(round)")
        drawn += driver.statistics.cells
        await Task.yield()
      }
      #expect(cells.count > 0 && frames > 0 && drawn > 0)
      print("hostile texts: \(cells.count) fed, \(drawn) cells in \(frames) frames drawn")
    }

    @Test(.needsTmux, arguments: [Soak.seed])
    func `tmux shows the same cells as ncurses for hostile text`(seed: UInt64) async throws {
      let cells = HostileCells(seed: seed)
      let size = Size(rows: 24, columns: 80)
      let canvas = try await TmuxCanvas.start(rows: size.rows, columns: size.columns)
      do {
        let title = try await canvas.title()
        let terminal = MemoryTerminal(size: size)
        let driver = CursesDriver(terminal)
        try driver.start()
        defer { driver.stop() }
        var frames = 0
        for round in 1...Soak.runs(4, times: 40) {
          // Each kind of response in turn, the most common first.
          for picture in pictures(of: try cells.next(round * 5), size: size).prefix(3) {
            // First over the previous frame; then in full, as `expectSameCells` may have erased it.
            driver.present(picture)
            try await canvas.show(terminal.takeOutput())
            try await expectSameCells(driver, canvas, "round \(round)")
            driver.redrawAll()
            driver.present(picture)
            try await canvas.show(terminal.takeOutput())
            frames += 1
          }
        }
        #expect(try await canvas.title() == title)
        #expect(try await canvas.clipboard() == nil)
        #expect(frames > 0)
        print("frames read back from tmux: \(frames)")
      } catch {
        await canvas.stop()
        throw error
      }
      await canvas.stop()
    }

    @Test(arguments: Soak.seeds(2, times: 40))
    func `a hostile server cannot control the terminal from any screen`(seed: UInt64) async throws {
      let server = HostileServer(seed: seed)
      let terminal = MemoryTerminal(size: Self.sizes[Int(seed % UInt64(Self.sizes.count))])
      let driver = CursesDriver(terminal)
      let screen = try PlayedScreen(driver) { server.transport() }
      await screen.settle()
      for keys in Self.walk {
        terminal.feed(keys.utf8)
        await screen.settle()
        // In a root pane, going back asks whether to quit.
        if keys == "h" || keys == "\u{1B}" { terminal.feed("n".utf8) }
        expectHarmless(
          terminal.takeOutput(), allowing: [.title, .clipboard, .links], "seed \(seed), after \(escaped(keys))")
      }
      driver.stop()
      expectHarmless(terminal.takeOutput(), "seed \(seed), at the end")
      #expect(driver.refusedSequences == 0, "seed \(seed)")
      expectClean(terminal.copied)
      #expect(server.count > 0)
      print("hostile texts of a server: \(server.count) fed")
    }

    /// Fails if a copied text contains control characters.
    private func expectClean(_ texts: [String], sourceLocation: SourceLocation = #_sourceLocation) {
      for text in texts {
        let violations = TerminalBytes.violations(inPlainText: Array(text.utf8))
        #expect(violations.isEmpty, "\(violations)", sourceLocation: sourceLocation)
      }
    }

    /// Keys that visit every section and the panes below. Keys without a meaning in a pane are ignored.
    private static let walk = [
      "j", "j", "\r", "j", "\r", "z", "o", "\u{1B}", "y", "ge", "h", "gb", "\u{1B}", "gf", "h", "a", "\r", "j", "L",
      "j", "h",
      "W", "h", "h", "h", "G", "R", "b", "f", "u", "r", "@a\t\t", "\u{1B}", "n", "2", "j", "G", "\r", "h", "3", "j",
      "\r",
      "\u{1B}", "k", "z", "h", "4", "j", "\r", "h", "j", "\r", "h", "5", "j", "6", "frost\r", "j", "\r", "h", "G", "\r",
      "h", "1", ":", "\t", "\t", "\t", "\u{1B}", ":qwinker \t\t", "\u{1B}", ":tag \t\r", "h",
      ":open https://x.example/\r",
      "?", "G", "\u{1B}", "\u{C}", "g", "g", "p", "\u{1B}", "n", "\u{1B}[200~\u{1B}]0;x\u{7}\u{9B}2J\u{1B}[201~", "c",
      "\u{1B}[200~pasted \u{1B}]0;x\u{7}\u{9B}2J\u{202E}\u{1B}[201~", "\u{1B}", "n", "2", "1",
    ]
  }
}
