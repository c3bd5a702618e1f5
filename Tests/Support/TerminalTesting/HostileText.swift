/// Random text from an attacker who tries to control a terminal or mislead the reader. Equal seeds produce equal texts.
public struct HostileText {
  /// Number of texts generated so far.
  public private(set) var count = 0

  private var random: SplitMix

  public init(seed: UInt64) {
    random = SplitMix(seed: seed)
  }

  /// Returns the content of a JSON string. Some of it is invalid UTF-8 or invalid JSON, because servers send that too.
  public mutating func json() -> [UInt8] {
    count += 1
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      switch Int.random(in: 0..<12, using: &random) {
      case 0...3: bytes += disguised(Self.commands.randomElement(using: &random) ?? "")
      case 4, 5: bytes += disguised(Self.hidden.randomElement(using: &random) ?? "")
      case 6: bytes += Self.brokenBytes.randomElement(using: &random) ?? []
      case 7: bytes += Array((Self.surrogates.randomElement(using: &random) ?? "").utf8)
      case 8: bytes += disguised(arbitrary())
      case 9 where Int.random(in: 0..<400, using: &random) == 0:
        bytes += Array(("a" + String(repeating: "\u{301}", count: 5000)).utf8)
      default: bytes += Array((Self.words.randomElement(using: &random) ?? "").utf8)
      }
    }
    return bytes
  }

  /// Returns text for a header, a title or typed input.
  public mutating func plain() -> String {
    count += 1
    return (0..<Int.random(in: 1...6, using: &random)).map { index in
      let pieces = index % 2 == 0 ? Self.words : Self.commands + Self.hidden
      return pieces.randomElement(using: &random) ?? ""
    }.joined()
  }

  // MARK: Pieces

  /// Terminal control sequences in all forms: 7-bit and 8-bit, with either terminator and without one.
  private static let commands = [
    "\u{1B}]0;owned\u{7}", "\u{1B}]2;owned\u{1B}\\", "\u{1B}]52;c;b3duZWQ=\u{7}", "\u{1B}]52;c;?\u{7}",
    "\u{1B}]8;;javascript:x\u{1B}\\link\u{1B}]8;;\u{1B}\\", "\u{1B}]4;1;?\u{7}", "\u{1B}]50;#3\u{7}", "\u{1B}]owned",
    "\u{9D}0;owned\u{9C}", "\u{9D}52;c;b3duZWQ=\u{7}", "\u{1B}[2J", "\u{1B}[31m", "\u{1B}[8m", "\u{1B}[99999b",
    "\u{1B}[?1049l", "\u{1B}[?1000h", "\u{1B}[6n", "\u{1B}[c", "\u{1B}[>c", "\u{1B}[21t", "\u{1B}[20;1H", "\u{1B}[5i",
    "\u{1B}[", "\u{1B}", "\u{9B}2J", "\u{9B}31m", "\u{9B}", "\u{1B}P$qm\u{1B}\\", "\u{1B}P+q544e\u{1B}\\",
    "\u{90}$qm\u{9C}", "\u{1B}_Gi=1,a=q;AAAA\u{1B}\\", "\u{9F}x\u{9C}", "\u{1B}^x\u{1B}\\", "\u{9E}x\u{9C}",
    "\u{1B}Xx\u{1B}\\", "\u{98}x\u{9C}", "\u{1B}c", "\u{1B}(0qqq", "\u{1B}#8", "\u{1B}Z", "\u{1B}%@", "\u{E}xx",
    "\u{F}", "\r", "\t", "\u{8}\u{8}\u{8}", "\u{7}", "\0", "\u{7F}", "\u{85}", "\u{84}", "\u{8D}", "\u{C}", "\u{B}",
    "\r\n\r\n", "\u{5}", "\u{18}", "\u{1A}", "qwinkle: \n$ ",
  ]

  /// Scalars that reorder, hide or join text, or have no width.
  private static let hidden = [
    "\u{202E}evil", "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{2066}x", "\u{2067}x", "\u{2068}x", "\u{2069}",
    "\u{200E}", "\u{200F}", "\u{61C}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{2061}", "\u{206A}",
    "\u{FEFF}", "\u{FFF9}x\u{FFFA}y\u{FFFB}", "\u{AD}", "\u{34F}", "\u{180E}", "\u{2028}", "\u{2029}", "\u{115F}",
    "\u{3164}", "\u{E0001}\u{E0041}\u{E007F}", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    "\u{E0100}", "\u{FE0F}", "\u{301}\u{302}\u{303}", "\u{20E3}", "\u{1D173}", "\u{FFFE}", "\u{FFFF}", "\u{10FFFF}",
    "\u{E000}", "\u{1F1E6}", "\u{200D}\u{200D}", "م\u{200C}م", "\u{600}1",
  ]

  private static let words = [
    "hello ", "frost in the garden ", "日本語", "한국어 ", "שלום ", "مرحبا ", "นี่ไง", "क्षत्रिय ", "👩‍👩‍👧‍👦", "🇩🇪", "❤️", "1️⃣", "é",
    "e\u{301}",
    "ｆｕｌｌ", "…", " ", "  ", "\\n", "&amp;", "&lt;b&gt;", "<b>", "</p><p>", "<br>", "<script>", "<a href=x>",
    "https://example.org/a/very/long/address/without/any/place/to/break/it/at/all?x=1&y=2 ", "#tag", "@someone ",
    "supercalifragilisticexpialidocious", ":blob:", "│", "▌", "─",
  ]

  private static let brokenBytes: [[UInt8]] = [
    [0xFF], [0xFE], [0x80], [0xC3], [0xE2, 0x80], [0xF0, 0x9F, 0x98], [0x9B, 0x32, 0x4A],
    [0x9D, 0x30, 0x3B, 0x78, 0x07],
    [0xC0, 0xAF], [0xC1, 0x9B], [0xE0, 0x82, 0x9B], [0xED, 0xA0, 0x80], [0xED, 0xB0, 0x80], [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80, 0x80, 0x80],
  ]

  private static let surrogates = [
    "\\ud800", "\\udc00", "\\ud83d\\ud83d", "\\ude00\\ud83d", "\\udfff x", "\\ud83d\\u001b",
  ]

  /// Returns one random scalar.
  private mutating func arbitrary() -> String {
    let ranges: [ClosedRange<UInt32>] = [0...0xFF, 0x2000...0x20FF, 0...0xFFFF, 0x10000...0x10FFFF]
    let range = ranges.randomElement(using: &random) ?? 0...0xFF
    return Unicode.Scalar(UInt32.random(in: range, using: &random)).map(String.init) ?? ""
  }

  // MARK: Disguises

  /// Returns `text` unescaped, or with JSON or HTML escapes, once or twice.
  private mutating func disguised(_ text: String) -> [UInt8] {
    let form = Int.random(in: 0..<8, using: &random)
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      let isPlain = scalar.isASCII && scalar.value >= 0x20 && scalar.value < 0x7F
      switch form {
      case 2 where !isPlain: bytes += Array("&#\(scalar.value);".utf8)
      case 3 where !isPlain: bytes += Array("&#x\(String(scalar.value, radix: 16));".utf8)
      case 4 where !isPlain: bytes += Array("&#X0\(String(scalar.value, radix: 16, uppercase: true)) ".utf8)
      case 5 where !isPlain: bytes += Array("&amp;#\(scalar.value);".utf8)
      case 6 where !isPlain && scalar.value < 0x100: bytes.append(UInt8(scalar.value))
      case 7 where !isPlain: bytes += Array(String(scalar).utf8)
      default: bytes += Self.escapedForJSON(scalar)
      }
    }
    return bytes
  }

  private static func escapedForJSON(_ scalar: Unicode.Scalar) -> [UInt8] {
    switch scalar {
    case "\"", "\\": return Array("\\\(scalar)".utf8)
    case _ where scalar.isASCII && scalar.value >= 0x20: return [UInt8(scalar.value)]
    default:
      return String(scalar).utf16.flatMap { unit in
        let digits = String(unit, radix: 16)
        return Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
      }
    }
  }
}
