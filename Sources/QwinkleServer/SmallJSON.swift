import FoundationEssentials

/// JSON for values without an encoder in the wire format, such as apps, preferences and OAuth errors.
enum SmallJSON {
  /// `value` as JSON with sorted keys; an empty object if it can't be encoded.
  static func bytes(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map(Array.init) ?? Array("{}".utf8)
  }

  /// `value` as a JSON string for SQLite's functions.
  static func text(_ value: some Encodable) -> String { String(decoding: bytes(value), as: UTF8.self) }

  /// The value in a JSON text; nil if it can't be read.
  static func value<Value: Decodable>(_ text: String) -> Value? {
    try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  /// The lists of texts in a JSON list; none if it is anything else.
  static func lists(_ text: String) -> [[String]] {
    value(text) ?? []
  }

  /// A JSON object with one more string member.
  static func adding(_ name: String, _ value: String, to object: [UInt8]) -> [UInt8] {
    guard object.last == UInt8(ascii: "}"), object.count > 2 else { return object }
    return object.dropLast() + [UInt8(ascii: ",")] + bytes([name: value]).dropFirst()
  }

  /// A JSON object with one more member, whose value is JSON too.
  static func adding(_ name: String, json value: [UInt8], to object: [UInt8]) -> [UInt8] {
    guard object.last == UInt8(ascii: "}"), object.count > 2 else { return object }
    return object.dropLast() + Array(",\"\(name)\":".utf8) + value + [UInt8(ascii: "}")]
  }
}

/// A member that is null, rather than missing, where there is no value: clients read it without asking.
@propertyWrapper
struct OrNull<Value: Encodable>: Encodable {
  var wrappedValue: Value?

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}
