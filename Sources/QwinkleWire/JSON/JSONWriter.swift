public import FoundationEssentials
import QwinkleModel

/// Writes JSON in the order of the calls. Equal values always produce the same bytes.
public struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  public static func bytes(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    write(&writer)
    return writer.bytes
  }

  public mutating func object(_ write: (inout JSONWriter) -> Void) {
    begin(UInt8(ascii: "{"))
    write(&self)
    end(UInt8(ascii: "}"))
  }

  public mutating func array<Item>(_ items: [Item], _ write: (inout JSONWriter, Item) -> Void) {
    begin(UInt8(ascii: "["))
    for item in items { write(&self, item) }
    end(UInt8(ascii: "]"))
  }

  mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes += $0 }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  mutating func null() { raw("null") }

  mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  mutating func int(_ value: Int) {
    separate()
    bytes += String(value).utf8
    needsComma = true
  }

  /// `value` must be finite.
  mutating func number(_ value: Double) {
    separate()
    bytes += "\(value)".utf8
    needsComma = true
  }

  public mutating func string(_ value: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { escape($0) }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
    // Start of the bytes that need no escape and aren't appended yet.
    var start = 0
    for (index, byte) in text.enumerated() where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    {
      bytes += text[start..<index]
      start = index + 1
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: bytes += "\\n".utf8
      case 0x09: bytes += "\\t".utf8
      case 0x0D: bytes += "\\r".utf8
      case 0x00..<0x20:
        bytes += "\\u00".utf8
        bytes.append(HexDigit.digit(byte >> 4))
        bytes.append(HexDigit.digit(byte & 15))
      default: bytes.append(byte)
      }
    }
    bytes += text[start...]
  }

  private mutating func raw(_ text: StaticString) {
    separate()
    text.withUTF8Buffer { bytes += $0 }
    needsComma = true
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
  }
}

extension JSONWriter {
  /// Writes a member whose name isn't a literal.
  mutating func field(named name: String, _ value: Bool) {
    key(named: name)
    bool(value)
  }

  mutating func field(named name: String, _ value: String) {
    key(named: name)
    string(value)
  }

  mutating func field(named name: String, _ write: (inout JSONWriter) -> Void) {
    key(named: name)
    object(write)
  }

  private mutating func key(named name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  public mutating func field(_ name: StaticString, _ value: String?) {
    key(name)
    if let value { string(value) } else { null() }
  }

  public mutating func field(_ name: StaticString, _ value: Int?) {
    key(name)
    if let value { int(value) } else { null() }
  }

  /// `value` must be finite.
  mutating func field(_ name: StaticString, _ value: Double) { field(name, json: Array("\(value)".utf8)) }

  public mutating func field(_ name: StaticString, _ value: Bool) {
    key(name)
    bool(value)
  }

  public mutating func field(_ name: StaticString, _ value: Date?) {
    field(name, value.map(WireDate.text))
  }

  public mutating func field(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
    key(name)
    object(write)
  }

  public mutating func field<Item>(_ name: StaticString, _ items: [Item], _ write: (inout JSONWriter, Item) -> Void) {
    key(name)
    array(items, write)
  }

  public mutating func field(_ name: StaticString, _ items: [String]) { field(name, items) { $0.string($1) } }

  /// Writes a member whose value is already encoded.
  public mutating func field(_ name: StaticString, json value: [UInt8]) {
    key(name)
    bytes += value
    needsComma = true
  }

  public mutating func nullField(_ name: StaticString) {
    key(name)
    null()
  }

  public mutating func emptyList(_ name: StaticString) { field(name, [String]()) }
}
