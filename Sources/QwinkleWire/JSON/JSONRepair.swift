import QwinkleModel

/// Replaces single characters that would make a parser reject a whole item: invalid UTF-8, unpaired surrogates, unknown
/// escapes, and unescaped control characters in strings.
///
/// Quotes and brackets keep their meaning, so a piece from ``JSONCutter`` remains one piece.
struct JSONRepair {
  private let bytes: [UInt8]
  private let end: Int
  private var position: Int
  private var copied: Int
  private var result: [UInt8] = []

  /// Returns a repaired copy of the bytes in `range`.
  static func repaired(_ bytes: [UInt8], in range: Range<Int>) -> [UInt8] {
    var repair = JSONRepair(bytes: bytes, range: range)
    return repair.run()
  }

  private init(bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    self.position = range.lowerBound
    self.copied = range.lowerBound
    self.end = range.upperBound
  }

  private mutating func run() -> [UInt8] {
    let start = position
    var isInString = false
    while position < end {
      let byte = bytes[position]
      if byte >= 0x80 {
        let (length, isValid) = UTF8Sequence.measure(bytes, at: position, end: end)
        if isValid { position += length } else { replace(length, with: "\u{FFFD}") }
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
        position += 1
      } else if isInString && byte == UInt8(ascii: "\\") {
        repairEscape()
      } else if isInString && byte < 0x20 {
        replace(1, with: byte == 0x0A ? "\\n" : byte == 0x09 ? "\\t" : "\\uFFFD")
      } else {
        position += 1
      }
    }
    if copied == start { return Array(bytes[start..<end]) }
    result += bytes[copied..<end]
    return result
  }

  private mutating func repairEscape() {
    guard position + 1 < end else {
      position += 1
      return
    }
    switch bytes[position + 1] {
    case UInt8(ascii: "u"):
      guard let unit = hexUnit(at: position + 2) else { return replace(2, with: "\\uFFFD") }
      switch unit {
      case 0xD800..<0xDC00:
        if let low = escapedUnit(at: position + 6), (0xDC00..<0xE000).contains(low) {
          position += 12
        } else {
          replace(6, with: "\\uFFFD")
        }
      case 0xDC00..<0xE000: replace(6, with: "\\uFFFD")
      default: position += 6
      }
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    default: replace(1, with: "\\\\")
    }
  }

  private mutating func replace(_ count: Int, with replacement: StaticString) {
    result += bytes[copied..<position]
    replacement.withUTF8Buffer { result += $0 }
    position += count
    copied = position
  }

  private func escapedUnit(at index: Int) -> UInt32? {
    guard index + 1 < end, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else { return nil }
    return hexUnit(at: index + 2)
  }

  private func hexUnit(at index: Int) -> UInt32? {
    guard index + 4 <= end else { return nil }
    var unit: UInt32 = 0
    for offset in 0..<4 {
      guard let digit = HexDigit.value(of: bytes[index + offset]) else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}

/// Well-formed UTF-8 (Unicode, table 3-7).
enum UTF8Sequence {
  /// Returns the length of the sequence at `start`, and whether it is well formed. If it isn't, the length is the
  /// number of bytes that one U+FFFD replaces.
  static func measure(_ bytes: [UInt8], at start: Int, end: Int) -> (length: Int, isValid: Bool) {
    let first = bytes[start]
    let second: ClosedRange<UInt8>
    let length: Int
    switch first {
    case 0x00...0x7F: return (1, true)
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return (1, false)
    }
    guard start + 1 < end, second.contains(bytes[start + 1]) else { return (1, false) }
    for offset in 2..<max(length, 2) {
      guard start + offset < end, (0x80...0xBF).contains(bytes[start + offset]) else { return (offset, false) }
    }
    return (length, true)
  }
}
