import TerminalTesting
import Testing

@testable import Terminal

private func drawnScalars(_ text: String) -> [UInt32] {
  text.flatMap { RenderedGrapheme(reducing: $0, form: .unicode).text.unicodeScalars.map(\.value) }
}

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("a", "a", 1), ("~", "~", 1), ("é", "é", 1), ("中", "中", 2), ("한", "한", 2), ("か", "か", 2), ("😀", "😀", 2),
    ("ﾊ", "ﾊ", 1), ("ـ", "ـ", 1), ("…", "…", 1), ("─", "─", 1),
  ])
  func `letters and symbols are drawn unchanged`(cluster: Character, text: String, columns: Int) {
    #expect(RenderedGrapheme(reducing: cluster, form: .unicode).text == text)
    #expect(RenderedGrapheme(reducing: cluster, form: .unicode).columns == columns)
  }

  @Test(arguments: [
    ("👨‍👩‍👧‍👦", "👨", 2), ("👍🏽", "👍", 2), ("🏳️‍🌈", "🏳", 1), ("🐻‍❄️", "🐻", 2), ("❤️", "❤", 1), ("☎︎", "☎", 1), ("👩🏿‍🚀", "👩", 2),
    ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴", 2), ("7️⃣", "7", 1), ("#⃣", "#", 1), ("🇩🇪", "DE", 2), ("🇩", "D", 1),
  ])
  func `emoji sequences are reduced to characters that every terminal draws`(
    cluster: Character, text: String, columns: Int
  ) {
    let drawn = RenderedGrapheme(reducing: cluster, form: .unicode)
    #expect(Array(drawn.text.unicodeScalars) == Array(text.unicodeScalars))
    #expect(drawn.columns == columns)
  }

  @Test func `a base and its mark are composed if Unicode has a character for them`() {
    #expect(drawnScalars("e\u{301}") == [0xE9])
    #expect(drawnScalars("\u{1112}\u{1161}\u{11AB}") == [0xD55C])
    #expect(drawnScalars("a\u{323}\u{302}") == [0x1EAD])
  }

  @Test func `a base has at most eight marks`() {
    let zalgo = "x" + String(repeating: "\u{489}", count: 5000)
    #expect(zalgo.count == 1)
    #expect(drawnScalars(zalgo) == [0x78] + Array(repeating: 0x489, count: 8))
    #expect(DisplayWidth.columns(of: zalgo) == 1)
  }

  @Test func `a lone mark is drawn on a dotted circle`() {
    #expect(drawnScalars("\u{301}") == [0x25CC, 0x301])
    #expect(drawnScalars("\u{1161}") == [0x25CC, 0x1161])
    #expect(drawnScalars("\u{301}\u{302}") == [0x25CC, 0x301, 0x302])
    #expect(DisplayWidth.columns(of: "\u{301}") == 1)
  }

  @Test(
    arguments: [
      "\u{1B}", "\0", "\n", "\r\n", "\t", "\u{7F}", "\u{9B}", "\u{202E}", "\u{200B}", "\u{2028}", "\u{FFFE}",
      "\u{E0041}",
      "\u{200D}", "\u{FE0F}", "\u{378}\u{301}", "\u{1B}",
    ] as [Character])
  func `an undrawable cluster becomes a replacement character`(cluster: Character) {
    #expect(RenderedGrapheme(reducing: cluster, form: .unicode).text == "\u{FFFD}")
    #expect(RenderedGrapheme(reducing: cluster, form: .unicode).columns == 1)
  }

  @Test(arguments: [
    // Devanagari ki and kshi, Thai kam, half-width kana with its voicing mark, Burmese kyo.
    ("\u{915}\u{93F}", 2), ("\u{915}\u{94D}\u{937}\u{93F}", 3), ("\u{E01}\u{E33}", 2), ("\u{FF76}\u{FF9E}", 2),
    ("\u{1000}\u{103C}\u{1031}", 3),
  ])
  func `letters and marks with a width are all drawn`(text: String, columns: Int) {
    #expect(text.count == 1)
    #expect(DisplayWidth.columns(of: text) == columns)
    #expect(drawnScalars(text) == text.unicodeScalars.map(\.value))
    #expect(ClusterMeasure(Character(text), form: .unicode).columns == columns)
  }

  @Test func `an endless cluster is truncated with an ellipsis`() {
    let endless = String(repeating: "\u{915}\u{94D}", count: 5000)
    #expect(endless.count == 1)
    #expect(DisplayWidth.columns(of: endless) == RenderedGrapheme.maximumColumns)
    #expect(drawnScalars(endless).last == 0x2026)
    #expect(DisplayWidth.truncated(endless, to: 15) == "…")
  }

  @Test func `marks on a reduced emoji are still drawn`() {
    #expect(drawnScalars("\u{2194}\u{338}") == [0x21AE])
    #expect(drawnScalars("\u{2764}\u{FE0F}\u{308}") == [0x2764, 0x308])
    #expect(drawnScalars("1\u{308}\u{FE0F}\u{20E3}") == [0x31, 0x308])
    #expect(drawnScalars("\u{1F1E9}\u{1F1EA}\u{301}") == [0x44, 0x45, 0x301])
  }

  @Test func `variants of ideographs and letters are drawn`() {
    for text in ["\u{845B}\u{E0100}", "\u{1000}\u{FE00}"] {
      #expect(drawnScalars(text) == text.unicodeScalars.map(\.value))
    }
  }

  @Test func `a joiner between no letters is omitted and a non-joiner is drawn`() {
    #expect(drawnScalars("\u{6CC}\u{200C}") == [0x6CC, 0x200C])
    #expect(drawnScalars("\u{915}\u{94D}\u{200D}") == [0x915, 0x94D])
    #expect(drawnScalars("a\u{200D}") == [0x61])
  }

  @Test(arguments: ["ශ්‍රී", "ক্‍ষ"])
  func `two letters with a joiner share a cell`(text: String) {
    var grid = CellGrid(size: Size(rows: 1, columns: 3))
    #expect(grid.write(text + "|", at: .zero, style: .plain) == 3)
    #expect(grid.row(0).map(\.text) == [text, "", "|"])
    #expect(text.unicodeScalars.contains("\u{200D}"))
  }

  @Test func `every scalar alone is drawn in one or two columns`() {
    var wrong: [UInt32] = []
    for value in UInt32(0)..<0x30000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let drawn = RenderedGrapheme(reducing: Character(scalar), form: .unicode)
      if !(1...2).contains(drawn.columns) || drawn.text.isEmpty
        || DisplayWidth.columns(of: String(scalar)) != drawn.columns
      {
        wrong.append(value)
      }
    }
    #expect(wrong == [])
  }

  @Test func `the width of a text is the sum of its clusters' widths`() {
    #expect(DisplayWidth.columns(of: "") == 0)
    #expect(DisplayWidth.columns(of: "plain") == 5)
    #expect(DisplayWidth.columns(of: "a中b") == 4)
    #expect(DisplayWidth.columns(of: "🇩🇪🇫🇷"[...]) == 4)
    #expect(DisplayWidth.columns(of: "a\r\nb") == 3)
  }

  @Test(arguments: [
    ("hello", 5, "hello"), ("hello", 4, "hel…"), ("hello", 1, "…"), ("hello", 0, ""), ("hello", -3, ""), ("", 0, ""),
    ("", 3, ""), ("中文字", 6, "中文字"), ("中文字", 5, "中文…"), ("中文字", 4, "中…"), ("中文字", 3, "中…"), ("中", 1, "…"),
    ("ab cd", 4, "ab…"), ("e\u{301}e\u{301}", 2, "e\u{301}e\u{301}"), ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, "👨‍👩‍👧‍👦…"),
  ])
  func `a text that does not fit is truncated with an ellipsis`(text: String, columns: Int, expected: String) {
    let cut = DisplayWidth.truncated(text, to: columns)
    #expect(cut == expected)
    #expect(DisplayWidth.columns(of: cut) <= max(0, columns))
  }
}

