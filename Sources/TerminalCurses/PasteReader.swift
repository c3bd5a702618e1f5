/// Reads pasted text up to the mark that ends the paste.
struct PasteReader {
  /// Maximum length in bytes. Longer pastes are truncated.
  static let limit = 1 << 20

  /// Whether no bytes have arrived for a long time.
  var isStalled = false

  private var bytes: [UInt8] = []
  /// The last bytes, if they may be the beginning of the end mark.
  private var tail: [UInt8] = []

  private static let end = Array("\u{1B}[201~".utf8)

  /// Continues to read. Returns the index after the last byte read, and whether the paste has ended.
  mutating func read(_ piece: ArraySlice<UInt8>) -> (end: Int, isWhole: Bool) {
    isStalled = false
    var index = piece.startIndex
    while index < piece.endIndex {
      if tail.isEmpty {
        // Everything before the next escape is text.
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
      // In the end mark, only the first byte is an escape, so another end mark can only begin with this byte.
      keep(tail[...])
      tail.removeAll(keepingCapacity: true)
      if byte == KeyDecoder.escape { tail.append(byte) } else { keep([byte]) }
    }
    return (index, false)
  }

  /// The text as received, usually with carriage returns at the ends of lines. Truncated at the limit, between
  /// characters.
  var text: String {
    var end = min(bytes.count, Self.limit)
    if end < bytes.count {
      while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// Stores slightly more than the limit, so that `text` can find the end of a character.
  private mutating func keep(_ more: ArraySlice<UInt8>) {
    bytes.append(contentsOf: more.prefix(Self.limit + 8 - bytes.count))
  }
}
