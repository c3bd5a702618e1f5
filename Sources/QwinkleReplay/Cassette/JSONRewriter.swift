import QwinkleWire

/// Rewrites names and values in JSON, even in malformed JSON. Copies all other bytes unchanged.
struct JSONRewriter {
  /// Returns a member's new name, or nil to leave it unchanged. `isText` is false if the name has no quotes, which is
  /// invalid JSON.
  typealias Rename = (_ name: String, _ isText: Bool) -> String?
  /// Returns a new value, or nil to leave it unchanged. `path` has the names of the enclosing members, outermost first.
  /// `isText` is false for numbers, words such as `true`, and anything that is not JSON.
  typealias Replace = (_ path: [String], _ value: String, _ isText: Bool) -> String?

  private struct Level {
    var isObject: Bool
    var name: String?
  }

  private let bytes: [UInt8]
  private let rename: Rename
  private let replace: Replace
  private var result: [UInt8] = []
  private var levels = [Level(isObject: true)]
  private var position = 0

  private init(_ bytes: [UInt8], rename: @escaping Rename, replace: @escaping Replace) {
    self.bytes = bytes
    self.rename = rename
    self.replace = replace
  }

  static func rewritten(_ bytes: [UInt8], rename: Rename, replace: Replace) -> [UInt8] {
    withoutActuallyEscaping(rename) { rename in
      withoutActuallyEscaping(replace) { replace in
        var rewriter = JSONRewriter(bytes, rename: rename, replace: replace)
        rewriter.run()
        return rewriter.result
      }
    }
  }

  /// Whether `bytes` begin like an object or an array.
  static func looksLikeJSON(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first(where: { !isSpace($0) }) else { return false }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private mutating func run() {
    result.reserveCapacity(bytes.count)
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        levels.append(Level(isObject: byte == UInt8(ascii: "{")))
        copyByte()
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if levels.count > 1 { levels.removeLast() }
        copyByte()
      case UInt8(ascii: ","):
        if levels[levels.count - 1].isObject { levels[levels.count - 1].name = nil }
        copyByte()
      case UInt8(ascii: ":"): copyByte()
      case UInt8(ascii: "\""): text()
      default: if Self.isSpace(byte) { copyByte() } else { word() }
      }
    }
  }

  private mutating func copyByte() {
    result.append(bytes[position])
    position += 1
  }

  private mutating func text() {
    let end = JSONCutter.endOfString(in: bytes, at: position) ?? bytes.count
    let isClosed = end - position >= 2 && bytes[end - 1] == UInt8(ascii: "\"")
    let content = bytes[(position + 1)..<(isClosed ? end - 1 : end)]
    let value = JSONText.decoded(content)
    let other = isName(before: end) ? renamed(value, isText: true) : replace(path, value, true)
    result.append(UInt8(ascii: "\""))
    if let other { result += JSONText.encoded(other) } else { result += content }
    if isClosed { result.append(UInt8(ascii: "\"")) }
    position = end
  }

  /// Rewrites an unquoted word, which ends before the next punctuation or space.
  private mutating func word() {
    var end = position + 1
    while end < bytes.count, !Self.isSpace(bytes[end]), !"{}[],:\"".utf8.contains(bytes[end]) { end += 1 }
    let word = bytes[position..<end]
    let value = String(decoding: word, as: UTF8.self)
    let other = isName(before: end) ? renamed(value, isText: false) : replace(path, value, false)
    if let other { result += other.utf8 } else { result += word }
    position = end
  }

  /// Makes `name` the current member and returns its new name.
  private mutating func renamed(_ name: String, isText: Bool) -> String? {
    levels[levels.count - 1].name = name
    return rename(name, isText)
  }

  private func isName(before end: Int) -> Bool {
    bytes[end...].first { !Self.isSpace($0) } == UInt8(ascii: ":")
  }

  private var path: [String] { levels.compactMap(\.name) }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
