import QwinkleModel

/// Strings of all four kinds: `"…"`, `'…'`, `"""…"""` and `'''…'''`.
extension TOMLScanner {
  private struct Form {
    /// Offset of the first quote.
    let start: Int
    let quote: UInt8
    /// Whether the string is enclosed in triple quotes.
    let isLong: Bool

    var hasEscapes: Bool { quote == UInt8(ascii: "\"") }
    var delimiter: String { String(repeating: hasEscapes ? "\"" : "'", count: isLong ? 3 : 1) }
  }

  /// Whether a string starts here.
  var isString: Bool { next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") }

  /// Reads the string that starts here. `canBeLong` is false for keys, which can't be triple-quoted.
  mutating func string(canBeLong: Bool) throws(TOMLError) -> String {
    let form = open(canBeLong: canBeLong)
    if let end = endOfSimpleText(in: form) {
      defer { place = end + 1 }
      return String(decoding: bytes[place..<end], as: UTF8.self)
    }
    var text: [UInt8] = []
    while !close(form, &text) { try readPiece(of: form, into: &text) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the offset in `bytes` of a scalar in the valid string that starts at `start`. After the last scalar,
  /// returns the offset of the closing quotes.
  static func offset(ofScalar index: Int, inStringAt start: Int, of bytes: [UInt8]) -> Int {
    var scanner = TOMLScanner(bytes, at: start)
    let form = scanner.open(canBeLong: true)
    var text: [UInt8] = []
    var count = 0
    while true {
      let place = scanner.place
      let length = text.count
      if scanner.close(form, &text) { return place }
      guard (try? scanner.readPiece(of: form, into: &text)) != nil else { return place }
      count += text[length...].count { $0 & 0xC0 != 0x80 }
      if count > index { return place }
    }
  }

  // MARK: Quotes

  private mutating func open(canBeLong: Bool) -> Form {
    let start = place
    let quote = bytes[place]
    let isLong = canBeLong && bytes[place...].starts(with: [quote, quote, quote])
    let form = Form(start: start, quote: quote, isLong: isLong)
    place += isLong ? 3 : 1
    // A line end directly after the quotes isn't part of the text.
    if isLong { _ = skipLineEnd() }
    return form
  }

  /// Skips the closing quotes and returns true if they are next. Otherwise returns false.
  private mutating func close(_ form: Form, _ text: inout [UInt8]) -> Bool {
    guard next == form.quote, skip(form.delimiter) else { return false }
    // One or two quotes that follow the delimiter are the end of the text: `""""a""""` is `"a"`.
    for _ in 0..<2 where form.isLong && next == form.quote {
      text.append(form.quote)
      place += 1
    }
    return true
  }

  // MARK: Text

  /// Returns the offset of the closing quote of a string in one line without escapes. Returns nil for other strings,
  /// and for malformed ones.
  private func endOfSimpleText(in form: Form) -> Int? {
    guard !form.isLong else { return nil }
    let end = bytes[place...].firstIndex { $0 == form.quote || $0 == UInt8(ascii: "\\") || Self.isControl($0) }
    return end.flatMap { bytes[$0] == form.quote ? $0 : nil }
  }

  /// Reads an escape, a line end or one other byte.
  private mutating func readPiece(of form: Form, into text: inout [UInt8]) throws(TOMLError) {
    guard let byte = next else { throw unclosed(form) }
    if byte == UInt8(ascii: "\\"), form.hasEscapes {
      try readEscape(of: form, into: &text)
    } else if form.isLong, skipLineEnd() {
      text.append(Self.newline)
    } else if isLineEnd {
      throw unclosed(form)
    } else if Self.isControl(byte) {
      throw error("a string can't contain \(found).")
    } else {
      text.append(byte)
      place += 1
    }
  }

  private func unclosed(_ form: Form) -> TOMLError {
    TOMLError(offset: form.start, reason: "expected \(form.delimiter) at the end of this string.")
  }

  private mutating func readEscape(of form: Form, into text: inout [UInt8]) throws(TOMLError) {
    let start = place
    place += 1
    guard let letter = next else { throw unclosed(form) }
    if form.isLong, letter == Self.space || letter == Self.tab || Self.isControl(letter) {
      return try skipLineBreak()
    }
    place += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(letter)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "t"): text.append(Self.tab)
    case UInt8(ascii: "n"): text.append(Self.newline)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "r"): text.append(Self.carriageReturn)
    case UInt8(ascii: "u"): text += try scalar(digits: 4, escapeAt: start)
    case UInt8(ascii: "U"): text += try scalar(digits: 8, escapeAt: start)
    default:
      throw TOMLError(offset: start, reason: "unknown escape: write \\\\ for a backslash, or use '…'.")
    }
  }

  /// Skips spaces and line ends after a backslash at the end of a line.
  private mutating func skipLineBreak() throws(TOMLError) {
    skipSpaces()
    guard skipLineEnd() else { throw expected("the end of the line after “\\”") }
    repeat { skipSpaces() } while skipLineEnd()
  }

  /// Reads the digits of `\u` or `\U` and returns the character in UTF-8.
  private mutating func scalar(digits count: Int, escapeAt start: Int) throws(TOMLError) -> [UInt8] {
    let digits = bytes[place...].prefix(count)
    guard digits.count == count, digits.allSatisfy({ HexDigit.value(of: $0) != nil }),
      let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else {
      throw TOMLError(offset: start, reason: "expected \(count) hexadecimal digits after \\\(count == 4 ? "u" : "U").")
    }
    guard let scalar = Unicode.Scalar(number) else {
      throw TOMLError(offset: start, reason: "this escape isn't a Unicode character.")
    }
    place += count
    return Array(String(scalar).utf8)
  }
}
