import FoundationEssentials
import QwinkleModel
import SafeText

/// An entity of the API, as a server sent it.
protocol WireEntity {
  associatedtype Model
  /// Returns the entity's model, with all text sanitized.
  static func read(_ fields: WireFields) throws -> Model
  /// Reads an entity that isn't always an object. The default implementation calls ``read(_:)`` with the object's
  /// fields.
  static func read(from decoder: any Decoder) throws -> Model
  /// Optional members. If one is malformed, the entity is decoded without it.
  static var dispensableMembers: Set<String> { get }
  /// Whether some servers write the entity as a string.
  static var canBeString: Bool { get }
}

extension WireEntity {
  static func read(_ fields: WireFields) throws -> Model { throw MissingField(name: "object") }
  static func read(from decoder: any Decoder) throws -> Model { try read(decoder.fields()) }
  static var dispensableMembers: Set<String> { [] }
  static var canBeString: Bool { false }
}

/// A required field of an entity is missing.
struct MissingField: Error {
  var name: String
}

/// Decoding that never fails: values that are missing, null or of another type become nil.
extension KeyedDecodingContainer {
  func string(_ key: Key) -> String? {
    try? decodeIfPresent(String.self, forKey: key)
  }

  /// Returns a string, or an empty one if it is missing.
  func text(_ key: Key) -> String { string(key) ?? "" }

  /// Returns an opaque identifier that isn't empty. Some servers write it as a number.
  func identifier(_ key: Key) -> String? {
    if let text = string(key) { return text.isEmpty ? nil : text }
    guard contains(key) else { return nil }
    if let number = try? decodeIfPresent(Int64.self, forKey: key) { return String(number) }
    if let number = try? decodeIfPresent(UInt64.self, forKey: key) { return String(number) }
    return nil
  }

  func bool(_ key: Key) -> Bool? {
    try? decodeIfPresent(Bool.self, forKey: key)
  }

  /// Returns a Boolean, or false if it is missing.
  func flag(_ key: Key) -> Bool { bool(key) ?? false }

  /// Returns a whole number, or a string of digits, clamped to ``WireNumber/range``. Fractions are truncated.
  func int(_ key: Key) -> Int? {
    guard contains(key) else { return nil }
    if let number = try? decodeIfPresent(Int.self, forKey: key) { return WireNumber.bounded(number) }
    if let number = try? decodeIfPresent(Double.self, forKey: key) { return WireNumber.bounded(number) }
    return string(key).flatMap(WireNumber.number)
  }

  /// Returns a finite number, or nil if the value isn't one.
  func double(_ key: Key) -> Double? {
    guard contains(key), let number = try? decodeIfPresent(Double.self, forKey: key), number.isFinite else {
      return nil
    }
    return number
  }

  /// Returns a count, which is never negative, or 0 if it is missing.
  func count(_ key: Key) -> Int {
    max(0, int(key) ?? 0)
  }

  func date(_ key: Key) -> Date? {
    string(key).flatMap(WireDate.date)
  }

  /// Returns text as one sanitized line, or an empty one if it is missing.
  func line(_ key: Key) -> String { SafeText.line(text(key)).trimmed() }

  /// Returns HTML as rich text, which is empty if the HTML is missing.
  func richText(_ key: Key) -> RichText { HTMLReader.richText(from: text(key)) }

  /// Returns the first safe web address among the values of `keys`. If none is a web address, returns the first safe
  /// address of any kind.
  func link(_ keys: Key...) -> String? { SafeURL.link(keys.lazy.map { string($0) }) }

  func id<Subject>(_ key: Key) -> Identifier<Subject>? { identifier(key).map { Identifier(SafeText.line($0)) } }

  func model<Entity: WireEntity>(_ key: Key, of type: Entity.Type) -> Entity.Model? {
    (try? decodeIfPresent(Wire<Entity>.self, forKey: key))?.model
  }

  func models<Entity: WireEntity>(_ key: Key, of type: Entity.Type) -> [Entity.Model] {
    list(key, of: Wire<Entity>.self).map(\.model)
  }

  /// Returns the fields of an object.
  func object(_ key: Key) -> WireFields? { try? nestedContainer(keyedBy: WireKey.self, forKey: key) }

  /// Returns the entities of a list. Skips entities that can't be decoded.
  func list<Entity: Decodable>(_ key: Key, of type: Entity.Type = Entity.self) -> [Entity] {
    (try? decodeIfPresent(LossyList<Entity>.self, forKey: key))?.items ?? []
  }
}

/// Decoding of required values.
extension KeyedDecodingContainer {
  /// Throws ``MissingField`` if `value` is nil.
  func required<Value>(_ value: Value?, _ key: Key) throws -> Value {
    guard let value else { throw MissingField(name: key.stringValue) }
    return value
  }

  func requiredIdentifier(_ key: Key) throws -> String { try required(identifier(key), key) }
  func requiredString(_ key: Key) throws -> String { try required(string(key), key) }
  func requiredID<Subject>(_ key: Key) throws -> Identifier<Subject> { try required(id(key), key) }
  func requiredModel<Entity: WireEntity>(_ key: Key, of type: Entity.Type) throws -> Entity.Model {
    try required(model(key, of: type), key)
  }
}

/// The name of a field.
struct WireKey: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringLiteral name: String) { stringValue = name }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

typealias WireFields = KeyedDecodingContainer<WireKey>

extension Decoder {
  func fields() throws -> WireFields { try container(keyedBy: WireKey.self) }
}

/// A wrapper around an entity that conforms to `Decodable`, for `JSONDecoder`.
struct Wire<Entity: WireEntity>: Decodable {
  let model: Entity.Model

  init(from decoder: any Decoder) throws {
    model = try Entity.read(from: decoder)
  }
}

/// A list that skips unreadable items.
struct LossyList<Item: Decodable>: Decodable {
  /// Maximum number of items read. Further items are ignored. No list inside an entity has that many.
  private static var mostItems: Int { 1000 }

  var items: [Item] = []

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd, container.currentIndex < Self.mostItems {
      guard let lossy = try? container.decode(Lossy.self) else { break }
      if let item = lossy.item { items.append(item) }
    }
  }

  private struct Lossy: Decodable {
    var item: Item?

    init(from decoder: any Decoder) {
      item = try? Item(from: decoder)
    }
  }
}

/// Numbers on the wire. They are clamped because adding to a number such as `2^63 - 1` would overflow and crash the
/// program.
enum WireNumber {
  /// Larger than any real count, but small enough to add many such numbers without overflow.
  static let range = -1_000_000_000_000...1_000_000_000_000

  static func bounded(_ number: Int) -> Int { min(max(number, range.lowerBound), range.upperBound) }

  /// Returns the number clamped to ``range``, or nil if `number` isn't finite.
  static func bounded(_ number: Double) -> Int? {
    guard number.isFinite else { return nil }
    return Int(min(max(number, Double(range.lowerBound)), Double(range.upperBound)))
  }

  /// Returns the number in `text`, which may have a minus sign, or nil if `text` isn't a whole number.
  static func number(_ text: String) -> Int? {
    if let number = Int(text) { return bounded(number) }
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    guard text.utf8.count - digits.count < 2, !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return text.hasPrefix("-") ? range.lowerBound : range.upperBound
  }
}
