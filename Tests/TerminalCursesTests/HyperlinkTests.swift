import Terminal
import TerminalTesting
import Testing

@testable import TerminalCurses

extension CursesTests {
  /// Links in text become links of the terminal (OSC 8).
  @MainActor
  @Suite struct Hyperlinks {
    private static let map = TextLink(target: "map", address: "https://example.org/map")

    /// Returns a frame with `lines`, in which the text between brackets is in `link`.
    private func picture(_ lines: [String], _ link: TextLink?) -> Frame {
      var grid = CellGrid(size: Size(rows: lines.count, columns: 20))
      for (row, line) in lines.enumerated() {
        var column = 0
        for (index, part) in line.split(omittingEmptySubsequences: false, whereSeparator: "[]".contains).enumerated() {
          let used = grid.write(part, at: Point(row: row, column: column), style: .plain)
          if let link, index % 2 == 1 { grid.add(link, toColumns: column..<(column + used), row: row) }
          column += used
        }
      }
      return Frame(grid: grid)
    }

    private func sent(_ terminal: MemoryTerminal) -> String { String(decoding: terminal.takeOutput(), as: UTF8.self) }

    @Test func `a link in two rows is one link of the terminal`() throws {
      try withScreen(2, 20) { driver, terminal, _ in
        driver.present(picture(["See [example.]", "[org/map] soon"], Self.map))
        let output = sent(terminal)
        let start = "\u{1B}]8;id=1;https://example.org/map\u{1B}\\"
        let end = "\u{1B}]8;;\u{1B}\\"
        #expect(output.contains("See \(start)example.\(end)"))
        #expect(output.contains("\(start)org/map\(end) soon"))
        #expect(driver.screenText == "See example.\norg/map soon")
        #expect(driver.cell(row: 1, column: 0)?.link == Self.map.address)
        #expect(driver.cell(row: 1, column: 8)?.link == nil)
        #expect(driver.refusedSequences == 0)
        #expect(TerminalBytes.violations(in: Array(output.utf8), allowing: [.title, .links]) == [])
      }
    }

    @Test func `a cell is sent again if only its link changes`() throws {
      try withScreen(1, 20) { driver, terminal, _ in
        driver.present(picture(["[map] of all"], Self.map))
        _ = terminal.takeOutput()
        driver.present(picture(["[map] of all"], Self.map))
        #expect(sent(terminal).isEmpty)
        driver.present(picture(["[map] of all"], nil))
        let output = sent(terminal)
        #expect(output.contains("map") && !output.contains("]8;") && !output.contains("all"))
      }
    }

    @Test func `a scrolled link isn't sent again`() throws {
      let lines = (0..<8).map { $0 == 4 ? "see [map]" : "line \($0)" }
      try withScreen(8, 20) { driver, terminal, _ in
        driver.present(picture(lines, Self.map))
        _ = terminal.takeOutput()
        driver.present(picture(lines.dropFirst() + ["line 8"], Self.map))
        #expect(!sent(terminal).contains("]8;"))
        #expect(driver.cell(row: 3, column: 4)?.link == Self.map.address)
      }
    }

    @Test func `clusters of a link are drawn whole`() throws {
      try withScreen(1, 20) { driver, terminal, _ in
        driver.present(picture(["[e\u{301}日👍] x"], Self.map))
        let output = sent(terminal)
        #expect(meaning(of: driver.screenText) == meaning(of: "e\u{301}日👍 x"))
        #expect(output.contains("e\u{301}") && !output.unicodeScalars.contains { $0.value >= 0xF0000 })
        #expect(driver.cell(row: 0, column: 0)?.link == Self.map.address)
      }
    }

    @Test func `a link without an address is plain text for the terminal`() throws {
      try withScreen(1, 20) { driver, terminal, _ in
        driver.present(picture(["[bob]"], TextLink(target: "@bob")))
        #expect(!sent(terminal).contains("]8;"))
        driver.present(
          picture(["[x]"], TextLink(target: "x", address: "https://x.example/" + String(repeating: "x", count: 3000))))
        #expect(!sent(terminal).contains("]8;"))
      }
    }

    @Test(arguments: ["vt100", "linux"]) func `a terminal that could print commands gets no links`(kind: String) throws
    {
      try withScreen(1, 20, kind: kind) { driver, terminal, _ in
        driver.present(picture(["[map] x"], Self.map))
        #expect(!sent(terminal).contains("]8;") && driver.screenText == "map x")
      }
    }

    // Only the text is compared: before version 3.4, tmux doesn't report links.
    @Test(.needsTmux) func `tmux shows links in the columns in which ncurses has them`() async throws {
      let size = Size(rows: 3, columns: 20)
      let canvas = try await TmuxCanvas.start(rows: size.rows, columns: size.columns)
      let terminal = MemoryTerminal(size: size)
      let driver = CursesDriver(terminal)
      do {
        try driver.start()
        defer { driver.stop() }
        for lines in [["a [日本 map] b", "[two] x", ""], ["[two] x", "a [日本 map] b", "[c]"]] {
          driver.present(picture(lines, Self.map))
          try await canvas.show(terminal.takeOutput())
          #expect(
            try await canvas.rows()
              == driver.screenText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        }
      } catch {
        await canvas.stop()
        throw error
      }
      await canvas.stop()
    }
  }
}

@Suite struct LinkCommandTests {
  private func passes(_ command: String, allowing allowance: EscapeSequenceFilter.Allowance = .links) -> Bool {
    var filter = EscapeSequenceFilter()
    _ = filter.passing(Array("\u{1B}]\(command)\u{1B}\\".utf8), allowing: allowance)
    return filter.refused == 0
  }

  @Test func `only links to web addresses pass the filter`() {
    #expect(passes("8;;") && passes("8;id=12;https://example.org/%C3%A4?b=c") && passes("8;id=1;http://a.example"))
    for command in [
      "8;;https://a.example", "8;id=1;file:///etc/passwd", "8;id=1;https://a.example/ä", "8;id=1;https://a b",
      "8;id=x;https://a.example", "8;id=1:x=2;https://a.example", "8;id=1", "8;id=;https://a.example", "8",
    ] { #expect(!passes(command), "\(command)") }
    #expect(!passes("8;;", allowing: []) && !passes("8;id=1;https://a.example", allowing: [.queries]))
  }

  @Test func `a mark without a link never reaches the terminal`() {
    var filter = EscapeSequenceFilter()
    #expect(filter.passing(Array("a\u{108001}b".utf8), allowing: .links) == Array("ab".utf8))
  }
}
