import SafeText
import TerminalTesting
import Testing

private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

@Suite struct SafeTextTests {
  @Test(arguments: [
    ("\u{1B}[31mred\u{1B}[0m", "[31mred[0m"),
    ("\u{1B}]0;title\u{07}x", "]0;titlex"),
    ("a\0b\u{08}c\u{7F}d", "abcd"),
    ("a\u{9B}31mb\u{90}c\u{9D}", "a31mbc"),
    ("abc\u{202E}def\u{202C}", "abcdef"),
    ("\u{2066}a\u{2069}\u{200E}\u{200F}\u{61C}", "a"),
    ("a\u{200B}b\u{FEFF}c\u{2060}d\u{AD}e", "abcde"),
    ("a\u{E0001}\u{E0041}\u{E007F}b", "ab"),
    ("a\u{FFF9}b\u{FFFA}c\u{FFFB}", "abc"),
    ("a\u{F0000}b\u{100000}c\u{10EEEE}\u{E000}", "abc\u{E000}"),
  ])
  func `terminal controls and invisible characters are removed`(text: String, expected: String) {
    #expect(scalars(SafeText.line(text)) == scalars(expected))
    #expect(scalars(SafeText.paragraphs(text)) == scalars(expected))
  }

  @Test(arguments: [
    ("👨‍👩‍👧‍👦"), ("🏳️‍🌈"), ("❤️‍🔥"), ("👩🏽‍🚀"), ("🇩🇪🇫🇷"), ("7️⃣"), ("می‌خواهم"), ("क्‍ष"), ("র‍্য"), ("ශ්‍රී"), ("שָׁלוֹם"), ("tiếng Việt"), ("ไม่"),
    ("안녕"), ("葛󠄀"), ("e\u{301}\u{323}"), ("١٢٣\u{600}٤"), ("naïve — “quoted” … €"),
  ])
  func `scripts and emoji stay unchanged`(text: String) {
    #expect(scalars(SafeText.line(text)) == scalars(text))
    #expect(scalars(SafeText.paragraphs(text)) == scalars(text))
  }

  @Test(arguments: [
    ("a\u{200D}b", "ab"), ("a\u{200C}", "a"), ("\u{200D}a", "a"), ("é\u{200D}é", "éé"),
    ("می\u{200C} خواهم", "می خواهم"),
    ("👨\u{200D}", "👨"), ("👨\u{200D}\u{200D}👩", "👨\u{200D}👩"), ("م\u{200C}\nم", "م م"), ("1\u{200D}2", "12"),
  ])
  func `a joiner is removed unless it joins two characters`(text: String, expected: String) {
    #expect(scalars(SafeText.line(text)) == scalars(expected))
  }

  @Test func `a mark without a base is removed and a base has at most eight`() {
    #expect(SafeText.line("\u{301}a") == "a")
    #expect(scalars(SafeText.paragraphs("a\n\u{301}b")) == scalars("a\nb"))
    #expect(scalars(SafeText.line("\u{FE0F}")) == [])
    let zalgo = "a" + String(repeating: "\u{301}", count: 5000) + "b"
    #expect(SafeText.line(zalgo).unicodeScalars.count == 10)
    #expect(SafeText.line(zalgo + zalgo).unicodeScalars.count == 20)
  }

  @Test func `line breaks are newlines in paragraphs and one space in a line`() {
    let text = "a\r\nb\rc\nd\u{85}e\u{2028}f\u{2029}g\u{0B}h\u{0C}i"
    #expect(SafeText.paragraphs(text) == "a\nb\nc\nd\ne\nf\ng\nh\ni")
    #expect(SafeText.line(text) == "a b c d e f g h i")
    #expect(SafeText.paragraphs("a\r\n\r\nb\n") == "a\n\nb\n")
    #expect(SafeText.line("\n\na\n\n\tb\n") == "a b")
    #expect(SafeText.line("a \n b  c") == "a  b  c")
    #expect(SafeText.paragraphs("a\tb") == "a b")
  }

  @Test(arguments: [
    ("Anna  @anna@bank.example                                        .", "Anna @anna@bank.example ."),
    ("  Anna \t\n Berg ", "Anna Berg"), ("Anna\u{A0}\u{A0}Berg\u{A0}", "Anna Berg"),
    ("山田\u{3000}\u{3000}太郎", "山田 太郎"), ("\u{3164}\u{3164}Anna\u{3164}\u{2800}\u{115F}\u{1160}\u{FFA0}.", "Anna ."),
    ("A\u{2003}\u{2009}\u{205F}\u{202F}\u{1680}B", "A B"), ("A \u{34F} \u{17B4} \u{FE0F} B", "A B"),
    ("\u{3164}", ""), ("\u{34F}\u{2800}", ""), ("", ""), ("Anna", "Anna"),
    ("❤️ Anna 👨‍👩‍👧", "❤️ Anna 👨‍👩‍👧"), ("이 름", "이 름"),
    ("می‌خواهم", "می‌خواهم"),
  ])
  func `each run of blanks in a name becomes one space`(text: String, expected: String) {
    #expect(scalars(SafeText.name(text)) == scalars(expected))
    #expect(scalars(SafeText.name(expected)) == scalars(expected))
  }

  @Test func `an invalid byte becomes a replacement character`() {
    #expect(SafeText.repairing([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
    #expect(SafeText.repairing([0x61, 0xC3]) == "a\u{FFFD}")
    #expect(SafeText.repairing([0xED, 0xA0, 0x80, 0x62]).last == "b")
    #expect(SafeText.repairing("grün 👍".utf8) == "grün 👍")
    #expect(SafeText.repairing([]) == "")
  }

  @Test(arguments: [Soak.seed]) func `cleaning is idempotent and leaves no harmful characters`(seed: UInt64) {
    let alphabet: [UInt32] = [
      0x00, 0x07, 0x09, 0x0A, 0x0D, 0x1B, 0x20, 0x20, 0x61, 0x5B, 0x7F, 0x85, 0x9B, 0xA0, 0xAD, 0xE9, 0x301, 0x489,
      0x600,
      0x61C, 0x627, 0x6CC, 0x915, 0x93F, 0x94D, 0x1160, 0x200B, 0x200C, 0x200D, 0x200E, 0x2028, 0x202E, 0x2060, 0x2066,
      0x20E3, 0x4E2D, 0xFE0F, 0xFEFF, 0x1F468, 0x1F3FD, 0x1F1E9, 0xE0001, 0xE0067, 0xE0100, 0xE000, 0x10FFFF, 0xFFF9,
    ]
    var generator = SplitMix(seed: seed)
    for round in 0..<Soak.runs(4000) {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...24, using: &generator) {
        let value =
          round % 4 == 0
          ? UInt32.random(in: 0...0x10FFFF, using: &generator) : alphabet.randomElement(using: &generator)
        if let value, let scalar = Unicode.Scalar(value) { text.append(scalar) }
      }
      for clean in [SafeText.line, SafeText.paragraphs] {
        let once = clean(String(text))
        #expect(scalars(clean(once)) == scalars(once), "\(scalars(String(text)))")
      }
      #expect(!scalars(SafeText.line(String(text))).contains(where: isHarmful))
      #expect(!scalars(SafeText.paragraphs(String(text))).contains { $0 != 0x0A && isHarmful($0) })
    }
  }

  private func isHarmful(_ value: UInt32) -> Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xE0000...0xE00FF, 0xF0000...0x10FFFF:
      true
    default: false
    }
  }
}
