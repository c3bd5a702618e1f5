/// Splits a tape's text into the pieces of commands: words, numbers, quoted texts and patterns. Only a JSON object can
/// span several lines.
struct TapeScanner {
  /// A position in the text to return to.
  struct Mark: Hashable {
    fileprivate(set) var index = 0
    /// From 1.
    fileprivate(set) var line = 1
    fileprivate var lineStart = 0

    /// From 1, in scalars.
    var column: Int { index - lineStart + 1 }
  }

  /// An error in reading a piece.
  struct Fault: Error {
    let mark: Mark
    let sentence: String
  }

  private let scalars: [Unicode.Scalar]
  private(set) var mark = Mark()

  /// Accepts LF, CR LF and CR as line ends.
  init(_ text: String) {
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(text.utf8.count)
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      if scalar == "\n", isAfterReturn {
        isAfterReturn = false
        continue
      }
      isAfterReturn = scalar == "\r"
      scalars.append(isAfterReturn ? "\n" : scalar)
    }
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    self.scalars = scalars
  }

  /// The next scalar; nil at the end.
  var next: Unicode.Scalar? { mark.index < scalars.count ? scalars[mark.index] : nil }

  /// Returns the text between `start` and the current position.
  func text(from start: Mark) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start.index..<mark.index])
    return String(text)
  }

  mutating func goBack(to mark: Mark) {
    self.mark = mark
  }

  /// Skips one scalar.
  mutating func skip() {
    guard let next else { return }
    mark.index += 1
    if next == "\n" {
      mark.line += 1
      mark.lineStart = mark.index
    }
  }

  private mutating func skip(while condition: (Unicode.Scalar) -> Bool) {
    while let next, condition(next) { skip() }
  }

  // MARK: Between pieces

  /// Skips blanks and tabs.
  mutating func skipBlanks() {
    skip(while: Self.isBlank)
  }

  /// Skips blanks, empty lines and comments before a command.
  mutating func skipToCommand() {
    while let next {
      if next == "#" {
        skip(while: { $0 != "\n" })
      } else if Self.isBlank(next) || next == "\n" {
        skip()
      } else {
        return
      }
    }
  }

  mutating func skipLine() {
    skip(while: { $0 != "\n" })
  }

  /// Moves to the next piece of the command and returns its first scalar, or nil at the end of the command. The piece
  /// may be on a later line, unless that line begins with a comment, or with a letter and therefore with a command.
  mutating func moveToPiece() -> Unicode.Scalar? {
    skipBlanks()
    guard next == "\n" else { return next == "#" ? nil : next }
    let end = mark
    skip(while: { $0 == "\n" || Self.isBlank($0) })
    if let next, next != "#", !next.properties.isAlphabetic { return next }
    mark = end
    return nil
  }

  /// Consumes `sign` and the blanks and line ends before it, if it begins the next piece. Otherwise returns false.
  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    let start = mark
    if moveToPiece() == sign {
      skip()
      return true
    }
    mark = start
    return false
  }

  // MARK: Pieces

  /// Reads a word such as a command: letters, digits, `.`, `-`, `_` and `%`. Returns an empty string if there is no
  /// word.
  mutating func takeWord() -> String {
    let start = mark
    skip(while: Self.isInWord)
    return text(from: start)
  }

  /// Reads ASCII letters and digits.
  mutating func takeName() -> String {
    let start = mark
    skip(while: { $0.isASCII && $0.properties.isAlphabetic || Self.isDigit($0) })
    return text(from: start)
  }

  /// Reads everything before a blank, a line end, a quotation mark or a comment.
  mutating func takeBare() -> String {
    let start = mark
    skip(while: { !Self.isBlank($0) && $0 != "\n" && $0 != "#" && !Self.isQuote($0) })
    return text(from: start)
  }

  /// Reads digits and dots in any order.
  mutating func takeNumber() -> String {
    let start = mark
    skip(while: { Self.isDigit($0) || $0 == "." })
    return text(from: start)
  }

  /// Reads quoted text, from the quotation mark at the current position to its next occurrence. There are no escapes.
  mutating func takeQuoted() throws(Fault) -> String {
    guard let quote = next else { return "" }
    let start = mark
    skip()
    let first = mark
    while let next, next != quote, next != "\n" {
      guard next == "\t" || !Self.isControl(next) else {
        throw Fault(mark: mark, sentence: "Type can't send a control character. Use its key: Enter, Escape, Ctrl+C.")
      }
      skip()
    }
    return try takeEnd(quote, of: "text", from: start, first)
  }

  /// Reads a pattern, from the slash at the current position to the next slash that isn't escaped by a backslash.
  /// Returns the text between the slashes.
  mutating func takeExpression() throws(Fault) -> String {
    let start = mark
    skip()
    let first = mark
    while let next, next != "/", next != "\n" {
      skip()
      if next == "\\", self.next != "\n" { skip() }
    }
    return try takeEnd("/", of: "pattern", from: start, first)
  }

  /// Returns the text between `first` and the current position. Throws if the next scalar isn't `end`.
  private mutating func takeEnd(
    _ end: Unicode.Scalar, of what: String, from start: Mark, _ first: Mark
  ) throws(Fault) -> String {
    guard next == end else {
      throw Fault(mark: start, sentence: "The \(what) has no end. Add \(end) before the end of the line.")
    }
    defer { skip() }
    return text(from: first)
  }

  /// Reads a JSON object, from the brace at the current position to the first closing brace. The object may span
  /// several lines.
  mutating func takeObject() throws(Fault) -> String {
    let start = mark
    skip(while: { $0 != "}" })
    guard next == "}" else {
      throw Fault(mark: start, sentence: "The theme has no end. Add }.")
    }
    skip()
    return text(from: start)
  }

  // MARK: Kinds of scalars

  static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

  static func isDigit(_ scalar: Unicode.Scalar) -> Bool { 0x30...0x39 ~= scalar.value }

  static func isQuote(_ scalar: Unicode.Scalar) -> Bool { scalar == "\"" || scalar == "'" || scalar == "`" }

  private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || isDigit(scalar) || scalar == "." || scalar == "-" || scalar == "_"
      || scalar == "%"
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
  }
}
