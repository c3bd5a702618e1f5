import Terminal
import TerminalCurses
import Testing

extension CursesTests {
  @MainActor
  @Suite struct Styles {
    private func shown(_ style: TextStyle, kind: String, colors: Bool = true) throws -> ScreenCell? {
      var cell: ScreenCell?
      try withScreen(2, 4, kind: kind, colors: colors) { driver, _, _ in
        driver.present(picture(2, 4, ["x"], style: style))
        cell = driver.cell(row: 0, column: 0)
      }
      return cell
    }

    @Test func `attributes and palette colours match the style`() throws {
      let cell = try #require(
        try shown(TextStyle(.palette(12), on: .palette(1), [.bold, .underline, .reverse]), kind: "xterm-256color"))
      #expect(cell.foreground == 12 && cell.background == 1)
      #expect(cell.attributes == [.bold, .underline, .reverse])
    }

    @Test(arguments: [
      ("xterm-256color", 256), ("xterm", 8), ("xterm-16color", 16), ("vt100", 0), ("xterm-direct", 1 << 24),
    ])
    func `the number of colours depends on the terminal's kind`(kind: String, colors: Int) throws {
      try withScreen(kind: kind) { driver, _, _ in #expect(driver.capabilities.colors == colors) }
    }

    @Test func `24-bit colours are mapped to the nearest of 256 colours`() throws {
      let orange = TextStyle(.rgb(red: 255, green: 135, blue: 0), on: .rgb(red: 48, green: 48, blue: 48))
      let cell = try #require(try shown(orange, kind: "xterm-256color"))
      #expect(cell.foreground == 208 && cell.background == 236)
      let direct = try #require(try shown(orange, kind: "xterm-direct"))
      #expect(direct.foreground == 0xFF8700 && direct.background == 0x303030)
    }

    @Test func `24-bit colours are drawn exactly on a terminal that announces them`() throws {
      try withScreen(2, 10, colorTerm: "truecolor") { driver, terminal, _ in
        _ = terminal.takeOutput()
        let tinted = TextStyle(.rgb(red: 250, green: 162, blue: 168), on: .rgb(red: 29, green: 48, blue: 62), .bold)
        driver.present(picture(2, 10, ["x"], style: tinted))
        let cell = try #require(driver.cell(row: 0, column: 0))
        #expect(cell.foreground == 0xFAA2A8 && cell.background == 0x1D303E && cell.attributes == .bold)
        let output = String(decoding: terminal.takeOutput(), as: UTF8.self)
        #expect(output.contains("[38;2;250;162;168;48;2;29;48;62mx"), "\(output.debugDescription)")
        #expect(!output.contains("38;5"))
        // The palette's colours and the default stay the user's own.
        driver.present(picture(2, 10, ["y"], style: TextStyle(.palette(12), on: .standard)))
        let plain = try #require(driver.cell(row: 0, column: 0))
        #expect(plain.foreground == 12 && plain.background == -1)
        #expect(String(decoding: terminal.takeOutput(), as: UTF8.self).contains("94;49my"))
      }
    }

    @Test(arguments: [
      (ColorChoice.auto, 0xFAA2A8), (.exact, 0xFAA2A8), (.cube, 217), (.palette, 7), (.none, -1),
    ])
    func `the user's choice changes the colours at once`(choice: ColorChoice, color: Int) throws {
      let style = TextStyle(.rgb(red: 250, green: 162, blue: 168))
      try withScreen(2, 10, colorTerm: "truecolor") { driver, terminal, recorder in
        driver.colors = choice == .none ? .auto : .none
        driver.present(picture(2, 10, ["x"], style: style))
        driver.colors = choice
        // The frame has no changed rows, but the screen is drawn again.
        var frame = picture(2, 10, ["x"], style: style)
        frame.changedRows = RangeSet()
        driver.present(frame)
        let cell = try #require(driver.cell(row: 0, column: 0))
        #expect(cell.foreground == color && cell.text == "x")
        #expect(recorder.events.contains { if case .capabilities = $0 { true } else { false } })
      }
    }

    @Test func `bright colours are bold on terminals with eight colours`() throws {
      let cell = try #require(try shown(TextStyle(.palette(9)), kind: "xterm"))
      #expect(cell.foreground == 1 && cell.background == -1 && cell.attributes == .bold)
      let nearest = try #require(try shown(TextStyle(.rgb(red: 250, green: 5, blue: 9)), kind: "xterm"))
      #expect(nearest.foreground == 1 && nearest.attributes == .bold)
    }

    @Test func `without colours attributes remain and a background becomes reverse`() throws {
      let cell = try #require(
        try shown(TextStyle(.palette(9), on: .palette(3), .bold), kind: "xterm-256color", colors: false))
      #expect(cell.foreground == -1 && cell.background == -1 && cell.attributes == [.bold, .reverse])
    }

