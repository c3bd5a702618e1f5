public import QwinkleModel

/// Updates of the server's JSON that preserve members unknown to Qwinkle.
extension WireEncoder {
  /// Members that contain the text. If one of them changes, the server's JSON is discarded, because unknown members may
  /// repeat the former text.
  private static let textMembers = ["content", "spoiler_text"]

  /// Returns `source`, the server's JSON of `old`, after updating the members that are different in `new`.
  public static func update(_ source: [UInt8], of old: Qwink, to new: Qwink) -> [UInt8] {
    update(source, from: qwink(old), to: qwink(new)) { (try? WireDecoder.qwink(from: $0)) == new }
  }

  /// Returns `source`, the server's JSON of `old`, after updating the members that are different in `new`.
  public static func update(_ source: [UInt8], of old: Conversation, to new: Conversation) -> [UInt8] {
    update(source, from: conversation(old), to: conversation(new)) {
      (try? WireDecoder.conversation(from: $0)) == new
    }
  }

  /// Returns `source` with updated members, or `new` if that isn't enough: if the text changes, or if the result
  /// doesn't decode to the new model because Qwinkle encodes a member differently than the server. For example, some
  /// servers send a quote as a bare status, or repeat it in the text.
  private static func update(
    _ source: [UInt8], from old: [UInt8], to new: [UInt8], isRight: ([UInt8]) -> Bool
  ) -> [UInt8] {
    func texts(_ object: [UInt8]) -> [[UInt8]?] {
      let status = JSONParts.member("reblog", of: object) ?? JSONParts.member("last_status", of: object) ?? object
      return textMembers.map { JSONParts.member($0, of: status) }
    }
    guard texts(old) == texts(new) else { return new }
    let updated = JSONParts.update(source, from: old, to: new)
    return isRight(updated) ? updated : new
  }
}

extension JSONParts {
  /// Returns `object` after updating the members in which the encodings `old` and `new` differ. Updates nested objects
  /// in the same way, unless their ids or URLs differ.
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

  /// Returns the nested object `name` of `object` with its members updated. Returns nil if `new` must replace the whole
  /// object instead.
  private static func nested(_ name: String, of object: [UInt8], from old: [UInt8]?, to new: [UInt8]) -> [UInt8]? {
    guard let value = member(name, of: object), let old,
      [value, old, new].allSatisfy({ $0.first == UInt8(ascii: "{") }),
      ["id", "url"].allSatisfy({ member($0, of: old) == member($0, of: new) })
    else { return nil }
    return update(value, from: old, to: new)
  }
}
