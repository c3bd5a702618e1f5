import FoundationEssentials
import QwinkleModel
import SafeText

/// An entity of the API, as a service sent it.
protocol WireEntity: Decodable {
  associatedtype Model
  /// Its model, with all text made safe.
  var model: Model { get }
  /// Members that it can do without: one that can't even be parsed costs only itself.
  static var dispensableMembers: Set<String> { get }
  /// Whether some services write it as a string.
  static var canBeString: Bool { get }
}

extension WireEntity {
  static var dispensableMembers: Set<String> { [] }
  static var canBeString: Bool { false }
}

/// A field without which the entity means nothing is missing.
struct MissingField: Error {
  var name: String
}

/// Decoding that never fails: what is missing, null or of another type is nil.
extension KeyedDecodingContainer {
  func string(_ key: Key) -> String? {
    try? decodeIfPresent(String.self, forKey: key)
  }

  /// A string, empty where there is none.
  func text(_ key: Key) -> String { string(key) ?? "" }

  /// A string in the object that stands for `key`.
  func string(_ name: String, in key: Key) -> String? {
    (try? nestedContainer(keyedBy: AnyKey.self, forKey: key))?.string(AnyKey(stringValue: name))
  }

  /// An opaque identifier, which some services write as a number. Never empty.
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

  /// Whether something is so; false where nobody said.
  func flag(_ key: Key) -> Bool { bool(key) ?? false }

  /// A whole number, or a string of digits, brought inside ``WireNumber/range``. A fraction is cut off.
  func int(_ key: Key) -> Int? {
    guard contains(key) else { return nil }
    if let number = try? decodeIfPresent(Int.self, forKey: key) { return WireNumber.bounded(number) }
    if let number = try? decodeIfPresent(Double.self, forKey: key) { return WireNumber.bounded(number) }
    return string(key).flatMap(WireNumber.number)
  }

  /// A count: never negative, 0 if missing.
  func count(_ key: Key) -> Int {
    max(0, int(key) ?? 0)
  }

  func date(_ key: Key) -> Date? {
    string(key).flatMap(WireDate.date)
  }

  /// Text from outside as one safe line, empty where there is none.
  func line(_ key: Key) -> String { SafeText.line(text(key)).trimmed() }

  /// HTML as rich text, empty where there is none.
  func richText(_ key: Key) -> RichText { HTMLReader.richText(from: text(key)) }

  /// The first safe address that a browser can open, or else the first safe one.
  func link(_ keys: Key...) -> String? { SafeURL.link(keys.lazy.map { string($0) }) }

  func id<Subject>(_ key: Key) -> Identifier<Subject>? { identifier(key).map { Identifier(SafeText.line($0)) } }

  func entity<Entity: Decodable>(_ key: Key, as type: Entity.Type = Entity.self) -> Entity? {
    try? decodeIfPresent(type, forKey: key)
  }

  func model<Entity: WireEntity>(_ key: Key, of type: Entity.Type) -> Entity.Model? { entity(key, as: type)?.model }

  /// The readable entities of a list, as models.
  func models<Entity: WireEntity>(_ key: Key, of type: Entity.Type) -> [Entity.Model] {
    list(key, of: type).map(\.model)
  }

  /// The readable entities of a list.
  func list<Entity: Decodable>(_ key: Key, of type: Entity.Type = Entity.self) -> [Entity] {
    (try? decodeIfPresent(LossyList<Entity>.self, forKey: key))?.items ?? []
  }
}

/// Reading what an entity means nothing without.
extension KeyedDecodingContainer {
  /// Throws ``MissingField`` where there is no value for `key`.
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

/// A key that is known by its name alone.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// The readable ones among the first items of a list.
struct LossyList<Item: Decodable>: Decodable {
  /// More than any list inside an entity holds.
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

/// Numbers on the wire. They are clamped before anything is added to them: `2^63 - 1` and one more would end the
/// program.
enum WireNumber {
  /// More than any real count, and small enough to add up many.
  static let range = -1_000_000_000_000...1_000_000_000_000

  static func bounded(_ number: Int) -> Int { min(max(number, range.lowerBound), range.upperBound) }

  /// Nil if it isn't finite.
  static func bounded(_ number: Double) -> Int? {
    guard number.isFinite else { return nil }
    return Int(min(max(number, Double(range.lowerBound)), Double(range.upperBound)))
  }

  /// The number in `text`, digits with an optional minus sign; nil for anything else.
  static func number(_ text: String) -> Int? {
    if let number = Int(text) { return bounded(number) }
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    guard text.utf8.count - digits.count < 2, !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return text.hasPrefix("-") ? range.lowerBound : range.upperBound
  }
}
