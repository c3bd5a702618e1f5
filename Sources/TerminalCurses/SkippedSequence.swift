/// A sequence that is ignored up to its end, regardless of its length and of when its end arrives.
enum SkippedSequence {
  /// A string sequence (OSC, DCS, APC, PM, SOS), up to BEL or ESC `\`. Only terminals send strings, but a key with Alt
  /// may look like the start of a string. In that case, the next key that isn't a character ends the skipped sequence.
  case string
  /// A control sequence longer than any known one, up to its final byte.
  case control

  /// Returns the index after the sequence's end in `bytes`, or nil if `bytes` don't contain the end. A byte that can't
  /// be part of the sequence also ends the sequence, and is not skipped.
  func end(in bytes: ArraySlice<UInt8>) -> Int? {
    switch self {
    case .control:
      guard let index = bytes.firstIndex(where: { !(0x20...0x3F ~= $0) }) else { return nil }
      return 0x40...0x7E ~= bytes[index] ? index + 1 : index
    case .string:
      guard let index = bytes.firstIndex(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
      switch bytes[index] {
      case 0x07: return index + 1
      case KeyDecoder.escape:
        guard index + 1 < bytes.endIndex else { return nil }
        return bytes[index + 1] == UInt8(ascii: "\\") ? index + 2 : index
      default: return index
      }
    }
  }
}

/// The rest of a sequence whose escape arrived much earlier. The escape was decoded as a key, or as the end of another
/// sequence.
enum LateSequence {
  /// After an escape that was decoded as a key.
  case sequence
  /// After an escape that may have been the first half of a string's terminator.
  case end

  /// Final bytes of control sequences without parameters, for keys and the mouse.
  private static let finals = Array("ABCDEFHIMOPQRSZ".utf8)

  /// Whether `bytes` continue the sequence. They must have arrived together: a user can't type this fast.
  func continues(in bytes: [UInt8]) -> Bool {
    guard let first = bytes.first else { return false }
    if self == .end, first == UInt8(ascii: "\\") { return true }
    guard let second = bytes.dropFirst().first else { return false }
    switch first {
    case UInt8(ascii: "["): return 0x30...0x3F ~= second || Self.finals.contains(second)
    case UInt8(ascii: "O"): return bytes.count == 2 && "ABCDFHPQRS".utf8.contains(second)
    case UInt8(ascii: "]"): return 0x30...0x39 ~= second && bytes.count > 3
    case UInt8(ascii: "P"): return "0123456789>!+$".utf8.contains(second) && bytes.count > 3
    case UInt8(ascii: "_"): return second == UInt8(ascii: "G") && bytes.count > 3
    default: return false
    }
  }
}
