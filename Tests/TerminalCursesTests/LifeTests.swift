import Terminal
import TerminalCurses
import Testing

extension CursesTests {
  @MainActor
  @Suite struct Life {
    @Test(arguments: [
      "xterm-of-tomorrow", "kitty-of-tomorrow", "tmux-of-tomorrow", "something-256color", "never-heard-of", "",
    ])
    func `a terminal that this machine does not know is treated as one that it knows`(kind: String) throws {
      try withScreen(kind: kind) { driver, _ in
        driver.present(picture(10, 40, ["shown"]))
        #expect(driver.screenText.hasPrefix("shown\n"))
      }
    }

    @Test func `a terminal that cannot place text is refused`() {
      let driver = HeadlessCursesDriver(size: Size(rows: 5, columns: 5), kind: "dumb")
      #expect(throws: TerminalError.unknownKind("dumb")) { try driver.start() }
    }

    @Test func `a resize is reported, and the next frame fills the new size`() throws {
      try withScreen(5, 10) { driver, recorder in
        driver.present(picture(5, 10, ["日本語日本"]))
        for (rows, columns) in [(3, 5), (40, 120), (1, 1), (6, 9)] {
          driver.resize(to: Size(rows: rows, columns: columns))
          #expect(recorder.events.last == .resize(Size(rows: rows, columns: columns)))
          #expect(driver.size == Size(rows: rows, columns: columns))
          let lines = Array(repeating: String(repeating: "x", count: columns), count: rows)
          driver.present(picture(rows, columns, lines))
          #expect(driver.screenText == lines.joined(separator: "\n"))
        }
      }
    }

    @Test func `suspending gives the terminal back and resuming paints it again`() throws {
      try withScreen { driver, _ in
        driver.present(picture(10, 40, ["one"], cursor: nil))
        _ = driver.takeOutput()
        driver.suspend()
        let given = String(decoding: driver.takeOutput(), as: UTF8.self)
        #expect(given.contains("\u{1B}[?1049l") && given.contains("\u{1B}[?2004l") && given.contains("\u{1B}[?25h"))
        driver.resume()
        let taken = String(decoding: driver.takeOutput(), as: UTF8.self)
        #expect(taken.contains("\u{1B}[?1049h") && taken.contains("\u{1B}[?2004h") && taken.contains("\u{1B}[?25l"))
        #expect(taken.contains("one"))
      }
    }

    @Test func `stopping twice does no harm, and a stopped driver can start again`() throws {
      let driver = HeadlessCursesDriver(size: Size(rows: 2, columns: 10))
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
