/// One piece of terminal output: a character, a control, or an escape sequence (ECMA-48).
public struct TerminalSequence: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case text(Unicode.Scalar)
    /// A control character, including DEL.
    case control(UInt8)
    /// ESC, intermediate bytes and a final byte.
    case escape(between: [UInt8], final: UInt8)
    /// ESC `[`, parameters with their prefix, intermediate bytes and a final byte.
    case csi(parameters: [UInt8], between: [UInt8], final: UInt8)
    /// OSC (`]`), DCS (`P`), SOS (`X`), PM (`^`) or APC (`_`), with the text up to the terminator.
    case string(introducer: UInt8, content: [UInt8])
    /// Invalid UTF-8, or an unfinished sequence.
    case broken
  }

  public let kind: Kind
  /// Byte offsets in the output.
  public let range: Range<Int>

  /// Returns the sequences of `bytes` in order.
  public static func all(in bytes: [UInt8]) -> [TerminalSequence] {
    var reader = Reader(bytes: bytes)
    var sequences: [TerminalSequence] = []
    sequences.reserveCapacity(bytes.count)
    while reader.index < bytes.count {
      let start = reader.index
      let kind = reader.next()
      sequences.append(TerminalSequence(kind: kind, range: start..<reader.index))
    }
    return sequences
  }
}

extension TerminalSequence {
  private struct Reader {
    let bytes: [UInt8]
    var index = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    private static let escape: UInt8 = 0x1B
    private static let bell: UInt8 = 0x07

    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func next() -> Kind {
      let first = bytes[index]
      index += 1
      switch first {
      case Self.escape: return sequence()
      case 0x00..<0x20, 0x7F: return .control(first)
      case 0x20..<0x7F: return .text(Unicode.Scalar(first))
      default: return character(first)
      }
    }

    private mutating func character(_ first: UInt8) -> Kind {
      let count = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1
      let piece = bytes[(index - 1)..<min(bytes.count, index + count)]
      var decoder = UTF8()
      var iterator = piece.makeIterator()
      guard piece.count == count + 1, case .scalarValue(let scalar) = decoder.decode(&iterator) else { return .broken }
      index += count
      return .text(scalar)
    }

    private mutating func sequence() -> Kind {
      guard let second = byte else { return .broken }
      switch second {
      case UInt8(ascii: "["):
        index += 1
        return controlSequence()
      case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
        index += 1
        return string(second)
      default:
        let between = take(0x20...0x2F)
        guard let final = byte, 0x30...0x7E ~= final else { return .broken }
        index += 1
        return .escape(between: between, final: final)
      }
    }

    private mutating func controlSequence() -> Kind {
      let parameters = take(0x30...0x3F)
      let between = take(0x20...0x2F)
      guard let final = byte, 0x40...0x7E ~= final else { return .broken }
      index += 1
      return .csi(parameters: parameters, between: between, final: final)
    }

    private mutating func string(_ introducer: UInt8) -> Kind {
      // The Linux console's sequence to reset its palette has no terminator.
      if introducer == UInt8(ascii: "]"), byte == UInt8(ascii: "R") {
        index += 1
        return .string(introducer: introducer, content: Array("R".utf8))
      }
      let start = index
      while let byte {
        index += 1
        if byte == Self.bell, introducer == UInt8(ascii: "]") {
          return .string(introducer: introducer, content: Array(bytes[start..<(index - 1)]))
        }
        guard byte == Self.escape else { continue }
        guard self.byte == UInt8(ascii: "\\") else {
          // Another sequence begins before the terminator.
          index -= 1
          return .broken
        }
        index += 1
        return .string(introducer: introducer, content: Array(bytes[start..<(index - 2)]))
      }
      return .broken
    }

    private mutating func take(_ allowed: ClosedRange<UInt8>) -> [UInt8] {
      let taken = bytes[index...].prefix { allowed ~= $0 }
      index += taken.count
      return Array(taken)
    }
  }
}
