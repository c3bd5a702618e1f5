/// Cuts JSON into parts by its brackets, commas and strings alone, without reading the parts, so that an unreadable one
/// costs only itself. Never recursive, whatever the input; looks at each byte once.
enum JSONCutter {
  /// The deepest nesting that is given to a parser. No service's answer reaches it.
  static let greatestDepth = 128

  /// A value, or in an object a key with its value.
  struct Piece: Equatable {
    /// Its range, without surrounding white space.
    var range: Range<Int>
    /// Its deepest nesting of brackets.
    var depth: Int
  }

  /// The contents of an array or object.
  struct Pieces {
    var whole: [Piece] = []
    /// Whether the closing bracket is there.
    var isClosed = false
    /// Where the part that was cut off starts, if it isn't closed.
    var rest = 0
  }

  /// The contents of the array or object at `start`, cut at its commas.
  static func pieces(of bytes: [UInt8], at start: Int) -> Pieces {
    var pieces = Pieces()
    guard start < bytes.count, let closing = closingBracket(of: bytes[start]) else { return pieces }
    var scanner = Scanner(bytes: bytes, position: start + 1)
    pieces.rest = scanner.position

    func finishPiece(isLast: Bool) {
      let range = trimmed(pieces.rest..<(scanner.position - 1), in: bytes)
      // Nothing between two brackets is no item; nothing between two commas is a bad one.
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

  /// The array or object at `start`; nil if the input ends first.
  static func container(in bytes: [UInt8], at start: Int) -> Piece? {
    var scanner = Scanner(bytes: bytes, position: start)
    while let sign = scanner.next() {
      guard sign != UInt8(ascii: ","), scanner.depth <= 0 else { continue }
      return Piece(range: start..<scanner.position, depth: scanner.deepest)
    }
    return nil
  }

  /// Finds commas and closing brackets outside of strings, and counts how many brackets are open.
  private struct Scanner {
    let bytes: [UInt8]
    /// Behind what was found last.
    var position: Int
    var depth = 0
    var deepest = 0

    /// The next comma or closing bracket; nil at the end, or where a string does not end.
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

  /// The key of a piece of an object, and where its value starts.
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

  /// The index of the first byte from `position` on that isn't white space.
  static func skipSpace(in bytes: [UInt8], from position: Int) -> Int {
    var position = position
    while position < bytes.count, isSpace(bytes[position]) { position += 1 }
    return position
  }

  /// The index after the string at `start`; nil if it doesn't end.
  static func endOfString(in bytes: [UInt8], at start: Int) -> Int? {
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
