import FoundationEssentials
import QwinkleModel

/// Reads an answer's body into models, item by item. Not thread-safe; make one for each answer.
struct BodyReader {
  /// Items after these are counted as lost without a look at them: no service sends as many in one answer.
  private static let mostItems = 4096

  private let body: [UInt8]
  private let start: Int
  private let decoder = JSONDecoder()

  /// Finds out whether `body` can be JSON at all.
  init(_ body: [UInt8]) throws(WireError) {
    let isMarked = body.starts(with: [0xEF, 0xBB, 0xBF])
    self.body = body
    self.start = JSONCutter.skipSpace(in: body, from: isMarked ? 3 : 0)
    guard start < body.count else { throw .empty }
    switch body[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): break
    case UInt8(ascii: "<"): throw .notJSON(looksLikeHTML: true)
    default: throw isScalar ? .unexpected("a single value") : .notJSON(looksLikeHTML: false)
    }
  }

  /// The body as a list. What is cut off or damaged is counted.
  func page<Entity: WireEntity>(of type: Entity.Type, link: String?) throws(WireError) -> Page<Entity.Model>
  where Entity.Model: Sendable {
    guard body[start] == UInt8(ascii: "[") else { throw .unexpected("an object instead of a list") }
    let list = try list(of: type, at: start)
    let ways = link.map(LinkHeader.init(parsing:)) ?? LinkHeader()
    return Page(
      items: list.items, older: ways.next.map(PageCursor.init), newer: ways.previous.map(PageCursor.init),
      damagedCount: list.damagedCount, sources: list.sources)
  }

  /// The body as one entity.
  func single<Entity: WireEntity>(_ type: Entity.Type) throws(WireError) -> Entity.Model {
    guard body[start] == UInt8(ascii: "{") else { throw .unexpected("a list instead of an object") }
    guard let piece = JSONCutter.container(in: body, at: start) else { throw .truncated }
    guard piece.depth <= JSONCutter.greatestDepth else { throw .unexpected("too deeply nested") }
    do {
      return try decode(type, from: JSONRepair.repaired(body, in: piece.range)).model
    } catch let missing as MissingField {
      throw .unexpected("an object without \(missing.name)")
    } catch {
      throw .notJSON(looksLikeHTML: false)
    }
  }

  /// The lists with the names `keys` of the body's object, each item read alone; what is not there is empty.
  func lists<Entity: WireEntity>(
    of type: Entity.Type, keys: [String]
  ) throws(WireError) -> [String: [Entity.Model]] {
    let (members, isClosed) = try members()
    var lists: [String: [Entity.Model]] = [:]
    for (key, position) in members
    where keys.contains(key) && position < body.count && body[position] == UInt8(ascii: "[") {
      lists[key] = (try? list(of: type, at: position))?.items
    }
    if !isClosed && lists.values.allSatisfy(\.isEmpty) { throw .truncated }
    if lists.isEmpty { throw .unexpected("an object without \(keys.joined(separator: ", "))") }
    return lists
  }

  /// The keys of the body's object.
  func keys() throws(WireError) -> Set<String> {
    Set(try members().members.map(\.key))
  }

  /// Where the values of the body's object start, the last of them perhaps cut off.
  private func members() throws(WireError) -> (members: [(key: String, value: Int)], isClosed: Bool) {
    guard body[start] == UInt8(ascii: "{") else { throw .unexpected("a list instead of an object") }
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
  }

  private func list<Entity: WireEntity>(of type: Entity.Type, at start: Int) throws(WireError) -> List<Entity.Model> {
    let pieces = JSONCutter.pieces(of: body, at: start)
    if pieces.whole.isEmpty && !pieces.isClosed { throw .truncated }
    var list = List<Entity.Model>()
    var hasObjects = false
    for piece in pieces.whole.prefix(Self.mostItems) {
      guard !piece.range.isEmpty, body[piece.range.lowerBound] == UInt8(ascii: "{") else {
        list.damagedCount += 1
        continue
      }
      hasObjects = true
      guard piece.depth <= JSONCutter.greatestDepth else {
        list.damagedCount += 1
        continue
      }
      let source = JSONRepair.repaired(body, in: piece.range)
      if let entity = try? decode(type, from: source) {
        list.items.append(entity.model)
        list.sources.append(source)
      } else {
        list.damagedCount += 1
      }
    }
    if !hasObjects && !pieces.whole.isEmpty { throw .unexpected("a list of something else") }
    list.damagedCount += max(0, pieces.whole.count - Self.mostItems)
    // Whatever was cut off, at least one item is missing.
    if !pieces.isClosed { list.damagedCount += 1 }
    return list
  }

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