@Suite struct CellGridClusterTests {
  @Test func `a flag takes two cells with a letter each`() {
    var grid = CellGrid(size: Size(rows: 1, columns: 4))
    #expect(grid.write("🇩🇪x", at: .zero, style: .plain) == 3)
    #expect(grid.row(0).map(\.text) == ["D", "E", "x", " "])
    #expect(grid.row(0).map(\.columns) == [1, 1, 1, 1])
  }

  @Test func `a spacing mark and its marks have their own cell`() {
    var grid = CellGrid(size: Size(rows: 1, columns: 3))
    grid.write("\u{915}\u{93F}\u{902}", at: .zero, style: .plain)
    #expect(grid.row(0).map { $0.text.unicodeScalars.map(\.value) } == [[0x915], [0x93F, 0x902], [0x20]])
  }

  @Test func `a cluster drawn whole has a cell as wide as its parts`() {
    var grid = CellGrid(size: Size(rows: 1, columns: 6))
    #expect(grid.write("\u{915}\u{94D}\u{937}\u{93F}👍🏽|", at: .zero, style: .plain, form: wholeForm) == 6)
    #expect(grid.row(0).map(\.text) == ["\u{915}\u{94D}\u{937}\u{93F}", "", "", "👍🏽", "", "|"])
    #expect(grid.row(0).map(\.columns) == [3, 0, 0, 2, 0, 1])
    var burmese = CellGrid(size: Size(rows: 1, columns: 3))
    burmese.write("\u{1019}\u{102C}|", at: .zero, style: .plain, form: wholeForm)
    #expect(burmese.row(0).map(\.text) == ["\u{1019}\u{102C}", "", "|"])
    #expect(grid.fitted(to: Size(rows: 1, columns: 2)).row(0).map(\.text) == [" ", " "])
    for column in 0..<3 {
      var other = grid
      other.write("x", at: Point(row: 0, column: column), style: .plain)
      #expect(other.row(0).map(\.columns) == [1, 1, 1, 2, 0, 1])
      #expect((0..<3).map { other[0, $0].text } == (0..<3).map { $0 == column ? "x" : " " })
    }
  }

