/// JSON as the server sent it: encoded again, it would lack unknown fields and have others that nobody sent.
enum SentJSON {
  /// An array of items. Those whose JSON isn't known are encoded by `encode`, which makes an array.
  static func array<Item>(
    _ entries: [(item: Item, source: [UInt8])], encoding encode: ([Item]) -> [UInt8]
  ) -> [UInt8] {
    let items = entries.map { entry in
      entry.source.isEmpty ? Array(encode([entry.item]).dropFirst().dropLast()) : entry.source
    }
    return Array("[".utf8) + items.joined(separator: ",".utf8) + Array("]".utf8)
  }

  /// An object with another member before its own.
  static func object(_ object: [UInt8], adding name: StaticString, _ value: [UInt8]) -> [UInt8] {
    let members = object.drop { $0 != UInt8(ascii: "{") }.dropFirst().drop { $0 <= UInt8(ascii: " ") }
    let comma = members.first == UInt8(ascii: "}") ? "" : ","
    return Array("{\"\(name)\":".utf8) + value + Array(comma.utf8) + members
  }
}
