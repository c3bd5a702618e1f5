import Terminal
import TerminalTesting
import Testing

private func lines(_ text: String, _ columns: Int) -> [String] {
  TextLayout.wrap([TextRun(text, 0)], columns: columns).map { $0.map(\.text).joined() }
}

@Suite struct TextLayoutTests {
  @Test(arguments: [
    ("", 5, [""]),
    ("\n", 5, ["", ""]),
    ("a\n\nb\n", 5, ["a", "", "b", ""]),
    ("a\r\nb", 5, ["a", "b"]),
    ("the quick fox", 9, ["the quick", "fox"]),
    ("the quick fox", 8, ["the", "quick", "fox"]),
    ("ab  cd", 3, ["ab", "cd"]),
    ("ab   ", 3, ["ab"]),
    ("ab   \ncd", 3, ["ab", "cd"]),
    ("   ", 2, [""]),
    ("  ab cd", 4, ["  ab", "cd"]),
    ("     ab", 4, ["ab"]),
    ("ab\n  cd", 4, ["ab", "  cd"]),
    ("ab", 0, ["a", "b"]),
    ("a\u{A0}b c", 3, ["a\u{A0}b", "c"]),
  ])
  func `lines break at spaces and newlines`(text: String, columns: Int, expected: [String]) {
    #expect(lines(text, columns) == expected)
  }

  @Test func `a word longer than a line starts a line and breaks anywhere`() {
    #expect(
      lines("see https://example.org/a/b?c ok", 10) == ["see", "https://ex", "ample.org/", "a/b?c ok"])
    #expect(lines("abcdefgh", 3) == ["abc", "def", "gh"])
    #expect(lines("abcdef gh", 3) == ["abc", "def", "gh"])
  }

  @Test(arguments: [
    ("你好世界", 4, ["你好", "世界"]),
    ("你好世界", 5, ["你好", "世界"]),
    ("你好，世界", 4, ["你", "好，", "世界"]),
    ("你好。世界", 6, ["你好。", "世界"]),
    ("他说「你好」吧", 6, ["他说", "「你", "好」吧"]),
    ("東京タワー", 8, ["東京タ", "ワー"]),
    ("ちょっと待って", 6, ["ちょっ", "と待っ", "て"]),
    ("使用Swift语言", 7, ["使用", "Swift语", "言"]),
    ("第3.14章", 6, ["第3.14", "章"]),
    ("Well，好", 6, ["Well，", "好"]),
    ("　你好世界", 6, ["　你好", "世界"]),
  ])
  func `scripts without spaces break between clusters but not before closing punctuation`(
    text: String, columns: Int, expected: [String]
  ) {
    #expect(lines(text, columns) == expected)
  }

  @Test func `lines break between emoji but not within them`() {
    #expect(lines("👨‍👩‍👧‍👦👍🏽🇩🇪", 4) == ["👨‍👩‍👧‍👦👍🏽", "🇩🇪"])
    #expect(lines("hi👍🏽👍🏽", 4) == ["hi👍🏽", "👍🏽"])
    #expect(lines("ok👍!", 4) == ["ok", "👍!"])
  }

  @Test func `Korean and right-to-left words break at spaces`() {
    #expect(lines("안녕 세계여", 7) == ["안녕", "세계여"])
    #expect(lines("שלום עולם", 5) == ["שלום", "עולם"])
    #expect(lines("می‌خواهم بروم", 8) == ["می‌خواهم", "بروم"])
  }

  @Test func `lines do not break between Thai vowels and consonants`() {
    #expect(lines("เเปเป", 3) == ["เเป", "เป"])
    #expect(lines("กากา", 3) == ["กา", "กา"])
  }

  @Test func `lines do not break within Burmese and Khmer syllables`() {
    #expect(lines("ကြောင်ကြောင်", 7) == ["ကြောင်", "ကြောင်"])
    #expect(lines("ကမ္ဘာကမ္ဘာ", 5) == ["ကမ္ဘာ", "ကမ္ဘာ"])
    #expect(lines("ស្ត្រីស្ត្រី", 5) == ["ស្ត្រី", "ស្ត្រី"])
  }

  @Test func `a cluster wider than the line becomes an ellipsis`() {
    #expect(lines("a中b", 1) == ["a", "…", "b"])
  }

  @Test func `runs retain their attributes and equal neighbours are merged`() {
    let runs = [TextRun("see ", 0), TextRun("exam", 1), TextRun("ple", 1), TextRun("", 7), TextRun(" now", 0)]
    #expect(
      TextLayout.wrap(runs, columns: 11) == [
        [TextRun("see ", 0), TextRun("example", 1)],
        [TextRun("now", 0)],
      ])
    #expect(TextLayout.wrap(runs, columns: 80) == [[TextRun("see ", 0), TextRun("example", 1), TextRun(" now", 0)]])
    #expect(
      TextLayout.wrap([TextRun("你", 0), TextRun("。好", 1)], columns: 4) == [
        [TextRun("你", 0), TextRun("。", 1)], [TextRun("好", 1)],
      ])
    #expect(TextLayout.wrap([TextRun<Int>](), columns: 4) == [[]])
  }

  @Test(arguments: [Soak.seed])
  func `random text fits the columns and loses only spaces and newlines`(seed: UInt64) {
    let alphabet: [Character] = [
      "a", "b", " ", " ", "\n", "中", "。", "「", "👍🏽", "é", "(", ")", "\"", "ก", "เ", "🇩🇪", "\u{301}",
    ]
    var generator = SplitMix(seed: seed)
    for _ in 0..<Soak.runs(400) {
      let length = Int.random(in: 0...40, using: &generator)
      let text = String((0..<length).compactMap { _ in alphabet.randomElement(using: &generator) })
      let columns = Int.random(in: 2...12, using: &generator)
      let result = lines(text, columns)
      #expect(result.allSatisfy { DisplayWidth.columns(of: $0) <= columns }, "\(text.debugDescription) in \(columns)")
      #expect(result.joined().filter { $0 != " " } == text.filter { $0 != " " && $0 != "\n" })
    }
  }

  @MainActor
  @Test func `layout time is proportional to the length of a text`() {
    let growth = Effort.growth(from: 10_000) { count in
      (String(repeating: "a", count: count) + String(repeating: " ", count: count) + "中", count)
    } _: { text, count in
      let result = lines(text, 7)
      #expect(result.last == "中")
      #expect(result.count == (count + 6) / 7 + 1)
    }
    #expect(growth < 9)
  }
}

@Suite struct EditingRowsTests {
  private func rows(_ text: String, _ columns: Int) -> [String] {
    let clusters = Array(text)
    let measures = ClusterMeasure.measures(of: clusters, form: .unicode)
    return TextLayout.editingRows(of: measures, columns: columns, from: 0) { _ in false }.rows
      .map { String(clusters[$0]) }
  }

  @Test func `every character belongs to a row`() {
    #expect(rows("", 5) == [""])
    #expect(rows("ab\n", 5) == ["ab\n", ""])
    #expect(rows("the quick fox", 10) == ["the quick ", "fox"])
    #expect(rows("abcdef", 5) == ["abcd", "ef"])
    #expect(rows("ab   cd", 4) == ["ab  ", " cd"])
    #expect(rows("abc\n\nd", 4) == ["abc\n", "\n", "d"])
  }

  @Test func `an empty row for the cursor follows a full last row`() {
    #expect(rows("abc ", 4) == ["abc ", ""])
    #expect(rows("a", 1) == ["a", ""])
    #expect(rows("中", 1) == ["中", ""])
  }
}
