import FoundationEssentials
import QwinkleModel
import QwinkleWire
import Testing

/// Damages one item of each recorded page and looks at what is left.
@Suite struct DamageTests {
  @Test func `a damaged item costs itself, a bad character not even that`() throws {
    var pages = 0
    var damages = 0
    for corpus in Corpus.all {
      for (answer, body, kind, _) in try corpus.good() where kind == .timeline {
        let whole = try WireDecoder.qwinks(from: body, link: nil)
        guard whole.items.count > 1 else { continue }
        pages += 1
        let index = whole.items.count / 2
        for damage in Damage.allCases {
          let damaged = damage.applied(to: whole.sources, at: index)
          let page = try WireDecoder.qwinks(from: damaged, link: nil)
          let place = "\(corpus.server) \(answer.file) \(damage)"
          damages += 1
          if damage.costsItem {
            #expect(page.damagedCount == 1, "\(place)")
            var others = whole.items
            others.remove(at: index)
            #expect(page.items == others, "\(place)")
          } else {
            #expect(page.damagedCount == 0, "\(place)")
            #expect(page.items.map(\.rowID) == whole.items.map(\.rowID), "\(place)")
            #expect(Self.withoutOne(page.items, at: index) == Self.withoutOne(whole.items, at: index), "\(place)")
          }
        }
      }
    }
    print("pages damaged: \(pages), in \(damages) ways; lost: the damaged items alone")
  }

  private static func withoutOne(_ items: [Qwink], at index: Int) -> [Qwink] {
    var items = items
    if items.indices.contains(index) { items.remove(at: index) }
    return items
  }
}

/// What can be wrong with an item.
private enum Damage: CaseIterable {
  case accountOfWrongType, idOfWrongType, contentOfWrongType, listsOfWrongType
  case loneHighSurrogate, loneLowSurrogate, reversedPair, badByte, cutCharacter, nulEscape, rawControl, unknownEscape
  case deeplyNested, missingValue

  var costsItem: Bool {
    switch self {
    case .accountOfWrongType, .idOfWrongType, .deeplyNested, .missingValue: true
    default: false
    }
  }

  /// The page with the members of one item changed. A member that comes twice would be the parser's choice, so the
  /// old one is renamed.
  func applied(to sources: [[UInt8]], at index: Int) -> [UInt8] {
    var items = sources
    switch self {
    case .accountOfWrongType: items[index] = Self.replacing("account", in: items[index], by: Array("17".utf8))
    case .idOfWrongType: items[index] = Self.replacing("id", in: items[index], by: Array("[1]".utf8))
    case .contentOfWrongType: items[index] = Self.replacing("content", in: items[index], by: Array("{\"a\":1}".utf8))
    case .listsOfWrongType:
      items[index] = Self.replacing("mentions", in: items[index], by: Array("true".utf8))
      items[index] = Self.replacing("media_attachments", in: items[index], by: Array("\"none\"".utf8))
      items[index] = Self.replacing("replies_count", in: items[index], by: Array("\"many\"".utf8))
      items[index] = Self.replacing("tags", in: items[index], by: Array("[1,null,{\"name\":2}]".utf8))
    case .loneHighSurrogate: items[index] = Self.inserting("\\uD83D", in: items[index])
    case .loneLowSurrogate: items[index] = Self.inserting("\\uDC00 x", in: items[index])
    case .reversedPair: items[index] = Self.inserting("\\uDE00\\uD83D", in: items[index])
    case .badByte: items[index] = Self.inserting(bytes: [0xFF], in: items[index])
    case .cutCharacter: items[index] = Self.inserting(bytes: [0xF0, 0x9F, 0x98], in: items[index])
    case .nulEscape: items[index] = Self.inserting("\\u0000", in: items[index])
    case .rawControl: items[index] = Self.inserting(bytes: [0x00, 0x1B, 0x0A, 0x07], in: items[index])
    case .unknownEscape: items[index] = Self.inserting("\\x\\u12", in: items[index])
    case .deeplyNested:
      let nested = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)
      items[index] = Array("{\"nested\":\(nested),".utf8) + items[index].dropFirst()
    case .missingValue: items[index] = Array("{\"a\":,".utf8) + items[index].dropFirst()
    }
    return Array("[".utf8) + items.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
  }

  /// `item` with another value for a member of the item itself, which comes first or in place of the old one.
  private static func replacing(_ name: String, in item: [UInt8], by value: [UInt8]) -> [UInt8] {
    guard let place = JSONPlace.value(of: name, in: item) else { return item }
    return Array(item[..<place.lowerBound]) + value + Array(item[place.upperBound...])
  }

  private static func inserting(_ text: String, in item: [UInt8]) -> [UInt8] {
    inserting(bytes: Array(text.utf8), in: item)
  }

  /// `item` with more at the start of its text.
  private static func inserting(bytes: [UInt8], in item: [UInt8]) -> [UInt8] {
    guard let place = JSONPlace.value(of: "content", in: item) else { return item }
    return Array(item[...place.lowerBound]) + bytes + Array(item[(place.lowerBound + 1)...])
  }
}

/// Finds members of an object in JSON that is well formed.
enum JSONPlace {
  /// Where the value of the member `name` of the outermost object stands.
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
