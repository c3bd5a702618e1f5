import TerminalTesting
import Testing

@testable import Terminal

@Suite struct CellTests {
  @Test(arguments: [
    "", " ", "a", "中", "e\u{301}", "क्षि", "👍🏽", "👨‍👩‍👧‍👦", "\u{10EEEE}\u{305}\u{30D}\u{30E}",
  ])
  func `a cell returns its text, columns and style`(text: String) {
    let style = TextStyle(.rgb(red: 1, green: 128, blue: 255), on: .palette(255), [.bold, .reverse])
    let cell = Cell(text: text, columns: 16, style: style)
    #expect(Array(cell.text.unicodeScalars) == Array(text.unicodeScalars))
    #expect(cell.columns == 16)
    #expect(cell.style == style)
    #expect(cell.isASCII == (text == " " || text == "a"))
  }

  @Test func `cells with different texts, columns or styles differ`() {
    let colors: [TerminalColor] = [
      .standard, .palette(0), .palette(1), .palette(255), .rgb(red: 0, green: 0, blue: 0),
      .rgb(red: 0, green: 0, blue: 1), .rgb(red: 1, green: 0, blue: 0),
    ]
    var cells: Set<Cell> = []
    var count = 0
    for text in ["", "a", "b", "ab", "abcd", "abcde", "abcdf"] {
      for columns: UInt8 in [0, 1, 16] {
        for foreground in colors {
          for background in colors {
            for attributes: TextStyle.Attributes in [[], .bold, [.bold, .dim, .italic, .underline, .reverse]] {
              cells.insert(Cell(text: text, columns: columns, style: TextStyle(foreground, on: background, attributes)))
              count += 1
            }
          }
        }
      }
    }
    #expect(cells.count == count)
  }

  @Test func `a full table of clusters accepts no new text`() {
    var table = ClusterTable(limit: 2)
    #expect(table.number(of: "one") == 0)
    #expect(table.number(of: "two") == 1)
    #expect(table.number(of: "three") == nil)
    #expect(table.number(of: "two") == 1)
    #expect(table.text(0) == "one" && table.text(1) == "two")
  }
}

@Suite struct PlainTextTests {
  @Test func `a mark is not joined to an ASCII character`() {
    var form = TextForm.unicode
    form.drawsClustersWhole = true
    var grid = CellGrid(size: Size(rows: 1, columns: 3))
    #expect(grid.write("\u{AD}\u{93F}|", at: .zero, style: .plain, form: form) == 3)
    #expect(grid.row(0).map(\.columns) == [1, 1, 1])
  }

  private static let forms: [TextForm] = {
    var whole = TextForm.unicode
    whole.drawsClustersWhole = true
    whole.drawsEmojiWhole = true
    return [.unicode, .wideUnicode, .ascii, whole]
  }()

  @Test(arguments: forms) func `a plain scalar is drawn unchanged in its columns`(form: TextForm) {
    for scalar in UInt32(0)...0x10FFFF {
      guard let columns = PlainScalar.columns(of: scalar, in: form.characters), let scalar = Unicode.Scalar(scalar)
      else { continue }
      let drawn = RenderedGrapheme(reducing: Character(scalar), form: form)
      guard drawn.text.unicodeScalars.elementsEqual([scalar]), drawn.columns == columns else {
        Issue.record("U+\(String(scalar.value, radix: 16)) is drawn as \(drawn)")
        return
      }
    }
  }

  @Test func `two plain scalars are two clusters`() {
    var plain: [Unicode.Scalar] = []
    for scalar in UInt32(0)...0xFFFF where PlainScalar.columns(of: scalar, in: .unicode) != nil {
      // One of each 97 Chinese characters and Korean syllables is enough.
      if scalar >= 0x4E00, scalar % 97 != 0 { continue }
      Unicode.Scalar(scalar).map { plain.append($0) }
    }
    let partners: [Unicode.Scalar] = ["a", "é", "─", "か", "中", "가", "각"]
    for scalar in plain {
      for partner in partners {
        for text in [[scalar, partner], [partner, scalar]].map({ String(String.UnicodeScalarView($0)) })
        where text.count != 2 {
          Issue.record("\(text) is one cluster")
          return
        }
      }
    }
  }

  @Test(arguments: forms, [Soak.seed])
  func `text is drawn as its clusters are, one after the other`(form: TextForm, seed: UInt64) {
    let alphabet: [Unicode.Scalar] = [
      "a", "b", "1", " ", "é", "─", "▌", "中", "か", "가", "\u{11A8}", "\u{301}", "\u{3099}", "\u{200D}", "\u{FE0F}",
      "\u{20E3}", "👍", "\u{1F3FD}", "\u{1F1E9}", "\u{600}", "\u{AD}", "\u{7F}", "\t", "\u{93F}", "क",
    ]
    var random = SplitMix(seed: seed)
    for _ in 0..<Soak.runs(2000) {
      let count = Int.random(in: 1...20, using: &random)
      let text = String(
        String.UnicodeScalarView((0..<count).compactMap { _ in alphabet.randomElement(using: &random) }))
      let size = Size(rows: 1, columns: 24)
      var first = Int.random(in: -4...20, using: &random)
      let clip = Rect(
        row: 0, column: Int.random(in: 0...6, using: &random), rows: 1, columns: Int.random(in: 0...18, using: &random))
      var whole = CellGrid(size: size)
      whole.write("中中中中中中中中中中中中", at: .zero, style: .plain)
      var single = whole
      let end = whole.write(text, at: Point(row: 0, column: first), style: .plain, clip: clip, form: form) + first
      // A joiner, and a spacing mark on a terminal that draws clusters whole, can join two clusters.
      let isJoined = text.unicodeScalars.contains {
        $0 == "\u{200D}" || (form.drawsClustersWhole && $0 == "\u{93F}")
      }
      if !isJoined {
        for cluster in text {
          let columns = single.write(
            String(cluster), at: Point(row: 0, column: first), style: .plain, clip: clip, form: form)
          if columns == 0 { break }
          first += columns
        }
        #expect(whole == single && end == first, "\(text.unicodeScalars.map(\.value)) in \(clip)")
      }
      var column = 0
      while column < 24 {
        let rest = (column + 1)..<(column + max(1, Int(whole[0, column].columns)))
        #expect(whole[0, column].columns > 0 && rest.allSatisfy { $0 < 24 && whole[0, $0].columns == 0 })
        column = rest.upperBound
      }
    }
  }
}
