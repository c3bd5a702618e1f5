/// Finds where keys and values of a TOML text stand, which the parser doesn't tell. What it finds in a text that is
/// not valid TOML means nothing, but it reads any bytes.
struct ConfigScanner {
  /// A key and its value, or a table's header.
  struct Item: Hashable {
    /// With the names of the tables that it stands in.
    let path: [String]
    /// Where the key begins, in bytes.
    let start: Int
    /// The value's bytes; empty for a header.
    let value: Range<Int>
    let isHeader: Bool
    /// Whether it stands in braces.
    let isInline: Bool
  }

  private static let mostDepth = 100

  let bytes: [UInt8]
  private(set) var items: [Item] = []
  private var place = 0
  private var table: [String] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    scan()
  }

  /// The line and the column of a byte, from 1. The column counts characters as Unicode's scalars.
  func position(of offset: Int) -> (line: Int, column: Int) {
    var line = 1
    var column = 1
    for byte in bytes[..<min(offset, bytes.count)] {
      if byte == Self.newline {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return (line, column)
  }

  // MARK: Lines

  private static let newline = UInt8(ascii: "\n")
  private static let quote = UInt8(ascii: "\"")
  private static let apostrophe = UInt8(ascii: "'")
  private static let backslash = UInt8(ascii: "\\")

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func scan() {
    // A mark of the byte order.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    while place < bytes.count {
      skipSpace(newlines: true)
      guard let byte = next else { return }
      if byte == UInt8(ascii: "[") { header() } else { pair(in: table, isInline: false, depth: 0) }
      skipLine()
    }
  }

  private mutating func header() {
    let start = place
    while next == UInt8(ascii: "[") { place += 1 }
    skipSpace()
    let path = key()
    guard !path.isEmpty else { return }
    table = path
    items.append(Item(path: path, start: start, value: start..<start, isHeader: true, isInline: false))
  }

  private mutating func pair(in table: [String], isInline: Bool, depth: Int) {
    let start = place
    let path = key()
    skipSpace()
    guard !path.isEmpty, next == UInt8(ascii: "=") else { return }
    place += 1
    skipSpace()
    let valueStart = place
    let count = items.count
    value(under: table + path, depth: depth)
    items.insert(
      Item(path: table + path, start: start, value: valueStart..<place, isHeader: false, isInline: isInline), at: count)
  }

  // MARK: Keys

  /// The names of a dotted key; empty if there is none.
  private mutating func key() -> [String] {
    var path: [String] = []
    while true {
      skipSpace()
      guard let name = name() else { return [] }
      path.append(name)
      skipSpace()
      guard next == UInt8(ascii: "."), path.count < Self.mostDepth else { return path }
      place += 1
    }
  }

  private mutating func name() -> String? {
    guard let byte = next else { return nil }
    if byte == Self.quote || byte == Self.apostrophe {
      let start = place
      string()
      guard place - start >= 2 else { return nil }
      return Self.text(of: bytes[(start + 1)..<(place - 1)], hasEscapes: byte == Self.quote)
    }
    let start = place
    while let byte = next, TOMLText.isBare(byte) { place += 1 }
    return start == place ? nil : String(decoding: bytes[start..<place], as: UTF8.self)
  }

  /// What stands between quotes, with the escapes that keys need.
  private static func text(of bytes: ArraySlice<UInt8>, hasEscapes: Bool) -> String {
    guard hasEscapes, bytes.contains(backslash) else { return String(decoding: bytes, as: UTF8.self) }
    var text: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == backslash, let escaped = rest.popFirst() else {
        text.append(byte)
        continue
      }
      switch escaped {
      case UInt8(ascii: "n"): text.append(newline)
      case UInt8(ascii: "t"): text.append(9)
      case UInt8(ascii: "u"), UInt8(ascii: "U"):
        let count = escaped == UInt8(ascii: "u") ? 4 : 8
        let digits = String(decoding: rest.prefix(count), as: UTF8.self)
        rest = rest.dropFirst(count)
        let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}"
        text += Array(String(Character(scalar)).utf8)
      default: text.append(escaped)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Values

  private mutating func value(under path: [String], depth: Int) {
    switch next {
    case Self.quote, Self.apostrophe: string()
    case UInt8(ascii: "[") where depth < Self.mostDepth: array(under: path, depth: depth)
    case UInt8(ascii: "{") where depth < Self.mostDepth: inlineTable(path, depth: depth)
    default:
      while let byte = next, !Self.endsValue(byte) { place += 1 }
    }
  }

  private static func endsValue(_ byte: UInt8) -> Bool {
    switch byte {
    case newline, 13, UInt8(ascii: "#"), UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 9, 32: true
    default: false
    }
  }

  private mutating func array(under path: [String], depth: Int) {
    place += 1
    while let byte = next {
      if byte == UInt8(ascii: "]") {
        place += 1
        return
      }
      if byte == UInt8(ascii: ",") || Self.isSpace(byte) || byte == UInt8(ascii: "#") {
        skipComma()
        continue
      }
      let start = place
      // The keys of tables in an array mean nothing here.
      let count = items.count
      value(under: path, depth: depth + 1)
      items.removeSubrange(count...)
      if place == start { place += 1 }
    }
  }

  private mutating func skipComma() {
    if next == UInt8(ascii: ",") { place += 1 }
    skipSpace(newlines: true)
  }

  private mutating func inlineTable(_ path: [String], depth: Int) {
    place += 1
    while let byte = next {
      if byte == UInt8(ascii: "}") {
        place += 1
        return
      }
      if byte == UInt8(ascii: ",") || Self.isSpace(byte) || byte == UInt8(ascii: "#") {
        skipComma()
        continue
      }
      let start = place
      pair(in: path, isInline: true, depth: depth + 1)
      if place == start { place += 1 }
    }
  }

  /// Goes past a string of any of the four kinds, or to the end of the line where it is not closed.
  private mutating func string() {
    guard let mark = next else { return }
    if bytes[place...].starts(with: [mark, mark, mark]) { return longString(mark) }
    place += 1
    while let byte = next, byte != Self.newline {
      place += byte == Self.backslash && mark == Self.quote ? 2 : 1
      if byte == mark { break }
    }
    place = min(place, bytes.count)
  }

  private mutating func longString(_ mark: UInt8) {
    place += 3
    while let byte = next {
      if byte == Self.backslash, mark == Self.quote {
        place = min(place + 2, bytes.count)
      } else if bytes[place...].starts(with: [mark, mark, mark]) {
        place += 3
        // Up to two marks may stand before the closing ones.
        while next == mark { place += 1 }
        return
      } else {
        place += 1
      }
    }
  }

  // MARK: Space

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == newline || byte == 13 }

  /// Goes past spaces; with `newlines` past ends of lines and comments too.
  private mutating func skipSpace(newlines: Bool = false) {
    while let byte = next {
      if byte == UInt8(ascii: "#"), newlines {
        while let byte = next, byte != Self.newline { place += 1 }
      } else if byte == 32 || byte == 9 || (newlines && Self.isSpace(byte)) {
        place += 1
      } else {
        return
      }
    }
  }

  private mutating func skipLine() {
    while let byte = next, byte != Self.newline { place += 1 }
  }
}
