import LibC
import Terminal
import TerminalTesting
import Testing

@testable import TerminalCurses

extension CursesTests {
  /// Drivers on a pseudoterminal in this process.
  @MainActor
  @Suite struct Live {
    fileprivate static func terminal() throws -> PseudoTerminal {
      try PseudoTerminal(rows: 24, columns: 80)
    }

    /// Passes the terminal's kind, because setting `TERM` would race with tests that read the environment.
    fileprivate static func driver(on terminal: PseudoTerminal, form: TextForm? = nil) -> CursesDriver {
      let environment = TerminalEnvironment(kind: "xterm-256color", wantsColors: true, textForm: .unicode)
      return CursesDriver(terminal.slave, environment: environment, form: form)
    }

    /// A running driver on a new pseudoterminal, with a recorder of its events.
    @MainActor private struct RunningDriver {
      let terminal: PseudoTerminal
      let driver: CursesDriver
      let recorder = Recorder()

      init(form: TextForm? = nil) throws {
        terminal = try Live.terminal()
        driver = Live.driver(on: terminal, form: form)
        driver.delegate = recorder
        try driver.start()
      }

      func end() {
        driver.stop()
        terminal.close()
      }
    }

    @Test func `a live driver reads, draws, resizes and restores the terminal`() async throws {
      let terminal = try Self.terminal()
      defer { terminal.close() }
      let before = try terminal.settings()
      let driver = Self.driver(on: terminal)
      let recorder = Recorder()
      driver.delegate = recorder
      try driver.start()
      #expect(driver.size == Size(rows: 24, columns: 80))
      #expect(try terminal.settings() != before)

      driver.present(picture(24, 80, ["hello"]))
      try await terminal.wait(for: "hello")

      terminal.type("j\u{1B}[A")
      try await recorder.waitForCalls(1)
      #expect(recorder.keys == [.character("j"), Key(.up)])
      terminal.type("\u{1B}")
      try await recorder.waitForCalls(2)
      #expect(recorder.keys.last == Key(.escape))

      terminal.resize(rows: 30, columns: 100)
      kill(getpid(), SIGWINCH)
      try await recorder.waitForCalls(3)
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

    @Test func `a termination signal restores the terminal before it is reported`() async throws {
      for number in [SIGTERM, SIGHUP, SIGINT] {
        let terminal = try Self.terminal()
        defer { terminal.close() }
        let before = try terminal.settings()
        let driver = Self.driver(on: terminal)
        try driver.start()
        var received: [Int32] = []
        driver.onTerminationSignal = { received.append($0) }
        kill(getpid(), number)
        try await wait(for: "signal \(number)") { !received.isEmpty }
        #expect(received == [number])
        #expect(try terminal.settings() == before)
        try await terminal.wait(for: "\u{1B}[?1049l")
      }
    }

    @Test func `a terminal that hangs up is reported once`() async throws {
      let terminal = try Self.terminal()
      let driver = Self.driver(on: terminal)
      let recorder = Recorder()
      driver.delegate = recorder
      try driver.start()
      terminal.hangUp()
      try await recorder.waitForCalls(1)
      driver.present(picture(24, 80, ["to nobody"]))
      driver.stop()
      #expect(recorder.events == [.hangup])
      terminal.close()
    }

    @Test func `replies that arrive while the program ends or suspends are read`() async throws {
      for isStopped in [true, false] {
        let terminal = try Self.terminal()
        defer { terminal.close() }
        let driver = Self.driver(on: terminal)
        try driver.start()
        driver.present(picture(24, 80, ["hello"]))
        try await terminal.wait(for: "\u{1B}[6n")
        let answering = Task.detached {
          try await terminal.wait(for: "\u{1B}[?1049l")
          terminal.type("\u{1B}[?2026;2$y")
          terminal.type("\u{1B}[2;2R")
        }
        if isStopped { driver.stop() } else { driver.suspend() }
        try await answering.value
        var waiting: Int32 = 0
        _ = ioctl(terminal.slave, UInt(FIONREAD), &waiting)
        #expect(waiting == 0)
        #expect(!String(decoding: terminal.output, as: UTF8.self).contains("2;2R"))
        driver.stop()
      }
    }

    @Test func `a terminal's cluster widths are reported as one change of capabilities`() async throws {
      for (replies, clusters, emoji) in [
        ("\u{1B}[2;7R\u{1B}[2;32R\u{1B}[2;2R", true, true), ("\u{1B}[2;8R\u{1B}[2;34R\u{1B}[2;2R", true, false),
        ("\u{1B}[2;9R\u{1B}[2;32R\u{1B}[2;2R", false, true),
      ] {
        let running = try RunningDriver()
        defer { running.end() }
        running.driver.present(picture(24, 80, ["hello"]))
        try await running.terminal.wait(for: "\u{2500}\u{1B}[6n")
        running.terminal.type(replies)
        try await running.recorder.waitForCalls(1)
        var form = TextForm.unicode
        form.drawsClustersWhole = clusters
        form.drawsEmojiWhole = emoji
        #expect(running.driver.capabilities.textForm == form)
        #expect(running.recorder.calls == [[.capabilities(running.driver.capabilities)]])
      }
    }

    @Test func `a terminal can report support for pictures late`() async throws {
      let running = try RunningDriver()
      defer { running.end() }
      running.driver.present(picture(24, 80, ["hello"]))
      try await running.terminal.wait(for: "\u{2500}\u{1B}[6n")
      running.terminal.type("\u{1B}[2;2Rj")
      try await running.recorder.waitForCalls(1)
      #expect(!running.driver.capabilities.placesPictures)
      running.terminal.type("\u{1B}P>|kitty(0.35.2)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\")
      try await running.recorder.waitForCalls(2)
      #expect(running.driver.capabilities.placesPictures)
      #expect(running.recorder.calls.last == [.capabilities(running.driver.capabilities)])
    }

    @Test func `a configured text form is preserved while pictures are detected`()
      async throws
    {
      let running = try RunningDriver(form: .wideUnicode)
      defer { running.end() }
      running.driver.present(picture(24, 80, ["hello"]))
      try await running.terminal.wait(for: "hello")
      running.terminal.type("\u{1B}P>|kitty(0.35.2)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[2;2R")
      try await running.recorder.waitForCalls(1)
      #expect(running.driver.capabilities.placesPictures)
      #expect(running.driver.capabilities.textForm == .wideUnicode)
    }

    @Test func `an unknown cell size is queried and queried again after a resize`()
      async throws
    {
      let running = try RunningDriver()
      defer { running.end() }
      let (terminal, recorder, driver) = (running.terminal, running.recorder, running.driver)
      driver.present(picture(24, 80, ["hello"]))
      try await terminal.wait(for: "\u{1B}[16t\u{1B}[14t")
      #expect(driver.capabilities.cellSize == nil)
      terminal.type("\u{1B}[6;20;9t\u{1B}[4;480;720t\u{1B}[2;2R")
      try await recorder.waitForCalls(1)
      #expect(driver.capabilities.cellSize == CellSize(width: 9, height: 20))
      #expect(recorder.calls == [[.capabilities(driver.capabilities)]])

      var count = terminal.output.count
      terminal.resize(rows: 24, columns: 100)
      kill(getpid(), SIGWINCH)
      try await recorder.waitForCalls(2)
      driver.present(picture(24, 100, ["wider"]))
      try await terminal.wait(for: "\u{1B}[16t\u{1B}[14t", after: count)
      terminal.type("\u{1B}[4;720;1000t")
      try await recorder.waitForCalls(3)
      #expect(driver.capabilities.cellSize == CellSize(width: 10, height: 30))

      // A size that the system reports is not queried.
      count = terminal.output.count
      terminal.resize(rows: 20, columns: 100, cell: (7, 15))
      kill(getpid(), SIGWINCH)
      try await recorder.waitForCalls(5)
      #expect(driver.capabilities.cellSize == CellSize(width: 7, height: 15))
      driver.present(picture(20, 100, ["lower"]))
      try await terminal.wait(for: "lower", after: count)
      #expect(!String(decoding: terminal.output.dropFirst(count), as: UTF8.self).contains("16t"))
    }

    @Test(arguments: [
      ("\u{1B}]11;rgb:ffff/ffff/ffff\u{7}", true), ("\u{1B}P>|kitty(0.35.2)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\", true),
      ("\u{1B}[6;20;9t", true), ("\u{1B}[4;480;720t", true), ("\u{1B}[2;3R", true),
      ("\u{1B}]11;rgb:ffff/ffff/ffff\u{7}\u{1B}[2;3R", true), ("\u{1B}[?2026;2$y", false), ("", false),
    ])
    func `capabilities received during a suspension are reported once after it`(
      replies: String, isReported: Bool
    ) async throws {
      let running = try RunningDriver()
      defer { running.end() }
      running.driver.present(picture(24, 80, ["hello"]))
      try await running.terminal.wait(for: "\u{2500}\u{1B}[6n")
      running.terminal.type(replies)
      running.driver.suspend()
      #expect(running.recorder.calls == [])
      running.driver.resume()
      let report = [TerminalEvent.capabilities(running.driver.capabilities)]
      #expect(running.recorder.calls == Array(repeating: report, count: isReported ? 1 : 0))
    }

    @Test func `impossible cell sizes are ignored`() async throws {
      let running = try RunningDriver()
      defer { running.end() }
      running.driver.present(picture(24, 80, ["hello"]))
      try await running.terminal.wait(for: "\u{2500}\u{1B}[6n")
      running.terminal.type("\u{1B}[6;0;0t\u{1B}[6;4000;9000t\u{1B}[4;1;1t\u{1B}[6;16t\u{1B}[2;2Rj")
      try await running.recorder.waitForCalls(1)
      #expect(running.recorder.events == [.key(.character("j"))])
      #expect(running.driver.capabilities.cellSize == nil)
    }

    @Test func `a terminal that agrees with wcwidth reports no change`() async throws {
      let running = try RunningDriver()
      defer { running.end() }
      running.driver.present(picture(24, 80, ["hello"]))
      try await running.terminal.wait(for: "\u{2500}\u{1B}[6n")
      running.terminal.type("\u{1B}[2;9R\u{1B}[2;34R\u{1B}[2;2Rj")
      try await running.recorder.waitForCalls(1)
      #expect(running.recorder.events == [.key(.character("j"))])
      #expect(running.driver.capabilities.textForm == .unicode)
    }

    @Test func `a sequence interrupted by a pause is not read as keys`() async throws {
      let running = try RunningDriver()
      defer { running.end() }
      let (terminal, recorder) = (running.terminal, running.recorder)
      for (first, rest) in [
        ("\u{1B}[", "<0;3;4Mj"), ("\u{1B}]10;rgb:", "0/0/0\u{7}j"), ("\u{1B}[200~q", "q\u{1B}[201~j"),
      ] {
        let calls = recorder.calls.count
        terminal.type(first)
        // Longer than the wait after a lone escape.
        await Pace.rest(milliseconds: 60)
        #expect(recorder.calls.count == calls)
        terminal.type(rest)
        try await recorder.waitForCalls(calls + 1)
        #expect(recorder.keys.last == .character("j"))
      }
      #expect(recorder.keys.count == 3 && recorder.events.contains(.paste("qq")))
    }

    @Test func `control-C discards an unfinished paste and later keys are read`() async throws {
      let running = try RunningDriver()
      defer { running.end() }
      let (terminal, recorder) = (running.terminal, running.recorder)
      terminal.type("\u{1B}[200~quit")
      try await recorder.waitForCalls(1)
      #expect(recorder.events == [.pasteStalls])
      terminal.type("q")
      try await recorder.waitForCalls(2)
      #expect(recorder.events == [.pasteStalls, .pasteStalls])
      terminal.type("\u{3}")
      // Long enough that the next key is separate.
      await Pace.rest(milliseconds: 60)
      terminal.type("\u{1B}[B")
      try await recorder.waitForCalls(3)
      #expect(recorder.keys == [Key(.down)])
    }

    @Test func `an undrawable character does not cover its neighbour if ambiguous ones are wide`() async throws {
      let terminal = try Self.terminal()
      defer { terminal.close() }
      let driver = Self.driver(on: terminal, form: .wideUnicode)
      try driver.start()
      defer { driver.stop() }
      // `picture` lays out text with narrow ambiguous characters.
      driver.present(picture(24, 80, ["a\u{378}b\u{FFFD}c\u{10FFFF}d"]))
      let shown = String(decoding: try await terminal.wait(for: "d"), as: UTF8.self)
      #expect(shown.contains("a?b?c"))
      #expect(!shown.contains("\u{FFFD}"))
    }

    @Test func `a terminal that reports a huge size is drawn up to the limit`() async throws {
      let running = try RunningDriver()
      defer { running.end() }
      let (terminal, driver, recorder) = (running.terminal, running.driver, running.recorder)
      for size in [65_535, 8_000] {
        let calls = recorder.calls.count
        terminal.resize(rows: size, columns: size)
        kill(getpid(), SIGWINCH)
        try await recorder.waitForCalls(calls + 1)
        #expect(recorder.events.last == .resize(Size.largestScreen))
        #expect(driver.size == Size.largestScreen)
      }
      driver.present(picture(driver.size.rows, driver.size.columns, ["large"]))
      try await terminal.wait(for: "large")
    }

    @Test func `a descriptor that is not a terminal is refused`() throws {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      defer { ends.forEach { close($0) } }
      let driver = CursesDriver(input: ends[0], output: ends[1])
      #expect(throws: TerminalError.notATerminal) { try driver.start() }
      driver.stop()
    }
  }
}
