import SafeText
import Terminal

/// The last check of all output to a terminal. Only allowed output passes: printable text, and sequences that move the
/// cursor, erase, scroll, set colours, or switch the modes used by this program (ECMA-48, and the private modes of
/// xterm and the Linux console that terminal descriptions contain).
struct EscapeSequenceFilter {
  /// Sequences that ncurses never sends. The filter allows them only in output for which the caller requests them.
  struct Allowance: OptionSet {
    let rawValue: UInt8
    /// Setting the window's title (OSC 2), and saving it on the terminal's stack (XTWINOPS 22 and 23).
    static let title = Allowance(rawValue: 1)
    /// Writing to the clipboard (OSC 52).
    static let clipboard = Allowance(rawValue: 2)
    /// Queries: each ``TerminalQuery``.
    static let queries = Allowance(rawValue: 4)
    /// Ringing the bell, and desktop notifications (OSC 9 and 777).
    static let attention = Allowance(rawValue: 8)
    /// Pictures: each ``GraphicsCommand``.
    static let pictures = Allowance(rawValue: 16)
    /// Pictures drawn over cells: each ``InlineCommand``.
    static let inlinePictures = Allowance(rawValue: 32)
    /// Links (OSC 8): each command of ``LinkSequences``.
    static let links = Allowance(rawValue: 64)
  }

  /// Number of sequences and characters refused.
  private(set) var refused = 0

  /// Final bytes of allowed control sequences: move, erase, insert, delete, scroll, repeat, tabs, modes, attributes.
  private static let finals = Array("@ABCDEFGHIJKLMPSTXZ`abcdefghlmrs".utf8)
  /// Allowed private modes, ESC `[?` … `h` or `l`: cursor keys, 80 or 132 columns, smooth scrolling, wrapping, blinking
  /// and visible cursor, alternate screens, alternate-key mode, mouse, paste, synchronized frames.
  private static let modes = [
    1, 3, 4, 5, 7, 8, 12, 25, 47, 1000, 1002, 1006, 1034, 1047, 1048, 1049, 2004, 2026,
  ]
  /// Characters allowed directly after an escape: save, restore, keypad, index, next line, reverse index, tab stop.
  private static let singles = Array("78=>DEMH".utf8)
  static let maximumParameterBytes = 64
  private static let escape: UInt8 = 0x1B

