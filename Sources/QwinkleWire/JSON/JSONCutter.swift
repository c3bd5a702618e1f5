/// Splits JSON at its brackets, commas and strings without parsing the parts, so that a malformed part doesn't affect
/// the others. Not recursive. Reads each byte only once.
public enum JSONCutter {
  /// Maximum nesting depth of parsed JSON. No known server's responses reach it.
  static let greatestDepth = 128

  /// An item of an array, or a member of an object: a key and its value.
  struct Piece: Equatable {
    /// Excludes surrounding white space.
    var range: Range<Int>
    /// Deepest nesting of brackets.
    var depth: Int
  }

  /// The contents of an array or object.
  struct Pieces {
    var whole: [Piece] = []
    /// Whether the closing bracket was found.
    var isClosed = false
    /// Offset of the incomplete last part if `isClosed` is false.
    var rest = 0
  }

  /// Returns the contents of the array or object at `start`, split at its commas.
  static func pieces(of bytes: [UInt8], at start: Int) -> Pieces {
    var pieces = Pieces()
    guard start < bytes.count, let closing = closingBracket(of: bytes[start]) else { return pieces }
    var scanner = Scanner(bytes: bytes, position: start + 1)
    pieces.rest = scanner.position

    func finishPiece(isLast: Bool) {
      let range = trimmed(pieces.rest..<(scanner.position - 1), in: bytes)
      // An empty part before the closing bracket isn't an item. An empty part before a comma is a malformed item.
      if !(range.isEmpty && isLast) { pieces.whole.append(Piece(range: range, depth: scanner.deepest)) }
    }

    while let sign = scanner.next() {
      if sign == UInt8(ascii: ","), scanner.depth == 0 {
        finishPiece(isLast: false)
        pieces.rest = scanner.position
        scanner.deepest = 0
      } else if scanner.depth < 0 {
        guard sign != closing else {
          finishPiece(isLast: true)
          pieces.isClosed = true
          return pieces
        }
        scanner.depth = 0
      }
    }
    return pieces
  }

  /// Returns the array or object at `start`, or nil for an incomplete one.
  static func container(in bytes: [UInt8], at start: Int) -> Piece? {
    var scanner = Scanner(bytes: bytes, position: start)
    while let sign = scanner.next() {
      guard sign != UInt8(ascii: ","), scanner.depth <= 0 else { continue }
      return Piece(range: start..<scanner.position, depth: scanner.deepest)
    }
    return nil
  }

  /// Finds commas and closing brackets outside strings, and counts the open brackets.
  private struct Scanner {
    let bytes: [UInt8]
    /// Offset after the last comma or bracket found.
    var position: Int
    var depth = 0
    var deepest = 0

    /// Returns the next comma or closing bracket, or nil at the end of the input or in an unterminated string.
    mutating func next() -> UInt8? {
      while position < bytes.count {
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""):
          guard let end = JSONCutter.endOfString(in: bytes, at: position - 1) else { return nil }
          position = end
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
          deepest = max(deepest, depth)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth -= 1
          return byte
        case UInt8(ascii: ","): return byte
        default: break
        }
      }
      return nil
    }
  }

  /// Returns the key of an object's member and the offset of its value.
  static func member(of bytes: [UInt8], in piece: Piece) -> (key: String, value: Int)? {
    let start = piece.range.lowerBound
    guard start < bytes.count, bytes[start] == UInt8(ascii: "\""), let end = endOfString(in: bytes, at: start) else {
      return nil
    }
    var position = end
    while position < piece.range.upperBound, isSpace(bytes[position]) { position += 1 }
    guard position < piece.range.upperBound, bytes[position] == UInt8(ascii: ":") else { return nil }
    position += 1
    while position < piece.range.upperBound, isSpace(bytes[position]) { position += 1 }
    return (String(decoding: bytes[(start + 1)..<(end - 1)], as: UTF8.self), position)
  }

  /// Returns the index of the first byte at or after `position` that isn't white space.
  static func skipSpace(in bytes: [UInt8], from position: Int) -> Int {
    var position = position
    while position < bytes.count, isSpace(bytes[position]) { position += 1 }
    return position
  }

  /// Returns the index after the string at `start`, or nil if the string is unterminated.
  public static func endOfString(in bytes: [UInt8], at start: Int) -> Int? {
    var position = start + 1
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") { return position + 1 }
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  private static func closingBracket(of opening: UInt8) -> UInt8? {
    switch opening {
    case UInt8(ascii: "["): UInt8(ascii: "]")
    case UInt8(ascii: "{"): UInt8(ascii: "}")
    default: nil
    }
  }

  private static func trimmed(_ range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower < upper, isSpace(bytes[lower]) { lower += 1 }
    while lower < upper, isSpace(bytes[upper - 1]) { upper -= 1 }
    return lower..<upper
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
