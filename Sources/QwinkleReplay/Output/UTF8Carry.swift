/// Decodes UTF-8 received in pieces. An incomplete character at the end of a piece is buffered. Invalid bytes become
/// U+FFFD.
struct UTF8Carry: Sendable {
  private var held: [UInt8] = []

  /// Adds `bytes` and returns the complete characters.
  mutating func take(_ bytes: some Sequence<UInt8>) -> String {
    held += bytes
    let whole = held.count - Self.countOfBeginning(at: held)
    defer { held.removeFirst(whole) }
    return String(decoding: held.prefix(whole), as: UTF8.self)
  }

  /// Returns the buffered bytes as text. Call this after the last piece.
  mutating func finish() -> String {
    defer { held = [] }
    return String(decoding: held, as: UTF8.self)
  }

  /// Returns the number of bytes at the end, 0 to 3, that may begin a character.
  private static func countOfBeginning(at bytes: [UInt8]) -> Int {
    for (offset, byte) in bytes.suffix(3).reversed().enumerated() {
      let length =
        switch byte {
        case 0x80...0xBF: 0
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
      if length > 0 { return length > offset + 1 ? offset + 1 : 0 }
    }
    return 0
  }
}
