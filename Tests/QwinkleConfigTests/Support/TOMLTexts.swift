import TerminalTesting

/// Random TOML: valid texts, slightly or heavily malformed texts, and noise. Many keys and headers conflict.
struct TOMLTexts {
  private var random: SplitMix
  /// Number of unique names so far, or nil if all names are from a small set and conflict often.
  private var names: Int?

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
  }

  mutating func next() -> String {
    switch number(12) {
    case 0...4: document()
    case 5, 6: crowdedTables()
    case 7: String(decoding: Damage.damaged(Array(document().utf8), &random), as: UTF8.self)
    case 8, 9: slightlyDamaged(document())
    case 10: "a = " + noise(12)
    default: noise(30)
    }
  }

  // MARK: Damage

  private static let pieces = [
    "a", "b", "é", "\"", "\"", "\"\"\"", "'", "'", "'''", "[", "]", "[[", "]]", "{", "}", ",", ",", ".", ".", "=", "=",
    " = ", "#", "\n", "\n", "\r\n", "\r", " ", " ", "\t", "\\", "\\\n", "\\u00e9", "\\ud800", "0", "1", "2", "-", "+",
    "_", "e", ":", "T", "Z", "0x", "0b", "true", "false", "inf", "nan", "2026-11-12", "09:30:00", "\0", "\u{7F}",
    "\u{FEFF}", "\u{2028}", "[a]\n", "[[a]]\n", "[a.b]\n", "a = 1\n", "a.b = 1\n", "b = {}\n", "a = [\n",
  ]

  private mutating func noise(_ most: Int) -> String {
    (0...number(most)).map { _ in pick(Self.pieces) }.joined()
  }

  /// Returns `text` with one or two small changes.
  private mutating func slightlyDamaged(_ text: String) -> String {
    var scalars = Array(text.unicodeScalars)
    for _ in 0...number(2) {
      let place = number(scalars.count + 1)
      switch number(4) {
      case 0 where place < scalars.count: scalars.remove(at: place)
      case 1 where place < scalars.count: scalars[place] = scalars[number(scalars.count)]
      case 2 where place < scalars.count: scalars.swapAt(place, number(scalars.count))
      default: scalars.insert(contentsOf: pick(Self.pieces).unicodeScalars, at: place)
      }
    }
    var result = ""
    result.unicodeScalars.append(contentsOf: scalars)
    return result
  }

  // MARK: Lines

  private mutating func document() -> String {
    names = one(in: 2) ? 0 : nil
    var text = one(in: 30) ? "\u{FEFF}" : ""
    for _ in 0..<number(9) {
      switch number(10) {
      case 0: text += space() + comment()
      case 1...3: text += header()
      default: text += space() + pair(depth: 0)
      }
      text += space() + (one(in: 6) ? comment() : "") + lineEnd()
    }
    return text
  }

  /// Returns headers and keys with few names, so that most extend the same tables.
  private mutating func crowdedTables() -> String {
    let values = ["1", "1", "{}", "[]", "[{}]", "{a.b = 1}", "{a.a = {}, a.b = 1}"]
    return (0...number(6)).map { _ in
      let path = (0..<pick([1, 2, 2, 3, 3, 4])).map { _ in pick(["a", "b"]) }.joined(separator: ".")
      return switch number(5) {
      case 0, 1: "[\(path)]\n"
      case 2: "[[\(path)]]\n"
      default: "\(path) = \(pick(values))\n"
      }
    }.joined()
  }

  private mutating func header() -> String {
    let isList = one(in: 3)
    return space() + (isList ? "[[" : "[") + space() + key() + space() + (isList ? "]]" : "]")
  }

  private mutating func pair(depth: Int) -> String { key() + space() + "=" + space() + value(depth: depth) }

  private mutating func comment() -> String { "#" + characters(8, ["\"", "'", "\\", "[", "é", "🌱", "\t"]) }

  private mutating func lineEnd() -> String { one(in: 5) ? "\r\n" : "\n" }

  private mutating func space() -> String { pick(["", "", " ", " ", "  ", "\t"]) }

  /// Returns space for use in an array, sometimes with a comment and a line end.
  private mutating func gap() -> String {
    guard one(in: 4) else { return space() }
    return space() + (one(in: 3) ? comment() : "") + lineEnd() + space()
  }

  // MARK: Keys

  private mutating func key() -> String {
    let count = pick([1, 1, 1, 1, 2, 2, 3])
    return (0..<count).map { _ in name() }.joined(separator: one(in: 8) ? " . " : ".")
  }

  private mutating func name() -> String {
    if let count = names, !one(in: 5) {
      names = count + 1
      return "k\(count)"
    }
    return pick([
      "a", "a", "a", "b", "b", "c", "\"a\"", "'b'", "\"\\u0061\"", "\"é\"", "'e\u{301}'", "\"\\U000000e9\"", "\"\"",
      "''", "1", "2026-11-12", "-", "true", "\"a.b\"", "'\"'", "\"\\t\\\"\"",
    ])
  }

  // MARK: Values

  private mutating func value(depth: Int) -> String {
    switch number(depth < 3 ? 14 : 10) {
    case 0, 1: integer()
    case 2, 3: float()
    case 4: pick(["true", "false"])
    case 5, 6: dateTime()
    case 7...9: string()
    case 10, 11: array(depth: depth + 1)
    default: inlineTable(depth: depth + 1)
    }
  }

  private mutating func integer() -> String {
    switch number(6) {
    case 0:
      pick([
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "0", "+0", "-0",
        "0x7fffffffffffffff", "0x8000000000000000", "00", "01", "1__0", "0x", "-0x1",
      ])
    case 1: "0x" + digits("0123456789abcdefABCDEF", 8)
    case 2: "0o" + digits("01234567", 8)
    case 3: "0b" + digits("01", 12)
    default: decimal(8)
    }
  }

  private mutating func float() -> String {
    if one(in: 8) { return pick(["", "+", "-"]) + pick(["inf", "nan"]) }
    var text = decimal(one(in: 10) ? 25 : 6)
    let form = number(3)
    if form != 0 { text += "." + digits("0123456789", one(in: 10) ? 30 : 6) }
    if form != 1 { text += pick(["e", "E"]) + pick(["", "+", "-"]) + digits("0123456789", 3) }
    return text
  }

  private mutating func decimal(_ most: Int) -> String {
    let sign = pick(["", "", "+", "-"])
    if one(in: 5) { return sign + "0" }
    return sign + pick(["1", "2", "9"]) + (one(in: 4) ? "" : digits("0123456789", most))
  }

  /// Returns digits, some separated by underscores.
  private mutating func digits(_ digits: String, _ most: Int) -> String {
    let digits = Array(digits)
    var text = String(pick(digits))
    for _ in 0..<number(most) { text += (one(in: 8) ? "_" : "") + String(pick(digits)) }
    return text
  }

  private mutating func dateTime() -> String {
    let day = "\(pick(["2026", "2024", "1900", "2000", "0001", "9999", "0000"]))-\(two(1...13))-\(two(1...31))"
    let fraction = one(in: 3) ? "." + padded(number(1_000_000)) + (one(in: 2) ? "" : padded(number(100))) : ""
    let time = "\(two(0...24)):\(two(0...60)):\(two(0...60))\(fraction)"
    let offset = pick(["", "", "Z", "z", "\(pick(["+", "-"]))\(two(0...24)):\(two(0...60))"])
    return pick([day, time, day + pick(["T", "t", " "]) + time + offset])
  }

  private mutating func two(_ range: ClosedRange<Int>) -> String {
    let number = Int.random(in: range, using: &random)
    return number < 10 ? "0\(number)" : "\(number)"
  }

  private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private mutating func array(depth: Int) -> String {
    var text = "[" + gap()
    let count = number(4)
    for index in 0..<count {
      text += value(depth: depth) + gap()
      if index < count - 1 || one(in: 3) { text += "," + gap() }
    }
    return text + "]"
  }

  private mutating func inlineTable(depth: Int) -> String {
    "{" + space() + (0..<number(4)).map { _ in pair(depth: depth) + space() }.joined(separator: "," + space()) + "}"
  }

  // MARK: Strings

  private mutating func string() -> String {
    switch number(4) {
    case 0: "\"" + characters(8, Self.escapes + ["'", "#", "é", "🌱", "\t"]) + "\""
    case 1: "'" + characters(8, ["\"", "\\", "#", "é", "\u{FEFF}", "\t"]) + "'"
    case 2:
      "\"\"\"" + characters(10, Self.escapes + ["\"", "\"\"", "\n", "\r\n", "\\\n", "\\ \r\n\t\n  ", "é"]) + "\"\"\""
    default: "'''" + characters(10, ["'", "''", "\n", "\r\n", "\\", "é", "\""]) + "'''"
    }
  }

  private static let escapes = [
    "\\\"", "\\\\", "\\b", "\\t", "\\n", "\\f", "\\r", "\\u00e9", "\\u0000", "\\U0001F331", "\\uD7FF",
  ]

  private mutating func characters(_ most: Int, _ special: [String]) -> String {
    (0..<number(most)).map { _ in one(in: 2) ? pick(special) : pick(["a", "B", "0", " ", "=", "~"]) }.joined()
  }

  // MARK: Choices

  private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<max(1, count), using: &random) }

  private mutating func one(in count: Int) -> Bool { number(count) == 0 }

  private mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[number(choices.count)] }
}
