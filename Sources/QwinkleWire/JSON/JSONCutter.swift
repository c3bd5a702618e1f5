/// Cuts JSON into parts by its brackets, commas and strings alone, without reading what the parts say, so that a
/// part that cannot be read costs itself. Never recursive, whatever the input; one look at each byte.
enum JSONCutter {
  /// Nesting that no answer of a service reaches. What goes deeper is not given to a parser.
  static let greatestDepth = 128

  /// A value, or in an object a key with its value.
  struct Piece: Equatable {
    /// Where it stands, without white space around it.
    var range: Range<Int>
    /// How many brackets are open inside one another at its deepest.
    var depth: Int
  }

  /// What an array or object holds.
  struct Pieces {
    var whole: [Piece] = []
    /// Whether the closing bracket is there.
    var isClosed = false
    /// Where it is not: the start of what was cut off.
    var rest = 0
  }

  /// What stands between the bracket at `start` and the one that closes it, cut at commas.
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

  /// The array or object that starts at `start`; nil where the input ends before it does.
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

  /// The first byte at or after `position` that is no white space.
  static func skipSpace(in bytes: [UInt8], from position: Int) -> Int {
    var position = position
    while position < bytes.count, isSpace(bytes[position]) { position += 1 }
    return position
  }

  /// Behind the quote that ends the string starting at `start`; nil where it does not end.
  private static func endOfString(in bytes: [UInt8], at start: Int) -> Int? {
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

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
