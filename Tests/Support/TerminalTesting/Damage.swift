/// Random corruption of text, like typing mistakes and disk errors.
public enum Damage {
  private static let pieces: [[UInt8]] = [
    [0], [0xFF], [0x1B], Array("\"".utf8), Array("'''".utf8), Array("[".utf8), Array("]]".utf8), Array("{".utf8),
    Array("=".utf8), Array("\n".utf8), Array("\r\n".utf8), Array("#".utf8), Array("\\u12".utf8),
    Array("99999999999999999999".utf8),
    Array("  ".utf8), Array("é\u{301}".utf8), Array(".".utf8), Array(",".utf8), Array("\t".utf8), Array(":".utf8),
    Array("^".utf8), Array("M-".utf8), Array("(".utf8), Array("not ".utf8),
  ]

  /// Returns `bytes` with one to five changes: removed, duplicated, moved, replaced or inserted parts, and flipped
  /// bits.
  public static func damaged(_ bytes: [UInt8], _ random: inout some RandomNumberGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 0...40, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 2: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
      case 3: bytes.removeSubrange(place...)
      case 4:
        bytes.replaceSubrange(place..<end, with: pieces.randomElement(using: &random) ?? [])
      case 5 where place < bytes.count: bytes[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      default:
        let part = Array(bytes[place..<end])
        bytes.removeSubrange(place..<end)
        bytes.insert(contentsOf: part, at: Int.random(in: 0...bytes.count, using: &random))
      }
    }
    return bytes
  }
}
