import HTTPTypes
import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalCurses
import TerminalTesting
import Testing

extension CursesTests {
  /// A terminal that is resized again and again in various panes.
  @MainActor
  @Suite struct Resizing {
    /// Bytes and the keys that they are decoded as.
    private static let keys: [(bytes: String, keys: [Key])] = [
      ("j", [.character("j")]), ("j", [.character("j")]), ("k", [.character("k")]), ("G", [.character("G")]),
      ("gg", [.character("g"), .character("g")]), ("\r", [Key(.enter)]), ("\u{1B}", [Key(.escape)]),
      ("\u{5}", [.control("e")]), ("\u{19}", [.control("y")]), ("\u{4}", [.control("d")]), ("?", [.character("?")]),
      ("c", [.character("c")]), ("日本語", [.character("日"), .character("本"), .character("語")]),
      ("👩‍👩‍👧", [.character("👩‍👩‍👧")]), (":", [.character(":")]), ("z", [.character("z")]), ("1", [.character("1")]),
      ("n", [.character("n")]), ("3", [.character("3")]), ("\u{C}", [.control("l")]), ("\u{7F}", [Key(.backspace)]),
    ]

    /// A screen on ncurses and one in memory that receive the same input.
    private struct Twins {
      let terminal: MemoryTerminal
      let curses: CursesDriver
      let memory: LastFrameDriver
      private let screens: [PlayedScreen]

      @MainActor
      init(size: Size) throws {
        terminal = MemoryTerminal(size: size)
        curses = CursesDriver(terminal)
        memory = LastFrameDriver(size: size)
        let answers = Self.page
        let transport: @Sendable () -> ScriptedTransport = {
          ScriptedTransport { request in
            (request.head.path ?? "").hasPrefix("/api/v1/timelines/")
              ? .json(answers) : .json(WireEncoder.error("Record not found"), status: 404)
          }
        }
        screens = [try PlayedScreen(curses, transport: transport), try PlayedScreen(memory, transport: transport)]
      }

      /// Wide characters at various distances from the edge.
      private static let page = WireEncoder.qwinks(
        (1...60).reversed().map { number in
          .sample(
            id: Qwink.ID("\(number)"),
            text: "Qwink \(number) " + String(repeating: "a", count: number % 7)
              + String(repeating: "日本語もきちんと並ぶはずです。👩‍👩‍👧‍👦", count: number % 5 + 1),
            author: .sample("alice", displayName: "海斗 🌊"))
        })

      /// Whether the program has quit: Esc at the root asks, and Enter may confirm.
      @MainActor
      var hasEnded: Bool { screens.contains { $0.hasEnded } }

      @MainActor
      func settle() async {
        for screen in screens { await screen.settle() }
      }

      @MainActor
      func resize(to size: Size) {
        terminal.resize(to: size)
        memory.resize(to: size)
      }

      @MainActor
      func press(_ key: (bytes: String, keys: [Key])) {
        terminal.feed(key.bytes.utf8)
        memory.press(key.keys)
      }
    }

    private func size(_ random: inout SplitMix) -> Size {
      let rows = [3, 12, 30, 60, 200].randomElement(using: &random) ?? 24
      let columns = [4, 30, 90, 200, 500].randomElement(using: &random) ?? 80
      return Size(rows: Int.random(in: 1...rows, using: &random), columns: Int.random(in: 1...columns, using: &random))
    }

    /// Fails unless the cells of ncurses match the last frame.
    private func expectShown(_ twins: Twins, _ comment: String, sourceLocation: SourceLocation = #_sourceLocation)
      throws
    {
      let grid = try #require(twins.memory.frame?.grid, sourceLocation: sourceLocation)
      try #require(twins.curses.size == grid.size, "\(comment)", sourceLocation: sourceLocation)
      for row in 0..<grid.size.rows {
        for column in 0..<grid.size.columns {
          let cell = grid[row, column]
          let wanted = cell.columns == 0 ? grid[row, column - 1].text : cell.text
          let shown = twins.curses.cell(row: row, column: column)?.text
          if shown == wanted { continue }
          Issue.record(
            "\(comment), row \(row), column \(column): “\(shown ?? "nothing")” and not “\(wanted)”",
            sourceLocation: sourceLocation)
          return
        }
      }
    }

    private func selected(_ driver: LastFrameDriver) -> Substring? {
      let row = driver.rows.first { $0.hasPrefix("▌") && $0.contains("Qwink ") }
      return row.flatMap { row in
        row.firstRange(of: "Qwink ").map { row[$0.upperBound...].prefix { $0.isNumber } }
      }
    }

    @Test(arguments: Soak.seeds(1, times: 3))
    func `many resizes with keys in between end in the right picture`(seed: UInt64) async throws {
      var random = SplitMix(seed: seed)
      var twins = try Twins(size: Size(rows: 24, columns: 80))
      defer { twins.curses.stop() }
      await twins.settle()
      let count = Soak.runs(100, times: 34)
      for number in 1...count {
        twins.resize(to: size(&random))
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          if let key = Self.keys.randomElement(using: &random) { twins.press(key) }
        }
        // Sometimes the next resize precedes this frame.
        guard Int.random(in: 0..<4, using: &random) > 0 || number == count else { continue }
        await twins.settle()
        if twins.hasEnded {
          twins.curses.stop()
          twins = try Twins(size: size(&random))
          await twins.settle()
        }
        if twins.curses.size.rows * twins.curses.size.columns < 4000 || number == count {
          try expectShown(twins, "seed \(seed), size \(number), \(twins.curses.size)")
        }
        let violations = TerminalBytes.violations(in: twins.terminal.takeOutput(), allowing: .title)
        #expect(violations.isEmpty, "seed \(seed), size \(number): \(violations.prefix(5))")
      }
      try expectSameOnFreshScreen(twins)
      print("seed \(seed): \(count) sizes")
    }

    /// Fails unless a new screen shows the last frame identically.
    private func expectSameOnFreshScreen(_ twins: Twins) throws {
      let frame = try #require(twins.memory.frame)
      let text = twins.curses.screenText
      twins.curses.stop()
      let fresh = CursesDriver(MemoryTerminal(size: frame.grid.size))
      try fresh.start()
      defer { fresh.stop() }
      fresh.present(frame)
      #expect(fresh.screenText == text)
    }

    @Test(arguments: [Soak.seed])
    func `the selection survives resizes in the list and below a sheet`(seed: UInt64) async throws {
      var random = SplitMix(seed: seed)
      let twins = try Twins(size: Size(rows: 24, columns: 80))
      defer { twins.curses.stop() }
      await twins.settle()
      for _ in 0..<17 { twins.press(("j", [.character("j")])) }
      await twins.settle()
      let before = try #require(selected(twins.memory))
      for sheet in ["", "?", "c", ":"] {
        for character in sheet { twins.press((String(character), [.character(character)])) }
        for _ in 0..<Soak.runs(20) {
          twins.resize(to: size(&random))
          if Bool.random(using: &random) { await twins.settle() }
        }
        twins.resize(to: Size(rows: 24, columns: 80))
        await twins.settle()
        if !sheet.isEmpty { twins.press(("\u{1B}", [Key(.escape)])) }
        await twins.settle()
        #expect(selected(twins.memory) == before, "after “\(sheet)”")
        try expectShown(twins, "after “\(sheet)”")
      }
    }
  }
}
