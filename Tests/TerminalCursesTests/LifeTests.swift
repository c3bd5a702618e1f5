import Terminal
import TerminalCurses
import Testing

extension CursesTests {
  @MainActor
  @Suite struct Life {
    @Test(arguments: [
      "xterm-of-tomorrow", "kitty-of-tomorrow", "tmux-of-tomorrow", "something-256color", "never-heard-of", "",
    ])
    func `a terminal of an unknown kind is drawn like a known one`(kind: String) throws {
      try withScreen(kind: kind) { driver, _, _ in
        driver.present(picture(10, 40, ["shown"]))
        #expect(driver.screenText.hasPrefix("shown\n"))
      }
    }

    @Test func `a terminal that cannot position text is refused`() {
      let terminal = MemoryTerminal(size: Size(rows: 5, columns: 5), kind: "dumb")
      let driver = CursesDriver(terminal)
      #expect(throws: TerminalError.unknownKind("dumb")) { try driver.start() }
    }

    @Test func `a huge terminal is limited to the largest screen`() throws {
      for size in [8_000, 65_535] {
        let terminal = MemoryTerminal(size: Size(rows: size, columns: size))
        let driver = CursesDriver(terminal)
        try driver.start()
        #expect(driver.size == Size.largestScreen)
        terminal.resize(to: Size(rows: 3, columns: 3))
        terminal.resize(to: Size(rows: size, columns: 7))
        #expect(driver.size == Size(rows: Size.largestScreen.rows, columns: 7))
        driver.stop()
      }
    }

    @Test func `a resize is reported and the next frame fills the new size`() throws {
      try withScreen(5, 10) { driver, terminal, recorder in
        driver.present(picture(5, 10, ["日本語日本"]))
        for (rows, columns) in [(3, 5), (40, 120), (1, 1), (6, 9)] {
          terminal.resize(to: Size(rows: rows, columns: columns))
          #expect(recorder.events.last == .resize(Size(rows: rows, columns: columns)))
          #expect(driver.size == Size(rows: rows, columns: columns))
          let lines = Array(repeating: String(repeating: "x", count: columns), count: rows)
          driver.present(picture(rows, columns, lines))
          #expect(driver.screenText == lines.joined(separator: "\n"))
        }
      }
    }

    @Test func `suspending restores the terminal and resuming redraws it`() throws {
      try withScreen { driver, terminal, _ in
        driver.present(picture(10, 40, ["one"], cursor: nil))
        _ = terminal.takeOutput()
        driver.suspend()
        let given = String(decoding: terminal.takeOutput(), as: UTF8.self)
        #expect(given.contains("\u{1B}[?1049l") && given.contains("\u{1B}[?2004l") && given.contains("\u{1B}[?25h"))
        driver.resume()
        let taken = String(decoding: terminal.takeOutput(), as: UTF8.self)
        #expect(taken.contains("\u{1B}[?1049h") && taken.contains("\u{1B}[?2004h") && taken.contains("\u{1B}[?25l"))
        #expect(taken.contains("one"))
      }
    }

    @Test func `stopping twice is harmless and a stopped driver can restart`() throws {
      let terminal = MemoryTerminal(size: Size(rows: 2, columns: 10))
      let driver = CursesDriver(terminal)
      for _ in 0..<50 {
        try driver.start()
        driver.present(picture(2, 10, ["again"]))
        #expect(driver.screenText == "again\n")
        driver.stop()
        driver.stop()
        driver.present(picture(2, 10, ["late"]))
      }
    }
  }
}
