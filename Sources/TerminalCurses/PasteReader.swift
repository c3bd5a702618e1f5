/// Reads what stands between the marks of a paste.
struct PasteReader {
  /// Pastes are cut here.
  static let limit = 1 << 20

  /// Whether nothing has come for long.
  var isStalled = false

  private var bytes: [UInt8] = []
  /// The last bytes, which may be the beginning of the end mark.
  private var tail: [UInt8] = []

  private static let end = Array("\u{1B}[201~".utf8)

  /// Reads on. Returns the index behind what was read, and whether that ended the paste.
  mutating func read(_ piece: ArraySlice<UInt8>) -> (end: Int, isWhole: Bool) {
    isStalled = false
    var index = piece.startIndex
    while index < piece.endIndex {
      if tail.isEmpty {
        // Up to the next escape all of it is text.
        let next = piece[index...].firstIndex(of: KeyDecoder.escape) ?? piece.endIndex
        keep(piece[index..<next])
        index = next
        guard index < piece.endIndex else { break }
      }
      let byte = piece[index]
      index += 1
      if byte == Self.end[tail.count] {
        tail.append(byte)
        if tail.count == Self.end.count { return (index, true) }
        continue
      }
      // The mark has its first byte nowhere else in it.
      keep(tail[...])
      tail.removeAll(keepingCapacity: true)
      if byte == KeyDecoder.escape { tail.append(byte) } else { keep([byte]) }
    }
    return (index, false)
  }

  /// As it came, so that lines mostly end in a return; cut at the limit, between characters.
  var text: String {
    var end = min(bytes.count, Self.limit)
    if end < bytes.count {
      while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// A little more than the limit shows where a character ends there.
  private mutating func keep(_ more: ArraySlice<UInt8>) {
    bytes.append(contentsOf: more.prefix(Self.limit + 8 - bytes.count))
  }
}
