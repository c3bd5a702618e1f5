import Foundation
import TerminalTesting
import Testing

@testable import Terminal
@testable import TerminalCurses

extension CursesTests {
  /// Pictures placed among text with kitty's graphics protocol.
  @MainActor
  @Suite struct PlacedPictureTests {
    private static let size = Size(rows: 4, columns: 20)
    private static let png = [UInt8](unsafeUninitializedCapacity: 10_000) { bytes, count in
      count = bytes.count
      for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
    }

    /// Returns the keys and data of the graphics commands in `bytes`.
    private func commands(_ bytes: [UInt8]) -> [(keys: String, data: String)] {
      TerminalSequence.all(in: bytes).compactMap { sequence in
        guard case .string(introducer: UInt8(ascii: "_"), let content) = sequence.kind else { return nil }
        let text = String(decoding: content, as: UTF8.self)
        guard text.first == "G" else { return nil }
        let parts = text.dropFirst().split(separator: ";", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
      }
    }

    /// Returns a frame that shows a picture at the left edge.
    private func frame(_ picture: PixelPicture, by driver: CursesDriver, row: Int = 0) throws -> Frame {
      let placement = try #require(driver.place(picture))
      var grid = CellGrid(size: Self.size)
      for line in 0..<picture.size.rows {
        for column in 0..<picture.size.columns {
          let text = try #require(placement.text(row: line, column: column))
          grid.write(text, at: Point(row: row + line, column: column), style: placement.style)
        }
      }
      return Frame(grid: grid)
    }

    @Test func `the marks match the protocol`() {
      let marks = PicturePlacement.marks.map(\.value)
      #expect(marks.count == 297)
      #expect(marks.prefix(6) == [0x305, 0x30D, 0x30E, 0x310, 0x312, 0x33D])
      #expect(marks[35] == 0x592 && marks[93] == 0x740 && marks[180] == 0x1DD6)
      #expect(marks.suffix(4) == [0x1D1AD, 0x1D242, 0x1D243, 0x1D244])
    }

    @Test func `a picture is sent once in chunks and placed by placeholders in its cells`() throws {
      try withScreen(4, 20, kind: "xterm-kitty") { driver, terminal, _ in
        #expect(driver.capabilities.placesPictures)
        _ = terminal.takeOutput()
        let picture = PixelPicture(size: Size(rows: 2, columns: 3), png: Self.png)
        driver.present(try frame(picture, by: driver))
        let output = terminal.takeOutput()
        let sent = commands(output)
        #expect(sent.count == 4)
        let placement = try #require(driver.place(picture))
        #expect(sent.first?.keys == "a=T,U=1,f=100,i=\(placement.identifier),c=3,r=2,q=2,m=1")
        #expect(sent.dropFirst().map(\.keys) == ["m=1,q=2", "m=1,q=2", "m=0,q=2"])
        #expect(sent.allSatisfy { $0.data.count <= 4096 })
        #expect(Data(base64Encoded: sent.map(\.data).joined()).map(Array.init) == Self.png)
        // The identifier's lowest byte is the colour, the highest byte the third mark.
        let scalars = Array(String(decoding: output, as: UTF8.self).unicodeScalars)
        let place = try #require(scalars.firstIndex { $0.value == 0x10EEEE })
        let marks = PicturePlacement.marks
        let third = marks[Int(placement.identifier >> 24)]
        #expect(scalars[(place + 1)...(place + 3)].elementsEqual([marks[0], marks[0], third]))
        #expect(String(decoding: output, as: UTF8.self).contains("\u{1B}[3\(placement.identifier & 0xFF)m"))
        #expect(scalars.count { $0.value == 0x10EEEE } == 6)
        #expect(driver.refusedSequences == 0)
        // A moved picture isn't sent again.
        driver.present(try frame(picture, by: driver, row: 2))
        #expect(commands(terminal.takeOutput()).isEmpty)
      }
    }

    @Test func `a visible picture is sent again after a suspension and deleted at the end`() throws {
      try withScreen(4, 20, kind: "xterm-kitty") { driver, terminal, _ in
        let picture = PixelPicture(size: Size(rows: 2, columns: 3), png: [1, 2, 3])
        driver.present(try frame(picture, by: driver))
        _ = terminal.takeOutput()
        driver.suspend()
        #expect(commands(terminal.takeOutput()).map(\.keys.first) == ["a"])
        driver.resume()
        driver.present(try frame(picture, by: driver))
        #expect(commands(terminal.takeOutput()).map(\.data) == ["AQID"])
        driver.stop()
        #expect(commands(terminal.takeOutput()).allSatisfy { $0.keys.hasPrefix("a=d,d=I,i=") })
      }
    }

    @Test func `hidden pictures are deleted beyond a limit while visible ones remain`() throws {
      try withScreen(4, 20, kind: "xterm-kitty") { driver, terminal, _ in
        let stays = PixelPicture(size: Size(rows: 1, columns: 2), png: [0])
        let first = try #require(driver.place(stays))
        var forgotten = 0
        var known: Set<UInt32> = []
        for number in 0..<4000 {
          let picture = PixelPicture(size: Size(rows: 1, columns: 2), png: [UInt8(truncatingIfNeeded: number)])
          var frame = try frame(picture, by: driver)
          frame.grid.write(first.text(row: 0, column: 0) ?? "", at: Point(row: 2, column: 0), style: first.style)
          frame.changedRows = RangeSet(0..<4)
          driver.present(frame)
          for command in commands(terminal.takeOutput()) {
            let identifier = command.keys.split(separator: ",").first { $0.hasPrefix("i=") }?.dropFirst(2)
            let value = try #require(identifier.flatMap { UInt32($0) })
            if command.keys.hasPrefix("a=d") {
              forgotten += 1
              #expect(known.remove(value) != nil)
            } else {
              #expect(known.insert(value).inserted)
            }
          }
          #expect(known.count <= 140 && known.contains(first.identifier))
        }
        #expect(forgotten > 3800)
        #expect(driver.refusedSequences == 0)
      }
    }

    @Test func `terminals without the graphics protocol place no pictures`() throws {
      for kind in ["xterm-256color", "tmux-256color", "screen"] {
        try withScreen(4, 20, kind: kind) { driver, _, _ in
          #expect(!driver.capabilities.placesPictures)
          #expect(driver.place(PixelPicture(size: Size(rows: 1, columns: 1), png: [1])) == nil)
        }
      }
    }

    // MARK: Replies

    @Test(arguments: [
      ("kitty(0.35.2)", true), ("kitty(0.28.0)", true), ("kitty(0.26.5)", false), ("ghostty 1.1.3", true),
      ("WezTerm 20240203-110809-5046fc22", false), ("XTerm(370)", false), ("", false),
    ])
    func `placeholders require a program that supports them`(name: String, knows: Bool) {
      var support = GraphicsSupport()
      var taken = support.take(.program(name))
      #expect(taken && !support.placesPictures)
      taken = support.take(.graphics(isShown: true))
      #expect(taken)
      #expect(support.placesPictures == knows)
    }

    @Test func `replies torn at any byte are read as replies`() {
      let bytes = Array("\u{1B}P>|kitty(0.35.2)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}_Gi=31;ENOTSUPPORTED\u{1B}\\".utf8)
      for cut in 0...bytes.count {
        var decoder = KeyDecoder(sequences: KeySequences())
        var input = decoder.decode(bytes[..<cut])
        input.append(decoder.decode(bytes[cut...]))
        #expect(
          input.replies == [.program("kitty(0.35.2)"), .graphics(isShown: true), .graphics(isShown: false)], "\(cut)")
        #expect(input.events.isEmpty)
      }
    }
  }
}
