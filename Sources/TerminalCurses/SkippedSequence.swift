/// A sequence of which nothing is kept: it is passed over up to its end, however long it is and whenever that comes.
enum SkippedSequence {
  /// A string for the program (OSC, DCS, APC, PM, SOS), up to BEL or ESC `\`. Only terminals send these; where a key
  /// with Alt looks like its beginning, the next key that is no character ends it.
  case string
  /// A control sequence that is longer than any, up to its final byte.
  case control

  /// The index behind its end in `bytes`; nil where that is not in them. What cannot be part of it ends it too and is
  /// left to be read.
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

/// The rest of a sequence whose escape came so much earlier that it was taken for the key, or for the end of something.
enum LateSequence {
  /// Behind the key.
  case sequence
  /// Behind an escape that may have been the first half of a string's end.
  case end

  /// Final bytes of control sequences that keys and the mouse send without parameters.
  private static let finals = Array("ABCDEFHIMOPQRSZ".utf8)

  /// Whether `bytes`, which came together, continue it: nobody types so fast.
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
