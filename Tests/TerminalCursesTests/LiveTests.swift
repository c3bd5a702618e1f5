#if os(Linux)
  import Glibc
  import Terminal
  import TerminalCurses
  import Testing

  extension CursesTests {
    /// On a pseudoterminal inside this process.
    @MainActor
    @Suite struct Live {
      @Test func `a live driver reads, draws, resizes and leaves everything as it was`() async throws {
        let terminal = try PseudoTerminal(rows: 24, columns: 80)
        defer { terminal.close() }
        let before = try terminal.settings()
        let driver = CursesDriver(input: terminal.slave, output: terminal.slave)
        let recorder = Recorder()
        driver.delegate = recorder
        try driver.start()
        #expect(driver.size == Size(rows: 24, columns: 80))
        #expect(try terminal.settings() != before)

        driver.present(picture(24, 80, ["hello"]))
        #expect(terminal.output().contains("hello"))

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
        #expect(terminal.output().contains("larger"))

        driver.suspend()
        #expect(try terminal.settings() == before)
        driver.resume()
        #expect(try terminal.settings() != before)
        #expect(terminal.output().contains("larger"))

        driver.stop()
        driver.stop()
        #expect(try terminal.settings() == before)
        let goodbye = terminal.output()
        #expect(
          goodbye.contains("\u{1B}[?1049l") && goodbye.contains("\u{1B}[?2004l") && goodbye.contains("\u{1B}[?25h"))
      }

      @Test func `a signal to end gives the terminal back before it is told`() async throws {
        for number in [SIGTERM, SIGHUP, SIGINT] {
          let terminal = try PseudoTerminal(rows: 24, columns: 80)
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
          #expect(terminal.output().contains("\u{1B}[?1049l"))
        }
      }

      @Test func `a terminal that goes away is told once`() async throws {
        let terminal = try PseudoTerminal(rows: 24, columns: 80)
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

  /// Both ends of a pseudoterminal.
  @MainActor
  private final class PseudoTerminal {
    let slave: Int32
    private var master: Int32

    init(rows: UInt16, columns: UInt16) throws {
      setenv("TERM", "xterm-256color", 1)
      // Glibc's module hides posix_openpt and its like; these are what they do.
      master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      try #require(master >= 0)
      var locked: Int32 = 0
      var number: UInt32 = 0
      try #require(ioctl(master, 0x4004_5431, &locked) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
      slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
      try #require(slave >= 0)
      resize(rows: rows, columns: columns)
    }

    func resize(rows: UInt16, columns: UInt16) {
      var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
      _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    func type(_ text: String) {
      let bytes = Array(text.utf8)
      #expect(write(master, bytes, bytes.count) == bytes.count)
    }

    /// What has been written to the terminal and not been read yet.
    func output() -> String {
      var all: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 0) > 0 else { break }
        let count = read(master, &buffer, buffer.count)
        guard count > 0 else { break }
        all += buffer[..<count]
      }
      return String(decoding: all, as: UTF8.self)
    }

    /// All that `stty` could tell.
    func settings() throws -> [UInt8] {
      var settings = termios()
      try #require(tcgetattr(slave, &settings) == 0)
      return withUnsafeBytes(of: &settings) { Array($0) }
    }

    func hangUp() {
      Self.closeDescriptor(master)
      master = -1
    }

    func close() {
      if master >= 0 { hangUp() }
      Self.closeDescriptor(slave)
    }

    private static func closeDescriptor(_ descriptor: Int32) {
      Glibc.close(descriptor)
    }
  }
#endif
