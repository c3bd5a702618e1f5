import Terminal
import TerminalCurses
import Testing

extension CursesTests {
  @MainActor
  @Suite struct Drawing {
    @Test func `the rows of a frame are shown in order`() throws {
      try withScreen { driver, _, _ in
        driver.present(picture(10, 40, ["one", "", "three"]))
        #expect(driver.screenText == "one\n\nthree" + String(repeating: "\n", count: 7))
      }
    }

    @Test func `wide characters and combining marks match the frame cell by cell`() throws {
      try withScreen(4, 20) { driver, _, _ in
        let frame = picture(4, 20, ["日本語 text", "e\u{301}a\u{308}\u{323}", "👍🇩🇪 한국", "ก็ दे"])
        driver.present(frame)
        expectShown(frame, by: driver)
      }
    }

    @Test func `wide characters that move by one column leave no remnants`() throws {
      try withScreen(2, 12) { driver, _, _ in
        for line in ["日本語日本", "a日本語日本", "日本語", "ab日c本", "日日", " 日日", "abcdef", ""] {
          let frame = picture(2, 12, [line, line])
          driver.present(frame)
          expectShown(frame, by: driver)
        }
      }
    }

    @Test func `every cell can be written including the last`() throws {
      try withScreen(3, 4) { driver, _, _ in
        let frame = picture(3, 4, ["abcd", "efgh", "ijk日"])
        driver.present(frame)
        expectShown(frame, by: driver)
        driver.present(picture(3, 4, ["abcd", "efgh", "ijkl"]))
        #expect(driver.screenText == "abcd\nefgh\nijkl")
      }
    }

    @Test func `presenting an unchanged frame sends nothing`() throws {
      try withScreen { driver, terminal, _ in
        driver.present(picture(10, 40, ["one", "two"]))
        #expect(!terminal.takeOutput().isEmpty)
        driver.present(picture(10, 40, ["one", "two"]))
        #expect(terminal.takeOutput().isEmpty)
      }
    }

    @Test func `a frame of another size is clipped or padded with blanks`() throws {
      try withScreen(3, 6) { driver, _, _ in
        driver.present(picture(5, 12, ["abcdefgh", "日本語", "12345日6", "four", "five"]))
        #expect(driver.screenText == "abcdef\n日本語\n12345")
        driver.present(picture(1, 3, ["xyz"]))
        #expect(driver.screenText == "xyz\n\n")
      }
    }

    @Test func `a screen of one cell works`() throws {
      try withScreen(1, 1) { driver, _, _ in
        driver.present(picture(1, 1, ["ab"]))
        driver.present(picture(1, 1, ["日"], cursor: .zero))
        driver.present(picture(1, 1, ["c"], cursor: .zero))
        #expect(driver.screenText == "c")
      }
    }

    @Test func `no control character reaches the terminal`() throws {
      try withScreen(2, 20) { driver, terminal, _ in
        _ = terminal.takeOutput()
        driver.present(picture(2, 20, ["a\u{7}b\u{1B}]0;x\u{9B}c\u{202E}d"]))
        let output = String(decoding: terminal.takeOutput(), as: UTF8.self)
        #expect(output.contains("a") && output.contains("d"), "\(output.debugDescription)")
        #expect(!output.contains("\u{7}") && !output.contains("\u{1B}]") && !output.contains("\u{9B}"))
      }
    }

    @Test func `the latest title is sent with the next frame and after resuming`() throws {
      try withScreen { driver, terminal, _ in
        let frame = picture(10, 40, ["one"])
        driver.present(frame)
        _ = terminal.takeOutput()
        for title in ["first", "second \u{1B}]0;x\u{7}\u{202E}"] { driver.setTitle(title) }
        #expect(terminal.takeOutput().isEmpty)
        driver.present(frame)
        let sent = String(decoding: terminal.takeOutput(), as: UTF8.self)
        #expect(sent.hasPrefix("\u{1B}]2;second ") && sent.hasSuffix("\u{1B}\\") && sent.count < 40, "\(sent)")
        driver.present(frame)
        #expect(terminal.takeOutput().isEmpty)
        driver.suspend()
        _ = terminal.takeOutput()
        driver.resume()
        #expect(String(decoding: terminal.takeOutput(), as: UTF8.self).contains("\u{1B}]2;second "))
        #expect(driver.refusedSequences == 0)
      }
    }

    @Test func `copied text is sent to the terminal's clipboard`() throws {
      try withScreen { driver, terminal, _ in
        #expect(driver.copy("grüße\n日本"))
        #expect(!driver.copy(String(repeating: "x", count: 60_000)))
        #expect(terminal.copied == ["grüße\n日本"])
        #expect(driver.refusedSequences == 0)
      }
      try withScreen(kind: "vt100") { driver, terminal, _ in
        #expect(!driver.copy("nowhere"))
        #expect(terminal.copied.isEmpty)
      }
    }

