#if os(Linux)
  import Glibc
  import Terminal
  import TerminalCurses
  import TerminalTesting
  import Testing

  extension CursesTests {
    /// On a pseudoterminal inside this process.
    @MainActor
    @Suite struct Live {
      private static func terminal() throws -> PseudoTerminal {
        setenv("TERM", "xterm-256color", 1)
        return try PseudoTerminal(rows: 24, columns: 80)
      }

      @Test func `a live driver reads, draws, resizes and leaves everything as it was`() async throws {
        let terminal = try Self.terminal()
        defer { terminal.close() }
        let before = try terminal.settings()
        let driver = CursesDriver(input: terminal.slave, output: terminal.slave)
        let recorder = Recorder()
        driver.delegate = recorder
        try driver.start()
        #expect(driver.size == Size(rows: 24, columns: 80))
        #expect(try terminal.settings() != before)

        driver.present(picture(24, 80, ["hello"]))
        try await terminal.wait(for: "hello")

        terminal.type("j\u{1B}[A")
        await recorder.waitForCalls(1)
        #expect(recorder.keys == [.character("j"), Key(.up)])
        terminal.type("\u{1B}")
        await recorder.waitForCalls(2)
        #expect(recorder.keys.last == Key(.escape))

        terminal.resize(rows: 30, columns: 100)
        kill(getpid(), SIGWINCH)
        await recorder.waitForCalls(3)
        #expect(recorder.events.last == .resize(Size(rows: 30, columns: 100)))
        driver.present(picture(30, 100, ["larger"]))
        try await terminal.wait(for: "larger")
        var count = terminal.output.count

        driver.suspend()
        #expect(try terminal.settings() == before)
        driver.resume()
        #expect(try terminal.settings() != before)
        try await terminal.wait(for: "larger", after: count)

        count = terminal.output.count
        driver.stop()
        driver.stop()
        #expect(try terminal.settings() == before)
        try await terminal.wait(for: "the terminal given back") {
          TerminalState(rows: 30, after: $0) == TerminalState(rows: 30)
        }
        for sequence in ["\u{1B}[?1049l", "\u{1B}[?2004l", "\u{1B}[?25h"] {
          try await terminal.wait(for: sequence, after: count)
        }
      }

      @Test func `a signal to end gives the terminal back before it is told`() async throws {
        for number in [SIGTERM, SIGHUP, SIGINT] {
          let terminal = try Self.terminal()
          defer { terminal.close() }
          let before = try terminal.settings()
          let driver = CursesDriver(input: terminal.slave, output: terminal.slave)
          try driver.start()
          let told = await withCheckedContinuation { continuation in
            driver.onTerminationSignal = { continuation.resume(returning: $0) }
            kill(getpid(), number)
          }
          #expect(told == number)
          #expect(try terminal.settings() == before)
          try await terminal.wait(for: "\u{1B}[?1049l")
        }
      }

      @Test func `a terminal that goes away is told once`() async throws {
        let terminal = try Self.terminal()
        let driver = CursesDriver(input: terminal.slave, output: terminal.slave)
        let recorder = Recorder()
        driver.delegate = recorder
        try driver.start()
        terminal.hangUp()
        await recorder.waitForCalls(1)
        driver.present(picture(24, 80, ["to nobody"]))
        driver.stop()
        #expect(recorder.events == [.hangup])
        terminal.close()
      }

      @Test func `what is no terminal is refused`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let driver = CursesDriver(input: ends[0], output: ends[1])
        #expect(throws: TerminalError.notATerminal) { try driver.start() }
        driver.stop()
      }
    }
  }
#endif
