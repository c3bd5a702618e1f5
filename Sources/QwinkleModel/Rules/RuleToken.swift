/// A token of a rule's text.
struct RuleToken: Hashable {
  enum Kind: Hashable {
    case opening, closing
    case quoted(String)
    /// A word in lower case, and the value after its colon, if any.
    case word(String, value: String?)
  }

  let kind: Kind
  /// The offset in Unicode scalars, from 0.
  let offset: Int
  /// The offset of the value after the colon.
  var valueOffset = 0

  /// Whether it is this word without a value, such as the operator `and`.
  func isWord(_ word: String) -> Bool { kind == .word(word, value: nil) }

  static func tokens(of text: String) throws(RuleProblem) -> [RuleToken] {
    let scalars = Array(text.unicodeScalars)
    var tokens: [RuleToken] = []
    var place = 0
    while place < scalars.count {
      let start = place
      switch scalars[place] {
      case _ where isWhitespace(scalars[place]): place += 1
      case "(", ")":
        tokens.append(RuleToken(kind: scalars[place] == "(" ? .opening : .closing, offset: place))
        place += 1
      case "\"", "'":
        tokens.append(RuleToken(kind: .quoted(try quoted(scalars, &place)), offset: start))
      default: tokens.append(try word(scalars, &place))
      }
    }
    return tokens
  }

  private static func quoted(_ scalars: [Unicode.Scalar], _ place: inout Int) throws(RuleProblem) -> String {
    let start = place
    guard let end = scalars[(start + 1)...].firstIndex(of: scalars[start]) else {
      throw RuleProblem(offset: start, sentence: "This quote has no matching quote.")
    }
    place = end + 1
    return string(scalars[(start + 1)..<end])
  }

  private static func word(_ scalars: [Unicode.Scalar], _ place: inout Int) throws(RuleProblem) -> RuleToken {
    let start = place
    var colon: Int?
    while place < scalars.count, !endsWord(scalars[place]) {
      if scalars[place] == ":", colon == nil { colon = place }
      place += 1
      // A value can be quoted.
      if let colon, place == colon + 1, place < scalars.count, scalars[place] == "\"" || scalars[place] == "'" {
        let value = try quoted(scalars, &place)
        return RuleToken(
          kind: .word(string(scalars[start..<colon]).lowercased(), value: value), offset: start, valueOffset: colon + 2)
      }
    }
    guard let colon else {
      return RuleToken(kind: .word(string(scalars[start..<place]).lowercased(), value: nil), offset: start)
    }
    return RuleToken(
      kind: .word(string(scalars[start..<colon]).lowercased(), value: string(scalars[(colon + 1)..<place])),
      offset: start, valueOffset: colon + 1)
  }

  private static func endsWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "(", ")", "\"", "'": true
    default: isWhitespace(scalar)
    }
  }

  // The lookup of properties takes hundreds of instructions for each character.
  private static func isWhitespace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? scalar == " " || ("\t"..."\r").contains(scalar) : scalar.properties.isWhitespace
  }

  // Writes the bytes, because appending the scalars to a string or a scalar view is many times slower.
  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(unsafeUninitializedCapacity: scalars.reduce(0) { $0 + UTF8.width($1) }) { buffer in
      var count = 0
      for scalar in scalars {
        for byte in scalar.utf8 {
          buffer[count] = byte
          count += 1
        }
      }
      return count
    }
  }
}
