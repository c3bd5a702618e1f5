import FoundationEssentials
import QwinkleModel

/// Decodes a response body into models, item by item. Not thread-safe: create one for each response.
struct BodyReader {
  /// Maximum number of items parsed. Further items are counted as malformed. No server returns that many items in one
  /// response.
  private static let mostItems = 4096

  private let body: [UInt8]
  private let start: Int
  private let decoder = JSONDecoder()

  /// Throws if `body` doesn't begin with a JSON object or list.
  init(_ body: [UInt8]) throws(WireError) {
    let hasByteOrderMark = body.starts(with: [0xEF, 0xBB, 0xBF])
    self.body = body
    self.start = JSONCutter.skipSpace(in: body, from: hasByteOrderMark ? 3 : 0)
    guard start < body.count else { throw .empty }
    switch body[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): break
    case UInt8(ascii: "<"): throw .notJSON(looksLikeHTML: true)
    default: throw isScalar ? .unexpected("a single value") : .notJSON(looksLikeHTML: false)
    }
  }

  /// Decodes a page: a list, and the cursors in the Link header `link`. Incomplete and malformed items are skipped, and
  /// counted in the page's `damagedCount`.
  func page<Entity: WireEntity>(of type: Entity.Type, link: String?) throws(WireError) -> Page<Entity.Model>
  where Entity.Model: Sendable {
    guard body[start] == UInt8(ascii: "[") else { throw .unexpected("an object instead of a list") }
    return page(try list(of: type, at: start), link: link)
  }

  /// Decodes a page whose list is the member `key` of the body's object.
  func page<Entity: WireEntity>(
    of type: Entity.Type, named key: String, link: String?
  ) throws(WireError) -> Page<Entity.Model> where Entity.Model: Sendable {
    guard let list = try list(of: type, named: key) else {
      try expectList(named: [key])
      return Page(items: [])
    }
    return page(list, link: link)
  }

  private func page<Model: Sendable>(_ list: List<Model>, link: String?) -> Page<Model> {
    let ways = link.map(LinkHeader.init(parsing:)) ?? LinkHeader()
    var page = Page(
      items: list.items, older: ways.next.map(PageCursor.init), newer: ways.previous.map(PageCursor.init),
      damagedCount: list.damagedCount, sources: list.sources)
    page.damagedPlaces = list.damagedPlaces
    return page
  }

  /// Decodes a list that isn't paginated. Throws if the list has items but none is readable.
  func all<Entity: WireEntity>(of type: Entity.Type) throws(WireError) -> [Entity.Model] where Entity.Model: Sendable {
    let page = try page(of: type, link: nil)
    if page.items.isEmpty, page.damagedCount > 0 { throw .unexpected("a list without a readable item") }
    return page.items
  }

  func single<Entity: WireEntity>(_ type: Entity.Type) throws(WireError) -> Entity.Model {
    guard isObject else { throw .unexpected("a list instead of an object") }
    guard let piece = JSONCutter.container(in: body, at: start) else { throw .truncated }
    do {
      return try entity(type, in: piece).model
    } catch let error as WireError {
      throw error
    } catch let missing as MissingField {
      throw .unexpected("an object without \(missing.name)")
    } catch {
      throw .notJSON(looksLikeHTML: false)
    }
  }

  /// Returns the readable items of the list `key` in the body's object, or an empty list if it is missing.
  func items<Entity: WireEntity>(of type: Entity.Type, named key: String) throws(WireError) -> [Entity.Model] {
    try list(of: type, named: key)?.items ?? []
  }

  /// Returns the JSON of each item that ``items(of:named:)`` returns.
  func sources<Entity: WireEntity>(of type: Entity.Type, named key: String) throws(WireError) -> [[UInt8]] {
    try list(of: type, named: key)?.sources ?? []
  }

  private func list<Entity: WireEntity>(
    of type: Entity.Type, named key: String
  ) throws(WireError) -> List<Entity.Model>? {
    let place = try members().members.last { $0.key == key && isList(at: $0.value) }
    return place.flatMap { try? list(of: type, at: $0.value) }
  }

  /// The body's object or list, without surrounding bytes and without members and items that can't be parsed.
  var source: [UInt8] {
    let opening = Array((isObject ? "{" : "[").utf8)
    let closing = Array((isObject ? "}" : "]").utf8)
    let pieces = JSONCutter.pieces(of: body, at: start).whole.compactMap { piece -> [UInt8]? in
      guard piece.depth <= JSONCutter.greatestDepth else { return nil }
      let source = JSONRepair.repaired(body, in: piece.range)
      let isReadable = (try? decode(AnyValue.self, from: opening + source + closing)) != nil
      return isReadable && !source.isEmpty ? source : nil
    }
    return opening + pieces.joined(separator: [UInt8(ascii: ",")]) + closing
  }

  /// Throws if the body's object is incomplete or has none of the lists `keys`.
  func expectList(named keys: [String]) throws(WireError) {
    let (members, isClosed) = try members()
    guard isClosed else { throw .truncated }
    guard members.contains(where: { keys.contains($0.key) && isList(at: $0.value) }) else {
      throw .unexpected("an object without \(keys.joined(separator: ", "))")
    }
  }

  /// The `id` of the list's first object, even if that object is incomplete.
  var firstID: String? {
    guard isList(at: start) else { return nil }
    let first = JSONCutter.skipSpace(in: body, from: start + 1)
    guard isObject(at: first) else { return nil }
    for member in JSONCutter.pieces(of: body, at: first).whole {
      guard let (key, value) = JSONCutter.member(of: body, in: member), key == "id" else { continue }
      let source = JSONRepair.repaired(body, in: value..<member.range.upperBound)
      return (try? decode(AnyIdentifier.self, from: Array("[".utf8) + source + Array("]".utf8)))?.value
    }
    return nil
  }

  /// An ID. Some servers write it as a number.
  private struct AnyIdentifier: Decodable {
    let value: String

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      if let text = try? container.decode(String.self) {
        value = text
      } else {
        value = "\(try container.decode(Int64.self))"
      }
    }
  }

  /// Whether the body is an object rather than a list.
  var isObject: Bool { isObject(at: start) }

  func keys() throws(WireError) -> Set<String> {
    Set(try members().members.map(\.key))
  }

  /// Returns the keys of the body's object and the offsets of their values. The last value may be incomplete.
  private func members() throws(WireError) -> (members: [(key: String, value: Int)], isClosed: Bool) {
    guard isObject else { throw .unexpected("a list instead of an object") }
    let pieces = JSONCutter.pieces(of: body, at: start)
    var members = pieces.whole.compactMap { JSONCutter.member(of: body, in: $0) }
    if !pieces.isClosed {
      let rest = JSONCutter.skipSpace(in: body, from: pieces.rest)..<body.count
      let piece = JSONCutter.Piece(range: rest, depth: 0)
      if let member = JSONCutter.member(of: body, in: piece) { members.append(member) }
    }
    return (members, pieces.isClosed)
  }

  private struct List<Item> {
    var items: [Item] = []
    var sources: [[UInt8]] = []
    var damagedCount = 0
    var damagedPlaces: Set<Int> = []

    mutating func noteDamaged(_ count: Int = 1) {
      guard count > 0 else { return }
      damagedCount += count
      damagedPlaces.insert(items.count)
    }
  }

  private func list<Entity: WireEntity>(of type: Entity.Type, at start: Int) throws(WireError) -> List<Entity.Model> {
    let pieces = JSONCutter.pieces(of: body, at: start)
    if pieces.whole.isEmpty && !pieces.isClosed { throw .truncated }
    var list = List<Entity.Model>()
    var hasObjects = false
    for piece in pieces.whole.prefix(Self.mostItems) {
      guard let first = piece.range.isEmpty ? nil : body[piece.range.lowerBound],
        first == UInt8(ascii: "{") || (first == UInt8(ascii: "\"") && Entity.canBeString)
      else {
        list.noteDamaged()
        continue
      }
      hasObjects = true
      if let (model, source) = try? entity(type, in: piece) {
        list.items.append(model)
        list.sources.append(source)
      } else {
        list.noteDamaged()
      }
    }
    if !hasObjects && !pieces.whole.isEmpty { throw .unexpected("a list of something else") }
    list.noteDamaged(max(0, pieces.whole.count - Self.mostItems))
    // The list is incomplete, so at least one item is missing.
    if !pieces.isClosed { list.noteDamaged() }
    return list
  }

  /// Decodes the entity in `piece`. If this fails, tries again without the malformed members among
  /// ``WireEntity/dispensableMembers``. Also returns the JSON that was decoded.
  private func entity<Entity: WireEntity>(
    _ type: Entity.Type, in piece: JSONCutter.Piece
  ) throws -> (model: Entity.Model, source: [UInt8]) {
    do {
      guard piece.depth <= JSONCutter.greatestDepth else { throw WireError.unexpected("too deeply nested") }
      let source = JSONRepair.repaired(body, in: piece.range)
      return (try decode(Wire<Entity>.self, from: source).model, source)
    } catch {
      guard let source = source(of: piece, without: Entity.dispensableMembers) else { throw error }
      return (try decode(Wire<Entity>.self, from: source).model, source)
    }
  }

  /// Returns the object in `piece` with null for each member in `names` that can't be parsed. Returns nil if all of
  /// these members can be parsed.
  private func source(of piece: JSONCutter.Piece, without names: Set<String>) -> [UInt8]? {
    guard !names.isEmpty, isObject(at: piece.range.lowerBound) else { return nil }
    let pieces = JSONCutter.pieces(of: body, at: piece.range.lowerBound)
    guard pieces.isClosed else { return nil }
    var isChanged = false
    let members = pieces.whole.map { member -> [UInt8] in
      let source = JSONRepair.repaired(body, in: member.range)
      guard let (key, value) = JSONCutter.member(of: body, in: member), names.contains(key) else { return source }
      let text = JSONRepair.repaired(body, in: value..<member.range.upperBound)
      if member.depth <= JSONCutter.greatestDepth, (try? decode(AnyValue.self, from: text)) != nil { return source }
      isChanged = true
      return Array("\"\(key)\":null".utf8)
    }
    guard isChanged else { return nil }
    return Array("{".utf8) + members.joined(separator: [UInt8(ascii: ",")]) + Array("}".utf8)
  }

  private struct AnyValue: Decodable {
    init(from decoder: any Decoder) {}
  }

  private func isObject(at position: Int) -> Bool { position < body.count && body[position] == UInt8(ascii: "{") }

  private func isList(at position: Int) -> Bool { position < body.count && body[position] == UInt8(ascii: "[") }

  private func decode<Entity: Decodable>(_ type: Entity.Type, from source: [UInt8]) throws -> Entity {
    try decoder.decode(type, from: Data(source))
  }

  private var isScalar: Bool {
    switch body[start] {
    case UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: ["null", "true", "false"].contains { body[start...].starts(with: $0.utf8) }
    }
  }
}

extension WireEntity {
  /// Decodes a body that is one entity.
  static func single(_ body: [UInt8]) throws(WireError) -> Model { try BodyReader(body).single(Self.self) }

  /// Decodes a body that is a list without pagination. Throws if the list has items but none is readable.
  static func all(_ body: [UInt8]) throws(WireError) -> [Model] where Model: Sendable {
    try BodyReader(body).all(of: Self.self)
  }
}
