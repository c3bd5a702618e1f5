public import QwinkleModel

/// Changes of the server's JSON that keep the members that Qwinkle doesn't know.
extension WireEncoder {
  /// Returns `source`, the server's JSON of `old`, with the members that differ in `new`.
  public static func update(_ source: [UInt8], of old: Qwink, to new: Qwink) -> [UInt8] {
    JSONParts.update(source, from: qwink(old), to: qwink(new))
  }

  /// Returns `source`, the server's JSON of `old`, with the members that differ in `new`.
  public static func update(_ source: [UInt8], of old: Conversation, to new: Conversation) -> [UInt8] {
    JSONParts.update(source, from: conversation(old), to: conversation(new))
  }
}

extension JSONParts {
  /// Returns `object` with the members that differ between two encodings, `old` and `new`. Updates nested objects in
  /// the same way, unless their ids differ.
  fileprivate static func update(_ object: [UInt8], from old: [UInt8], to new: [UInt8]) -> [UInt8] {
    let before = Dictionary(members(of: old).map { ($0.key, $0.value) }) { $1 }
    let after = members(of: new)
    var values = after.filter { before[$0.key] != $0.value }.map { after in
      (name: after.key, value: nested(after.key, of: object, from: before[after.key], to: after.value) ?? after.value)
    }
    let names = Set(after.map(\.key))
    values += before.keys.filter { !names.contains($0) }.sorted().map { (name: $0, value: Array("null".utf8)) }
    return values.isEmpty ? object : self.object(object, setting: values)
  }

  /// Returns the updated member of `object`, or nil if it is to be replaced.
  private static func nested(_ name: String, of object: [UInt8], from old: [UInt8]?, to new: [UInt8]) -> [UInt8]? {
    guard let value = member(name, of: object), let old,
      [value, old, new].allSatisfy({ $0.first == UInt8(ascii: "{") }), member("id", of: old) == member("id", of: new)
    else { return nil }
    return update(value, from: old, to: new)
  }
}