    @Test(
      arguments: ["xterm-256color", "xterm-direct", "xterm-16color", "xterm", "vt100"], ["", "truecolor"])
    func `a blank cell looks like text in its style`(kind: String, colorTerm: String) throws {
      let orange = TerminalColor.rgb(red: 255, green: 135, blue: 0)
      let styles = [
        TextStyle.plain, TextStyle(.palette(9)), TextStyle(.palette(8), on: .standard, .bold),
        TextStyle(.standard, on: .palette(4), .underline), TextStyle(orange, on: .palette(12), .reverse),
        TextStyle(.palette(15), on: orange),
      ]
      try withScreen(2, 4, kind: kind, colorTerm: colorTerm) { driver, _, _ in
        for style in styles {
          driver.present(picture(2, 4, ["x"], style: style))
          var cell = try #require(driver.cell(row: 0, column: 0))
          cell.text = " "
          #expect(driver.blank(in: style) == cell)
        }
      }
    }

    @Test func `text is shown with more colour combinations than the terminal has pairs`() throws {
      try withScreen(10, 20, kind: "xterm") { driver, _, _ in
        var grid = CellGrid(size: Size(rows: 10, columns: 20))
        for foreground in UInt8(0)..<9 {
          for background in UInt8(0)..<9 {
            let style = TextStyle(
              foreground == 8 ? .standard : .palette(foreground), on: background == 8 ? .standard : .palette(background)
            )
            grid.write("x", at: Point(row: Int(foreground), column: Int(background)), style: style)
          }
        }
        driver.present(Frame(grid: grid))
        let rows = driver.screenText.split(separator: "\n")
        #expect(rows.count == 9 && rows.allSatisfy { $0 == "xxxxxxxxx" })
      }
    }

    @Test(arguments: ["xterm-direct", "xterm-256color"])
    func `picture colours stay correct over hundreds of frames`(kind: String) throws {
      try withScreen(10, 20, kind: kind, colorTerm: "truecolor") { driver, _, _ in
        for number in 0..<500 {
          var grid = CellGrid(size: Size(rows: 10, columns: 20))
          func style(_ row: Int, _ column: Int) -> TextStyle {
            let (red, green) = (UInt8(100 + row * 15), UInt8(number & 0xFF))
            return TextStyle(
              .rgb(red: red, green: green, blue: UInt8(column * 12 + 9)),
              on: .rgb(red: UInt8(column * 12 + 9), green: green, blue: UInt8(10 + number / 256)))
          }
          for row in 0..<9 {
            for column in 0..<20 {
              grid.write("▀", at: Point(row: row, column: column), style: style(row, column))
            }
          }
          driver.present(Frame(grid: grid))
          guard number % 50 == 49 else { continue }
          for (row, column) in [(0, 0), (4, 7), (8, 19)] {
            let cell = try #require(driver.cell(row: row, column: column))
            func number(_ color: TerminalColor) -> Int32 {
              guard case .rgb(let red, let green, let blue) = color else { return -1 }
              return Int32(red) << 16 | Int32(green) << 8 | Int32(blue)
            }
            let wanted = style(row, column)
            #expect(cell.foreground == number(wanted.foreground) && cell.background == number(wanted.background))
          }
          #expect(driver.cell(row: 9, column: 3)?.background == -1)
        }
      }
    }
  }
}
