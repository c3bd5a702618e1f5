import FoundationEssentials
import QwinkleModel
import QwinkleWire
import Testing

/// Damages one item of each recorded page and checks the rest.
@Suite struct DamageTests {
  @Test(arguments: [
    Corpus.Kind.timeline, .accounts, .conversations, .notifications, .versions, .relationships,
  ])
  func `a malformed item loses only itself and a bad character loses nothing`(kind: Corpus.Kind) throws {
    var pages = 0
    var damages = 0
    for corpus in Corpus.all {
      for (answer, body, _, _) in try corpus.good().filter({ $0.kind == kind }) {
        let place = "\(corpus.server) \(answer.file)"
        let count =
          switch kind {
          case .timeline:
            try Self.check(
              Subject(
                read: { try WireDecoder.qwinks(from: $0, link: nil) }, key: { $0.rowID }, needed: ["id", "account"],
                spare: ["content", "mentions", "media_attachments", "replies_count", "tags"], text: "content"),
              body, place)
          case .accounts:
            try Self.check(
              Subject(
                read: { try WireDecoder.qwinkers(from: $0, link: nil) }, key: { $0.id }, needed: ["id"],
                spare: ["note", "fields", "created_at", "followers_count"], text: "note"),
              body, place)
          case .conversations:
            try Self.check(
              Subject(
                read: { try WireDecoder.conversations(from: $0, link: nil) }, key: { $0.id }, needed: ["id"],
                spare: ["accounts", "last_status", "unread"], text: "username", nested: "last_status"),
              body, place)
          case .notifications:
            try Self.check(
              Subject(
                read: { try WireDecoder.notifications(from: $0, link: nil) }, key: { $0.id },
                needed: ["id", "account"],
                spare: ["type", "created_at", "status"], text: "username", nested: "status"),
              body, place)
          case .versions:
            try Self.check(
              Subject(
                read: { Page(items: try WireDecoder.versions(from: $0)) }, key: { $0.createdAt }, needed: ["content"],
                spare: ["spoiler_text", "sensitive", "media_attachments", "account"], text: "content"),
              body, place)
          default:
            try Self.check(
              Subject(
                read: { Page(items: try WireDecoder.relationships(from: $0)) }, key: { $0.id }, needed: ["id"],
                spare: ["following", "requested", "muting"], text: "note"),
              body, place)
          }
        pages += count > 0 ? 1 : 0
        damages += count
      }
    }
    guard pages > 0 || Corpus.isWhole else { return print("skipped: no recordings of \(kind.rawValue)") }
    #expect(pages > 0)
    print("\(kind.rawValue): pages damaged: \(pages), in \(damages) ways; lost: the damaged items alone")
  }

  /// A kind of item, with a decoder, an identifier, and the members that it needs.
  private struct Subject<Item: Hashable & Sendable> {
    var read: ([UInt8]) throws -> Page<Item>
    var key: (Item) -> AnyHashable
    var needed: [String]
    var spare: [String]
    /// The name of a text member. Its first occurrence is damaged.
    var text: String
    /// A member that may be malformed as a whole.
    var nested: String?
  }

  /// Damages the middle item of a page in every way. Returns the number of ways.
  private static func check<Item>(_ subject: Subject<Item>, _ body: [UInt8], _ place: String) throws -> Int {
    let whole = try subject.read(body).items
    guard whole.count > 1 else { return 0 }
    let sources = JSONPlace.items(of: body)
    try #require(sources.count == whole.count)
    let index = whole.count / 2
    let others = without(index, whole)
    var damages = subject.needed.map { (Damage.wrongType(of: $0), costsItem: true) }
    damages += subject.spare.map { (Damage.wrongType(of: $0), costsItem: false) }
    damages += Damage.badCharacters(in: subject.text).map { ($0, costsItem: false) }
    damages += [(.deeplyNested(in: nil), costsItem: true), (.missingValue(in: nil), costsItem: true)]
    if let nested = subject.nested {
      damages += [(.deeplyNested(in: nested), costsItem: false), (.missingValue(in: nested), costsItem: false)]
    }
    for (damage, costsItem) in damages {
      let page = try subject.read(damage.applied(to: sources, at: index))
      let place = "\(place) \(damage)"
      if costsItem {
        #expect(page.items == others, "\(place)")
      } else {
        #expect(page.items.map(subject.key) == whole.map(subject.key), "\(place)")
        #expect(without(index, page.items) == others, "\(place)")
      }
      // If the body isn't a page, lost items aren't counted.
      if !page.sources.isEmpty { #expect(page.damagedCount == (costsItem ? 1 : 0), "\(place)") }
    }
    return damages.count
  }

  private static func without<Item>(_ index: Int, _ items: [Item]) -> [Item] {
    var items = items
    if items.indices.contains(index) { items.remove(at: index) }
    return items
  }
}

/// Ways to damage an item.
private enum Damage {
  case wrongType(of: String)
  case badBytes([UInt8], in: String)
  /// In the item itself, or in one of its members.
  case deeplyNested(in: String?)
  case missingValue(in: String?)

