/// A validator for RFC 8259. Foundation's parsers also accept trailing commas and numbers such as `01`.
struct StrictJSON {
  private let bytes: [UInt8]
  private var position = 0

  private init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Returns whether `text` is a single JSON value. Escapes in strings aren't checked.
  static func isValid(_ text: String) -> Bool {
    var reader = StrictJSON(text)
    return reader.value() && reader.position == reader.bytes.count
  }

  private mutating func value() -> Bool {
    skipSpace()
    defer { skipSpace() }
    guard let first = next else { return false }
    switch first {
    case UInt8(ascii: "{"):
      return list(until: "}") { reader in
        reader.skipSpace()
        guard reader.string() else { return false }
        reader.skipSpace()
        return reader.skip(":") && reader.value()
      }
    case UInt8(ascii: "["): return list(until: "]") { $0.value() }
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "t"): return "true".unicodeScalars.allSatisfy { skip($0) }
    case UInt8(ascii: "f"): return "false".unicodeScalars.allSatisfy { skip($0) }
    case UInt8(ascii: "n"): return "null".unicodeScalars.allSatisfy { skip($0) }
    default: return number()
    }
  }

  private mutating func list(until closing: Unicode.Scalar, item: (inout StrictJSON) -> Bool) -> Bool {
    position += 1
    skipSpace()
    if skip(closing) { return true }
    repeat {
      guard item(&self) else { return false }
    } while skip(",")
    return skip(closing)
  }

  private mutating func string() -> Bool {
    guard skip("\"") else { return false }
    while let byte = next, byte >= 0x20 {
      if skip("\"") { return true }
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    return false
  }

  private mutating func number() -> Bool {
    _ = skip("-")
    if !skip("0"), digits() == 0 { return false }
    if skip("."), digits() == 0 { return false }
    guard skip("e") || skip("E") else { return true }
    _ = skip("+") || skip("-")
    return digits() > 0
  }

  /// Skips digits and returns their number.
  private mutating func digits() -> Int {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return position - start
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard let next, next == UInt8(ascii: scalar) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }
}
