import Foundation
import TerminalTesting
import Testing

@testable import Terminal
@testable import TerminalCurses

extension CursesTests {
  /// Pictures that are drawn over cells, as sixels or as files.
  @MainActor
  @Suite struct DrawnPictureTests {
    private static let size = Size(rows: 12, columns: 40)
    private static let cell = CellSize.common

    /// A picture of this many cells.
    private static func picture(_ rows: Int, _ columns: Int, _ drawing: PictureDrawing) -> PixelPicture {
      let size = Size(rows: rows, columns: columns)
      guard drawing == .sixel else { return PixelPicture(size: size, png: [1, 2, 3, 4]) }
      let (width, height) = (columns * cell.width, rows * cell.height)
      let text = "\"1;1;\(width);\(height)#0;2;0;50;100#0!\(width)~"
      return PixelPicture(size: size, sixel: Array(text.utf8))
    }

    private static func frame(
      _ driver: CursesDriver, _ picture: PixelPicture?, at origin: Point = Point(row: 2, column: 4),
      lines: [(row: Int, text: String)] = [], covers: Rect? = nil
    ) throws -> Frame {
      var grid = CellGrid(size: size)
      for (row, text) in lines { grid.write(text, at: Point(row: row, column: 0), style: .plain) }
      if let picture {
        let placement = try #require(driver.place(picture))
        for row in 0..<picture.size.rows {
          for column in 0..<picture.size.columns {
            let text = try #require(placement.text(row: row, column: column))
            let place = Point(row: origin.row + row, column: origin.column + column)
            grid.write(text, at: place, style: placement.style)
          }
        }
      }
      if let covers {
        for row in covers.rows {
          grid.write(
            String(repeating: "x", count: covers.size.columns), at: Point(row: row, column: covers.origin.column),
            style: .plain)
        }
      }
      return Frame(grid: grid)
    }

    private static func cells(_ picture: PixelPicture, at origin: Point = Point(row: 2, column: 4)) -> Set<Point> {
      var points: Set<Point> = []
      for row in 0..<picture.size.rows {
        for column in 0..<picture.size.columns {
          points.insert(Point(row: origin.row + row, column: origin.column + column))
        }
      }
      return points
    }

    /// Runs `body` on a terminal that draws pictures with this protocol.
    private func onTerminal(
      _ drawing: PictureDrawing, _ body: (CursesDriver, MemoryTerminal, inout PictureCells) throws -> Void
    ) throws {
      let (rows, columns) = (Self.size.rows, Self.size.columns)
      try withScreen(rows, columns, kind: drawing == .sixel ? "foot" : "wezterm", cellSize: Self.cell) {
        driver, terminal, _ in
        #expect(driver.capabilities.drawsPictures == drawing && !driver.capabilities.placesPictures)
        var shown = PictureCells(size: Self.size, cell: Self.cell)
        try body(driver, terminal, &shown)
        #expect(driver.refusedSequences == 0)
      }
    }

    @Test(arguments: [PictureDrawing.sixel, .file])
    func `a picture is drawn once over cells that are blank in ncurses`(drawing: PictureDrawing) throws {
      try onTerminal(drawing) { driver, terminal, shown in
        let picture = Self.picture(3, 6, drawing)
        driver.present(try Self.frame(driver, picture, lines: [(0, "head")]))
        let output = terminal.takeOutput()
        shown.take(output)
        #expect(shown.marked == Self.cells(picture) && shown.drawnCount == 1)
        #expect(driver.cell(row: 2, column: 4)?.text == " ")
        let text = String(decoding: output, as: UTF8.self)
        let data = drawing == .sixel ? "\u{1B}P0;1;0q\"1;1;48;48#0;2;0;50;100" : "AQIDBA=="
        #expect(text.contains("\u{1B}7\u{1B}[3;5H") && text.contains(data) && text.hasSuffix("\u{1B}\\\u{1B}8"))
        #expect(!text.unicodeScalars.contains { $0.value == 0x10EEEE })

        driver.present(try Self.frame(driver, picture, lines: [(0, "head"), (11, "foot")]))
        shown.take(terminal.takeOutput())
        #expect(shown.marked == Self.cells(picture) && shown.drawnCount == 1)
      }
    }

