/// Makes text of bytes that come in pieces. A character that is cut between two waits for its end; a byte that belongs
/// to none is U+FFFD.
struct UTF8Carry: Sendable {
  private var held: [UInt8] = []

  /// What is whole, with `bytes` at its end.
  mutating func take(_ bytes: some Sequence<UInt8>) -> String {
    held += bytes
    let whole = held.count - Self.countOfBeginning(at: held)
    defer { held.removeFirst(whole) }
    return String(decoding: held.prefix(whole), as: UTF8.self)
  }

  /// What was held back, as there is no more to come.
  mutating func finish() -> String {
    defer { held = [] }
    return String(decoding: held, as: UTF8.self)
  }

  /// How many bytes at the end, 0 to 3, may begin a character.
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
