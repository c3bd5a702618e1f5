extension SafeText {
  /// Returns JSON that has the same value and is safe to print: one line in which every character that ``line(_:)``
  /// would drop or change is a `\uXXXX` escape.
  ///
  /// Foundation's parser accepts a comma before a closing bracket and numbers such as `01`. RFC 8259 allows neither.
  /// The comma is removed, and the number becomes null.
  public static func json(_ json: [UInt8]) -> [UInt8] {
    var escaping = JSONEscaping()
    for scalar in repairing(json).unicodeScalars { escaping.take(scalar) }
    return escaping.finished()
  }
}

/// Copies JSON scalar by scalar. Escapes unsafe scalars in strings and drops white space between tokens.
private struct JSONEscaping {
  private var result: [UInt8] = []
  private var isInString = false
  /// Whether a comma was read but not written yet. It is dropped if a closing bracket follows.
  private var hasComma = false
  /// The part of a number that was read. It is written when the number ends.
  private var number: [UInt8] = []
  /// Whether the last scalar was a backslash that begins an escape.
  private var isAfterBackslash = false
  /// The last scalar, if it is in the same string and was copied unchanged. Marks and joiners need such a base.
  private var base: Unicode.Scalar?
  /// A joiner that is copied only if the next scalar can be joined too.
  private var joiner: Unicode.Scalar?
  /// Number of marks on the last base.
  private var marks = 0

  mutating func take(_ scalar: Unicode.Scalar) {
    guard isInString else { return takeOutside(scalar) }
    switch Cleaner.Kind(scalar) {
    case .ordinary:
      copy(scalar)
      marks = 0
      noteEnd(scalar)
    case .mark:
      marks += 1
      if !Cleaner.canJoin(scalar) { writeJoiner(before: nil) }
      if base == nil || marks > Cleaner.mostMarks { escape(scalar) } else { copy(scalar) }
    case .joiner:
      writeJoiner(before: nil)
      if let base, Cleaner.canJoin(base) { joiner = scalar } else { escape(scalar) }
    case .lineBreak, .tab, .forbidden: escape(scalar)
    }
  }

  /// Returns the copy. Call this once, after the last ``take(_:)``.
  mutating func finished() -> [UInt8] {
    writeNumber()
    return result
  }

  private mutating func takeOutside(_ scalar: Unicode.Scalar) {
    if !number.isEmpty {
      guard !JSONNumber.mayContain(scalar) else { return number += scalar.utf8 }
      writeNumber()
    }
    // Drop white space, and non-ASCII characters, which no valid token outside strings contains.
    guard scalar.value > 0x20, scalar.value < 0x7F else { return }
    if hasComma, scalar != "]", scalar != "}" { result.append(UInt8(ascii: ",")) }
    hasComma = scalar == ","
    if hasComma { return }
    isInString = scalar == "\""
    if JSONNumber.mayStart(with: scalar) { number += scalar.utf8 } else { result += scalar.utf8 }
  }

  private mutating func writeNumber() {
    guard !number.isEmpty else { return }
    result += JSONNumber.isValid(number) ? number : Array("null".utf8)
    number = []
  }

  /// Records the end of the string, or the start or end of an escape.
  private mutating func noteEnd(_ scalar: Unicode.Scalar) {
    if isAfterBackslash {
      isAfterBackslash = false
    } else if scalar == "\\" {
      isAfterBackslash = true
    } else if scalar == "\"" {
      isInString = false
      base = nil
    }
  }

  private mutating func copy(_ scalar: Unicode.Scalar) {
    writeJoiner(before: scalar)
    result += scalar.utf8
    base = scalar
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    writeJoiner(before: nil)
    write(scalar)
    base = nil
    isAfterBackslash = false
  }

  private mutating func writeJoiner(before next: Unicode.Scalar?) {
    guard let joiner else { return }
    self.joiner = nil
    if let next, Cleaner.canJoin(next) {
      result += joiner.utf8
    } else {
      write(joiner)
      base = nil
    }
  }

  /// Writes a scalar as one or two escapes.
  private mutating func write(_ scalar: Unicode.Scalar) {
    for unit in scalar.utf16 {
      let digits = String(unit, radix: 16)
      result += "\\u".utf8
      result += String(repeating: "0", count: 4 - digits.utf8.count).utf8
      result += digits.utf8
    }
  }
}

/// The grammar of numbers in RFC 8259, section 6.
private enum JSONNumber {
  static func mayStart(with scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar == "+" || scalar == "." || ("0"..."9").contains(scalar)
  }

  static func mayContain(_ scalar: Unicode.Scalar) -> Bool { mayStart(with: scalar) || scalar == "e" || scalar == "E" }

  static func isValid(_ token: [UInt8]) -> Bool {
    var rest = token[...]
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let integer = rest.prefix(while: \.isDigit)
    guard let first = integer.first, first != UInt8(ascii: "0") || integer.count == 1 else { return false }
    rest = rest.dropFirst(integer.count)
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: \.isDigit)
      guard !fraction.isEmpty else { return false }
      rest = rest.dropFirst(1 + fraction.count)
    }
    guard let mark = rest.popFirst() else { return true }
    guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return false }
    if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    return !rest.isEmpty && rest.allSatisfy(\.isDigit)
  }
}