    @Test func `the scrolling region is always the whole screen`() throws {
      try withScreen(40, 80) { driver, terminal, _ in
        var last = ""
        for rows in [40, 30, 50] {
          terminal.resize(to: Size(rows: rows, columns: 80))
          driver.present(Frame(grid: CellGrid(size: Size(rows: rows, columns: 80))))
          let text = String(decoding: terminal.takeOutput(), as: UTF8.self)
          last = text.matches(of: /\x1B\[1;\d+r/).last.map { String($0.output) } ?? last
          #expect(last == "\u{1B}[1;\(rows)r")
        }
        #expect(driver.refusedSequences == 0)
      }
    }

    @Test(arguments: [PictureDrawing.sixel, .file])
    func `a picture that is covered, moved or replaced leaves no remnants`(drawing: PictureDrawing) throws {
      try onTerminal(drawing) { driver, terminal, shown in
        let picture = Self.picture(3, 6, drawing)
        let other = Self.picture(2, 3, drawing)
        let (here, elsewhere) = (Point(row: 2, column: 4), Point(row: 5, column: 20))
        let steps: [(picture: PixelPicture?, origin: Point, covers: Rect?)] = [
          (picture, here, nil),
          // A partly covered picture is hidden and then drawn again.
          (picture, here, Rect(row: 4, column: 0, rows: 2, columns: 40)), (picture, here, nil),
          (picture, elsewhere, nil), (other, here, nil), (nil, here, nil),
        ]
        for (number, step) in steps.enumerated() {
          driver.present(try Self.frame(driver, step.picture, at: step.origin, covers: step.covers))
          shown.take(terminal.takeOutput())
          let expected = step.covers == nil ? step.picture.map { Self.cells($0, at: step.origin) } ?? [] : []
          #expect(shown.marked == expected, "step \(number)")
        }
      }
    }

    @Test(arguments: [PictureDrawing.sixel, .file])
    func `a picture is redrawn after resume, redraw and resize and erased at the end`(
      drawing: PictureDrawing
    ) throws {
      try onTerminal(drawing) { driver, terminal, shown in
        let picture = Self.picture(3, 6, drawing)
        driver.present(try Self.frame(driver, picture))
        shown.take(terminal.takeOutput())
        driver.suspend()
        shown.take(terminal.takeOutput())
        #expect(shown.marked == [])
        driver.resume()
        driver.present(try Self.frame(driver, picture))
        shown.take(terminal.takeOutput())
        #expect(shown.marked == Self.cells(picture))
        driver.redrawAll()
        driver.present(try Self.frame(driver, picture))
        shown.take(terminal.takeOutput())
        #expect(shown.marked == Self.cells(picture))
        // The frame's size is outdated, so its picture is not drawn.
        let late = try Self.frame(driver, picture)
        terminal.resize(to: Size(rows: 12, columns: 30))
        driver.present(late)
        shown.take(terminal.takeOutput())
        #expect(shown.marked == [])
        terminal.resize(to: Self.size)
        driver.present(try Self.frame(driver, picture))
        shown.take(terminal.takeOutput())
        #expect(shown.marked == Self.cells(picture))
        driver.stop()
        shown.take(terminal.takeOutput())
        #expect(shown.marked == [])
      }
    }

    @Test(arguments: [PictureDrawing.sixel, .file], [Soak.seed, 34_040_752])
    func `after random changes, a picture covers exactly its cells`(
      drawing: PictureDrawing, seed: UInt64
    ) throws {
      try onTerminal(drawing) { driver, terminal, shown in
        var random = SplitMix(seed: seed)
        var lines = (0..<12).map { "line \($0)" }
        let pictures = [Self.picture(3, 6, drawing), Self.picture(5, 12, drawing), Self.picture(1, 1, drawing)]
        for step in 0..<Soak.runs(300, times: 20) {
          switch Int.random(in: 0..<4, using: &random) {
          case 0: lines.insert("new \(step)", at: 0)
          case 1: lines.removeFirst()
          case 2: lines[Int.random(in: 0..<12, using: &random)] = String(repeating: "w", count: step % 40)
          default: break
          }
          while lines.count < 12 { lines.append("last \(step)") }
          lines = Array(lines.prefix(12))
          let picture = Int.random(in: 0..<4, using: &random) > 0 ? pictures.randomElement(using: &random) : nil
          let origin = Point(
            row: Int.random(in: 0..<6, using: &random), column: Int.random(in: 0..<28, using: &random))
          let covers = Bool.random(using: &random) ? nil : Rect(row: 8, column: 0, rows: 3, columns: step % 40)
          let frame = try Self.frame(
            driver, picture, at: origin, lines: lines.enumerated().map { ($0, $1) }, covers: covers)
          driver.present(frame)
          shown.take(terminal.takeOutput())
          let isWhole = picture.map { picture in
            covers.map { cover in !Self.cells(picture, at: origin).contains { cover.contains($0) } } ?? true
          }
          let expected = isWhole == true ? picture.map { Self.cells($0, at: origin) } ?? [] : []
          try #require(shown.marked == expected, "step \(step)")
        }
      }
    }

    @Test func `pictures are drawn only with a known cell size and the terminal's own protocol`() throws {
      try withScreen(4, 20, kind: "foot") { driver, _, _ in
        #expect(driver.capabilities.drawsPictures == nil)
        #expect(driver.place(Self.picture(1, 1, .sixel)) == nil)
      }
      try withScreen(4, 20, kind: "foot", cellSize: .common) { driver, _, _ in
        #expect(driver.place(Self.picture(1, 1, .file)) == nil)
        #expect(driver.place(PixelPicture(size: Size(rows: 1, columns: 1), sixel: [])) == nil)
      }
      try withScreen(4, 20, kind: "xterm-256color", cellSize: .common) { driver, _, _ in
        #expect(driver.capabilities.drawsPictures == nil)
      }
    }

    @Test func `invalid sixels are rejected`() throws {
      try withScreen(12, 40, kind: "foot", cellSize: .common) { driver, terminal, _ in
        _ = terminal.takeOutput()
        let hostile = PixelPicture(
          size: Size(rows: 1, columns: 1), sixel: Array("\"1;1;8;6~\u{1B}\\\u{1B}]0;title\u{7}".utf8))
        driver.present(try Self.frame(driver, hostile))
        let output = String(decoding: terminal.takeOutput(), as: UTF8.self)
        #expect(output.contains("\"1;1;8;6~") && !output.contains("title"))
        #expect(driver.refusedSequences > 0)
      }
    }

    // MARK: Replies

    @Test(arguments: [
      ("WezTerm 20240203-110809-5046fc22", [62, 4, 6], PictureDrawing.file), ("iTerm2 3.5.4", [], .file),
      ("foot(1.16.2)", [4, 22], .sixel), ("XTerm(370)", [1, 2, 4, 6], .sixel), ("XTerm(370)", [1, 2, 6], nil),
      ("", [], nil),
    ])
    func `the terminal's replies select the protocol for pictures`(
      name: String, attributes: [Int], drawing: PictureDrawing?
    ) {
      var support = GraphicsSupport()
      let taken = [support.take(.program(name)), support.take(.attributes(attributes))]
      #expect(taken == [true, true])
      #expect(support.drawing == drawing)
      // Terminals that place pictures among text need no other protocol.
      _ = support.take(.program("kitty(0.35.2)"))
      _ = support.take(.graphics(isShown: true))
      #expect(support.placesPictures && support.drawing == nil)
    }

    @Test func `the environment selects the protocol until the terminal replies`() {
      var environment = TerminalEnvironment(kind: "xterm-256color", wantsColors: true, textForm: .unicode)
      environment.program = "wezterm"
      var support = GraphicsSupport(environment, isAsked: true)
      #expect(support.drawing == .file)
      _ = support.take(.program("XTerm(370)"))
      #expect(support.drawing == nil)
      environment.kind = "tmux-256color"
      #expect(GraphicsSupport(environment, isAsked: true).drawing == nil)
    }

    @Test func `attributes and sizes torn at any byte are read as replies`() {
      let bytes = Array("\u{1B}[?62;4;22c\u{1B}[6;16;8t\u{1B}[4;384;640t".utf8)
      for cut in 0...bytes.count {
        var decoder = KeyDecoder(sequences: KeySequences())
        var input = decoder.decode(bytes[..<cut])
        input.append(decoder.decode(bytes[cut...]))
        #expect(
          input.replies == [
            .attributes([4, 22]), .cellSize(width: 8, height: 16), .areaSize(width: 640, height: 384),
          ], "\(cut)")
        #expect(input.events.isEmpty)
      }
    }
  }
}
