/// JSON string literals.
enum JSONText {
  /// Decodes the text between quotes. An unknown escape decodes to the character after the backslash.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var units: [UInt16] = []
    var result = ""
    var plain = bytes.startIndex
    var position = bytes.startIndex
    /// Decodes adjacent escapes together, because two of them can be the halves of a surrogate pair.
    func flushUnits() {
      if !units.isEmpty { result += String(decoding: units, as: UTF16.self) }
      units = []
    }
    while position < bytes.endIndex {
      guard bytes[position] == UInt8(ascii: "\\") else {
        position += 1
        continue
      }
      if plain < position {
        flushUnits()
        result += String(decoding: bytes[plain..<position], as: UTF8.self)
      }
      position += 1
      guard position < bytes.endIndex else {
        plain = position
        break
      }
      switch bytes[position] {
      case UInt8(ascii: "u") where position + 4 < bytes.endIndex:
        let digits = String(decoding: bytes[(position + 1)...(position + 4)], as: UTF8.self)
        units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
        position += 5
      case UInt8(ascii: "n"): append(0x0A)
      case UInt8(ascii: "r"): append(0x0D)
      case UInt8(ascii: "t"): append(0x09)
      case UInt8(ascii: "b"): append(0x08)
      case UInt8(ascii: "f"): append(0x0C)
      case 0..<0x80: append(UInt16(bytes[position]))
      default: break
      }
      plain = position
    }
    flushUnits()
    return result + String(decoding: bytes[plain...], as: UTF8.self)

    func append(_ unit: UInt16) {
      units.append(unit)
      position += 1
    }
  }

  /// Returns `text` in quotes. Quotes, backslashes and control characters are escaped.
  static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\n": #"\n"#
      case "\r": #"\r"#
      case "\t": #"\t"#
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}": #"\u"# + String(0x10000 | scalar.value, radix: 16).dropFirst()
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }

  /// Escapes `text` for use between quotes.
  static func encoded(_ text: String) -> [UInt8] { Array(quoted(text).utf8.dropFirst().dropLast()) }
}
