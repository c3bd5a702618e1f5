/// Finds what would end the program in the parser, whose assertions count in a release too, before it gets there.
///
/// Up to the first fault it divides a text as the parser does; what comes after that, the parser never sees.
struct TOMLGuard {
  private enum Last { case start, value, equals, comma, opening, other }

  private let bytes: [UInt8]
  private var place = 0
  /// The brackets and braces that are open.
  private var open: [UInt8] = []
  private var last = Last.start

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The first such place of a text; nil if there is none.
  static func problem(in bytes: [UInt8]) -> ConfigProblem? {
    var reader = TOMLGuard(bytes)
    return reader.problem()
  }

  /// Whether the parser expects a value.
  private var needsValue: Bool {
    switch last {
    case .equals: true
    case .opening, .comma: open.last == UInt8(ascii: "[")
    case .start, .value, .other: false
    }
  }

  private mutating func problem() -> ConfigProblem? {
    while place < bytes.count {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "#"): skipLine()
      case 10 where open.isEmpty:
        last = .start
        place += 1
      case 9...13, 32: place += 1
      case UInt8(ascii: "[") where open.isEmpty && last == .start: skipLine()
      case UInt8(ascii: "}") where needsValue: return problem("a value is missing before “}”.")
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        skipString(byte)
        last = .value
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        open.append(byte)
        last = .opening
        place += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        _ = open.popLast()
        last = .value
        place += 1
      case UInt8(ascii: ","), UInt8(ascii: "="):
        last = byte == UInt8(ascii: ",") ? .comma : .equals
        place += 1
      default:
        let word = word()
        if needsValue, Self.isTime(word) { return problem("options have no dates or times.") }
        last = .other
        place += word.count
      }
    }
    return nil
  }

  private func problem(_ words: String) -> ConfigProblem {
    let start = bytes[..<place].lastIndex(of: 10).map { $0 + 1 } ?? 0
    return ConfigProblem(
      line: bytes[..<place].count { $0 == 10 } + 1, column: bytes[start..<place].count { $0 & 0xC0 != 0x80 } + 1,
      sentence: "Not TOML: \(words)")
  }

  private func word() -> ArraySlice<UInt8> {
    let end = bytes[place...].firstIndex(where: Self.endsWord) ?? bytes.count
    return bytes[place..<max(end, place + 1)]
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 9...13, UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "#"),
      UInt8(ascii: "="):
      true
    default: false
    }
  }

  /// Whether a word has the form of a date or a time of day.
  private static func isTime(_ word: ArraySlice<UInt8>) -> Bool {
    func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
    guard let first = word.first, isDigit(first) else { return false }
    let digits = word.prefix(while: isDigit)
    return word.contains(UInt8(ascii: ":")) || digits.count == 4 && word.dropFirst(4).first == UInt8(ascii: "-")
  }

  private mutating func skipLine() {
    place = bytes[place...].firstIndex(of: 10) ?? bytes.count
    if last == .start { last = .other }
  }

  private mutating func skipString(_ mark: UInt8) {
    let isLong = bytes[place...].starts(with: [mark, mark, mark])
    place += isLong ? 3 : 1
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "\\"), mark == UInt8(ascii: "\"") {
        place = min(place + 2, bytes.count)
      } else if isLong, bytes[place...].starts(with: [mark, mark, mark]) {
        place += 3
        while place < bytes.count, bytes[place] == mark { place += 1 }
        return
      } else if !isLong, bytes[place] == mark {
        place += 1
        return
      } else if !isLong, bytes[place] == 10 {
        return
      } else {
        place += 1
      }
    }
  }
}

/// A text in ASCII, for a parser that asks of other characters whether they are spaces, and has undefined behaviour for
/// some: `~` and each character beyond ASCII become `~`, their number, `~`. Like them it can stand in strings and
/// comments alone.
enum TOMLLetters {
  static func encoded(_ text: String) -> String {
    func isSpecial(_ byte: UInt8) -> Bool { byte >= 0x80 || byte == UInt8(ascii: "~") }
    let isPlain = text.utf8.withContiguousStorageIfAvailable { !$0.contains(where: isSpecial) }
    guard isPlain != true else { return text }
    var result = String.UnicodeScalarView()
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if scalar.isASCII, scalar != "~" {
        result.append(scalar)
      } else if index > 0 || scalar.value != 0xFEFF {
        result.append(contentsOf: "~\(String(scalar.value, radix: 16))~".unicodeScalars)
      }
    }
    return String(result)
  }

  static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "~")) else { return text }
    let parts = text.split(separator: "~", omittingEmptySubsequences: false)
    var result = String(parts[0])
    var index = 1
    while index < parts.count {
      if index + 1 < parts.count, let scalar = UInt32(parts[index], radix: 16).flatMap(Unicode.Scalar.init) {
        result.unicodeScalars.append(scalar)
        result += parts[index + 1]
        index += 2
      } else {
        result += "~\(parts[index])"
        index += 1
      }
    }
    return result
  }

  /// The first letter beyond ASCII, or `~`, in a line of `text`, from a column on; nil if there is none.
  static func letter(inLine line: Int, from column: Int, of text: String) -> Unicode.Scalar? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(line - 1) else { return nil }
    return lines[line - 1].unicodeScalars.dropFirst(max(0, column - 1)).first { !$0.isASCII || $0 == "~" }
  }

  /// The column in the text that a column of its encoded form stands for.
  static func column(_ column: Int, ofLine line: Int, in encoded: String) -> Int {
    let lines = encoded.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(line - 1) else { return column }
    return decoded(String(lines[line - 1].prefix(max(0, column - 1)))).unicodeScalars.count + 1
  }
}