  @Test(arguments: [
    ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2), ("❤️", 2), ("7️⃣", 2), ("🇩🇪", 2), ("🏳️‍🌈", 2), ("🧑🏽‍❤️‍💋‍🧑🏿", 2),
  ])
  func `emoji sequences are whole if the terminal draws them`(text: String, columns: Int) {
    #expect(
      Array(RenderedGrapheme(reducing: Character(text), form: wholeForm).text.unicodeScalars)
        == Array(text.unicodeScalars))
    #expect(DisplayWidth.columns(of: text, form: wholeForm) == columns)
  }

  @Test(arguments: ["❤🏽", "👍🏽🏽", "⌚\u{FE0E}", "👍\u{308}", "7⃣", "🇩", "👩\u{200D}", "👩‍👩‍👩‍👩‍👩‍👩‍👩"])
  func `sequences that no terminal supports are reduced in every form`(text: String) {
    #expect(text.count == 1)
    let drawn = RenderedGrapheme(reducing: Character(text), form: wholeForm)
    #expect(drawn == RenderedGrapheme(reducing: Character(text), form: .unicode))
  }

  private var wholeForm: TextForm {
    var form = TextForm.unicode
    form.drawsClustersWhole = true
    form.drawsEmojiWhole = true
    return form
  }

  @Test func `overwriting half of a wide cluster erases all of it`() {
    var grid = CellGrid(size: Size(rows: 1, columns: 4))
    grid.write("中中", at: .zero, style: .plain)
    grid.write("🇩🇪", at: Point(row: 0, column: 1), style: .plain)
    #expect(grid.row(0).map(\.text) == [" ", "D", "E", " "])
    #expect(grid.row(0).reduce(0) { $0 + Int($1.columns) } == 4)
  }

  @Test(arguments: [Soak.seed]) func `a cell of random text has one base and at most eight marks`(seed: UInt64) {
    let alphabet: [Unicode.Scalar] = [
      "a", "1", "中", "क", "\u{94D}", "\u{93F}", "\u{301}", "\u{489}", "\u{200D}", "\u{200C}", "\u{FE0F}", "\u{20E3}",
      "👍", "\u{1F3FD}", "\u{1F1E9}", "\u{1100}", "\u{1161}", "\u{11A8}", "\u{600}", "\u{E33}", "\u{FF9E}", "\u{1F}",
      "\u{E0067}", "\u{378}",
    ]
    var generator = SplitMix(seed: seed)
    for _ in 0..<Soak.runs(2000) {
      let text = String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 1...12, using: &generator)).compactMap { _ in alphabet.randomElement(using: &generator) })
      )
      var grid = CellGrid(size: Size(rows: 1, columns: 30))
      #expect(grid.write(text, at: .zero, style: .plain) == DisplayWidth.columns(of: text))
      for column in 0..<30 {
        let cell = grid[0, column]
        let scalars = Array(cell.text.unicodeScalars)
        let widths = scalars.map { DisplayWidth.columns(of: String($0)) }
        if scalars.contains("\u{200D}") {
          // Clusters with a joiner are drawn whole.
          #expect(widths.count > 2 && cell.columns >= 2 && cell.columns <= 16)
          #expect((1..<Int(cell.columns)).allSatisfy { grid[0, column + $0].columns == 0 })
          continue
        }
        #expect(scalars.count <= 9)
        #expect(cell.columns == 0 ? scalars.isEmpty : widths.first == Int(cell.columns))
        #expect(
          scalars.dropFirst().allSatisfy {
            RenderedGrapheme(reducing: Character($0), form: .unicode).text != String($0)
          })
        #expect(cell.columns != 2 || grid[0, column + 1].columns == 0)
      }
    }
  }
}
