/// A cursor over the bytes of a TOML text. Reads spaces, line ends, comments and words.
struct TOMLScanner {
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let tab = UInt8(ascii: "\t")

  let bytes: [UInt8]
  /// Offset of the next byte.
  var place: Int

  init(_ bytes: [UInt8], at place: Int = 0) {
    self.bytes = bytes
    self.place = place
  }

  /// The next byte. Nil at the end of the text.
  var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// Length of the optional byte order mark.
  static func byteOrderMark(of bytes: [UInt8]) -> Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  /// Skips `text` and returns true if it is next. Otherwise returns false.
  mutating func skip(_ text: String) -> Bool {
    guard bytes[place...].starts(with: text.utf8) else { return false }
    place += text.utf8.count
    return true
  }

  // MARK: Space

  /// Skips spaces and tabs.
  mutating func skipSpaces() {
    while next == Self.space || next == Self.tab { place += 1 }
  }

  /// Skips a line feed, or a carriage return and a line feed. Returns false if neither is next.
  mutating func skipLineEnd() -> Bool {
    guard isLineEnd else { return false }
    place += next == Self.newline ? 1 : 2
    return true
  }

  /// Whether a line end is next.
  var isLineEnd: Bool {
    next == Self.newline
      || next == Self.carriageReturn && place + 1 < bytes.count && bytes[place + 1] == Self.newline
  }

  /// Skips a comment up to the end of its line.
  mutating func skipComment() throws(TOMLError) {
    guard next == UInt8(ascii: "#") else { return }
    while let byte = next, !isLineEnd {
      guard !Self.isControl(byte) else { throw error("a comment can't contain \(found).") }
      place += 1
    }
  }

  /// Skips spaces, line ends and comments, which arrays can contain anywhere.
  mutating func skipSpacesAndLines() throws(TOMLError) {
    repeat {
      skipSpaces()
      try skipComment()
    } while skipLineEnd()
  }

  /// Skips the rest of a line. Throws if it contains anything except spaces and a comment.
  mutating func endLine() throws(TOMLError) {
    skipSpaces()
    try skipComment()
    guard skipLineEnd() || next == nil else { throw expected("the end of the line") }
  }

  // MARK: Words

  /// Reads a bare key. Returns an empty string if none starts here.
  mutating func bareName() -> String {
    let start = place
    while let byte = next, TOMLText.isBare(byte) { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  /// Skips the bytes up to a space, a line end, a comment or a character that ends a value.
  mutating func skipWord() {
    while let byte = next, !Self.endsWord(byte) { place += 1 }
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case space, tab, newline, carriageReturn, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"),
      UInt8(ascii: "#"):
      true
    default: false
    }
  }

  /// Whether the byte is a control character that TOML allows only as an escape. Also true for the bytes of a line end.
  static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != tab || byte == 0x7F }

  // MARK: Errors

  /// Returns an error at the next byte.
  func error(_ reason: String) -> TOMLError { TOMLError(offset: place, reason: reason) }

  /// Returns an error at the next byte. The error names the expected text and the found text.
  func expected(_ what: String) -> TOMLError { error("expected \(what), found \(found).") }

  /// Description of the next character for errors.
  var found: String {
    if isLineEnd { return "the end of the line" }
    let character = String(decoding: bytes[place...].prefix(4), as: UTF8.self).unicodeScalars.first
    guard let character else { return "the end of the file" }
    switch character.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned, .privateUse:
      let digits = String(character.value, radix: 16, uppercase: true)
      return "the character U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    default: return "“\(character)”"
    }
  }
}
