import FoundationEssentials

/// The few JSON answers that are no entity of the model: apps, tokens, preferences.
enum SmallJSON {
  /// `value` as JSON, keys in order; an empty object where it cannot be written.
  static func bytes(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map(Array.init) ?? Array("{}".utf8)
  }

  /// `value` as JSON in a string, as SQLite's functions take it.
  static func text(_ value: some Encodable) -> String { String(decoding: bytes(value), as: UTF8.self) }

  /// A JSON object with one more string in it.
  static func adding(_ name: String, _ value: String, to object: [UInt8]) -> [UInt8] {
    guard object.last == UInt8(ascii: "}"), object.count > 2 else { return object }
    return object.dropLast() + [UInt8(ascii: ",")] + bytes([name: value]).dropFirst()
  }
}