  /// Unpaired surrogates, invalid UTF-8, control characters, and invalid escapes.
  static func badCharacters(in name: String) -> [Damage] {
    let texts = ["\\uD83D", "\\uDC00 x", "\\uDE00\\uD83D", "\\u0000", "\\x\\u12"].map { Array($0.utf8) }
    let bytes: [[UInt8]] = [[0xFF], [0xF0, 0x9F, 0x98], [0x00, 0x1B, 0x0A, 0x07]]
    return (texts + bytes).map { .badBytes($0, in: name) }
  }

  /// The page with one item damaged.
  func applied(to sources: [[UInt8]], at index: Int) -> [UInt8] {
    var items = sources
    let item = items[index]
    switch self {
    case .wrongType(let name): items[index] = Self.replacing(name, in: item, by: Array("{\"0\":[1]}".utf8))
    case .badBytes(let bytes, let name): items[index] = Self.inserting(bytes, in: name, of: item)
    case .deeplyNested(let name):
      // Exceeds any parser's depth limit. PageTests tests depths that overflow a stack.
      let nested = String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000)
      items[index] = Self.adding(Array("\"nested\":\(nested)".utf8), to: name, of: item)
    case .missingValue(let name): items[index] = Self.adding(Array("\"a\":".utf8), to: name, of: item)
    }
    return Array("[".utf8) + items.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
  }

  /// `item` with a new value for one of its direct members.
  private static func replacing(_ name: String, in item: [UInt8], by value: [UInt8]) -> [UInt8] {
    guard let place = JSONPlace.value(of: name, in: item) else { return item }
    return Array(item[..<place.lowerBound]) + value + Array(item[place.upperBound...])
  }

  /// `item` with `member` added first, or as the only content of its member `name`.
  private static func adding(_ member: [UInt8], to name: String?, of item: [UInt8]) -> [UInt8] {
    if let name { return replacing(name, in: item, by: Array("{".utf8) + member + Array("}".utf8)) }
    return Array("{".utf8) + member + Array(",".utf8) + item.dropFirst()
  }

  /// `item` with bytes inserted at the start of the first text with this name, at any depth.
  private static func inserting(_ bytes: [UInt8], in name: String, of item: [UInt8]) -> [UInt8] {
    let key = Array("\"\(name)\":".utf8)
    guard let found = item.firstRange(of: key), let quote = item[found.upperBound...].firstIndex(of: UInt8(ascii: "\""))
    else { return item }
    return Array(item[...quote]) + bytes + Array(item[(quote + 1)...])
  }
}

/// Finds members of an object in well-formed JSON.
enum JSONPlace {
  /// The objects in a list.
  static func items(of list: [UInt8]) -> [[UInt8]] {
    var items: [[UInt8]] = []
    var depth = 0
    var start = 0
    var index = 0
    while index < list.count {
      switch list[index] {
      case UInt8(ascii: "\""):
        index += 1
        while list[index] != UInt8(ascii: "\"") { index += list[index] == UInt8(ascii: "\\") ? 2 : 1 }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if depth == 1 { start = index }
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 1 { items.append(Array(list[start...index])) }
      default: break
      }
      index += 1
    }
    return items
  }

  /// The range of the value of the outermost object's member `name`.
  static func value(of name: String, in object: [UInt8]) -> Range<Int>? {
    var depth = 0
    var index = 0
    var key: ArraySlice<UInt8>?
    var start: Int?
    while index < object.count {
      switch object[index] {
      case UInt8(ascii: "\""):
        let open = index
        index += 1
        while object[index] != UInt8(ascii: "\"") { index += object[index] == UInt8(ascii: "\\") ? 2 : 1 }
        if depth == 1 && start == nil { key = object[(open + 1)..<index] }
      case UInt8(ascii: ":"):
        if depth == 1 && start == nil {
          start = index + 1
          while object[start ?? 0] == 0x20 { start = (start ?? 0) + 1 }
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
        let isComma = object[index] == UInt8(ascii: ",")
        if depth == 1, let valueStart = start {
          if let key, key.elementsEqual(name.utf8) { return valueStart..<index }
          start = nil
        }
        if !isComma { depth -= 1 }
      default: break
      }
      index += 1
    }
    return nil
  }
}
