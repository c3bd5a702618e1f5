import QwinkleModel

/// Parts of a response's JSON, as the server sent them.
public enum JSONParts {
  /// Returns the object or list in `body`, without surrounding bytes and without members and items that can't be
  /// parsed. Returns any other body unchanged.
  public static func readable(_ body: [UInt8]) -> [UInt8] { (try? BodyReader(body))?.source ?? body }

  /// Returns the value of an object's member, or nil if the member is missing or null.
  public static func member(_ name: String, of object: [UInt8]) -> [UInt8]? {
    let value = members(of: object).last { $0.key == name }?.value
    return value == Array("null".utf8) ? nil : value
  }

  /// Returns `object` with new values for some members. Members that it lacks are inserted at its start.
  public static func object(_ object: [UInt8], setting values: [(name: String, value: [UInt8])]) -> [UInt8] {
    let members = members(of: object)
    let added = values.filter { value in !members.contains { $0.key == value.name } }
    var all: [[UInt8]] = added.map { Self.member($0.name, $0.value) }
    for member in members {
      let set = values.first { $0.name == member.key }
      all.append(set.map { Self.member($0.name, $0.value) } ?? member.whole)
    }
    return Array("{".utf8) + all.joined(separator: [UInt8(ascii: ",")]) + Array("}".utf8)
  }

  private static func member(_ name: String, _ value: [UInt8]) -> [UInt8] { Array("\"\(name)\":".utf8) + value }

  static func members(of object: [UInt8]) -> [(key: String, value: [UInt8], whole: [UInt8])] {
    let start = JSONCutter.skipSpace(in: object, from: 0)
    guard start < object.count, object[start] == UInt8(ascii: "{") else { return [] }
    return JSONCutter.pieces(of: object, at: start).whole.compactMap {
      piece -> (key: String, value: [UInt8], whole: [UInt8])? in
      guard let (key, value) = JSONCutter.member(of: object, in: piece) else { return nil }
      return (key, Array(object[value..<piece.range.upperBound]), Array(object[piece.range]))
    }
  }
}

/// JSON of a response's items, in the order of the decoded items.
extension WireDecoder {
  /// Returns the JSON of the items that ``searchResults(from:)`` returns.
  public static func searchSources(
    from body: [UInt8]
  ) throws(WireError) -> (qwinkers: [[UInt8]], qwinks: [[UInt8]], tags: [[UInt8]]) {
    try SearchEntity.readSources(BodyReader(body))
  }

  /// Returns the JSON of the statuses that ``thread(from:)`` returns.
  public static func threadSources(
    from body: [UInt8]
  ) throws(WireError) -> (ancestors: [[UInt8]], descendants: [[UInt8]]) {
    try ContextEntity.readSources(BodyReader(body))
  }

  /// Returns the JSON of the first relationship that ``relationships(from:)`` returns, or the unchanged body if no
  /// relationship can be decoded.
  public static func relationshipSource(from body: [UInt8]) -> [UInt8] {
    (try? BodyReader(body).page(of: RelationshipEntity.self, link: nil))?.sources.first ?? body
  }

  /// Returns the JSON of the filters that ``filters(from:)`` returns.
  public static func filterSources(from body: [UInt8]) throws(WireError) -> [[UInt8]] {
    try BodyReader(body).page(of: FilterEntity.self, link: nil).sources
  }
}