    @Test(arguments: [
      ("xterm-kitty", "\u{1B}]9;Qwinkle: @bob, hi\u{1B}\\"), ("foot", "\u{1B}]777;notify;Qwinkle;@bob, hi\u{1B}\\"),
      ("xterm-256color", "\u{1B}]777;notify;Qwinkle;@bob, hi\u{1B}\\\u{7}"), ("tmux-256color", "\u{7}"),
      ("vt100", "\u{7}"),
    ])
    func `an alert is a notification if the terminal supports it and otherwise the bell`(kind: String, bytes: String)
      throws
    {
      try withScreen(kind: kind) { driver, terminal, _ in
        _ = terminal.takeOutput()
        driver.callAttention("@bob;\u{1B} hi")
        #expect(String(decoding: terminal.takeOutput(), as: UTF8.self) == bytes)
        driver.callAttention(nil)
        #expect(String(decoding: terminal.takeOutput(), as: UTF8.self) == "\u{7}")
        driver.suspend()
        _ = terminal.takeOutput()
        driver.callAttention("@bob")
        #expect(terminal.takeOutput().isEmpty)
        #expect(driver.refusedSequences == 0)
      }
    }

    @Test func `redrawing sends the whole frame`() throws {
      try withScreen { driver, terminal, _ in
        let frame = picture(10, 40, ["one", "two"])
        driver.present(frame)
        _ = terminal.takeOutput()
        driver.redrawAll()
        driver.present(frame)
        let output = String(decoding: terminal.takeOutput(), as: UTF8.self)
        #expect(output.contains("one") && output.contains("two"))
      }
    }

    @Test func `only changed rows are compared`() throws {
      try withScreen { driver, _, _ in
        let lines = (0..<10).map { "line \($0)" }
        driver.present(picture(10, 40, lines))
        #expect(driver.statistics.rows == 10)
        var frame = picture(10, 40, lines.map { $0.uppercased() })
        frame.changedRows = RangeSet(3..<4)
        driver.present(frame)
        #expect(driver.statistics.rows == 11)
        #expect(driver.cell(row: 3, column: 0)?.text == "L")
        #expect(driver.cell(row: 4, column: 0)?.text == "l")
        frame.changedRows = RangeSet()
        driver.present(frame)
        #expect(driver.statistics.rows == 11)
      }
    }

    @Test func `the rows of an undrawn frame are drawn with the next frame`() throws {
      try withScreen { driver, terminal, _ in
        driver.present(picture(10, 40, ["old"]))
        driver.suspend()
        driver.present(picture(10, 40, ["new"]))
        driver.resume()
        var frame = picture(10, 40, ["new"])
        frame.changedRows = RangeSet()
        driver.present(frame)
        expectShown(frame, by: driver)
        terminal.resize(to: Size(rows: 5, columns: 20))
        driver.present(frame)
        frame = picture(5, 20, ["new"])
        frame.changedRows = RangeSet()
        driver.present(frame)
        expectShown(frame, by: driver)
      }
    }

    @Test func `the cursor is hidden unless a frame has one`() throws {
      try withScreen { driver, terminal, _ in
        driver.present(picture(10, 40, ["one"]))
        #expect(String(decoding: terminal.takeOutput(), as: UTF8.self).contains("\u{1B}[?25l"))
        driver.present(picture(10, 40, ["one"], cursor: Point(row: 4, column: 7)))
        let shown = String(decoding: terminal.takeOutput(), as: UTF8.self)
        #expect(shown == "\u{1B}[5;8H\u{1B}[?12l\u{1B}[?25h")
        driver.present(picture(10, 40, ["one"]))
        #expect(String(decoding: terminal.takeOutput(), as: UTF8.self) == "\u{1B}[?25l")
      }
    }

    @Test func `scrolling a list by one line sends little more than the new line`() throws {
      try withScreen(30, 100) { driver, terminal, _ in
        func list(from first: Int) -> Frame {
          let items = (first..<(first + 28)).map {
            "Item \($0) says \(String(repeating: "word\($0 * 7 % 97) ", count: 8))"
          }
          return picture(30, 100, ["Public timeline"] + items + ["1 of 200"])
        }
        driver.present(list(from: 0))
        for first in 1...20 {
          _ = terminal.takeOutput()
          let frame = list(from: first)
          driver.present(frame)
          let line = frame.grid.text(ofRow: 28).utf8.count
          #expect(terminal.takeOutput().count < line + 60)
          expectShown(frame, by: driver)
        }
      }
    }

    /// Terminals and players that don't support `CSI S` and `CSI T` would leave the old rows in place.
    @Test func `scrolling by several rows sends no scroll sequence`() throws {
      try withScreen(24, 80) { driver, terminal, _ in
        let top = (0..<10).map { "Above \($0)" }
        func text(from first: Int) -> [String] { (first..<(first + 12)).map { "Line \($0) of what was written" } }
        let shown = picture(24, 80, top + text(from: 0) + ["left", "right"])
        driver.present(shown)
        _ = terminal.takeOutput()
        for frame in [picture(24, 80, top + text(from: 4) + ["left", "right"]), shown] {
          driver.present(frame)
          let output = String(decoding: terminal.takeOutput(), as: UTF8.self)
          #expect(!output.contains(/\x1B\[\d*[ST]/), "\(output.debugDescription)")
          #expect(output.utf8.count < 250)
          expectShown(frame, by: driver)
        }
      }
    }

    private func expectShown(
      _ frame: Frame, by driver: CursesDriver, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      for row in 0..<frame.grid.size.rows {
        for column in 0..<frame.grid.size.columns {
          let cell = frame.grid[row, column]
          let text = cell.columns == 0 ? frame.grid[row, column - 1].text : cell.text
          #expect(
            driver.cell(row: row, column: column)?.text == text, "row \(row), column \(column)",
            sourceLocation: sourceLocation)
        }
      }
    }
  }
}
