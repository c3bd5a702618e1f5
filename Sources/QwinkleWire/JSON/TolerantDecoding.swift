import FoundationEssentials

/// What a service sent, as one of the API's entities.
protocol WireEntity: Decodable {
  associatedtype Model
  /// What it means, with all text made safe.
  var model: Model { get }
  /// The names of members that it can do without: what cannot even be parsed in one of them costs that member alone.
  static var dispensableMembers: Set<String> { get }
  /// Whether some services write it as a string.
  static var canBeString: Bool { get }
}

extension WireEntity {
  static var dispensableMembers: Set<String> { [] }
  static var canBeString: Bool { false }
}

/// Something without which an entity means nothing is not there.
struct MissingField: Error {
  var name: String
}

/// Reading that never fails: what is missing, null or of another type is nil.
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

  /// How many there are of something: never negative, 0 where nobody said.
  func count(_ key: Key) -> Int {
    max(0, int(key) ?? 0)
  }

  func date(_ key: Key) -> Date? {
    string(key).flatMap(WireDate.date)
  }

  func entity<Entity: Decodable>(_ key: Key, as type: Entity.Type = Entity.self) -> Entity? {
    try? decodeIfPresent(type, forKey: key)
  }

  /// The entities of a list that can be read.
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
  func requiredEntity<Entity: Decodable>(_ key: Key) throws -> Entity { try required(entity(key), key) }
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

/// Numbers on the wire. What a server writes is never added to, or counted in, as it came: `2^63 - 1` and one more
/// would end the program.
enum WireNumber {
  /// More than anybody has of anything, and sums of many of them still are numbers.
  static let range = -1_000_000_000_000...1_000_000_000_000

  static func bounded(_ number: Int) -> Int { min(max(number, range.lowerBound), range.upperBound) }

  /// Nil for what is not finite.
  static func bounded(_ number: Double) -> Int? {
    guard number.isFinite else { return nil }
    return Int(min(max(number, Double(range.lowerBound)), Double(range.upperBound)))
  }

  /// The number that digits, perhaps behind a minus sign, are; nil where there is anything else.
  static func number(_ text: String) -> Int? {
    if let number = Int(text) { return bounded(number) }
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    guard text.utf8.count - digits.count < 2, !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return text.hasPrefix("-") ? range.lowerBound : range.upperBound
  }
}
