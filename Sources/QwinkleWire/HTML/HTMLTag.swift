/// An HTML tag, as written.
struct HTMLTag {
  /// Lowercased.
  var name: String
  var isClosing: Bool
  /// Attributes with lowercased names and decoded values. If a name repeats, ``subscript(_:)`` returns the first value.
  private var attributes: [(name: String, value: String)] = []

  /// Maximum length of a name. Longer names are truncated. No name in use is that long.
  private static let mostNameBytes = 64
  private static let mostAttributes = 64

  subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }

  /// Whether `word` is among the space-separated words of an attribute such as `class` or `rel`.
  func has(_ word: String, in attribute: String) -> Bool {
    guard let value = self[attribute] else { return false }
    return value.split(whereSeparator: \.isWhitespace).contains { $0.lowercased() == word }
  }

  /// Parses the tag whose `<` is at `start`. Returns it with the index after its `>`, or nil if the input ends first. A
  /// letter, or `/` and a letter, must follow the `<`.
  static func read(_ bytes: [UInt8], at start: Int) -> (tag: HTMLTag, end: Int)? {
    var position = start + 1
    let isClosing = bytes[position] == UInt8(ascii: "/")
    if isClosing { position += 1 }
    let nameStart = position
    while position < bytes.count, !isSpace(bytes[position]), bytes[position] != UInt8(ascii: ">"),
      bytes[position] != UInt8(ascii: "/")
    {
      position += 1
    }
    var tag = HTMLTag(name: lowercased(bytes[nameStart..<position]), isClosing: isClosing)
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: ">") { return (tag, position + 1) }
      if isSpace(byte) || byte == UInt8(ascii: "/") {
        position += 1
      } else if !tag.readAttribute(bytes, at: &position) {
        return nil
      }
    }
    return nil
  }

  private init(name: String, isClosing: Bool) {
    self.name = name
    self.isClosing = isClosing
  }

  /// Parses `name`, `name=value` or `name="value"`. Returns false if the input ends before the value does.
  private mutating func readAttribute(_ bytes: [UInt8], at position: inout Int) -> Bool {
    let start = position
    position += 1
    while position < bytes.count, !Self.endsName(bytes[position]) { position += 1 }
    let name = start..<position
    var next = position
    while next < bytes.count, Self.isSpace(bytes[next]) { next += 1 }
    guard next < bytes.count, bytes[next] == UInt8(ascii: "=") else {
      add(bytes, name: name, value: 0..<0)
      return true
    }
    position = next + 1
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    guard position < bytes.count else { return false }
    let quote = bytes[position]
    let value: Range<Int>
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let valueStart = position + 1
      position = valueStart
      while position < bytes.count, bytes[position] != quote { position += 1 }
      guard position < bytes.count else { return false }
      value = valueStart..<position
      position += 1
    } else {
      let valueStart = position
      while position < bytes.count, !Self.isSpace(bytes[position]), bytes[position] != UInt8(ascii: ">") {
        position += 1
      }
      value = valueStart..<position
    }
    add(bytes, name: name, value: value)
    return true
  }

  private mutating func add(_ bytes: [UInt8], name: Range<Int>, value: Range<Int>) {
    guard attributes.count < Self.mostAttributes else { return }
    let name = Self.lowercased(bytes[name])
    guard Self.known.contains(name) else { return }
    attributes.append((name, HTMLEntities.resolved(bytes[value])))
  }

  /// The attributes in use. All others are ignored.
  private static let known: Set<String> = ["href", "class", "rel", "start", "value", "alt"]

  private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix(mostNameBytes), as: UTF8.self).lowercased()
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    isSpace(byte) || byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
