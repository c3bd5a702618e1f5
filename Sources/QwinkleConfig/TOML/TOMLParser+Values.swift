import SafeText

/// Values: words, strings, arrays and inline tables.
extension TOMLParser {
  /// Reads a value. `path` is the key's path, or nil in arrays. `depth` counts the enclosing tables and arrays.
  mutating func value(at path: [String]?, depth: Int) throws(TOMLError) -> TOMLValue {
    if scanner.isString { return .string(try scanner.string(canBeLong: true)) }
    switch scanner.next {
    case UInt8(ascii: "["): return .array(try array(depth: depth))
    case UInt8(ascii: "{"): return .table(try inlineTable(at: path, depth: depth))
    default: return try word()
    }
  }

  // MARK: Arrays and tables

  private mutating func array(depth: Int) throws(TOMLError) -> TOMLArray {
    guard depth < Self.mostDepth else { throw scanner.error(Self.tooDeep) }
    let start = scanner.place
    scanner.place += 1
    var values: [TOMLValue] = []
    while true {
      try scanner.skipSpacesAndLines()
      if scanner.skip("]") { return TOMLArray(values) }
      if scanner.next == nil { throw Self.unclosed(start) }
      values.append(try value(at: nil, depth: depth + 1))
      try scanner.skipSpacesAndLines()
      if scanner.skip(",") { continue }
      if scanner.skip("]") { return TOMLArray(values) }
      throw scanner.next == nil ? Self.unclosed(start) : scanner.expected("“,” or “]” after the value")
    }
  }

  /// Returns an error at the opening bracket, because the missing bracket may belong anywhere up to the end of the
  /// file.
  private static func unclosed(_ start: Int) -> TOMLError {
    TOMLError(offset: start, reason: "expected “]” at the end of this array.")
  }

  private mutating func inlineTable(at path: [String]?, depth: Int) throws(TOMLError) -> TOMLTable {
    guard depth < Self.mostDepth else { throw scanner.error(Self.tooDeep) }
    scanner.place += 1
    let table = TOMLTable(.braces)
    scanner.skipSpaces()
    if scanner.skip("}") { return table }
    repeat {
      scanner.skipSpaces()
      try readPair(into: table, at: path, depth: depth, isInline: true)
      scanner.skipSpaces()
    } while scanner.skip(",")
    guard scanner.skip("}") else { throw scanner.expected("“,” or “}” after the value") }
    return table
  }

  // MARK: Words

  private mutating func word() throws(TOMLError) -> TOMLValue {
    let start = scanner.place
    scanner.skipWord()
    guard scanner.place > start else { throw scanner.expected("a value such as \"text\", 12 or true") }
    var word = scanner.bytes[start..<scanner.place]
    if word.elementsEqual("true".utf8) { return .boolean(true) }
    if word.elementsEqual("false".utf8) { return .boolean(false) }
    if TOMLDateTime.looksLikeOne(word) {
      skipTimeAfterSpace(date: word)
      word = scanner.bytes[start..<scanner.place]
      guard let value = TOMLDateTime(word) else {
        throw Self.error(start, word, "isn't a date or time such as 2026-11-12 or 2026-11-12 09:30:00")
      }
      return .dateTime(value)
    }
    guard let number = TOMLNumber(word) else { throw Self.notValue(start, word) }
    guard let value = number.value else { throw Self.error(start, word, "is too large for an integer of 64 bits") }
    return value
  }

  /// Skips a time that is separated from its date by a space.
  private mutating func skipTimeAfterSpace(date: ArraySlice<UInt8>) {
    let rest = scanner.bytes[scanner.place...]
    guard rest.first == TOMLScanner.space, rest.dropFirst().first?.isDigit == true, TOMLDateTime(date)?.hasTime != true
    else { return }
    scanner.place += 1
    scanner.skipWord()
  }

  private static func notValue(_ start: Int, _ word: ArraySlice<UInt8>) -> TOMLError {
    if let first = word.first, "+-0123456789".utf8.contains(first) { return error(start, word, "isn't a number") }
    let text = shortened(word)
    let lowercase = text.lowercased()
    if lowercase == "true" || lowercase == "false" {
      return error(start, word, "needs small letters: \(lowercase)")
    }
    return error(start, word, "needs quotes: \(TOMLText.quoted(text))")
  }

  private static func error(_ start: Int, _ word: ArraySlice<UInt8>, _ fault: String) -> TOMLError {
    TOMLError(offset: start, reason: "“\(shortened(word))” \(fault).")
  }

  private static func shortened(_ word: ArraySlice<UInt8>) -> String {
    let text = String(decoding: word, as: UTF8.self)
    return text.count > 40 ? text.prefix(40) + "…" : text
  }
}