  /// Returns `bytes` with only the sequences and characters that are allowed.
  mutating func passing(_ bytes: [UInt8], allowing allowance: Allowance = []) -> [UInt8] {
    var passed: [UInt8] = []
    passed.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte >= 0x20, byte < 0x7F {
        passed.append(byte)
        index += 1
        continue
      }
      let (length, isAllowed) = Self.piece(bytes[index...], allowance)
      let piece = bytes[index..<(index + length)]
      if isAllowed {
        if let lines = Self.singleScrolls(piece) { passed += lines } else { passed += piece }
      } else if byte != 0, !Self.isTitleStackOfNcurses(piece) {
        // Don't count NUL, which is only padding, and ncurses' title sequences, which ``TerminalModes`` replaces.
        refused += 1
      }
      index += length
    }
    return passed
  }

  /// Returns single scrolls that are equivalent to CSI n S or CSI n T, or nil for any other sequence. Some terminals
  /// and players of casts (recordings of terminals) don't support these two sequences and would leave the old lines in
  /// place. A line feed or a reverse index is equivalent only in the last or first row of the scrolled region, but
  /// ncurses sends the sequences only from these rows.
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

  /// Whether `piece` is the sequence with which ncurses makes xterm save or restore title and icon. ``TerminalModes``
  /// does this for the title.
  private static func isTitleStackOfNcurses(_ piece: ArraySlice<UInt8>) -> Bool {
    piece.elementsEqual("\u{1B}[22;0;0t".utf8) || piece.elementsEqual("\u{1B}[23;0;0t".utf8)
  }

  private static func piece(_ bytes: ArraySlice<UInt8>, _ allowance: Allowance) -> (length: Int, isAllowed: Bool) {
    let first = bytes[bytes.startIndex]
    switch first {
    case 0x08, 0x0A, 0x0D, 0x0E, 0x0F: return (1, true)
    case 0x07: return (1, allowance.contains(.attention))
    case escape: return sequence(bytes, allowance)
    case 0x80...: return character(bytes)
    default: return (1, false)
    }
  }

  private static func sequence(_ bytes: ArraySlice<UInt8>, _ allowance: Allowance) -> (length: Int, isAllowed: Bool) {
    guard let second = bytes.dropFirst().first else { return (1, false) }
    if singles.contains(second) { return (2, true) }
    switch second {
    case UInt8(ascii: "["):
      let parameters = bytes.dropFirst(2).prefix { 0x30...0x3F ~= $0 }
      let between = bytes.dropFirst(2 + parameters.count).prefix { 0x20...0x2F ~= $0 }
      let length = 3 + parameters.count + between.count
      guard length <= bytes.count else { return (bytes.count, false) }
      return (length, allows(bytes.dropFirst(2).prefix(length - 2), parameters, allowance))
    case UInt8(ascii: "("), UInt8(ascii: ")"):
      // The character set: ASCII, or the line-drawing characters of a VT100.
      guard let third = bytes.dropFirst(2).first else { return (2, false) }
      return (3, "AB0".utf8.contains(third))
    case UInt8(ascii: "]"):
      return command(bytes, allowance)
    case UInt8(ascii: "_"):
      return graphics(bytes, allowance)
    case UInt8(ascii: "P"):
      return string(bytes, allowance)
    default:
      return (2, false)
    }
  }

  // MARK: Control sequences

  /// Whether a control sequence is allowed. `body` is the part after ESC `[`.
  private static func allows(
    _ body: ArraySlice<UInt8>, _ parameters: ArraySlice<UInt8>, _ allowance: Allowance
  ) -> Bool {
    func isOneOf(_ sequences: String...) -> Bool { sequences.contains { body.elementsEqual($0.utf8) } }
    if allowance.contains(.queries), isOneOf("6n", "?2026$p", ">q", "c", "14t", "16t") { return true }
    if allowance.contains(.title), isOneOf("22;2t", "23;2t") { return true }
    guard parameters.count <= maximumParameterBytes, body.count == parameters.count + 1, let final = body.last,
      finals.contains(final)
    else { return false }
    // Without a private marker, `c` asks the terminal for its type.
    guard let marker = parameters.first, marker >= 0x3C else { return final != UInt8(ascii: "c") }
    return marker == UInt8(ascii: "?") && allowsPrivate(parameters.dropFirst(), final)
  }

  private static func allowsPrivate(_ parameters: ArraySlice<UInt8>, _ final: UInt8) -> Bool {
    // `c` sets the shape of the Linux console's cursor.
    if final == UInt8(ascii: "c") { return parameters.allSatisfy { $0 < 0x3C } }
    guard final == UInt8(ascii: "h") || final == UInt8(ascii: "l") else { return false }
    return parameters.split(separator: UInt8(ascii: ";")).allSatisfy { part in
      Int(String(decoding: part, as: UTF8.self)).map(modes.contains) ?? false
    }
  }

  // MARK: Commands to the terminal's program (OSC)

  private static func command(_ bytes: ArraySlice<UInt8>, _ allowance: Allowance) -> (length: Int, isAllowed: Bool) {
    // The Linux console's command that resets its colours has no terminator.
    if bytes.starts(with: "\u{1B}]R".utf8) { return (3, true) }
    let content = bytes.dropFirst(2).prefix { $0 != 0x07 && $0 != escape }
    let end = bytes[content.endIndex...]
    // The length of a refused command includes its terminator. Otherwise the terminal could print a part of the command
    // as text.
    let endLength = end.isEmpty ? 0 : end.first == 0x07 ? 1 : min(2, end.count)
    let isEnded = end.first == 0x07 || end.starts(with: "\u{1B}\\".utf8)
    return (2 + content.count + endLength, isEnded && allows(content, allowance))
  }

  private static func allows(_ content: ArraySlice<UInt8>, _ allowance: Allowance) -> Bool {
    // This command resets xterm's colours.
    if content.elementsEqual("104".utf8) { return true }
    if allowance.contains(.queries), content.elementsEqual("11;?".utf8) { return true }
    if allowance.contains(.links), LinkSequences.isAllowed(command: content) { return true }
    if allowance.contains(.inlinePictures), InlineCommand.isAllowed(command: content) { return true }
    if allowance.contains(.title), content.starts(with: "2;".utf8) { return isPrintable(content) }
    if allowance.contains(.attention), content.starts(with: "777;notify;".utf8) { return isPrintable(content) }
    // OSC 9 with a number is another command, such as progress or the current folder.
    if allowance.contains(.attention), content.starts(with: "9;".utf8), let first = content.dropFirst(2).first {
      return !first.isDigit && isPrintable(content)
    }
    return allowance.contains(.clipboard) && content.starts(with: "52;c;".utf8)
      && content.dropFirst(5).allSatisfy(\.isBase64)
  }

  /// Returns the length of a command of the graphics protocol, including its terminator, and whether the command is
  /// allowed.
  private static func graphics(_ bytes: ArraySlice<UInt8>, _ allowance: Allowance) -> (length: Int, isAllowed: Bool) {
    let content = bytes.dropFirst(2).prefix { $0 >= 0x20 && $0 < 0x7F }
    guard bytes[content.endIndex...].starts(with: "\u{1B}\\".utf8) else {
      return (2 + content.count, false)
    }
    let isQuery = allowance.contains(.queries) && content.elementsEqual(GraphicsCommand.query.utf8)
    return (4 + content.count, isQuery || (allowance.contains(.pictures) && GraphicsCommand.isAllowed(content)))
  }

  /// Returns the length of a device control string (DCS), including its terminator, and whether the string is allowed.
  private static func string(_ bytes: ArraySlice<UInt8>, _ allowance: Allowance) -> (length: Int, isAllowed: Bool) {
    guard allowance.contains(.inlinePictures) else { return (2, false) }
    let content = bytes.dropFirst(2).prefix { $0 >= 0x20 && $0 < 0x7F }
    guard bytes[content.endIndex...].starts(with: "\u{1B}\\".utf8) else { return (2 + content.count, false) }
    return (4 + content.count, InlineCommand.isAllowed(string: content))
  }

  // MARK: Text

  private static func isPrintable(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = text
    while let first = rest.first {
      if first < 0x20 || first == 0x7F { return false }
      let (length, isAllowed) = first < 0x80 ? (1, true) : character(rest)
      guard isAllowed else { return false }
      rest = rest.dropFirst(length)
    }
    return true
  }

  /// Returns the length of a character of several bytes, and whether it is allowed. It must be well-formed. Controls,
  /// most invisible characters, and substitutes are refused.
  private static func character(_ bytes: ArraySlice<UInt8>) -> (length: Int, isAllowed: Bool) {
    let first = bytes[bytes.startIndex]
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    let piece = bytes.prefix(length)
    var decoder = UTF8()
    var iterator = piece.makeIterator()
    guard piece.count == length, case .scalarValue(let scalar) = decoder.decode(&iterator) else { return (1, false) }
    switch scalar.value {
    case ..<0xA0, 0xAD, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
      0xE0000...0xE00FF, 0xE01F0...0xE0FFF, Substitute.first, Substitute.links, Substitute.further.value:
      return (length, false)
    default:
      return (length, true)
    }
  }
}
