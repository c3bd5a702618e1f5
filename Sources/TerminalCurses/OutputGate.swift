import Terminal

/// The last look at what goes to a terminal: of what ncurses wrote, what is on this list goes on, and nothing else
/// does. Printable text; sequences that place, erase, scroll, colour, and switch what this program switches (ECMA-48,
/// and xterm's and the Linux console's private modes that terminal descriptions name).
enum OutputGate {
  /// Final bytes of control sequences: moving, erasing, inserting and deleting, scrolling, repeating, tabs, modes,
  /// looks.
  private static let finals = Array("@ABCDEFGHIJKLMPSTXZ`abcdefghlmrs".utf8)
  /// The private modes, ESC `[?` … `h` or `l`: cursor keys, 80 or 132 columns off, smooth scrolling, wrapping, blinking
  /// and visible cursor, alternate screens, alternate-key mode, mouse, paste, whole frames.
  private static let modes = [
    1, 3, 4, 5, 7, 8, 12, 25, 47, 1000, 1002, 1006, 1034, 1047, 1048, 1049, 2004, 2026,
  ]
  /// What may follow an escape alone: save, restore, keypad, index, next line, reverse index, tab stop.
  private static let singles = Array("78=>DEMH".utf8)
  private static let escape: UInt8 = 0x1B

  /// `bytes` without what is not on the list, and how many pieces that were.
  static func passing(_ bytes: [UInt8]) -> (bytes: [UInt8], refused: Int) {
    var passed: [UInt8] = []
    passed.reserveCapacity(bytes.count)
    var refused = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte >= 0x20, byte < 0x7F {
        passed.append(byte)
        index += 1
        continue
      }
      let (length, isAllowed) = piece(bytes[index...])
      if isAllowed {
        let piece = bytes[index..<(index + length)]
        if let lines = singleScrolls(piece) { passed += lines } else { passed += piece }
      } else if byte != 0, !isTitleStack(bytes[index..<(index + length)]) {
        // Padding is no loss, and titles are kept otherwise.
        refused += 1
      }
      index += length
    }
    return (passed, refused)
  }

  /// The same as CSI n S and T, line by line. Not all terminals and players of casts know these: one that does not
  /// leaves the old lines where they were. ncurses sends them only from the last or the first row of what scrolls.
  private static func singleScrolls(_ piece: ArraySlice<UInt8>) -> [UInt8]? {
    let line: [UInt8]
    switch piece.last {
    case UInt8(ascii: "S"): line = [0x0A]
    case UInt8(ascii: "T"): line = [escape, UInt8(ascii: "M")]
    default: return nil
    }
    guard piece.count > 3, let count = Int(String(decoding: piece.dropFirst(2).dropLast(), as: UTF8.self)),
      (1...Size.largestScreen.rows).contains(count)
    else { return nil }
    return Array(repeatElement(line, count: count).joined())
  }

  /// xterm's descriptions keep the window's title and icon (XTWINOPS 22 and 23) when the screen is taken and given
  /// back.
  private static func isTitleStack(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.elementsEqual("\u{1B}[22;0;0t".utf8) || bytes.elementsEqual("\u{1B}[23;0;0t".utf8)
  }

  private static func piece(_ bytes: ArraySlice<UInt8>) -> (length: Int, isAllowed: Bool) {
    let first = bytes[bytes.startIndex]
    switch first {
    case 0x08, 0x0A, 0x0D, 0x0E, 0x0F: return (1, true)
    case escape: return sequence(bytes)
    case 0x80...: return character(bytes)
    default: return (1, false)
    }
  }

  private static func sequence(_ bytes: ArraySlice<UInt8>) -> (length: Int, isAllowed: Bool) {
    guard let second = bytes.dropFirst().first else { return (1, false) }
    if singles.contains(second) { return (2, true) }
    switch second {
    case UInt8(ascii: "["):
      let parameters = bytes.dropFirst(2).prefix { 0x30...0x3F ~= $0 }
      guard let final = bytes.dropFirst(2 + parameters.count).first else { return (bytes.count, false) }
      let length = 3 + parameters.count
      guard parameters.count <= 64, finals.contains(final) else { return (length, false) }
      // Without a mark, `c` asks the terminal what it is.
      guard let marker = parameters.first, marker >= 0x3C else { return (length, final != UInt8(ascii: "c")) }
      return (length, marker == UInt8(ascii: "?") && allowsPrivate(parameters.dropFirst(), final))
    case UInt8(ascii: "("), UInt8(ascii: ")"):
      // Which characters: ASCII, or the lines of a VT100.
      guard let third = bytes.dropFirst(2).first else { return (2, false) }
      return (3, "AB0".utf8.contains(third))
    case UInt8(ascii: "]"):
      return colorReset(bytes)
    default:
      return (2, false)
    }
  }

  /// The two ways to set a terminal's colours back, the Linux console's and xterm's: nothing else of this kind is
  /// ncurses'.
  private static func colorReset(_ bytes: ArraySlice<UInt8>) -> (length: Int, isAllowed: Bool) {
    for reset in colorResets where bytes.starts(with: reset) { return (reset.count, true) }
    // What is not allowed goes whole: the rest of it would be text.
    let end = bytes.dropFirst(2).firstIndex { $0 == 0x07 || $0 == escape } ?? bytes.endIndex
    let terminator = end == bytes.endIndex ? 0 : bytes[end] == 0x07 ? 1 : 2
    return (min(bytes.count, end - bytes.startIndex + terminator), false)
  }

  private static let colorResets = ["\u{1B}]R", "\u{1B}]104\u{7}", "\u{1B}]104\u{1B}\\"].map { Array($0.utf8) }

  private static func allowsPrivate(_ parameters: ArraySlice<UInt8>, _ final: UInt8) -> Bool {
    // The Linux console's cursor has a shape.
    if final == UInt8(ascii: "c") { return parameters.allSatisfy { $0 < 0x3C } }
    guard final == UInt8(ascii: "h") || final == UInt8(ascii: "l") else { return false }
    return parameters.split(separator: UInt8(ascii: ";")).allSatisfy { part in
      Int(String(decoding: part, as: UTF8.self)).map(modes.contains) ?? false
    }
  }

  /// A character of several bytes: well-formed, and none that commands or reorders.
  private static func character(_ bytes: ArraySlice<UInt8>) -> (length: Int, isAllowed: Bool) {
    let first = bytes[bytes.startIndex]
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    let piece = bytes.prefix(length)
    var decoder = UTF8()
    var iterator = piece.makeIterator()
    guard piece.count == length, case .scalarValue(let scalar) = decoder.decode(&iterator) else { return (1, false) }
    switch scalar.value {
    case ..<0xA0, 0xAD, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
      0xE0000...0xE0FFF:
      return (length, false)
    default:
      return (length, true)
    }
  }
}
