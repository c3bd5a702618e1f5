import FoundationEssentials

/// JSON for stored values and for small dictionaries, such as OAuth errors.
enum SmallJSON {
  /// Encodes `value` with sorted keys. Returns an empty object if it can't be encoded.
  static func bytes(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map(Array.init) ?? Array("{}".utf8)
  }

  /// Encodes `value` as a string for SQLite's JSON functions.
  static func text(_ value: some Encodable) -> String { String(decoding: bytes(value), as: UTF8.self) }

  /// Decodes a JSON text. Returns nil if that fails.
  static func value<Value: Decodable>(_ text: String) -> Value? {
    try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  /// Decodes a JSON array of string arrays. Returns an empty array for any other text.
  static func lists(_ text: String) -> [[String]] {
    value(text) ?? []
  }

  /// Adds the member `text` to an object.
  static func adding(text: String, to object: [UInt8]) -> [UInt8] {
    guard object.last == UInt8(ascii: "}"), object.count > 2 else { return object }
    return object.dropLast() + [UInt8(ascii: ",")] + bytes(["text": text]).dropFirst()
  }
}
